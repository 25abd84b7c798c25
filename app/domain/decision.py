"""What a decision does to memory: its outcome, the record it puts, the records it ends."""

from __future__ import annotations

from app.domain.conversation import Frozen
from app.domain.outcome import Outcome
from app.domain.proposal import Proposal
from app.domain.record import LineageKind, Record, RecordEnd


class Ended(Frozen):
    """A record that is no longer active as it was: why, and what came of it."""

    record: Record
    end: RecordEnd
    lineage: LineageKind | None = None
    replaced_by: str | None = None


class Decision(Frozen):
    """The whole consequence of one candidate; without `put` and `ended` memory stays as it is."""

    outcome: Outcome
    put: Record | None = None
    ended: tuple[Ended, ...] = ()
    proposal: Proposal | None = None
