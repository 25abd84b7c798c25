"""A subject: a person or a group, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import Field

from app.domain.conversation import Frozen
from app.domain.outcome import Outcome
from app.domain.record import Insight, Mood, Record, RecordKind, SummarySentence, Trait


class Watermark(Frozen):
    """How far a conversation's messages have been applied to a profile, by number.

    `turns`: by the rules, at each turn; `extracted`: by extraction.
    """

    turns: int = 0
    extracted: int = 0


class Place(Frozen):
    """Where words stand: byte offsets into the UTF-8 of a message, and nothing of the words."""

    conversation: str
    seq: int
    start: int
    end: int


class Tombstone(Frozen):
    """What was forgotten, as hashes, so that older messages can't bring it back.

    It covers what was said in `conversation` up to message `through`; `places` are where the
    words stood that it rested on.
    """

    content_hash: str
    slot_hash: str | None = None
    conversation: str
    through: int
    at: datetime
    places: tuple[Place, ...] = ()


class Effect(Frozen):
    """A row owed to another collection, written with the commit and carried out afterwards."""

    id: str
    collection: str
    row: dict[str, Any]


class Profile(Frozen):
    """The aggregate of one subject; `generation` counts memory commits, `epoch` resets.

    `consolidate_from` is set while there is something to consolidate: when that was done last,
    or long ago. `pending_effects` is what other collections are owed.
    """

    subject: int
    generation: int = 0
    epoch: int = 0
    facts: tuple[Record, ...] = ()
    beliefs: tuple[Record, ...] = ()
    events: tuple[Record, ...] = ()
    insights: tuple[Insight, ...] = ()
    summary: tuple[SummarySentence, ...] = ()
    style: Trait | None = None
    gender: Trait | None = None
    timezone: Trait | None = None
    emotional_state: Mood | None = None
    mood_history: tuple[Mood, ...] = ()
    watermarks: dict[str, Watermark] = Field(default_factory=dict)
    applied: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    pending_effects: tuple[Effect, ...] = ()
    recent_outcomes: tuple[Outcome, ...] = ()
    last_consolidated_at: datetime | None = None
    consolidate_from: datetime | None = None
    last_compressed_at: datetime | None = None
    last_interaction_at: datetime | None = None
    created_at: datetime | None = None

    @property
    def records(self) -> Iterator[Record]:
        """All active records: facts, beliefs, events."""
        yield from self.facts
        yield from self.beliefs
        yield from self.events

    @property
    def item_count(self) -> int:
        """How many active records there are."""
        return len(self.facts) + len(self.beliefs) + len(self.events)

    def record(self, record_id: str) -> Record | None:
        """The active record with an id."""
        return next((r for r in self.records if r.id == record_id), None)


class SubjectLine(Frozen):
    """A subject in a list of all: when its memory last changed, and when each record ends.

    `expiries` holds one entry a record, None for those without an end.
    """

    subject: int
    generation: int = 0
    expiries: tuple[datetime | None, ...] = ()
    updated_at: datetime | None = None
    last_interaction_at: datetime | None = None

    def active(self, now: datetime) -> int:
        """How many records are active."""
        return sum(end is None or end > now for end in self.expiries)


MEMORY_FIELDS = frozenset(Profile.model_fields) - {
    "subject",
    "last_interaction_at",
    "created_at",
}
"""What only a memory commit may write."""
LISTS = {RecordKind.FACT: "facts", RecordKind.BELIEF: "beliefs", RecordKind.EVENT: "events"}
"""Where each kind of record stands in a profile."""
