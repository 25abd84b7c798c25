"""What the bot itself says about a request to memory that wasn't simply carried out."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.outcome import Outcome, Reason
from app.domain.record import Record

PENDING = "I'll check with you before I keep that."
MAX_CHOICES = 5

_WHY_NOT = {
    Reason.UNSUPPORTED_BY_SOURCE: "I couldn't keep that: I don't find it in what you wrote.",
    Reason.AMBIGUOUS_REFERENT: "I didn't keep that: I'm not sure what it is about. "
    "Say it with the name?",
    Reason.NO_EXTRACTABLE_CLAIM: "There was nothing in it that I could keep.",
    Reason.ALREADY_EXPIRED: "I didn't keep that: its time is over already.",
    Reason.NOTHING_TO_FORGET: "I have no note of that, so there is nothing to forget.",
    Reason.UNKNOWN_TARGET: "I have no note of that, so there is nothing to forget.",
    Reason.NO_SPECIFIC_TARGET: 'Tell me what exactly to forget, for example: "forget my address".',
}
_OTHERWISE = "I couldn't keep that."


def second_line(outcomes: Sequence[Outcome], records: Sequence[Record]) -> str | None:
    """One short line about what was asked for and is not so; None when all is well."""
    lines = [_line(outcome, records) for outcome in outcomes if outcome.asked]
    said = list(dict.fromkeys(line for line in lines if line))
    return "\n".join(said) or None


def noted(outcomes: Sequence[Outcome]) -> bool:
    """Whether something was kept because the person asked for it."""
    return any(o.asked and o.changed and o.record is not None for o in outcomes)


def _line(outcome: Outcome, records: Sequence[Record]) -> str | None:
    match outcome.verification:
        case "verified":
            return None
        case "unverified":
            return PENDING
        case _ if Reason.SEVERAL_MATCHES in outcome.reasons:
            return _choice(outcome, records)
        case _:
            return _WHY_NOT.get(outcome.reasons[0], _OTHERWISE)


def _choice(outcome: Outcome, records: Sequence[Record]) -> str:
    texts = {record.id: record.text for record in records}
    shown = [texts[choice] for choice in outcome.choices if choice in texts][:MAX_CHOICES]
    return "\n".join(
        ["More than one note fits. Which one shall I forget?", *(f"- {text}" for text in shown)]
    )
