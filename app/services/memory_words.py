"""What is said of changes to memory: to the person when one wasn't made, to the model of all."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.outcome import Outcome, Reason
from app.domain.record import Record
from app.memory.memory_block import one_line

PENDING = "I'll check with you before I keep that."
MAX_CHOICES = 5
JUST_DONE = "## MEMORY\nDone already with their last message; no memory_ops for it:"

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


def just_done(outcomes: Sequence[Outcome]) -> str:
    """What a turn's words did to memory before the model was asked, told to it; "" if nothing.

    Otherwise it asks for the same once more, and for a choice that is offered already.
    """
    lines = list(dict.fromkeys(line for line in map(_told, outcomes) if line))
    return "\n".join([JUST_DONE, *lines]) if lines else ""


def noted(outcomes: Sequence[Outcome]) -> bool:
    """Whether something was kept because the person asked for it."""
    return any(o.asked and o.changed and o.record is not None for o in outcomes)


def _told(outcome: Outcome) -> str:
    if outcome.proposal is not None:
        return "- Not kept yet: they will be asked first." if outcome.asked else ""
    if Reason.SEVERAL_MATCHES in outcome.reasons:
        return "- Several notes fit what they want forgotten: they are shown the list. Don't ask."
    if not outcome.changed:
        return ""
    if Reason.FORGET_REQUESTED in outcome.reasons:
        return "- Forgotten, as they asked."
    return f'- Kept: "{one_line(outcome.text)}"' if outcome.text else ""


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
