"""`lineage`: how records came from one another; rows are added and never changed."""

from __future__ import annotations

from app.database.connection import Database, Index, store_errors
from app.domain.record import Lineage

COLLECTION = "lineage"
INDEXES = (Index([("subject", 1), ("at", 1)]),)


class LineageStore:
    """Reads lineage; rows come from the effects of memory commits."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def of_subject(self, subject: int) -> list[Lineage]:
        """Every step of a subject's records, oldest first."""
        with store_errors():
            cursor = self._rows.find({"subject": subject}).sort([("at", 1), ("_id", 1)])
            return [
                Lineage(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
                async for document in cursor
            ]
