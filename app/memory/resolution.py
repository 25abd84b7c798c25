"""Resolution: what "it", "she" or an old value refers to, within a bounded window, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.candidate import Candidate
from app.domain.conversation import Frozen, Message
from app.domain.record import Record
from app.memory.normalise import words

UNKNOWN = "?"
WINDOW_MESSAGES = 12
"""How many messages before the statement may say what it is about."""


class Resolved(Frozen):
    """The record a statement is about; `several` when more than one would do."""

    record: Record | None = None
    several: bool = False


def resolve(candidate: Candidate, records: Sequence[Record], window: Sequence[Message]) -> Resolved:
    """Finds the record that a correction or a pronoun refers to; never guesses.

    An old value in the person's words decides first ("not Rex"); then the only record whose
    subject or value was spoken of in the last WINDOW_MESSAGES messages.
    """
    pool = _same_predicate(candidate, records)
    if candidate.replaces:
        named = [record for record in pool if says(record, candidate.replaces)]
        exact = [r for r in named if r.value and words(r.value) == words(candidate.replaces)]
        return _only(exact or named)
    if candidate.referent is None:
        return Resolved()
    recent = window[-WINDOW_MESSAGES:]
    spoken = {word for message in recent for word in words(message.content)}
    return _only([record for record in pool if _spoken_of(record, spoken)])


def says(record: Record, phrase: str) -> bool:
    """Whether a record holds a phrase's words, in order, in its value, qualifiers or text."""
    wanted = words(phrase)
    if not wanted:
        return False
    held = (record.value or "", *record.qualifiers.values(), record.text)
    return any(contains(words(text), wanted) for text in held)


def contains(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether the words of one stand in the other, in order."""
    rest = iter(longer)
    return bool(shorter) and all(word in rest for word in shorter)


def _same_predicate(candidate: Candidate, records: Sequence[Record]) -> list[Record]:
    slot = candidate.slot
    predicate = slot.predicate if slot else UNKNOWN
    subject = slot.subject if slot else UNKNOWN
    return [
        record
        for record in records
        if (predicate == UNKNOWN or (record.slot and record.slot.predicate == predicate))
        and (subject == UNKNOWN or (record.slot and record.slot.subject == subject))
    ]


def _spoken_of(record: Record, spoken: set[str]) -> bool:
    names = set(words(record.value or ""))
    if record.slot and record.slot.subject != "self":
        names.update(record.slot.subject.replace("_", "/").split("/"))
    return bool(names & spoken)


def _only(found: Sequence[Record]) -> Resolved:
    if len(found) == 1:
        return Resolved(record=found[0])
    return Resolved(several=len(found) > 1)
