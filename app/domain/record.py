"""What is remembered: records of facts, beliefs and events, and what is drawn from them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from app.domain.conversation import Frozen
from app.domain.evidence import Span

PRIVATE = "private"
"""The scope of what was said in a direct message: for the person's own DM only."""
SELF = "self"
"""The slot subject that stands for the person themself."""


class RecordKind(StrEnum):
    """The three lists of a profile."""

    FACT = "fact"
    BELIEF = "belief"
    EVENT = "event"


class FactCategory(StrEnum):
    """What part of life a fact is about."""

    PERSONAL = "personal"
    WORK = "work"
    PREFERENCE = "preference"
    HEALTH = "health"
    HOBBY = "hobby"
    RELATIONSHIP = "relationship"


class DurableCategory(StrEnum):
    """What makes a fact worth keeping beyond the conversation."""

    EXACT_VALUE = "exact_value"
    HARD_CONSTRAINT = "hard_constraint"
    DECISION_REASON = "decision_reason"
    CROSS_TASK_DEP = "cross_task_dep"
    IMPLICIT_PREF = "implicit_pref"


class MemoryClass(StrEnum):
    """What kind of memory a statement would be."""

    DURABLE_FACT = "durable_fact"
    TEMPORARY_STATE = "temporary_state"
    EPISODE = "episode"
    PROCEDURE = "procedure"
    NON_MEMORY = "non_memory"


class Significance(StrEnum):
    """How much an event matters, least first."""

    ROUTINE = "routine"
    MINOR = "minor"
    MAJOR = "major"


SourceQuality = Literal["direct", "inferred", "corrected"]
Epistemic = Literal["stated", "inferred"]
Sensitivity = Literal["normal", "sensitive"]


class Slot(Frozen):
    """The place a value stands in: one value at a time, unless `multi`.

    `subject` is SELF, or a thing or person in the person's life as a normalised path
    ("dog", "sister", "sister/dog"); `predicate` is a normalised word or words ("name",
    "lives_in", "favorite_color").
    """

    subject: str
    predicate: str
    multi: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What makes two slots the same."""
        return (self.subject, self.predicate)


class Record(Frozen):
    """One active memory. `text` is in the person's voice and language ("My dog is called Rex").

    `event_date` is absolute: YYYY, YYYY-MM or YYYY-MM-DD. `uses` counts how often the person came
    back to it: said it again, said more of it or corrected it. `generation` is the profile's
    generation at the commit that last changed the record.
    """

    id: str
    kind: RecordKind
    text: str
    category: FactCategory | None = None
    durable_category: DurableCategory | None = None
    slot: Slot | None = None
    value: str | None = None
    qualifiers: dict[str, str] = Field(default_factory=dict)
    memory_class: MemoryClass = MemoryClass.DURABLE_FACT
    confidence: float = 1.0
    confidence_reason: str = ""
    source_quality: SourceQuality = "direct"
    epistemic: Epistemic = "stated"
    scope: str = PRIVATE
    sensitivity: Sensitivity = "normal"
    evidence: tuple[Span, ...] = Field(min_length=1)
    created_at: datetime
    updated_at: datetime
    last_confirmed_at: datetime
    event_date: str | None = None
    significance: Significance | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    uses: int = 0
    generation: int = 0


class Insight(Frozen):
    """A guess about the person, drawn from at least two records; never taken for a fact."""

    id: str
    text: str
    sources: tuple[str, ...] = Field(min_length=2)
    created_at: datetime


class SummarySentence(Frozen):
    """One sentence of the summary and the ids of the records it rests on."""

    text: str
    sources: tuple[str, ...] = Field(min_length=1)


class Trait(Frozen):
    """A single value about the person that rests on their words: gender, style, timezone.

    Without evidence it was set by the person's own hand (a button, a command).
    """

    value: str
    evidence: tuple[Span, ...] = ()
    updated_at: datetime


class Mood(Frozen):
    """How the person felt: a word, its strength from 0 to 1, and what set it off."""

    mood: str
    intensity: float = Field(default=0.5, ge=0, le=1)
    trigger: str = ""
    detected_at: datetime
    evidence: tuple[Span, ...] = ()


class RecordEnd(StrEnum):
    """Why a record is no longer active."""

    SUPERSEDED = "superseded"
    REFINED = "refined"
    MERGED = "merged"
    EVICTED = "evicted"
    EXPIRED = "expired"
    UNSUPPORTED = "unsupported"


class ArchivedRecord(Frozen):
    """A record as it was when it left the profile. A forgotten one is not among them."""

    id: str
    subject: int
    record: Record
    end: RecordEnd
    ended_at: datetime
    generation: int
    replaced_by: str | None = None


class LineageKind(StrEnum):
    """How one record came from another."""

    CORRECTS = "corrects"
    SUPERSEDES = "supersedes"
    REFINES = "refines"
    MERGED_INTO = "merged_into"
    EVICTED = "evicted"
    RESTORED = "restored"


class Lineage(Frozen):
    """One immutable step in a record's history; `record` is None where nothing follows."""

    id: str
    subject: int
    kind: LineageKind
    record: str | None
    predecessor: str
    predecessor_digest: str
    predecessor_generation: int
    at: datetime
