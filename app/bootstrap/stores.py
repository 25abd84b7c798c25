"""One store a collection, all over one database."""

from __future__ import annotations

from dataclasses import dataclass

from app.config import Settings
from app.database.access import AccessStore
from app.database.archive import ArchiveStore
from app.database.connection import Database
from app.database.conversations import ConversationStore
from app.database.effects import EffectStore
from app.database.inbox import InboxStore
from app.database.jobs import JobStore
from app.database.lineage import LineageStore
from app.database.metrics_state import MetricsStateStore
from app.database.profiles import ProfileStore
from app.database.proposals import ProposalStore
from app.database.segments import SegmentStore
from app.database.subject_locks import SubjectLocks
from app.database.usage import UsageStore


@dataclass(frozen=True)
class Stores:
    """Every store."""

    access: AccessStore
    archive: ArchiveStore
    conversations: ConversationStore
    effects: EffectStore
    inbox: InboxStore
    jobs: JobStore
    lineage: LineageStore
    metrics_state: MetricsStateStore
    profiles: ProfileStore
    proposals: ProposalStore
    segments: SegmentStore
    subject_locks: SubjectLocks
    usage: UsageStore

    @classmethod
    def over(cls, db: Database, settings: Settings) -> Stores:
        """All stores over one database."""
        return cls(
            access=AccessStore(db),
            archive=ArchiveStore(db),
            conversations=ConversationStore(db, settings.lease_secs),
            effects=EffectStore(db),
            inbox=InboxStore(db),
            jobs=JobStore(db, settings.job_lease_secs),
            lineage=LineageStore(db),
            metrics_state=MetricsStateStore(db),
            profiles=ProfileStore(db),
            proposals=ProposalStore(db),
            segments=SegmentStore(db),
            subject_locks=SubjectLocks(db, settings.job_lease_secs),
            usage=UsageStore(db),
        )
