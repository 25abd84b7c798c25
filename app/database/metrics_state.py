"""`metrics_state`: counters, kept across restarts."""

from __future__ import annotations

from collections.abc import Mapping

from app.database.connection import Database, Index, store_errors

COLLECTION = "metrics_state"
INDEXES: tuple[Index, ...] = ()
ROW = "counters"


class MetricsStateStore:
    """One document of counter values."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def load(self) -> dict[str, float]:
        """The last saved values; empty at first."""
        with store_errors():
            document = await self._rows.find_one({"_id": ROW})
        values = (document or {}).get("values") or []
        return {row["name"]: float(row["value"]) for row in values}

    async def save(self, values: Mapping[str, float]) -> None:
        """Replace the saved values."""
        rows = [{"name": name, "value": value} for name, value in values.items()]
        with store_errors():
            await self._rows.update_one({"_id": ROW}, {"$set": {"values": rows}}, upsert=True)
