"""Every query that a store sends is served by an index, so that none gets slow as people write."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.database.access import AccessStore
from app.database.archive import ArchiveStore
from app.database.connection import Database, connect, ensure_indexes
from app.database.conversations import ConversationStore
from app.database.effects import EffectStore
from app.database.inbox import InboxStore
from app.database.jobs import JobStore
from app.database.lineage import LineageStore
from app.database.metrics_state import MetricsStateStore
from app.database.profiles import ProfileStore
from app.database.proposals import ProposalStore
from app.database.schema import INDEXES
from app.database.segments import SegmentStore
from app.database.subject_locks import SubjectLocks
from app.database.usage import UsageStore
from app.domain.conversation import Message, OutboxRow, Part
from app.domain.inbox import InboxRow, InboxStatus
from app.domain.job import JobKind
from app.domain.profile import Effect
from app.domain.reply import Usage
from tests.contract.conftest import embedded_uri
from tests.doubles.command_log import Command, CommandLog

__all__ = ["embedded_uri"]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=40)
STORES = (
    AccessStore,
    ArchiveStore,
    ConversationStore,
    EffectStore,
    InboxStore,
    JobStore,
    LineageStore,
    MetricsStateStore,
    ProfileStore,
    ProposalStore,
    SegmentStore,
    SubjectLocks,
    UsageStore,
)
ONE_ROW_A_BOT = frozenset({"access", "metrics_state"})
FILTERS: Mapping[str, Callable[[Mapping[str, Any]], list[Mapping[str, Any]]]] = {
    "find": lambda body: [body.get("filter", {})],
    "findAndModify": lambda body: [body.get("query", {})],
    "update": lambda body: [change["q"] for change in body["updates"]],
    "delete": lambda body: [removal["q"] for removal in body["deletes"]],
    "count": lambda body: [body.get("query", {})],
    "distinct": lambda body: [body.get("query", {})],
    "aggregate": lambda body: [body["pipeline"][0].get("$match", {}) if body["pipeline"] else {}],
}
NOT_QUERIES = frozenset({"insert", "createIndexes", "getMore", "killCursors", "dropDatabase"})


@pytest.fixture
def commands() -> CommandLog:
    return CommandLog()


@pytest.fixture
async def db(embedded_uri: str, commands: CommandLog) -> AsyncIterator[Database]:
    database = await connect(embedded_uri, "index_test", listeners=[commands])
    await ensure_indexes(database, INDEXES)
    try:
        yield database
    finally:
        await database.drop()
        await database.close()


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the store methods that were called."""
    seen: set[str] = set()
    for store in STORES:
        for name in _methods(store):
            original = getattr(store, name)

            def noted(
                *args: Any,
                _full: str = f"{store.__name__}.{name}",
                _run: Any = original,
                **more: Any,
            ) -> Any:
                seen.add(_full)
                return _run(*args, **more)

            monkeypatch.setattr(store, name, noted)
    return seen


def _methods(store: type) -> list[str]:
    return [
        name
        for name, value in vars(store).items()
        if inspect.isfunction(value) and not name.startswith("_")
    ]


def unserved(commands: list[Command]) -> list[str]:
    """The queries to growing collections that no index serves."""
    return [
        f"{command} {sorted(condition)}"
        for command in commands
        if command.name not in NOT_QUERIES and command.collection not in ONE_ROW_A_BOT
        for condition in FILTERS[command.name](command.body)
        if not _is_served(command.collection, condition)
    ]


def _is_served(collection: str, condition: Mapping[str, Any]) -> bool:
    """An index can begin with something the filter pins or bounds."""
    starts = {"_id"} | {next(iter(i.document["key"])) for i in INDEXES.get(collection, ())}
    return any(_narrows(condition[field]) for field in starts & condition.keys())


def _narrows(wanted: Any) -> bool:
    """Whether a condition leaves a part of the index; "is not" and "exists" leave nearly all."""
    if not isinstance(wanted, Mapping) or not any(key.startswith("$") for key in wanted):
        return True
    return bool(wanted.keys() & {"$eq", "$in", "$lt", "$lte", "$gt", "$gte"})


