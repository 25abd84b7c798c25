"""Every collection with its indexes; made at start, harmless when they exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.database import (
    access,
    archive,
    conversations,
    inbox,
    jobs,
    lineage,
    metrics_state,
    profiles,
    proposals,
    segments,
    subject_locks,
    usage,
)
from app.database.connection import Index

INDEXES: Mapping[str, Sequence[Index]] = {
    module.COLLECTION: module.INDEXES
    for module in (
        access,
        archive,
        conversations,
        inbox,
        jobs,
        lineage,
        metrics_state,
        profiles,
        proposals,
        segments,
        subject_locks,
        usage,
    )
}
