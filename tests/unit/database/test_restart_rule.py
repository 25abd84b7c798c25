from __future__ import annotations

from app.database.embedded.restart_rule import DELAYS, WITHIN_SECS, RestartRule


def test_pauses_grow_and_the_fifth_death_within_a_minute_is_the_last() -> None:
    rule = RestartRule()
    assert [rule.died(now) for now in (0.0, 10.0, 20.0, 30.0, 40.0)] == [*DELAYS, None]


def test_old_deaths_are_forgiven() -> None:
    rule = RestartRule()
    for now in range(4):
        rule.died(float(now))
    assert rule.died(3.0 + WITHIN_SECS + 1.0) == DELAYS[0]


def test_rare_deaths_never_end_it() -> None:
    rule = RestartRule()
    assert all(rule.died(20.0 * n) is not None for n in range(100))
