"""`access`: who owns this bot, and the one-time code that decides it."""

from __future__ import annotations

from app.database.connection import Database, DuplicateKey, Index, store_errors

COLLECTION = "access"
INDEXES: tuple[Index, ...] = ()


class AccessStore:
    """One document a bot."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def owner(self, bot_id: int) -> int | None:
        """The owner's Telegram id, once claimed."""
        with store_errors():
            document = await self._rows.find_one({"_id": bot_id})
        return document.get("owner_id") if document else None

    async def claim_code(self, bot_id: int, fresh: str) -> str:
        """The code that is valid until somebody uses it; `fresh` becomes it when there is none."""
        with store_errors():
            try:
                await self._rows.insert_one({"_id": bot_id, "code": fresh})
            except DuplicateKey:
                document = await self._rows.find_one({"_id": bot_id})
                return str((document or {}).get("code") or "")
        return fresh

    async def claim(self, bot_id: int, code: str, user_id: int) -> bool:
        """Make a person the owner; False when the code is wrong or was used by somebody else."""
        with store_errors():
            result = await self._rows.update_one(
                {"_id": bot_id, "code": code, "owner_id": {"$exists": False}},
                {"$set": {"owner_id": user_id}, "$unset": {"code": ""}},
            )
        return bool(result.matched_count) or await self.owner(bot_id) == user_id
