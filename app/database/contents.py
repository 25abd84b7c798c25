"""All documents of a database, whatever they mean: what a backup reads and a restore writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from app.database.connection import BulkFailure, Database, Document, store_errors
from app.errors import StoreError

BATCH = 200


class Contents:
    """Reads and writes whole collections."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def names(self) -> list[str]:
        """The collections there are, sorted."""
        return await self._db.collection_names()

    async def counts(self) -> dict[str, int]:
        """The number of documents in each collection that has any."""
        counts = {}
        for name in await self.names():
            with store_errors():
                counts[name] = await self._db[name].count_documents({})
        return {name: count for name, count in counts.items() if count}

    async def documents(self, name: str) -> AsyncIterator[Document]:
        """Every document of a collection by `_id`, fetched in batches."""
        with store_errors():
            cursor = self._db[name].find().sort("_id", 1).batch_size(BATCH)
            async for document in cursor:
                yield document

    async def insert(self, name: str, documents: Sequence[Document]) -> None:
        """Add documents to a collection; raises StoreError when one of them is there already."""
        with store_errors():
            try:
                await self._db[name].insert_many(list(documents))
            except BulkFailure:
                raise StoreError(f"{name} did not take every document") from None

    async def drop(self, name: str) -> None:
        """Delete a collection and its indexes."""
        await self._db.drop_collection(name)
