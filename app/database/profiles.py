"""`user_profiles`: one document a subject (a person or a group)."""

from __future__ import annotations

from datetime import datetime

from app.database.connection import BEFORE, Database, Index, store_errors
from app.database.models import profile_from
from app.domain.profile import Profile

COLLECTION = "user_profiles"
INDEXES: tuple[Index, ...] = ()


class ProfileStore:
    """Reads profiles and their engagement fields; memory has its own writer."""

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