async def test_every_query_of_every_store_has_an_index(
    db: Database, commands: CommandLog, called: set[str]
) -> None:
    await _use_everything(db)
    missing = {f"{s.__name__}.{name}" for s in STORES for name in _methods(s)} - called
    assert not missing, "the scenario must call these too"
    asked = {c.collection for c in commands.commands if c.name in FILTERS}
    assert asked == set(INDEXES)
    assert unserved(commands.commands) == []


@pytest.mark.parametrize(
    ("collection", "condition"),
    [
        ("chat_buffers", {"messages.sender_id": 7}),
        ("chat_buffers", {}),
        ("inbox", {"error": "ValueError"}),
        ("inbox", {"order": {"$gt": 5}}),
        ("inbox", {"status": {"$ne": "done"}}),
        ("usage", {"model": "m"}),
        ("user_profiles", {"last_interaction_at": {"$lt": NOW}}),
    ],
)
async def test_a_query_without_an_index_is_found(
    db: Database, commands: CommandLog, collection: str, condition: dict[str, Any]
) -> None:
    commands.clear()
    await db[collection].find_one(condition)
    await db[collection].update_one(condition, {"$set": {"seen": True}})
    await db[collection].delete_one(condition)
    await db[collection].find_one_and_update(condition, {"$set": {"seen": True}})
    await db[collection].count_documents(condition)
    assert len(unserved(commands.commands)) == 5, commands.story()


async def test_a_query_with_an_index_is_not(db: Database, commands: CommandLog) -> None:
    commands.clear()
    await db["inbox"].find_one({"status": "dead", "error": "ValueError"})
    await db["usage"].delete_many({"expires_at": {"$lte": NOW}})
    await db["segments"].count_documents({"conversation": "1", "messages.seq": 3})
    assert unserved(commands.commands) == []


async def test_the_server_has_the_indexes(db: Database) -> None:
    for collection, wanted in INDEXES.items():
        there = [list(dict(i["key"])) async for i in db[collection].list_indexes()]
        for index in wanted:
            assert list(index.document["key"]) in there, collection


def _message(seq: int, update_id: int) -> Message:
    return Message(
        seq=seq,
        role="user",
        content=f"line {seq}",
        created_at=NOW,
        telegram_message_id=seq,
        update_id=update_id,
    )


async def _use_everything(db: Database) -> None:
    """Call every method of every store, with the races that send further commands."""
    await _use_conversations(ConversationStore(db, 60.0))
    await _use_inbox(InboxStore(db))
    profiles, segments = ProfileStore(db), SegmentStore(db)
    access, usage, metrics = AccessStore(db), UsageStore(db), MetricsStateStore(db)
    await profiles.touch(7, NOW)
    await profiles.touch(7, NOW)
    await segments.add("1", [_message(1, 1)], NOW)
    await segments.add("1", [_message(1, 1), _message(2, 2)], NOW)
    await segments.edit("1", 2, "better", NOW)
    await segments.rekey("1", "2")
    await access.claim_code(9, "first")
    await access.claim_code(9, "second")
    await access.claim(9, "wrong", 1)
    await access.claim(9, "first", 1)
    await access.owner(9)
    await usage.add([(NOW, Usage(call="reply", model="m", status="ok", latency_ms=1))], LATER)
    await usage.forget_expired(LATER)
    await metrics.save({"inbox.stored": 1.0})
    await metrics.load()
    await segments.messages("2", 0, 9)
    await _use_memory(db, profiles)
    await _use_jobs(JobStore(db, 60.0))
    locks = SubjectLocks(db, 60.0)
    await locks.take(7, "me", NOW)
    await locks.release(7, "me")


