"""Carrying out effects: rows that memory commits owe to `archive`, `lineage` and `proposals`."""

from __future__ import annotations

from collections.abc import Sequence

from app.database import archive, lineage, proposals
from app.database.connection import Database, store_errors
from app.database.models import plain
from app.domain.profile import Effect

KNOWN = frozenset({archive.COLLECTION, lineage.COLLECTION, proposals.COLLECTION})


class EffectStore:
    """Writes rows under their own ids; a row that is there already stays as it is."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        """Write the rows that are missing; harmless when done twice."""
        for effect in effects:
            assert effect.collection in KNOWN
            with store_errors():
                await self._db[effect.collection].update_one(
                    {"_id": effect.id}, {"$setOnInsert": plain(effect.row)}, upsert=True
                )
