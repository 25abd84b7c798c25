"""`usage`: what model calls cost; lengths and times, never text; kept 30 days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.database.connection import Database, Index, store_errors
from app.domain.reply import Usage

COLLECTION = "usage"
INDEXES = (Index([("expires_at", 1)]),)


class UsageStore:
    """Append-only rows with an expiry."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def add(self, rows: Sequence[tuple[datetime, Usage]], expires_at: datetime) -> None:
        """Store the rows. One round trip."""
        documents = [
            {**usage.model_dump(), "at": at, "expires_at": expires_at} for at, usage in rows
        ]
        with store_errors():
            await self._rows.insert_many(documents, ordered=False)

    async def forget_expired(self, now: datetime) -> int:
        """Delete rows whose time is over; returns how many."""
        with store_errors():
            result = await self._rows.delete_many({"expires_at": {"$lte": now}})
        return int(result.deleted_count)
