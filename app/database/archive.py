"""`archive`: records that are no longer active, as they were; rows are added and never changed."""

from __future__ import annotations

from typing import Any

from app.database.connection import Database, Index, store_errors
from app.domain.record import ArchivedRecord

COLLECTION = "archive"
INDEXES = (Index([("subject", 1), ("ended_at", 1)]), Index([("subject", 1), ("record.id", 1)]))


class ArchiveStore:
    """Reads the archive; rows come from the effects of memory commits."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def of_subject(self, subject: int) -> list[ArchivedRecord]:
        """Everything of a subject, oldest first."""
        with store_errors():
            cursor = self._rows.find({"subject": subject}).sort("ended_at", 1)
            return [_row(document) async for document in cursor]

    async def newest(self, subject: int, limit: int) -> list[ArchivedRecord]:
        """What a subject's memory let go of last, newest first."""
        with store_errors():
            cursor = self._rows.find({"subject": subject}).sort([("ended_at", -1), ("_id", -1)])
            return [_row(document) async for document in cursor.limit(limit)]

    async def of_record(self, subject: int, record: str) -> list[ArchivedRecord]:
        """All earlier states of one record, oldest first."""
        with store_errors():
            cursor = self._rows.find({"subject": subject, "record.id": record})
            rows = [_row(document) async for document in cursor]
        return sorted(rows, key=lambda row: row.generation)


def _row(document: dict[str, Any]) -> ArchivedRecord:
    return ArchivedRecord(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
