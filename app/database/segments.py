"""`segments`: messages that left the window; the archive, and what extraction reads there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from app.database.connection import Database, DuplicateKey, Index, store_errors
from app.database.models import message_document
from app.domain.conversation import Message

COLLECTION = "segments"
INDEXES = (Index([("conversation", 1), ("first_seq", 1)]),)


class SegmentStore:
    """Append-only but for edits of a message's text."""

    def __init__(self, db: Database) -> None:
        self._rows = db[COLLECTION]

    async def add(self, conversation: str, messages: Sequence[Message], now: datetime) -> int:
        """Store a run of messages and return the last number that is safely stored.

        The same run again changes nothing; a longer run with the same beginning takes its place.
        """
        first, last = messages[0].seq, messages[-1].seq
        document = {
            "_id": f"{conversation}:{first}",
            "conversation": conversation,
            "first_seq": first,
            "last_seq": last,
            "created_at": now,
            "messages": [{"seq": m.seq, **message_document(m)} for m in messages],
        }
        with store_errors():
            try:
                await self._rows.insert_one(document)
            except DuplicateKey:
                await self._rows.replace_one(
                    {"_id": document["_id"], "last_seq": {"$lt": last}}, document
                )
                stored = await self._rows.find_one({"_id": document["_id"]}, {"last_seq": 1})
                return int(stored["last_seq"]) if stored else first - 1
        return last

    async def messages(self, conversation: str, after: int, through: int) -> list[Message]:
        """The archived messages with numbers above `after` and up to `through`, in order."""
        with store_errors():
            cursor = self._rows.find(
                {"conversation": conversation, "first_seq": {"$lte": through}}
            ).sort("first_seq", -1)
            found: dict[int, Message] = {}
            async for document in cursor:
                if document["last_seq"] <= after:
                    break
                for fields in document["messages"]:
                    if after < fields["seq"] <= through:
                        found.setdefault(fields["seq"], Message(**fields))
        return [found[number] for number in sorted(found)]

    async def edit(self, conversation: str, message_id: int, text: str, at: datetime) -> int | None:
        """Replace the text of an archived message of a person; its number, or None without one."""
        condition = {"conversation": conversation, "messages.telegram_message_id": message_id}
        with store_errors():
            document = await self._rows.find_one(condition, {"messages": 1})
            if document is None:
                return None
            await self._rows.update_one(
                {"_id": document["_id"], "messages.telegram_message_id": message_id},
                {"$set": {"messages.$.content": text, "messages.$.edited_at": at}},
            )
        rows = document["messages"]
        return next(int(m["seq"]) for m in rows if m.get("telegram_message_id") == message_id)

    async def rekey(self, old: str, new: str) -> None:
        """Move the segments of a conversation; harmless when done twice."""
        with store_errors():
            await self._rows.update_many({"conversation": old}, {"$set": {"conversation": new}})
