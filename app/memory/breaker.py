"""The circuit breaker as a value: who may call a model that keeps failing, and when.

Closed lets every call through. `failures` failed calls in a row open it for `cooldown` seconds;
after that exactly one call, the probe, goes through, and its end closes or reopens the breaker.
Only signs of an outage count as failures (see `retry_policy.outcome_of`): a server that says
"wrong key" or "bad request" is a server that answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """Failed calls in a row that open the breaker, and seconds until it lets a probe through."""

    failures: int = 5
    cooldown: float = 120.0


@dataclass(frozen=True, slots=True)
class Breaker:
    """`opened_at` (monotonic seconds) is None while closed; `probing` while a probe is out."""

    failures: int = 0
    opened_at: float | None = None
    probing: bool = False


class Admission(StrEnum):
    """What a call that asks is told."""

    PASS = "pass"
    PROBE = "probe"
    REFUSE = "refuse"


class Outcome(StrEnum):
    """How an admitted call ended; `abandoned` says nothing about the server."""

    ANSWERED = "answered"
    FAILED = "failed"
    ABANDONED = "abandoned"


def admit(breaker: Breaker, rules: BreakerRules, now: float) -> tuple[Admission, Breaker]:
    """Whether a call may go out at `now`, and the breaker afterwards."""
    if breaker.opened_at is None:
        return Admission.PASS, breaker
    if breaker.probing or now - breaker.opened_at < rules.cooldown:
        return Admission.REFUSE, breaker
    return Admission.PROBE, replace(breaker, probing=True)


def settle(
    breaker: Breaker, rules: BreakerRules, admission: Admission, outcome: Outcome, now: float
) -> Breaker:
    """The breaker after an admitted call ended.

    A call that went out before the breaker opened changes nothing once it is open: only the
    probe decides then. An abandoned probe makes room for the next one.
    """
    if admission is Admission.PROBE:
        if outcome is Outcome.ANSWERED:
            return Breaker()
        if outcome is Outcome.FAILED:
            return replace(breaker, opened_at=now, probing=False)
        return replace(breaker, probing=False)
    if admission is Admission.REFUSE or breaker.opened_at is not None:
        return breaker
    if outcome is Outcome.ANSWERED:
        return Breaker() if breaker.failures else breaker
    if outcome is Outcome.FAILED:
        failures = breaker.failures + 1
        return Breaker(failures, now if failures >= rules.failures else None)
    return breaker
