"""The circuit breaker: its table, and what holds for every sequence of events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.memory.breaker import Admission, Breaker, BreakerRules, Outcome, admit, settle

RULES = BreakerRules(failures=3, cooldown=100.0)
OPEN = Breaker(failures=3, opened_at=50.0)
PROBING = Breaker(failures=3, opened_at=50.0, probing=True)


@pytest.mark.parametrize(
    ("breaker", "now", "admission"),
    [
        (Breaker(), 0.0, Admission.PASS),
        (Breaker(failures=2), 0.0, Admission.PASS),
        (OPEN, 50.0, Admission.REFUSE),
        (OPEN, 149.9, Admission.REFUSE),
        (OPEN, 150.0, Admission.PROBE),
        (PROBING, 150.0, Admission.REFUSE),
        (PROBING, 9_999.0, Admission.REFUSE),
    ],
)
def test_admission(breaker: Breaker, now: float, admission: Admission) -> None:
    assert admit(breaker, RULES, now)[0] is admission


@pytest.mark.parametrize(
    ("before", "admission", "outcome", "after"),
    [
        (Breaker(), Admission.PASS, Outcome.FAILED, Breaker(failures=1)),
        (Breaker(failures=2), Admission.PASS, Outcome.FAILED, Breaker(3, opened_at=200.0)),
        (Breaker(failures=2), Admission.PASS, Outcome.ANSWERED, Breaker()),
        (Breaker(failures=2), Admission.PASS, Outcome.ABANDONED, Breaker(failures=2)),
        (OPEN, Admission.PASS, Outcome.ANSWERED, OPEN),
        (OPEN, Admission.PASS, Outcome.FAILED, OPEN),
        (PROBING, Admission.PASS, Outcome.ANSWERED, PROBING),
        (PROBING, Admission.PROBE, Outcome.ANSWERED, Breaker()),
        (PROBING, Admission.PROBE, Outcome.FAILED, Breaker(3, opened_at=200.0)),
        (PROBING, Admission.PROBE, Outcome.ABANDONED, OPEN),
    ],
)
def test_settling(before: Breaker, admission: Admission, outcome: Outcome, after: Breaker) -> None:
    assert settle(before, RULES, admission, outcome, 200.0) == after


@given(st.lists(st.sampled_from([Outcome.ANSWERED, Outcome.FAILED]), max_size=30))
def test_opens_exactly_after_failures_in_a_row(outcomes: list[Outcome]) -> None:
    breaker, in_a_row = Breaker(), 0
    for outcome in outcomes:
        if breaker.opened_at is not None:
            break
        admission, breaker = admit(breaker, RULES, 0.0)
        breaker = settle(breaker, RULES, admission, outcome, 0.0)
        in_a_row = in_a_row + 1 if outcome is Outcome.FAILED else 0
        assert (breaker.opened_at is not None) == (in_a_row >= RULES.failures)


class ManyCallers(RuleBasedStateMachine):
    """Calls that start and end in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.breaker = Breaker()
        self.now = 0.0
        self.out: list[Admission] = []

    @rule(seconds=st.floats(min_value=0.0, max_value=150.0))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(callers=st.integers(min_value=1, max_value=5))
    def calls_start(self, callers: int) -> None:
        opened_at = self.breaker.opened_at
        for _ in range(callers):
            admission, self.breaker = admit(self.breaker, RULES, self.now)
            if admission is not Admission.REFUSE:
                self.out.append(admission)
            if opened_at is not None and self.now - opened_at < RULES.cooldown:
                assert admission is Admission.REFUSE

    @precondition(lambda self: self.out)
    @rule(data=st.data(), outcome=st.sampled_from(Outcome))
    def call_ends(self, data: st.DataObject, outcome: Outcome) -> None:
        index = data.draw(st.integers(min_value=0, max_value=len(self.out) - 1))
        admission = self.out.pop(index)
        self.breaker = settle(self.breaker, RULES, admission, outcome, self.now)

    @invariant()
    def one_probe_at_most(self) -> None:
        assert self.out.count(Admission.PROBE) == int(self.breaker.probing)

    @invariant()
    def never_stuck(self) -> None:
        if Admission.PROBE not in self.out:
            later = self.now + RULES.cooldown + 1.0
            assert admit(self.breaker, RULES, later)[0] is not Admission.REFUSE


TestManyCallers = ManyCallers.TestCase
