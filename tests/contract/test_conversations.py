"""The conversation store keeps its promises on the mock and on the embedded server alike."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from app.database.connection import Database
from app.database.conversations import ConversationStore
from app.domain.conversation import Message, OutboxRow, Part
from app.errors import LeaseHeld, LeaseLost

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(seconds=61)


def typed(update_id: int, text: str = "hi") -> Message:
    return Message(
        seq=0,
        role="user",
        content=text,
        created_at=NOW,
        update_id=update_id,
        telegram_message_id=update_id + 100,
    )


def said(seq: int, text: str, outbox_id: str) -> Message:
    return Message(
        seq=seq, role="assistant", content=text, created_at=NOW, origin="bot", outbox_id=outbox_id
    )


def owed(name: str, chat_id: int = 1) -> OutboxRow:
    part = Part(text="hello", entities=({"type": "bold", "offset": 0, "length": 5},))
    return OutboxRow(id=name, chat_id=chat_id, parts=(part,), created_at=NOW)


@pytest.fixture
def store(db: Database) -> ConversationStore:
    return ConversationStore(db, lease_secs=60)


async def test_a_first_contact_creates_the_conversation(store: ConversationStore) -> None:
    _, conversation = await store.begin("1", "a", NOW, [typed(7)], [7])
    assert [(m.seq, m.content, m.update_id) for m in conversation.messages] == [(1, "hi", 7)]
    assert conversation.next_seq == 2
    assert conversation.messages[0].created_at == NOW


async def test_a_turn_cut_short_appends_nothing_twice(store: ConversationStore) -> None:
    await store.begin("1", "a", NOW, [typed(7)], [7])
    _, again = await store.begin("1", "a", NOW, [typed(7), typed(8)], [7, 8])
    assert [m.update_id for m in again.messages] == [7, 8]


async def test_a_handled_update_appends_nothing(store: ConversationStore) -> None:
    grant, _ = await store.begin("1", "a", NOW, [], [7])
    await store.commit(grant, handled=[7])
    _, again = await store.begin("1", "a", NOW, [typed(7)], [7])
    assert again.messages == ()
    assert again.handled == (7,)


async def test_one_worker_at_a_time(store: ConversationStore) -> None:
    await store.begin("1", "a", NOW)
    with pytest.raises(LeaseHeld):
        await store.begin("1", "b", NOW, [typed(7)], [7])
    _, taken = await store.begin("1", "b", LATER, [typed(7)], [7])
    assert len(taken.messages) == 1


async def test_the_same_owner_takes_its_own_lease_at_once(store: ConversationStore) -> None:
    first, _ = await store.begin("1", "a", NOW)
    second, _ = await store.begin("1", "a", NOW)
    assert second.fence > first.fence


async def test_a_worker_that_lost_its_lease_writes_nothing(store: ConversationStore) -> None:
    old, _ = await store.begin("1", "a", NOW, [typed(7)], [7])
    await store.begin("1", "b", LATER)
    with pytest.raises(LeaseLost):
        await store.commit(old, messages=[said(2, "late", "r")], answered_through=1)
    with pytest.raises(LeaseLost):
        await store.settle(old, [], None)
    with pytest.raises(LeaseLost):
        await store.renew(old, NOW)
    current = await store.read("1")
    assert current is not None
    assert [m.content for m in current.messages] == ["hi"]
    assert current.answered_through == 0


async def test_only_one_of_many_takes_a_free_lease(store: ConversationStore) -> None:
    async def attempt(owner: str) -> bool:
        try:
            await store.begin("1", owner, NOW, [typed(7)], [7])
        except LeaseHeld:
            return False
        return True

    taken = await asyncio.gather(*(attempt(f"worker {n}") for n in range(8)))
    assert sum(taken) == 1
    current = await store.read("1")
    assert current is not None
    assert len(current.messages) == 1


async def test_one_commit_answers_and_owes(store: ConversationStore) -> None:
    grant, _ = await store.begin("1", "a", NOW, [typed(7)], [7])
    await store.commit(
        grant,
        messages=[said(2, "hello", "reply:7")],
        outbox=[owed("reply:7")],
        answered_through=1,
        handled=[7],
        notices={"media": NOW},
        next_delivery_at=NOW,
    )
    current = await store.read("1")
    assert current is not None
    assert [m.seq for m in current.messages] == [1, 2]
    assert current.outbox == (owed("reply:7"),)
    assert current.answered_through == 1
    assert current.handled == (7,)
    assert current.notices == {"media": NOW}
    assert await store.due_deliveries(NOW) == ["1"]
    assert await store.due_deliveries(NOW - timedelta(seconds=1)) == []


async def test_settling_notes_the_delivered_id_and_frees_the_lease(
    store: ConversationStore,
) -> None:
    grant, _ = await store.begin("1", "a", NOW, [typed(7)], [7])
    await store.commit(
        grant, messages=[said(2, "hello", "r")], outbox=[owed("r")], next_delivery_at=NOW
    )
    sent = owed("r").model_copy(update={"message_ids": (55,), "cursor": 1})
    await store.settle(grant, [], None, delivered=sent, release=True)
    current = await store.read("1")
    assert current is not None
    assert current.messages[1].telegram_message_id == 55
    assert current.outbox == ()
    assert await store.due_deliveries(LATER) == []
    await store.begin("1", "b", NOW)


async def test_settling_works_when_the_message_left_the_window(store: ConversationStore) -> None:
    grant, _ = await store.begin("1", "a", NOW)
    await store.commit(grant, outbox=[owed("r")], next_delivery_at=NOW)
    sent = owed("r").model_copy(update={"message_ids": (55,), "cursor": 1})
    await store.settle(grant, [], None, delivered=sent)
    current = await store.read("1")
    assert current is not None
    assert current.outbox == ()


async def test_an_edit_changes_the_persons_message(store: ConversationStore) -> None:
    grant, _ = await store.begin("1", "a", NOW, [typed(7), typed(8)], [7, 8])
    assert await store.edit(grant, 108, "better", LATER)
    assert not await store.edit(grant, 999, "nothing", LATER)
    current = await store.read("1")
    assert current is not None
    assert [m.content for m in current.messages] == ["hi", "better"]
    assert current.messages[1].edited_at == LATER


async def test_a_trim_keeps_numbers_and_refuses_a_changed_window(
    store: ConversationStore,
) -> None:
    _, conversation = await store.begin("1", "a", NOW, [typed(n) for n in range(5)], range(5))
    assert await store.trim(conversation, 3)
    assert not await store.trim(conversation, 4)
    current = await store.read("1")
    assert current is not None
    assert [(m.seq, m.update_id) for m in current.messages] == [(4, 3), (5, 4)]
    assert current.next_seq == 6


async def move(store: ConversationStore) -> None:
    await store.rekey("-5", "-1005", -1005, "a", NOW)


async def test_a_moved_group_keeps_everything_and_may_be_moved_again(
    store: ConversationStore,
) -> None:
    grant, _ = await store.begin("-5", "a", NOW, [typed(1, "one"), typed(2, "two")], [1, 2])
    await store.commit(
        grant, outbox=[owed("r", -5)], answered_through=2, handled=[1, 2], next_delivery_at=LATER
    )
    await store.begin("-1005", "a", NOW, [typed(3, "three")], [3])
    await move(store)
    await move(store)
    moved = await store.read("-1005")
    assert moved is not None
    assert [(m.seq, m.content) for m in moved.messages] == [(1, "one"), (2, "two"), (3, "three")]
    assert moved.answered_through == 2
    assert moved.handled == (1, 2)
    assert [row.chat_id for row in moved.outbox] == [-1005]
    assert await store.due_deliveries(NOW) == ["-1005"]
    assert await store.due_deliveries(LATER) == ["-1005"]


async def test_a_move_broken_off_after_the_merge_doubles_nothing(
    store: ConversationStore, db: Database
) -> None:
    grant, _ = await store.begin("-5", "a", NOW, [typed(1, "one")], [1])
    await store.commit(grant, outbox=[owed("r", -5)], next_delivery_at=NOW)
    before = await db["chat_buffers"].find_one({"_id": "-5"})
    await move(store)
    await db["chat_buffers"].replace_one({"_id": "-5"}, {**before, "moved_to": "-1005"})
    await store.begin("-5", "a", NOW)
    moved = await store.read("-1005")
    assert moved is not None
    assert len(moved.messages) == 1
    assert len(moved.outbox) == 1
    assert await store.due_deliveries(LATER) == ["-1005"]


async def test_what_arrives_under_the_old_id_after_a_move_follows(
    store: ConversationStore,
) -> None:
    await store.begin("-5", "a", NOW, [typed(1, "one")], [1])
    await move(store)
    for n in range(3):
        grant, _ = await store.begin("-5", "a", NOW, [typed(10 + n, f"late {n}")], [10 + n])
        assert grant.key == "-1005"
        await move(store)
    moved = await store.read("-1005")
    assert moved is not None
    assert [m.content for m in moved.messages] == ["one", "late 0", "late 1", "late 2"]


async def test_a_turn_that_runs_while_its_chat_is_joined_writes_nothing(
    store: ConversationStore,
) -> None:
    old, _ = await store.begin("-5", "a", NOW, [typed(1, "one")], [1])
    await store.commit(old, outbox=[owed("r", -5)], next_delivery_at=NOW)
    running, _ = await store.begin("-1005", "a", NOW, [typed(2, "two")], [2])
    await move(store)
    with pytest.raises(LeaseLost):
        await store.settle(running, [], None)
    with pytest.raises(LeaseLost):
        await store.commit(old, handled=[1])
    moved = await store.read("-1005")
    assert moved is not None
    assert len(moved.outbox) == 1


async def test_a_window_that_was_trimmed_keeps_its_numbers_when_another_joins(
    store: ConversationStore,
) -> None:
    await store.begin("-5", "a", NOW, [typed(1, "late")], [1])
    _, target = await store.begin("-1005", "a", NOW, [typed(n) for n in range(2, 8)], range(2, 8))
    assert await store.trim(target, 4)
    await move(store)
    moved = await store.read("-1005")
    assert moved is not None
    assert [m.seq for m in moved.messages] == [5, 6, 7]
    assert moved.messages[-1].content == "late"


async def test_an_edit_in_the_new_chat_never_hits_an_old_message(
    store: ConversationStore,
) -> None:
    await store.begin("-5", "a", NOW, [typed(1, "one")], [1])
    await move(store)
    grant, _ = await store.begin("-1005", "a", NOW)
    assert not await store.edit(grant, 101, "somebody else's words", LATER)
