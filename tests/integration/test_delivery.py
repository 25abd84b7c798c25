"""What Telegram answers to a send, and what the person gets in the end."""

from __future__ import annotations

from typing import Any

import pytest

from app.database.conversations import ConversationStore
from app.database.segments import SegmentStore
from app.domain.conversation import OutboxRow
from app.errors import ModelFailure, StoreUnavailable
from app.services import texts
from app.transports.telegram.channel import TelegramChannel
from tests.doubles.model_behaviours import bundle
from tests.integration.stage import Stage


async def test_429_waits_as_long_as_asked_and_holds_up_nobody_else(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    await stage.start()
    stage.playground.faults.add("sendMessage", "429", retry_after=2, chat_id=stage.ana.id)
    stage.ana.send("one")
    await stage.model.wait_for_requests(1)
    ben.send("two")
    await stage.replies(1, ben.chat)
    assert stage.texts() == []
    refused = stage.world.now()
    await stage.replies(1)
    assert stage.world.now() - refused > 1.0
    await stage.settled()
    assert len(stage.said()) == 1
    assert len(stage.model.requests) == 2


async def test_a_new_turn_does_not_break_the_pause(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", "429", retry_after=2)
    stage.model.script(bundle("first"), bundle("second"))
    stage.ana.send("one")
    await stage.model.wait_for_requests(1)
    stage.ana.send("two")
    await stage.model.wait_for_requests(2)
    assert await stage.replies(2) == ["first", "second"]


@pytest.mark.parametrize("kind", ["500", "502"])
async def test_a_failing_telegram_is_tried_again(stage: Stage, kind: str) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", kind)
    stage.model.script(bundle("Here"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["Here"]
    await stage.settled()
    assert len(stage.model.requests) == 1


async def test_a_reset_connection_is_tried_again_once_and_delivers(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", "reset")
    stage.model.script(bundle("Here"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["Here"]
    await stage.settled()
    assert len(stage.said()) == 1


async def test_an_answer_that_got_lost_is_resent_once_and_no_more(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", "lost", times=5)
    stage.model.script(bundle("Here"))
    stage.ana.send("Hello")
    await stage.replies(2)
    await stage.settled()
    assert stage.texts() == ["Here", "Here"]


async def test_a_permanent_refusal_is_not_repeated(stage: Stage) -> None:
    await stage.start()
    refused = stage.playground.faults.add(
        "sendMessage", "error", times=None, description="Bad Request: something is wrong"
    )
    stage.model.script(bundle("plain words"))
    stage.ana.send("Hello")
    await stage.model.wait_for_requests(1)
    await stage.settled()
    assert refused.hits == 1
    refused.release()
    stage.ana.send("Again")
    assert len(await stage.replies(1)) == 1


async def test_refused_formatting_is_sent_without_it(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", "error", description="can't parse entities")
    stage.model.script(bundle("**bold** words"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["bold words"]
    assert stage.said()[0].entities == []


async def test_a_fault_of_our_own_in_sending_blocks_nobody(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = TelegramChannel.send_part

    async def faulty(self: TelegramChannel, row: OutboxRow, index: int) -> int:
        if "poison" in row.parts[index].text:
            raise ValueError("a bug")
        return await original(self, row, index)

    monkeypatch.setattr(TelegramChannel, "send_part", faulty)
    await stage.start()
    stage.model.script(bundle("poison"), bundle("fine"))
    stage.ana.send("one")
    await stage.model.wait_for_requests(1)
    await stage.settled()
    stage.ana.send("two")
    assert await stage.replies(1) == ["fine"]
    await stage.settled()
    assert len(stage.model.requests) == 2


async def test_a_mark_that_fails_does_not_send_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, failures = ConversationStore.settle, [0]

    async def away(self: ConversationStore, *args: Any, **more: Any) -> None:
        failures[0] += 1
        if failures[0] <= 3:
            raise StoreUnavailable("away")
        await original(self, *args, **more)

    monkeypatch.setattr(ConversationStore, "settle", away)
    await stage.start()
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert len(stage.said()) == 1
    assert failures[0] == 4


async def test_a_reply_of_invisible_characters_is_admitted_as_none(stage: Stage) -> None:
    await stage.start()
    stage.model.script(bundle("\u200b\u200d"), bundle("\u200b\u200d"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == [texts.model_failed(ModelFailure.EMPTY)]


async def test_a_block_parks_the_chat_until_the_person_is_back(stage: Stage) -> None:
    await stage.start()
    stage.model.script(bundle("for later"))
    hold = stage.playground.faults.add("sendMessage", "hang", seconds=30)
    stage.ana.send("Hello")
    await stage.met(hold)
    stage.ana.block()
    hold.release()
    await stage.refused_a_send()
    assert stage.texts() == []
    stage.ana.unblock()
    assert await stage.replies(1) == ["for later"]
    assert len(stage.model.requests) == 1


async def test_a_group_that_moves_during_a_reply_gets_it_under_its_new_id(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await stage.start()
    stage.model.script(bundle("before"), bundle("after the move"))
    stage.ana.send("@thinkmate_bot first", group)
    assert await stage.replies(1, group) == ["before"]
    await stage.settled()
    hold = stage.playground.faults.add("sendMessage", "hang", seconds=30)
    stage.ana.send("@thinkmate_bot second", group)
    await stage.met(hold)
    new = stage.world.migrate(group, by=stage.ana)
    hold.release()
    assert await stage.replies(1, new) == ["after the move"]
    await stage.settled()
    stage.ana.send("@thinkmate_bot third", new)
    await stage.replies(2, new)
    history = str(stage.model.requests[-1].body)
    assert "first" in history
    assert "second" in history
    assert await stage.stored_conversations() == [str(new.id)]


async def test_a_group_reply_is_threaded_and_survives_a_deleted_question(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await stage.start()
    question = stage.ana.send("@thinkmate_bot hi", group)
    await stage.replies(1, group)
    assert stage.said(group)[0].reply_to is question


async def test_a_quiet_group_costs_no_call(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    group = stage.world.add_group("Garden", [stage.ana, ben])
    await stage.start()
    stage.ana.send("Nice weather", group)
    ben.send("Indeed", group)
    await stage.settled()
    assert stage.model.requests == []
    stage.ana.send("@thinkmate_bot what did Ben say?", group)
    await stage.replies(1, group)
    prompt = str(stage.model.requests[0].body)
    assert "Ana: Nice weather" in prompt
    assert "Ben: Indeed" in prompt


async def test_other_peoples_chats_stay_apart(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    await stage.start()
    stage.ana.send("my secret garden")
    await stage.replies(1)
    ben.send("hello")
    await stage.replies(1, ben.chat)
    assert "garden" not in str(stage.model.requests[-1].body)


async def test_a_group_has_no_time_context_and_a_private_chat_has(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await stage.start()
    stage.ana.send("@thinkmate_bot hi", group)
    await stage.replies(1, group)
    stage.ana.send("hi")
    await stage.replies(1)
    assert ["TIME CONTEXT" in str(r.body) for r in stage.model.requests] == [False, True]


async def test_help_says_the_same_in_a_group(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await stage.start()
    stage.ana.send("/help@thinkmate_bot", group)
    assert await stage.replies(1, group) == [texts.HELP]
    stage.ana.send("/nonsense@thinkmate_bot", group)
    await stage.settled()
    assert len(stage.said(group)) == 1


async def test_a_reaction_that_is_throttled_does_not_hold_up_the_reply(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("setMessageReaction", "429", retry_after=600)
    stage.model.script(bundle("Fine", "👍"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["Fine"]
    await stage.settled()


async def test_a_refused_part_takes_no_other_with_it(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("sendMessage", "error", description="Bad Request: no")
    stage.model.script(bundle("\n\n".join(f"Part {n}. " + "word " * 780 for n in range(3))))
    stage.ana.send("Tell me")
    await stage.until(lambda: "Part 2." in "".join(stage.texts()))
    assert "Part 0." not in "".join(stage.texts())


async def test_a_window_that_cannot_be_trimmed_harms_no_answered_turn(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def faulty(*_: Any) -> int:
        raise ValueError("a bug")

    monkeypatch.setattr(SegmentStore, "add", faulty)
    bot = await stage.start(history_max_chars=1_000, history_min_messages=2)
    for number in range(3):
        stage.model.script(bundle("so " * 300))
        stage.ana.send(f"message {number}")
        await stage.replies(number + 1)
    await stage.settled()
    assert bot.metrics.value("turns.failed") > 0
    assert bot.metrics.value("inbox.dead") == 0
    assert len(stage.said()) == 3
