"""Every collection with its indexes; made at start, harmless when they exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.database import (
    access,
    conversations,
    inbox,
    metrics_state,
    profiles,
    segments,
    usage,
)
from app.database.connection import Index

INDEXES: Mapping[str, Sequence[Index]] = {
    module.COLLECTION: module.INDEXES
    for module in (access, conversations, inbox, metrics_state, profiles, segments, usage)
}
