"""`user_profiles`: one document a subject (a person or a group)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.database.connection import BEFORE, Database, Index, store_errors
from app.database.models import memory_document, plain, profile_from, subject_line
from app.domain.profile import LISTS, Profile, SubjectLine

COLLECTION = "user_profiles"
INDEXES = (
    Index([("effects_due_at", 1)]),
    Index([("consolidate_from", 1)]),
    # What a commit compares: the embedded database goes through all profiles without it.
    Index([("_id", 1), ("generation", 1), ("epoch", 1)]),
)
_LOWEST = -(2**63)
_OF_A_LINE = {
    "generation": 1,
    "last_interaction_at": 1,
    "recent_outcomes.at": 1,
    **{f"{name}.{field}": 1 for name in LISTS.values() for field in ("updated_at", "expires_at")},
}


class ProfileStore:
    """Reads profiles and their engagement fields; `commit` is for the writer of memory alone."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def touch(self, subject: int, now: datetime) -> Profile | None:
        """Record an interaction and return the profile as it was before; None at first contact.

        One round trip; a first contact creates the profile.
        """
        with store_errors():
            document = await self._rows.find_one_and_update(
                {"_id": subject},
                {
                    "$set": {"last_interaction_at": now},
                    "$setOnInsert": {"generation": 0, "epoch": 0, "created_at": now},
                },
                upsert=True,
                return_document=BEFORE,
            )
        return profile_from(document) if document else None

    async def read(self, subject: int) -> Profile | None:
        """The profile as it stands, or None."""
        with store_errors():
            document = await self._rows.find_one({"_id": subject})
        return profile_from(document) if document else None

    async def page(self, after: int | None, limit: int) -> list[SubjectLine]:
        """Subjects with a profile in the order of their ids, from the first above `after` on.

        No text is read; a profile that makes no sense is listed as far as it does.
        """
        above = _LOWEST if after is None else after
        with store_errors():
            cursor = self._rows.find({"_id": {"$gt": above}}, _OF_A_LINE)
            cursor = cursor.sort("_id", 1).limit(limit)
            return [subject_line(document) async for document in cursor]

    async def commit(self, before: Profile, after: Profile, now: datetime) -> bool:
        """Write what a memory commit changed; False when the memory changed since `before`.

        One compare-and-set on generation and epoch; what is owed to other collections goes with it.
        """
        owed = after.pending_effects[len(before.pending_effects) :]
        change: dict[str, object] = {"$set": memory_document(before, after)}
        if owed:
            change["$set"] = {**memory_document(before, after), "effects_due_at": now}
            change["$push"] = {"pending_effects": {"$each": [plain(effect) for effect in owed]}}
        with store_errors():
            result = await self._rows.update_one(
                {
                    "_id": before.subject,
                    "generation": _or_missing(before.generation),
                    "epoch": _or_missing(before.epoch),
                },
                change,
            )
        return bool(result.matched_count)

    async def owing(self, now: datetime, limit: int) -> list[int]:
        """Subjects that owe rows to other collections, longest waiting first."""
        with store_errors():
            cursor = self._rows.find({"effects_due_at": {"$lte": now}}, {"_id": 1})
            cursor = cursor.sort("effects_due_at", 1).limit(limit)
            return [document["_id"] async for document in cursor]

    async def paid(self, subject: int, effects: Sequence[str]) -> None:
        """Take carried out effects off the list; harmless when done twice."""
        with store_errors():
            await self._rows.update_one(
                {"_id": subject}, {"$pull": {"pending_effects": {"id": {"$in": list(effects)}}}}
            )
            await self._rows.update_one(
                {"_id": subject, "pending_effects": []}, {"$unset": {"effects_due_at": ""}}
            )

    async def due_for_consolidation(self, before: datetime, limit: int) -> list[int]:
        """Subjects with something to consolidate that were last consolidated before a moment."""
        with store_errors():
            cursor = self._rows.find({"consolidate_from": {"$lte": before}}, {"_id": 1})
            cursor = cursor.sort("consolidate_from", 1).limit(limit)
            return [document["_id"] async for document in cursor]


def _or_missing(number: int) -> object:
    """What a count must be; zero is also what older documents don't say."""
    return {"$in": [0, None]} if number == 0 else number
