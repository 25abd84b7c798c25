"""What waited through a crash or a stop is answered, once."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from app.bootstrap import run_bot
from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.inbox import InboxStore
from app.domain.inbox import InboxRow, Incoming, UpdateKind
from app.errors import StoreUnavailable
from app.services import texts, turns
from app.services.dead_letters import DeadLetters
from app.services.intake import Intake
from app.services.metrics import Metrics
from app.services.turn_handler import ConversationTurns
from app.services.turns import Batch
from tests.doubles.model_behaviours import bundle, hang, last_user_message
from tests.integration.stage import Stage


async def test_messages_sent_while_the_bot_was_down_are_answered(stage: Stage) -> None:
    await stage.start()
    await stage.stop()
    stage.ana.send("anybody?")
    stage.ana.send("hello?")
    await stage.start()
    assert len(await stage.replies(1)) == 1
    await stage.settled()
    assert len(stage.model.requests) == 1


async def test_the_model_is_told_when_it_answers_late(stage: Stage) -> None:
    await stage.start(late_answer_secs=0.5)
    stage.ana.send("quick")
    await stage.replies(1)
    await stage.stop()
    stage.ana.send("slow")
    sent = stage.world.now()
    await stage.until_later(sent + 2.0)
    await stage.start(late_answer_secs=0.5)
    await stage.replies(2)
    prompts = [last_user_message(r.body) for r in stage.model.requests]
    assert "You were away" in prompts[1]


async def test_a_reply_in_the_making_is_made_again_after_a_crash(stage: Stage) -> None:
    await stage.start(llm_timeout_secs=60)
    stage.model.script(hang())
    stage.ana.send("Hello")
    await stage.model.wait_for_requests(1)
    await stage.crash()
    stage.model.script(bundle("after the crash"))
    await stage.start()
    assert await stage.replies(1) == ["after the crash"]
    await stage.settled()
    assert stage.db is not None
    stored = await stage.db["chat_buffers"].find_one({})
    assert [m["content"] for m in stored["messages"]] == ["Hello", "after the crash"]


async def test_a_committed_reply_is_sent_after_a_crash_without_a_new_call(stage: Stage) -> None:
    await stage.start()
    hold = stage.playground.faults.add("sendMessage", "hang", seconds=60)
    stage.model.script(bundle("owed"))
    stage.ana.send("Hello")
    await stage.met(hold)
    await stage.crash()
    stage.playground.faults.clear()
    await stage.start()
    await stage.settled()
    assert set(stage.texts()) == {"owed"}
    assert len(stage.model.requests) == 1


async def test_a_redelivered_update_is_not_answered_again(stage: Stage) -> None:
    await stage.start()
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert stage.db is not None
    row = await stage.db["inbox"].find_one({})
    assert "payload" not in row
    update = {
        "update_id": row["update_id"],
        "message": {
            "message_id": 1,
            "date": 1,
            "text": "Hello",
            "chat": {"id": stage.ana.id, "type": "private", "first_name": "Ana"},
            "from": {"id": stage.ana.id, "is_bot": False, "first_name": "Ana"},
        },
    }
    stage.push_raw(update)
    stage.ana.send("Second")
    await stage.replies(2)
    await stage.settled()
    assert len(stage.model.requests) == 2


async def test_a_store_that_is_away_holds_the_offset(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.start()
    original, failures = InboxStore.add, [0]

    async def away(self: InboxStore, row: object) -> bool:
        failures[0] += 1
        if failures[0] <= 2:
            raise StoreUnavailable("away")
        return await original(self, row)  # type: ignore[arg-type]

    monkeypatch.setattr(InboxStore, "add", away)
    stage.ana.send("Hello")
    assert len(await stage.replies(1)) == 1
    assert failures[0] == 3


@pytest.mark.parametrize(
    "nonsense",
    [
        {"message": {"message_id": "x"}},
        {"message": []},
        {"message": {"message_id": 1, "date": 10**30, "chat": {"id": 1, "type": "private"}}},
        {"callback_query": {"id": 5}},
    ],
)
async def test_an_update_nobody_can_read_holds_nobody_up(
    stage: Stage, nonsense: dict[str, object]
) -> None:
    await stage.start()
    stage.push_raw({"update_id": 2_000_000_000, **nonsense})
    stage.ana.send("Hello")
    assert len(await stage.replies(1)) == 1
    await stage.settled()
    assert stage.db is not None
    dead = await stage.db["inbox"].find_one({"status": "dead"})
    assert json.loads(dead["payload"])["update_id"] == 2_000_000_000


async def test_a_poisonous_message_is_given_up_after_five_attempts_and_admitted_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MAX_RETRY_PAUSE_SECS", 0.01)
    original, attempts = ConversationTurns.handle, [0]

    async def poisoned(self: ConversationTurns, batch: Batch) -> None:
        if any("poison" in item.incoming.text for item in batch.items):
            attempts[0] += 1
            raise ValueError("a bug")
        await original(self, batch)

    monkeypatch.setattr(ConversationTurns, "handle", poisoned)
    await stage.start()
    stage.ana.send("poison")
    assert await stage.replies(1) == [texts.GAVE_UP]
    assert attempts[0] == 5
    stage.ana.send("still there?")
    await stage.replies(2)
    await stage.settled()
    assert stage.db is not None
    dead = await stage.db["inbox"].find_one({"status": "dead"})
    assert dead["error"] == "ValueError"


async def test_an_insert_whose_answer_was_lost_is_still_answered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.start()
    original, failures = InboxStore.add, [0]

    async def stored_but_unanswered(self: InboxStore, row: object) -> bool:
        stored = await original(self, row)  # type: ignore[arg-type]
        failures[0] += 1
        if failures[0] == 1:
            raise StoreUnavailable("the answer got lost")
        return stored

    monkeypatch.setattr(InboxStore, "add", stored_but_unanswered)
    stage.ana.send("Hello")
    assert len(await stage.replies(1)) == 1
    await stage.settled()
    assert len(stage.model.requests) == 1


async def test_a_dead_letter_that_is_retried_is_answered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MAX_RETRY_PAUSE_SECS", 0.01)
    original = ConversationTurns.handle

    async def poisoned(self: ConversationTurns, batch: Batch) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(ConversationTurns, "handle", poisoned)
    await stage.start()
    stage.ana.send("Hello")
    assert await stage.replies(1) == [texts.GAVE_UP]
    await stage.settled()
    await stage.stop()
    monkeypatch.setattr(ConversationTurns, "handle", original)
    db = await stage.open()
    letters = DeadLetters(InboxStore(db), ConversationStore(db, 60))
    (letter,) = await letters.all()
    assert not await letters.retry("no such row")
    assert await letters.retry(letter.id)
    await stage.stop()
    stage.model.script(bundle("Now it works."))
    await stage.start()
    assert (await stage.replies(2))[1] == "Now it works."


async def test_a_stop_is_heard_while_telegram_cannot_be_reached(stage: Stage) -> None:
    settings = stage.settings(
        telegram_api_base_url="http://127.0.0.1:9", mongodb_uri=stage.database_uri
    )
    stop = asyncio.Event()
    running = asyncio.create_task(run_bot(settings, stop, stage.announced.append))
    asyncio.get_running_loop().call_later(0.2, stop.set)
    async with asyncio.timeout(10):
        await running


async def test_updates_stored_side_by_side_keep_their_order(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = await stage.open()
    submitted: list[int] = []
    second_came = asyncio.Event()
    original = InboxStore.add

    async def slow_first(self: InboxStore, row: InboxRow) -> bool:
        if row.update_id == 1:
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await second_came.wait()
        stored = await original(self, row)
        if row.update_id == 2:
            second_came.set()
        return stored

    monkeypatch.setattr(InboxStore, "add", slow_first)
    intake = Intake(
        bot_id=9,
        inbox=InboxStore(db),
        parse=lambda raw: Incoming(
            update_id=raw["update_id"], kind=UpdateKind.MESSAGE, conversation="1"
        ),
        submit=lambda received: submitted.append(received.incoming.update_id),
        clock=Clock(),
        metrics=Metrics(),
    )
    await asyncio.gather(intake.accept({"update_id": 1}), intake.accept({"update_id": 2}))
    assert submitted == [1, 2]


async def test_a_person_is_told_once_though_the_dead_mark_fails(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "MAX_RETRY_PAUSE_SECS", 0.01)
    monkeypatch.setattr(turns, "RETRY_PAUSE_SECS", 0.01)
    original, failures = InboxStore.dead, [0]

    async def poisoned(self: ConversationTurns, batch: Batch) -> None:
        raise ValueError("a bug")

    async def away(self: InboxStore, *args: Any) -> None:
        failures[0] += 1
        if failures[0] == 1:
            raise StoreUnavailable("away")
        await original(self, *args)

    monkeypatch.setattr(ConversationTurns, "handle", poisoned)
    monkeypatch.setattr(InboxStore, "dead", away)
    await stage.start()
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert stage.texts() == [texts.GAVE_UP]
    assert failures[0] == 2
