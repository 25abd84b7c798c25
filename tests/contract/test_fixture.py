"""A database as version 0.1.0 left it, a crash included: every store still reads it."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.database.access import AccessStore
from app.database.connection import Database, ensure_indexes
from app.database.conversations import ConversationStore
from app.database.dump import DumpReader
from app.database.inbox import InboxStore
from app.database.metrics_state import MetricsStateStore
from app.database.profiles import ProfileStore
from app.database.schema import INDEXES
from app.database.segments import SegmentStore
from app.database.usage import UsageStore
from app.domain.conversation import Conversation, Message
from app.domain.inbox import InboxStatus
from app.memory.window import unanswered
from app.services.backup import restore
from tests.doubles.model_behaviours import last_user_message
from tests.integration.conftest import stage
from tests.integration.stage import Stage

__all__ = ["stage"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "v0.1.0"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "manifest.json").read_text())
FILE = FOLDER / MANIFEST["file"]
MAX_BYTES = 100_000

BOT, AMARA, BEN, LUNCH = 7_000_000_001, 5_000_003, 5_000_004, -4_000_001
NOW = datetime(2026, 1, 13, tzinfo=UTC)


@pytest.fixture
async def old(db: Database) -> Database:
    """The fixture, restored, with today's indexes."""
    await restore(db, FILE)
    await ensure_indexes(db, INDEXES)
    return db


async def _conversation(db: Database, chat: int) -> Conversation:
    found = await ConversationStore(db, 60.0).read(str(chat))
    assert found is not None
    return found


def test_the_file_is_the_one_that_was_made() -> None:
    content = FILE.read_bytes()
    assert hashlib.sha256(content).hexdigest() == MANIFEST["sha256"]
    assert len(content) == MANIFEST["bytes"] <= MAX_BYTES
    with DumpReader(FILE) as dump:
        header, counts = dump.verify()
    assert header.app_version == MANIFEST["app_version"] == "0.1.0"
    assert {name: count for name, count in counts.items() if count} == MANIFEST["documents"]


def test_it_holds_rows_of_every_collection_of_its_version() -> None:
    assert MANIFEST["documents"].keys() == {
        "access",
        "chat_buffers",
        "inbox",
        "metrics_state",
        "segments",
        "usage",
        "user_profiles",
    }


async def test_the_windows_are_read_and_answered(old: Database) -> None:
    amara = await _conversation(old, AMARA)
    assert amara.first_seq > 1
    assert amara.messages[-2].content == "Talk to you soon."
    assert amara.messages[-2].sender_name == "Amara Okafor"
    assert amara.messages[-1].content == "Até breve, Amara."
    assert amara.messages[-1].telegram_message_id is not None
    assert unanswered(amara) == ()
    assert amara.outbox == ()
    assert [m.seq for m in amara.messages] == list(range(amara.first_seq, amara.next_seq))


async def test_what_left_the_window_is_in_the_segments(old: Database) -> None:
    amara = await _conversation(old, AMARA)
    rows = [row async for row in old["segments"].find({"conversation": str(AMARA)})]
    rows.sort(key=lambda row: int(row["first_seq"]))
    assert len(rows) >= 2
    archived = [message for row in rows for message in row["messages"]]
    assert [m["seq"] for m in archived] == list(range(1, amara.first_seq))
    assert archived[0]["content"] == "Hi! A friend told me about you."
    store = SegmentStore(old)
    assert await store.edit(str(AMARA), archived[0]["telegram_message_id"], "Hi!", NOW)
    again = [Message(**message) for message in rows[0]["messages"]]
    assert await store.add(str(AMARA), again, NOW) == rows[0]["last_seq"]
    assert await old["segments"].count_documents({}) == len(rows)


