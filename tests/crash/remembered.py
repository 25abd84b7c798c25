"""What the bot remembers after a crash run: a digest that doesn't depend on times or numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.database.archive import ArchiveStore
from app.database.connection import Database, connect, store_errors
from app.database.conversations import ConversationStore
from app.database.lineage import LineageStore
from app.database.profiles import ProfileStore
from app.database.segments import SegmentStore
from app.domain.conversation import Conversation
from app.domain.profile import Profile
from app.domain.record import ArchivedRecord, Lineage, Record
from app.memory.evidence import mismatch
from app.memory.unextracted import extracted_through

BUSY = {"status": {"$in": ["waiting", "running"]}}


@dataclass(frozen=True)
class Remembered:
    """All people's memories: a digest of them, how many records, and what must be zero.

    `unsupported` counts active records whose evidence isn't in the stored messages;
    `unread` the answered messages that extraction never reached.
    """

    digest: str
    records: int
    archived: int
    unsupported: int
    unread: int


async def remembered(uri: str, database: str, people: Iterable[int]) -> Remembered:
    """Read the memories of some people."""
    db = await connect(uri, database)
    try:
        told: list[Any] = []
        records = archived = unsupported = unread = 0
        for person in people:
            profile = await ProfileStore(db).read(person)
            conversation = await ConversationStore(db, 3.0).read(str(person))
            if profile is None or conversation is None:
                continue
            gone = await ArchiveStore(db).of_subject(person)
            lines = await LineageStore(db).of_subject(person)
            told.append(_story(profile, gone, lines))
            records += profile.item_count
            archived += len(gone)
            unsupported += await _unsupported(db, profile, conversation)
            unread += conversation.answered_through - extracted_through(conversation, profile)
    finally:
        await db.close()
    text = json.dumps(told, sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Remembered(digest, records, archived, unsupported, unread)


async def memory_is_quiet(db: Database) -> bool:
    """Whether no job waits or runs, no row is owed, and every answered message was read."""
    with store_errors():
        if await db["jobs"].count_documents(BUSY):
            return False
        if await db["user_profiles"].count_documents({"pending_effects.0": {"$exists": True}}):
            return False
        async for row in db["chat_buffers"].find(
            {}, {"answered_through": 1, "extracted_through": 1}
        ):
            if row.get("extracted_through", 0) < row.get("answered_through", 0):
                return False
    return True


def _story(profile: Profile, gone: list[ArchivedRecord], lines: list[Lineage]) -> Any:
    texts = {row.record.id: row.record.text for row in gone}
    texts.update({record.id: record.text for record in profile.records})
    return {
        "active": sorted(_told(record) for record in profile.records),
        "archived": sorted([*_told(row.record), row.end.value] for row in gone),
        "lineage": sorted(
            [line.kind.value, texts.get(line.record or "", ""), texts.get(line.predecessor, "")]
            for line in lines
        ),
    }


def _told(record: Record) -> list[str]:
    slot = f"{record.slot.subject}/{record.slot.predicate}" if record.slot else ""
    words = sorted(span.quote for span in record.evidence)
    return [record.text, slot, record.value or "", *words]


async def _unsupported(db: Database, profile: Profile, conversation: Conversation) -> int:
    stored = await SegmentStore(db).messages(conversation.key, 0, conversation.answered_through)
    contents = {message.seq: message.content for message in (*stored, *conversation.messages)}
    return sum(
        not record.evidence
        or any(mismatch(span, contents.get(span.seq, "")) for span in record.evidence)
        for record in profile.records
    )
