"""Effects: the rows a commit owes to other collections, each with an id that never changes."""

from __future__ import annotations

from datetime import datetime

from app.domain.decision import Ended
from app.domain.profile import Effect, Profile
from app.domain.proposal import Proposal
from app.domain.record import ArchivedRecord, Lineage

ARCHIVE = "archive"
LINEAGE = "lineage"
PROPOSALS = "proposals"


def archive_effect(subject: int, gone: Ended, generation: int, now: datetime) -> Effect:
    """The row of a record as it was until the commit that made `generation`."""
    row = ArchivedRecord(
        id=archive_id(gone.record.id, generation),
        subject=subject,
        record=gone.record,
        end=gone.end,
        ended_at=now,
        generation=generation,
        replaced_by=gone.replaced_by,
    )
    return Effect(id=row.id, collection=ARCHIVE, row=row.model_dump(exclude={"id"}))


def archive_id(record: str, generation: int) -> str:
    """Where a record is archived that the commit of a generation ended."""
    return f"{record}:{generation}"


def lineage_effect(lineage: Lineage) -> Effect:
    """The row of one step in a record's history."""
    return Effect(id=lineage.id, collection=LINEAGE, row=lineage.model_dump(exclude={"id"}))


def proposal_effect(proposal: Proposal) -> Effect:
    """The row of a change that waits for the person."""
    return Effect(id=proposal.id, collection=PROPOSALS, row=proposal.model_dump(exclude={"id"}))


def owed_archive(profile: Profile) -> list[ArchivedRecord]:
    """The archived records that a profile still owes, oldest first."""
    owed = [effect for effect in profile.pending_effects if effect.collection == ARCHIVE]
    return [ArchivedRecord(id=effect.id, **effect.row) for effect in owed]


def owed_lineage(profile: Profile) -> list[Lineage]:
    """The steps of lineage that a profile still owes, oldest first."""
    owed = [effect for effect in profile.pending_effects if effect.collection == LINEAGE]
    return [Lineage(id=effect.id, **effect.row) for effect in owed]
