"""`inbox`: every update Telegram handed over, unique by bot and update id."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from app.database.connection import Database, DuplicateKey, Index, store_errors
from app.database.models import inbox_document, inbox_from
from app.domain.inbox import InboxRow, InboxStatus

COLLECTION = "inbox"
INDEXES = (
    Index([("status", 1), ("order", 1)]),
    Index([("expires_at", 1)]),
    Index([("conversation", 1)]),
)


class InboxStore:
    """Rows are waiting, done or dead; done rows lose their payload and expire."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def add(self, row: InboxRow) -> bool:
        """Store a new update; False when it is here already. One round trip."""
        with store_errors():
            try:
                await self._rows.insert_one(inbox_document(row))
            except DuplicateKey:
                return False
        return True

    async def done(self, ids: Sequence[str], expires_at: datetime) -> None:
        """Mark rows done and drop their payload. One round trip."""
        change = {
            "$set": {"status": InboxStatus.DONE.value, "expires_at": expires_at},
            "$unset": {"payload": ""},
        }
        with store_errors():
            if len(ids) == 1:
                await self._rows.update_one({"_id": ids[0]}, change)
            else:
                await self._rows.update_many({"_id": {"$in": list(ids)}}, change)

    async def failed(self, row_id: str, error: str, attempts: int) -> None:
        """Count a failed attempt; `error` names the exception's class, never the message."""
        with store_errors():
            await self._rows.update_one(
                {"_id": row_id, "status": InboxStatus.WAITING.value},
                {"$set": {"error": error, "attempts": attempts}},
            )

    async def dead(self, row_id: str, error: str, expires_at: datetime) -> None:
        """Give a row up: it leaves the queue and stays in the dead letter list."""
        with store_errors():
            await self._rows.update_one(
                {"_id": row_id, "status": InboxStatus.WAITING.value},
                {
                    "$set": {
                        "status": InboxStatus.DEAD.value,
                        "error": error,
                        "expires_at": expires_at,
                    }
                },
            )

    async def retry(self, row_id: str) -> bool:
        """Put a dead row back in the queue; False when there is no such dead row."""
        with store_errors():
            result = await self._rows.update_one(
                {"_id": row_id, "status": InboxStatus.DEAD.value, "payload": {"$exists": True}},
                {
                    "$set": {"status": InboxStatus.WAITING.value, "attempts": 0},
                    "$unset": {"expires_at": ""},
                },
            )
        return bool(result.matched_count)

    async def is_waiting(self, row_id: str) -> bool:
        """Whether a row is there and not finished."""
        with store_errors():
            row = await self._rows.find_one({"_id": row_id}, {"status": 1})
        return row is not None and row["status"] == InboxStatus.WAITING.value

    async def waiting(self, bot_id: int) -> AsyncIterator[InboxRow]:
        """All waiting rows of a bot in the order of their receipt."""
        wanted = {"status": InboxStatus.WAITING.value, "bot_id": bot_id}
        with store_errors():
            cursor = self._rows.find(wanted).sort("order", 1)
            async for document in cursor:
                yield inbox_from(document)

    async def dead_letters(self, limit: int = 100) -> list[InboxRow]:
        """The dead letter list, oldest first."""
        with store_errors():
            cursor = self._rows.find({"status": InboxStatus.DEAD.value}).sort("order", 1)
            return [inbox_from(document) async for document in cursor.limit(limit)]

    async def rekey(self, old: str, new: str) -> None:
        """Move rows from one conversation to another; harmless when done twice."""
        with store_errors():
            await self._rows.update_many({"conversation": old}, {"$set": {"conversation": new}})

    async def forget_expired(self, now: datetime) -> int:
        """Delete rows whose time is over; returns how many."""
        with store_errors():
            result = await self._rows.delete_many({"expires_at": {"$lte": now}})
        return int(result.deleted_count)