async def _use_memory(db: Database, profiles: ProfileStore) -> None:
    before = await profiles.read(7)
    assert before is not None
    effects = tuple(
        Effect(id=f"{name}:1", collection=name, row={"subject": 7})
        for name in ("archive", "lineage", "proposals")
    )
    after = before.model_copy(update={"generation": 1, "pending_effects": effects})
    assert await profiles.commit(before, after, NOW)
    assert await profiles.owing(NOW, 5) == [7]
    await EffectStore(db).carry_out(effects)
    await profiles.paid(7, [effect.id for effect in effects])
    await profiles.due_for_consolidation(NOW, 5)
    await profiles.page(None, 5)
    await profiles.page(7, 5)
    for name in ("archive", "lineage", "proposals"):
        await db[name].delete_many({"_id": f"{name}:1"})
    await ArchiveStore(db).of_subject(7)
    await ArchiveStore(db).of_record(7, "m1")
    await ArchiveStore(db).newest(7, 5)
    await LineageStore(db).of_subject(7)
    await ProposalStore(db).pending(7)


async def _use_jobs(store: JobStore) -> None:
    async def ask() -> None:
        await store.enqueue(JobKind.EXTRACT, subject=7, conversation="7", run_at=NOW)

    await ask()
    await ask()
    (job,) = await store.claim("me", NOW, 5)
    await ask()
    await store.heartbeat(job, NOW)
    await store.finish(job, NOW)
    (job,) = await store.claim("me", NOW, 5)
    await store.release(job, NOW)
    (job,) = await store.claim("me", NOW, 5)
    await store.fail(job, "timeout", NOW, retry_at=None, attempts=8)
    assert await store.retry(job.id, NOW)
    (job,) = await store.claim("me", NOW, 5)
    await store.finish(job, NOW)
    await ask()
    assert await store.next_run_at() == NOW
    assert await store.next_run_at({8}) == NOW
    assert await store.waiting_count() == 1
    await store.take_back("me")
    assert len(await store.all()) == len(await store.all("waiting", 7)) == 1
    await store.forget_expired(LATER)


async def _use_conversations(store: ConversationStore) -> None:
    first, second = _message(1, 1), _message(2, 2)
    row = OutboxRow(id="reply:1", chat_id=1, parts=(Part(text="hi"),), created_at=NOW)
    grant, _ = await store.begin("1", "me", NOW, [first], [1])
    await store.begin("1", "me", NOW, [first, second], [1, 2])
    grant, _ = await store.begin("1", "me", NOW)
    reply = second.model_copy(update={"seq": 3, "role": "assistant", "outbox_id": row.id})
    await store.commit(grant, messages=[reply], outbox=[row], answered_through=2, handled=[1, 2])
    await store.edit(grant, 2, "better", NOW)
    await store.renew(grant, NOW)
    current = await store.read("1")
    assert current is not None
    await store.extract_not_before("1", NOW, LATER)
    assert await store.due_extractions(NOW) == []
    await store.extracted(current, 1, NOW)
    await store.extracted(current.model_copy(update={"version": -1}), 2, None)
    await store.settle(grant, [row], NOW)
    sent = row.model_copy(update={"message_ids": (50,)})
    await store.settle(grant, [], None, delivered=sent, release=True)
    unknown = sent.model_copy(update={"id": "reply:unknown"})
    await store.settle(grant, [], None, delivered=unknown)
    await store.release(grant)
    await store.due_deliveries(NOW)
    current = await store.read("1")
    assert current is not None
    await store.trim(current, 1)
    await store.forget_handled("1", 9)
    await store.rekey("1", "2", 2, "me", NOW)
    await store.begin("1", "me", NOW, [first], [9])
    await store.rekey("1", "2", 2, "me", NOW)
    await store.rekey("1", "2", 2, "me", NOW)


async def _use_inbox(store: InboxStore) -> None:
    rows = [
        InboxRow(
            id=f"9:{number}",
            bot_id=9,
            update_id=number,
            conversation="1",
            status=InboxStatus.WAITING,
            payload="{}",
            received_at=NOW,
            order=number,
        )
        for number in range(1, 5)
    ]
    for row in [*rows, rows[0]]:
        await store.add(row)
    assert await store.is_waiting("9:1")
    await store.failed("9:1", "ValueError", 1)
    await store.dead("9:1", "ValueError", LATER)
    assert len(await store.dead_letters()) == 1
    await store.retry("9:1")
    assert len([row async for row in store.waiting(9)]) == 4
    await store.done(["9:1"], NOW)
    await store.done(["9:2", "9:3"], NOW)
    await store.rekey("1", "2")
    assert await store.forget_expired(NOW) == 3
