"""`chat_buffers`: the conversation aggregate; every change is one compare-and-set."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from app.clock import EPOCH
from app.database.connection import AFTER, Database, DuplicateKey, Index, store_errors
from app.database.models import conversation_from, message_document, outbox_document
from app.domain.conversation import Conversation, Message, OutboxRow
from app.errors import LeaseHeld, LeaseLost

COLLECTION = "chat_buffers"
INDEXES = (
    Index([("next_delivery_at", 1)]),
    Index([("extract_due_at", 1)]),
    # What a grant's writes compare: the embedded database goes through all rows without it.
    Index([("_id", 1), ("lease.owner", 1), ("lease.fence", 1)]),
)
HANDLED_KEPT = 256
MAX_RACES = 20


class Grant:
    """The right to change one conversation until the lease ends: key, owner, fence."""

    def __init__(self, key: str, owner: str, fence: int) -> None:
        self.key = key
        self.owner = owner
        self.fence = fence

    @property
    def filter(self) -> dict[str, Any]:
        """What a write under this grant must match."""
        return {"_id": self.key, "lease.owner": self.owner, "lease.fence": self.fence}


class ConversationStore:
    """Reads and writes conversations, each write under a fenced lease."""

    def __init__(self, db: Database, lease_secs: float) -> None:
        self._rows = db[COLLECTION]
        self._lease = timedelta(seconds=lease_secs)

    async def begin(
        self,
        key: str,
        owner: str,
        now: datetime,
        messages: Sequence[Message] = (),
        update_ids: Sequence[int] = (),
    ) -> tuple[Grant, Conversation]:
        """Take the lease, append the messages not stored yet, and read the window.

        One round trip, unless somebody else holds the lease (LeaseHeld) or a part of the
        messages is there already from a run that was cut short. `update_ids` already handled
        append nothing. A first contact creates the conversation.
        """
        for _ in range(MAX_RACES):
            document = await self._begin_fresh(key, owner, now, messages, update_ids)
            if document is None:
                current = await self.read(key)
                if current is None:
                    continue
                if current.moved_to is not None:
                    if current.messages or current.outbox:
                        chat_id = int(current.moved_to.partition(":")[0])
                        await self.rekey(key, current.moved_to, chat_id, owner, now)
                    return await self.begin(current.moved_to, owner, now, messages, update_ids)
                lease = current.lease
                if lease and lease.owner != owner and lease.expires_at > now:
                    raise LeaseHeld(key)
                document = await self._begin_again(current, owner, now, messages, update_ids)
            if document is not None:
                conversation = conversation_from(document)
                assert conversation.lease is not None
                return Grant(key, owner, conversation.lease.fence), conversation
        raise LeaseHeld(key)

    async def _begin_fresh(
        self,
        key: str,
        owner: str,
        now: datetime,
        messages: Sequence[Message],
        update_ids: Sequence[int],
    ) -> dict[str, Any] | None:
        free: dict[str, Any] = {
            "_id": key,
            "moved_to": {"$exists": False},
            "$or": [
                {"lease.owner": owner},
                {"lease.expires_at": {"$lte": now}},
                {"lease": {"$exists": False}},
            ],
        }
        if update_ids:
            free["handled"] = {"$nin": list(update_ids)}
            free["messages.update_id"] = {"$nin": list(update_ids)}
        return await self._take(free, owner, now, messages, upsert=True)

    async def _begin_again(
        self,
        current: Conversation,
        owner: str,
        now: datetime,
        messages: Sequence[Message],
        update_ids: Sequence[int],
    ) -> dict[str, Any] | None:
        known = {m.update_id for m in current.messages} | set(current.handled)
        missing = [m for m in messages if m.update_id not in known]
        return await self._take(
            {"_id": current.key, "version": current.version}, owner, now, missing, upsert=False
        )

    async def _take(
        self,
        condition: dict[str, Any],
        owner: str,
        now: datetime,
        messages: Sequence[Message],
        *,
        upsert: bool,
    ) -> dict[str, Any] | None:
        change: dict[str, Any] = {
            "$set": {"lease.owner": owner, "lease.expires_at": now + self._lease},
            "$inc": {"version": 1, "lease.fence": 1},
        }
        if upsert:
            change["$setOnInsert"] = {"first_seq": 1, "answered_through": 0}
        if messages:
            change["$push"] = {"messages": {"$each": [message_document(m) for m in messages]}}
        with store_errors():
            try:
                document: dict[str, Any] | None = await self._rows.find_one_and_update(
                    condition, change, upsert=upsert, return_document=AFTER
                )
            except DuplicateKey:
                return None
        return document

    async def commit(
        self,
        grant: Grant,
        *,
        messages: Sequence[Message] = (),
        outbox: Sequence[OutboxRow] = (),
        answered_through: int | None = None,
        handled: Sequence[int] = (),
        notices: dict[str, datetime] | None = None,
        next_delivery_at: datetime | None = None,
        extract_due_at: datetime | None = None,
        blocked: bool | None = None,
    ) -> None:
        """The turn's one write: the bot's message, the answered mark and what is owed.

        Raises LeaseLost, with nothing written, when the grant is no longer valid.
        """
        push: dict[str, Any] = {}
        values: dict[str, Any] = {f"notices.{name}": at for name, at in (notices or {}).items()}
        if messages:
            push["messages"] = {"$each": [message_document(m) for m in messages]}
        if outbox:
            push["outbox"] = {"$each": [outbox_document(row) for row in outbox]}
        if handled:
            push["handled"] = {"$each": list(handled), "$slice": -HANDLED_KEPT}
        if answered_through is not None:
            values["answered_through"] = answered_through
        if next_delivery_at is not None:
            values["next_delivery_at"] = next_delivery_at
        if extract_due_at is not None:
            values["extract_due_at"] = extract_due_at
        if blocked is not None:
            values["blocked"] = blocked
        change: dict[str, Any] = {"$inc": {"version": 1}}
        if push:
            change["$push"] = push
        if values:
            change["$set"] = values
        await self._write(grant, change)

    async def settle(
        self,
        grant: Grant,
        outbox: Sequence[OutboxRow],
        next_delivery_at: datetime | None,
        *,
        blocked: bool | None = None,
        delivered: OutboxRow | None = None,
        release: bool = False,
    ) -> None:
        """Write what is still owed after sending, when to go on, and the delivered ids."""
        values: dict[str, Any] = {"outbox": [outbox_document(row) for row in outbox]}
        change: dict[str, Any] = {"$set": values, "$inc": {"version": 1}}
        if next_delivery_at is None:
            change["$unset"] = {"next_delivery_at": ""}
        else:
            values["next_delivery_at"] = next_delivery_at
        if blocked is not None:
            values["blocked"] = blocked
        if release:
            values["lease.expires_at"] = EPOCH
        if delivered is not None and delivered.message_ids:
            marked = {**values, "messages.$.telegram_message_id": delivered.message_ids[0]}
            condition = {**grant.filter, "messages.outbox_id": delivered.id}
            with store_errors():
                result = await self._rows.update_one(condition, {**change, "$set": marked})
            if result.matched_count:
                return
        await self._write(grant, change)

    async def edit(self, grant: Grant, message_id: int, text: str, at: datetime) -> bool:
        """Replace the text of a message in the window; False when it isn't there."""
        with store_errors():
            result = await self._rows.update_one(
                {**grant.filter, "messages.telegram_message_id": message_id},
                {
                    "$set": {"messages.$.content": text, "messages.$.edited_at": at},
                    "$inc": {"version": 1},
                },
            )
        return bool(result.matched_count)

    async def forget_handled(self, key: str, update_id: int) -> None:
        """Let an update that was dealt with be handled once more."""
        with store_errors():
            await self._rows.update_one(
                {"_id": key}, {"$pull": {"handled": update_id}, "$inc": {"version": 1}}
            )

    async def renew(self, grant: Grant, now: datetime) -> None:
        """Extend the lease; raises LeaseLost when somebody else has it."""
        await self._write(grant, {"$set": {"lease.expires_at": now + self._lease}})

    async def release(self, grant: Grant) -> None:
        """Give the lease back."""
        await self._write(grant, {"$set": {"lease.expires_at": EPOCH}})

    async def trim(self, conversation: Conversation, through: int) -> bool:
        """Drop the window's messages up to a number; False when it changed meanwhile."""
        kept = [message_document(m) for m in conversation.messages if m.seq > through]
        with store_errors():
            result = await self._rows.update_one(
                {"_id": conversation.key, "version": conversation.version},
                {"$set": {"messages": kept, "first_seq": through + 1}, "$inc": {"version": 1}},
            )
        return bool(result.matched_count)

    async def read(self, key: str) -> Conversation | None:
        """The conversation as it stands, or None."""
        with store_errors():
            document = await self._rows.find_one({"_id": key})
        return conversation_from(document) if document else None

    async def due_deliveries(self, now: datetime, limit: int = 500) -> list[str]:
        """Keys of conversations to which something is owed now, longest waiting first."""
        with store_errors():
            cursor = self._rows.find({"next_delivery_at": {"$lte": now}}, {"_id": 1})
            cursor = cursor.sort("next_delivery_at", 1).limit(limit)
            return [document["_id"] async for document in cursor]

    async def extracted(
        self, conversation: Conversation, through: int, due: datetime | None
    ) -> None:
        """Note how far messages are extracted; never goes back.

        `due` is when what is left should be; it is only written when nothing changed meanwhile.
        """
        clock: dict[str, Any] = (
            {"$unset": {"extract_due_at": ""}} if due is None else {"$set": {"extract_due_at": due}}
        )
        forward = {"$max": {"extracted_through": through}}
        with store_errors():
            result = await self._rows.update_one(
                {"_id": conversation.key, "version": conversation.version}, {**forward, **clock}
            )
            if not result.matched_count:
                await self._rows.update_one({"_id": conversation.key}, forward)

    async def due_extractions(self, now: datetime, limit: int = 200) -> list[str]:
        """Keys of conversations whose extraction is due, longest waiting first."""
        with store_errors():
            cursor = self._rows.find({"extract_due_at": {"$lte": now}}, {"_id": 1})
            cursor = cursor.sort("extract_due_at", 1).limit(limit)
            return [document["_id"] async for document in cursor]

    async def extract_not_before(self, key: str, seen: datetime, then: datetime) -> None:
        """Ask again later; somebody has the extraction that was due when it was looked for."""
        with store_errors():
            await self._rows.update_one(
                {"_id": key, "extract_due_at": {"$lte": seen}}, {"$set": {"extract_due_at": then}}
            )

    async def rekey(self, old: str, new: str, new_chat_id: int, owner: str, now: datetime) -> None:
        """Move a conversation to a new key; what is there already follows it. Idempotent.

        The old document stays as a signpost, so that `begin` finds the new one. Raises LeaseHeld
        while somebody works on the new conversation.
        """
        with store_errors():
            await self._rows.update_one(
                {"_id": old, "moved_to": {"$exists": False}},
                {"$set": {"moved_to": new}, "$inc": {"version": 1, "lease.fence": 1}},
            )
            source = await self._rows.find_one({"_id": old})
        if source is None or not (source.get("messages") or source.get("outbox")):
            return
        grant, _ = await self.begin(new, owner, now)
        with store_errors():
            target = await self._rows.find_one(grant.filter)
        if target is None:
            raise LeaseLost(new)
        if old not in (target.get("moved_from") or ()):
            await self._write(grant, _merged(source, target, old, new_chat_id, now))
        with store_errors():
            await self._rows.update_one(
                {"_id": old}, {"$unset": {"messages": "", "outbox": "", "next_delivery_at": ""}}
            )
        await self.release(grant)

    async def _write(self, grant: Grant, change: dict[str, Any]) -> None:
        with store_errors():
            result = await self._rows.update_one(grant.filter, change)
        if not result.matched_count:
            raise LeaseLost(grant.key)


