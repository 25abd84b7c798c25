from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.database.access import AccessStore
from app.database.connection import Database, ensure_indexes
from app.database.metrics_state import MetricsStateStore
from app.database.profiles import ProfileStore
from app.database.schema import INDEXES
from app.database.segments import SegmentStore
from app.database.usage import UsageStore
from app.domain.conversation import Message
from app.domain.reply import Usage

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def run(first: int, last: int) -> list[Message]:
    return [
        Message(
            seq=n, role="user", content=f"line {n}", created_at=NOW, telegram_message_id=100 + n
        )
        for n in range(first, last + 1)
    ]


async def test_indexes_can_be_made_twice(db: Database) -> None:
    await ensure_indexes(db, INDEXES)
    await ensure_indexes(db, INDEXES)


async def test_a_first_contact_creates_the_profile_and_the_next_one_reads_it(
    db: Database,
) -> None:
    profiles = ProfileStore(db)
    assert await profiles.touch(7, NOW) is None
    before = await profiles.touch(7, NOW + timedelta(hours=1))
    assert before is not None
    assert (before.last_interaction_at, before.generation, before.epoch) == (NOW, 0, 0)
    assert await profiles.touch(8, NOW) is None


async def test_a_segment_is_stored_once_and_may_grow(db: Database) -> None:
    segments = SegmentStore(db)
    assert await segments.add("1", run(1, 4), NOW) == 4
    assert await segments.add("1", run(1, 4), NOW) == 4
    assert await segments.add("1", run(1, 6), NOW) == 6
    assert await segments.add("1", run(1, 5), NOW) == 6
    stored = await db["segments"].find_one({"_id": "1:1"})
    assert [m["seq"] for m in stored["messages"]] == [1, 2, 3, 4, 5, 6]


async def test_a_segment_of_an_older_version_is_read_and_grows_like_any_other(db: Database) -> None:
    segments = SegmentStore(db)
    await segments.add("1", run(1, 4), NOW)
    await db["segments"].update_one({"_id": "1:1"}, {"$set": {"status": "pending"}})
    assert [m.seq for m in await segments.messages("1", 2, 9)] == [3, 4]
    assert await segments.add("1", run(1, 6), NOW) == 6
    assert [m.seq for m in await segments.messages("1", 2, 9)] == [3, 4, 5, 6]


async def test_an_edit_reaches_an_archived_message(db: Database) -> None:
    segments = SegmentStore(db)
    await segments.add("1", run(1, 4), NOW)
    assert await segments.edit("1", 102, "better", NOW)
    assert not await segments.edit("2", 102, "other chat", NOW)
    stored = await db["segments"].find_one({"_id": "1:1"})
    assert [m["content"] for m in stored["messages"]] == ["line 1", "better", "line 3", "line 4"]


async def test_counters_are_kept(db: Database) -> None:
    state = MetricsStateStore(db)
    assert await state.load() == {}
    await state.save({"llm.reply.calls": 3.0})
    await state.save({"llm.reply.calls": 4.0, "throttle.drops": 1.0})
    assert await state.load() == {"llm.reply.calls": 4.0, "throttle.drops": 1.0}


async def test_a_bot_is_claimed_once(db: Database) -> None:
    access = AccessStore(db)
    assert await access.claim_code(9, "code-1") == "code-1"
    assert await access.claim_code(9, "code-2") == "code-1"
    assert not await access.claim(9, "code-2", 50)
    assert await access.claim(9, "code-1", 50)
    assert await access.claim(9, "code-1", 50)
    assert not await access.claim(9, "code-1", 51)
    assert await access.owner(9) == 50
    assert await access.owner(8) is None


async def test_usage_expires(db: Database) -> None:
    usage = UsageStore(db)
    row = Usage(call="reply", model="m", status="ok", latency_ms=5)
    await usage.add([(NOW, row)], NOW + timedelta(days=30))
    assert await usage.forget_expired(NOW + timedelta(days=29)) == 0
    assert await usage.forget_expired(NOW + timedelta(days=30)) == 1


async def test_subjects_are_listed_page_by_page_without_text(db: Database) -> None:
    profiles = ProfileStore(db)
    for subject in (9, 7, 8):
        await profiles.touch(subject, NOW)
    later = NOW + timedelta(hours=1)
    await db["user_profiles"].update_one(
        {"_id": 8},
        {"$set": {"facts": [{"text": "tea", "updated_at": later}], "generation": 1}},
    )
    first = await profiles.page(None, 2)
    assert [line.subject for line in first] == [7, 8]
    assert [line.subject for line in await profiles.page(8, 2)] == [9]
    assert (first[1].active(NOW), first[1].updated_at, first[1].generation) == (1, later, 1)
    assert (first[0].active(NOW), first[0].updated_at) == (0, None)
    assert first[0].last_interaction_at == NOW
