"""What might become memory: proposed by rules, by a model or by a request, decided by neither."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from app.domain.conversation import Frozen
from app.domain.evidence import Quote
from app.domain.record import (
    DurableCategory,
    Epistemic,
    FactCategory,
    MemoryClass,
    RecordKind,
    Sensitivity,
    Significance,
    Slot,
)

CandidateSource = Literal["rules", "model", "request"]


class Candidate(Frozen):
    """A claim about the person or their world, with the words it rests on.

    `asked`: the person asked for it to be remembered. `correction`: they said that something
    known is wrong; `replaces` is the old value in their words ("not Rex"). `referent`: the word
    that stands for the slot's subject where it must be found out first ("it", "she"); the slot's
    subject is then "?". `target`: the id of the record a model says this is about.
    """

    kind: RecordKind = RecordKind.FACT
    text: str
    quotes: tuple[Quote, ...] = ()
    source: CandidateSource
    category: FactCategory | None = None
    durable_category: DurableCategory | None = None
    slot: Slot | None = None
    value: str | None = None
    qualifiers: dict[str, str] = Field(default_factory=dict)
    memory_class: MemoryClass = MemoryClass.DURABLE_FACT
    confidence: float = Field(default=0.9, ge=0, le=1)
    confidence_reason: str = ""
    epistemic: Epistemic = "stated"
    sensitivity: Sensitivity = "normal"
    event_date: str | None = None
    significance: Significance | None = None
    expires_at: datetime | None = None
    asked: bool = False
    correction: bool = False
    replaces: str | None = None
    referent: str | None = None
    target: str | None = None


class Forget(Frozen):
    """A request to forget: the person's specific words, or the id of a record."""

    words: str = ""
    record_id: str | None = None
    quote: Quote | None = None


class TraitClaim(Frozen):
    """A claim about gender, style or timezone (an IANA name)."""

    trait: Literal["gender", "style", "timezone"]
    value: str
    quotes: tuple[Quote, ...]
    confidence: float = Field(default=0.9, ge=0, le=1)


class MoodClaim(Frozen):
    """A claim about how the person felt."""

    mood: str
    intensity: float = Field(default=0.5, ge=0, le=1)
    trigger: str = ""
    quotes: tuple[Quote, ...]


class Malformed(Frozen):
    """A row of a model's output that could not be read: which, and what was wrong (no content)."""

    index: int
    problem: str


class Extracted(Frozen):
    """Everything one run over some messages proposes.

    `hints` are looser findings of the rules, for a model to judge; without a model they count
    as candidates.
    """

    candidates: tuple[Candidate, ...] = ()
    hints: tuple[Candidate, ...] = ()
    forgets: tuple[Forget, ...] = ()
    traits: tuple[TraitClaim, ...] = ()
    moods: tuple[MoodClaim, ...] = ()
    malformed: tuple[Malformed, ...] = ()