async def test_a_reply_is_still_owed_to_the_group(old: Database) -> None:
    lunch = await _conversation(old, LUNCH)
    (owed,) = lunch.outbox
    assert owed.chat_id == LUNCH
    assert owed.cursor == 0
    assert owed.parts[0].text == "Then I'd plan for five, and one more chair."
    assert [entity["type"] for entity in owed.parts[0].entities] == ["bold", "italic"]
    store = ConversationStore(old, 60.0)
    assert lunch.next_delivery_at is not None
    assert await store.due_deliveries(lunch.next_delivery_at) == [str(LUNCH)]
    assert await store.due_deliveries(lunch.next_delivery_at - timedelta(seconds=1)) == []


async def test_a_message_still_waits_for_its_answer(old: Database) -> None:
    (row,) = [row async for row in InboxStore(old).waiting(BOT)]
    assert row.conversation == str(BEN)
    assert "barre chord" in (row.payload or "")
    ben = await _conversation(old, BEN)
    assert [m.content for m in unanswered(ben)] == ["One more: what is a barre chord?"]
    assert unanswered(ben)[0].update_id == row.update_id
    assert ben.lease is not None
    grant, taken = await ConversationStore(old, 60.0).begin(
        str(BEN), "somebody else", ben.lease.expires_at, ben.messages[-1:], [row.update_id]
    )
    assert grant.fence == ben.lease.fence + 1
    assert taken.messages == ben.messages


async def test_the_dead_letter_and_the_done_rows_are_there(old: Database) -> None:
    inbox = InboxStore(old)
    (dead,) = await inbox.dead_letters()
    assert (dead.status, dead.error) == (InboxStatus.DEAD, "unreadable update")
    assert json.loads(dead.payload or "")["update_id"] == dead.update_id
    done = await old["inbox"].count_documents({"status": "done"})
    assert done == MANIFEST["documents"]["inbox"] - 2
    assert await old["inbox"].count_documents({"payload": {"$exists": True}}) == 2
    assert await inbox.retry(dead.id)
    assert await inbox.forget_expired(NOW + timedelta(days=365)) == done


async def test_owner_profiles_usage_and_counters_are_read(old: Database) -> None:
    assert await AccessStore(old).owner(BOT) == AMARA
    for person in (AMARA, BEN):
        profile = await ProfileStore(old).touch(person, NOW)
        assert profile is not None
        assert (profile.generation, profile.epoch) == (0, 0)
        assert profile.created_at is not None
        assert profile.last_interaction_at is not None
        assert profile.created_at < profile.last_interaction_at < NOW
    counters = await MetricsStateStore(old).load()
    assert counters["inbox.stored"] == MANIFEST["documents"]["inbox"] - 1
    assert counters["llm.reply.calls"] == MANIFEST["documents"]["usage"]
    assert await UsageStore(old).forget_expired(NOW) == 0
    expired = await UsageStore(old).forget_expired(NOW + timedelta(days=365))
    assert expired == MANIFEST["documents"]["usage"]


async def test_todays_bot_goes_on_from_there(stage: Stage) -> None:
    """What was owed is sent, what waited is answered, and the owner is known."""
    amara, ben = stage.world.add_person("Amara", "Okafor"), stage.world.add_person("Ben")
    lunch = stage.world.add_group("Sunday lunch", [amara, ben])
    assert (amara.id, ben.id, lunch.id, stage.world.bot.id) == (AMARA, BEN, LUNCH, BOT)
    for person in (amara, ben):
        stage.world.private_chat(stage.world.bot, person)
    await restore(await stage.open(), FILE)
    await stage.stop()
    await stage.start(access="owner", allowed_user_ids=(BEN,))
    assert await stage.replies(1, lunch) == ["Then I'd plan for five, and one more chair."]
    await stage.replies(1, ben.chat)
    await stage.settled()
    (asked,) = stage.model.requests
    assert "barre chord" in last_user_message(asked.body)
    assert "You were away" in last_user_message(asked.body)
    assert stage.announced == []
    amara.send("Do you remember me?")
    await stage.replies(1, amara.chat)
    assert "Thursdays at seven" in str(stage.model.requests[-1].body)
    await stage.settled()
    assert [len(stage.said(chat)) for chat in (amara.chat, ben.chat, lunch)] == [1, 1, 1]
