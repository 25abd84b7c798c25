"""`proposals`: changes to memory that wait for their owner."""

from __future__ import annotations

from app.database.connection import Database, Index, store_errors
from app.domain.proposal import Proposal

COLLECTION = "proposals"
INDEXES = (Index([("subject", 1), ("status", 1), ("created_at", 1)]),)


class ProposalStore:
    """Reads proposals; rows come from the effects of memory commits."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def pending(self, subject: int) -> list[Proposal]:
        """What waits for a subject, oldest first."""
        with store_errors():
            cursor = self._rows.find({"subject": subject, "status": "pending"})
            cursor = cursor.sort("created_at", 1)
            return [
                Proposal(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
                async for document in cursor
            ]