def _merged(
    source: dict[str, Any], target: dict[str, Any], old: str, new_chat_id: int, now: datetime
) -> dict[str, Any]:
    """The change that adds a moved conversation to the one it became.

    Its messages come first and keep their numbers, unless the new window was trimmed already:
    its numbers are in the archive by then, and the late ones follow. Message ids start anew in
    the new chat, so the old ones are dropped.
    """
    moved = [
        {name: value for name, value in message.items() if name != "telegram_message_id"}
        for message in source.get("messages") or ()
    ]
    present = list(target.get("messages") or ())
    handled = [*(source.get("handled") or ()), *(target.get("handled") or ())][-HANDLED_KEPT:]
    values: dict[str, Any] = {"handled": handled}
    first_seq = int(target.get("first_seq", 1))
    if first_seq == 1:
        values["messages"] = [*moved, *present]
        values["first_seq"] = int(source.get("first_seq", 1))
        values["answered_through"] = int(source.get("answered_through", 0))
        values["extracted_through"] = int(source.get("extracted_through", 0))
        answered = int(target.get("answered_through", 0))
        last_moved = values["first_seq"] + len(moved) - 1
        if answered and values["answered_through"] >= last_moved:
            values["answered_through"] = last_moved + answered
    else:
        values["messages"] = [*present, *moved]
    owed = [{**row, "chat_id": new_chat_id} for row in source.get("outbox") or ()]
    if owed:
        values["outbox"] = [*owed, *(target.get("outbox") or ())]
        values["next_delivery_at"] = now
    return {"$set": values, "$push": {"moved_from": old}, "$inc": {"version": 1}}
