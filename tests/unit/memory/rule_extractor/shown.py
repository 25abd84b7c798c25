"""What an extraction found, in short lines that a table can hold."""

from __future__ import annotations

from datetime import UTC, datetime

from app.domain.candidate import Candidate, Extracted
from app.domain.conversation import Message
from app.memory.rule_extractor import extract

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
"""A Tuesday."""


def said(text: str, seq: int = 7) -> Message:
    """A message that a person typed."""
    return Message(seq=seq, role="user", content=text, created_at=NOW)


def found_in(text: str, previous: str | None = None) -> tuple[str, ...]:
    """The findings of a text as lines, in no order: `dog.name=Rex`, `forget my address`."""
    before = previous and Message(
        seq=6, role="assistant", content=previous, created_at=NOW, origin="bot"
    )
    return lines(extract(said(text), now=NOW, previous=before or None))


def lines(extracted: Extracted) -> tuple[str, ...]:
    """One line a finding; hints begin with a question mark."""
    return tuple(
        sorted(
            [
                *map(line, extracted.candidates),
                *("? " + line(hint) for hint in extracted.hints),
                *(f"forget {forget.words}" for forget in extracted.forgets),
                *(f"{claim.trait}={claim.value}" for claim in extracted.traits),
            ]
        )
    )


def line(candidate: Candidate) -> str:
    """A candidate in short: slot and value, or its text, and what else is special about it."""
    slot = candidate.slot
    what = f"{slot.subject}.{slot.predicate}={candidate.value or ''}" if slot else candidate.text
    marks = [
        what,
        "event" if candidate.kind == "event" else "",
        f"on {candidate.event_date}" if candidate.event_date else "",
        "asked" if candidate.asked else "",
        "corrects" if candidate.correction else "",
        f"not {candidate.replaces}" if candidate.replaces else "",
        f"({candidate.referent})" if candidate.referent else "",
    ]
    return " ".join(mark for mark in marks if mark)
