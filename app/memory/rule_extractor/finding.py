"""A finding: what one shape of sentence says, before it becomes a candidate."""

from __future__ import annotations

from typing import NamedTuple

from app.domain.record import FactCategory, RecordKind, Significance


class Finding(NamedTuple):
    """A claim and where it stands: `start` and `end` are character offsets into the message.

    `firm` findings count always, others are hints. `predicate` is empty for a claim without a
    slot. `subject` "?" goes with a `referent`. `text` replaces the stretch itself where the
    words alone say too little.
    """

    start: int
    end: int
    subject: str = "self"
    predicate: str = ""
    value: str | None = None
    firm: bool = True
    multi: bool | None = None
    kind: RecordKind = RecordKind.FACT
    category: FactCategory | None = None
    event_date: str | None = None
    significance: Significance | None = None
    correction: bool = False
    replaces: str | None = None
    referent: str | None = None
    asked: bool = False
    text: str | None = None
    answers: int | None = None
