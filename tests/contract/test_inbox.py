from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from app.database.connection import Database
from app.database.inbox import InboxStore
from app.domain.inbox import InboxRow, InboxStatus, inbox_id

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def row(update_id: int, order: int | None = None, conversation: str = "1") -> InboxRow:
    return InboxRow(
        id=inbox_id(9, update_id),
        bot_id=9,
        update_id=update_id,
        conversation=conversation,
        payload=json.dumps({"update_id": update_id, "message": {"text": "hi", "date": 1}}),
        received_at=NOW,
        order=update_id if order is None else order,
    )


@pytest.fixture
def inbox(db: Database) -> InboxStore:
    return InboxStore(db)


async def waiting(inbox: InboxStore) -> list[InboxRow]:
    return [found async for found in inbox.waiting(9)]


async def test_an_update_is_stored_once(inbox: InboxStore) -> None:
    assert await inbox.add(row(1))
    assert not await inbox.add(row(1))
    assert await waiting(inbox) == [row(1)]


async def test_waiting_rows_come_in_order_of_receipt(inbox: InboxStore) -> None:
    for update_id, order in ((5, 1), (2, 2), (9, 3)):
        await inbox.add(row(update_id, order))
    assert [found.update_id for found in await waiting(inbox)] == [5, 2, 9]


@pytest.mark.parametrize("count", [1, 3])
async def test_done_rows_lose_their_payload_and_still_refuse_a_repeat(
    inbox: InboxStore, db: Database, count: int
) -> None:
    for number in range(count):
        await inbox.add(row(number))
    await inbox.done([row(number).id for number in range(count)], NOW)
    assert await waiting(inbox) == []
    stored = await db["inbox"].find_one({"_id": row(0).id})
    assert "payload" not in stored
    assert not await inbox.add(row(0))


async def test_expired_rows_go_and_others_stay(inbox: InboxStore) -> None:
    for number in range(3):
        await inbox.add(row(number))
    await inbox.done([row(0).id], NOW)
    await inbox.done([row(1).id], NOW + timedelta(hours=1))
    assert await inbox.forget_expired(NOW) == 1
    assert [found.update_id for found in await waiting(inbox)] == [2]
    assert await inbox.add(row(0))
    assert not await inbox.add(row(1))


async def test_a_dead_row_is_listed_and_can_be_tried_again(inbox: InboxStore) -> None:
    await inbox.add(row(1))
    await inbox.failed(row(1).id, "ValueError", 4)
    assert (await waiting(inbox))[0].attempts == 4
    await inbox.dead(row(1).id, "ValueError", NOW)
    assert await waiting(inbox) == []
    (letter,) = await inbox.dead_letters()
    assert (letter.status, letter.error) == (InboxStatus.DEAD, "ValueError")
    assert await inbox.retry(letter.id)
    assert not await inbox.retry(letter.id)
    (again,) = await waiting(inbox)
    assert (again.attempts, again.expires_at) == (0, None)


async def test_rows_follow_a_moved_group(inbox: InboxStore) -> None:
    await inbox.add(row(1, conversation="-5"))
    await inbox.add(row(2, conversation="7"))
    await inbox.rekey("-5", "-1005")
    assert [found.conversation for found in await waiting(inbox)] == ["-1005", "7"]


async def test_another_bots_rows_are_not_ours(inbox: InboxStore) -> None:
    await inbox.add(row(1))
    await inbox.add(row(2).model_copy(update={"id": inbox_id(8, 2), "bot_id": 8}))
    assert [found.update_id for found in await waiting(inbox)] == [1]
