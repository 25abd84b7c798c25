"""`subject_locks`: who may work on a subject's memory, across processes."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.database.connection import Database, DuplicateKey, Index, store_errors
from app.errors import LeaseHeld

COLLECTION = "subject_locks"
INDEXES: tuple[Index, ...] = ()


class SubjectLocks:
    """One lease a subject. A missed lock is harmless: commits compare and set."""

    def __init__(self, db: Database, lease_secs: float) -> None:
        self._rows = db[COLLECTION]
        self._lease = timedelta(seconds=lease_secs)
        self.lease_secs = lease_secs

    async def take(self, subject: int, owner: str, now: datetime) -> None:
        """Take or renew the lease. Raises LeaseHeld while another owner has it."""
        free = {
            "_id": subject,
            "$or": [{"owner": owner}, {"expires_at": {"$lte": now}}],
        }
        with store_errors():
            try:
                await self._rows.update_one(
                    free,
                    {"$set": {"owner": owner, "expires_at": now + self._lease}},
                    upsert=True,
                )
            except DuplicateKey:
                raise LeaseHeld(str(subject)) from None

    async def release(self, subject: int, owner: str) -> None:
        """Give the lease back; harmless when it isn't ours."""
        with store_errors():
            await self._rows.delete_one({"_id": subject, "owner": owner})
