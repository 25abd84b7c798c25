"""Who is served: nobody before the bot is claimed, then its owner and whom the settings name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from app.bootstrap import Bot
from app.services import texts
from tests.integration.stage import Stage


async def start(stage: Stage, **changes: Any) -> Bot:
    """Start a bot that serves its owner alone."""
    return await stage.start(access="owner", **changes)


def code(stage: Stage) -> str:
    """The one-time code of the last link that was printed."""
    link, _, payload = stage.announced[-1].partition("?start=")
    assert link == f"https://t.me/{stage.world.bot.username}"
    return payload


async def test_a_stranger_gets_one_line_a_day_and_costs_no_call(stage: Stage) -> None:
    await start(stage)
    stage.ana.send("Hello, who are you?")
    assert await stage.replies(1) == [texts.STRANGER]
    await stage.settled()
    for said in ("Hello?", "/help", "/start", "/start claim_", "/start claim_wrong"):
        stage.ana.send(said)
        await stage.settled()
    assert stage.texts() == [texts.STRANGER]
    assert stage.model.requests == []
    assert stage.ledger_count("typing") == 0


async def test_a_day_later_the_line_is_said_again(stage: Stage) -> None:
    await start(stage)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert stage.db is not None
    stored = await stage.db["chat_buffers"].find_one({})
    assert stored is not None
    earlier = stored["notices"]["stranger"] - timedelta(hours=25)
    await stage.db["chat_buffers"].update_one({}, {"$set": {"notices.stranger": earlier}})
    stage.ana.send("Hello again")
    assert await stage.replies(2) == [texts.STRANGER] * 2
    assert stage.model.requests == []


async def test_nothing_a_stranger_wrote_is_kept(stage: Stage) -> None:
    await start(stage)
    stage.ana.send("my canary sings")
    await stage.replies(1)
    edited = stage.ana.send("a second canary")
    stage.ana.edit(edited, "a third canary")
    await stage.settled()
    assert stage.db is not None
    assert await stage.stored_conversations() == [str(stage.ana.id)]
    for name in await stage.db.collection_names():
        async for document in stage.db[name].find({}):
            assert "canary" not in str(document), name
    assert not await stage.db["user_profiles"].count_documents({})


async def test_a_stranger_in_a_group_gets_no_answer(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await start(stage)
    stage.ana.send("@thinkmate_bot hello", group)
    stage.ana.send("/help@thinkmate_bot", group)
    await stage.settled()
    assert stage.said(group) == []
    assert stage.model.requests == []


async def test_the_link_makes_an_owner_once_and_for_good(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    await start(stage)
    payload = code(stage)
    stage.ana.send(f"/start {payload}")
    assert await stage.replies(1) == [texts.CLAIMED]
    stage.ana.send("Hello")
    await stage.replies(2)
    await stage.settled()
    assert len(stage.model.requests) == 1
    ben.send(f"/start {payload}")
    assert await stage.replies(1, ben.chat) == [texts.STRANGER]
    ben.send("Hello")
    await stage.settled()
    assert len(stage.model.requests) == 1
    await stage.stop()
    announced = len(stage.announced)
    await start(stage)
    assert len(stage.announced) == announced
    stage.ana.send("Still here?")
    await stage.replies(3)
    ben.send(f"/start {payload}")
    await stage.settled()
    assert stage.texts(ben.chat) == [texts.STRANGER]
    assert len(stage.model.requests) == 2


async def test_the_owner_may_open_the_link_again(stage: Stage) -> None:
    await start(stage)
    payload = code(stage)
    stage.ana.send(f"/start {payload}")
    await stage.replies(1)
    stage.ana.send(f"/start {payload}")
    assert len(await stage.replies(2)) == 2
    stage.ana.send("Hello")
    await stage.replies(3)
    assert len(stage.model.requests) == 1


async def test_two_who_open_the_link_at_once_do_not_both_own_the_bot(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    await start(stage)
    for person in (stage.ana, ben):
        person.send(f"/start {code(stage)}")
    first, second = await stage.replies(1), await stage.replies(1, ben.chat)
    assert sorted([*first, *second]) == sorted([texts.CLAIMED, texts.STRANGER])


@pytest.mark.parametrize("guess", ["claim_", "claim_0000", "claim_%s extra", "claim_%s0", "%s"])
async def test_a_wrong_code_opens_nothing(stage: Stage, guess: str) -> None:
    await start(stage)
    bare = code(stage).removeprefix("claim_")
    stage.ana.send(f"/start {guess % bare if '%s' in guess else guess}")
    assert await stage.replies(1) == [texts.STRANGER]
    stage.ana.send("Hello")
    await stage.settled()
    assert stage.model.requests == []
    stage.ana.send(f"/start {code(stage)}")
    assert (await stage.replies(2))[-1] == texts.CLAIMED


async def test_an_unclaimed_code_survives_a_restart(stage: Stage) -> None:
    await start(stage)
    await stage.stop()
    await start(stage)
    first, second = stage.announced
    assert first == second
    stage.ana.send(f"/start {code(stage)}")
    assert await stage.replies(1) == [texts.CLAIMED]


async def test_each_bot_has_a_code_of_its_own_and_it_is_long(stage: Stage) -> None:
    await start(stage)
    first = code(stage).removeprefix("claim_")
    await stage.stop()
    other = stage.world.add_bot("second_bot")
    await start(stage, telegram_bot_token=other.token)
    second = stage.announced[-1].rpartition("claim_")[2]
    assert first != second
    assert min(len(first), len(second)) >= 20


async def test_the_settings_name_who_is_served(stage: Stage) -> None:
    ben, cleo = stage.world.add_person("Ben"), stage.world.add_person("Cleo")
    await start(stage, allowed_user_ids=(stage.ana.id, ben.id))
    assert stage.announced == []
    for person in (stage.ana, ben, cleo):
        person.send("Hello")
    await stage.replies(1)
    await stage.replies(1, ben.chat)
    assert await stage.replies(1, cleo.chat) == [texts.STRANGER]
    await stage.settled()
    assert len(stage.model.requests) == 2


async def test_a_strangers_words_in_a_served_group_are_not_kept(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    group = stage.world.add_group("Garden", [stage.ana, ben])
    await start(stage, allowed_user_ids=(stage.ana.id,))
    ben.send("my canary sings", group)
    stage.ana.send("@thinkmate_bot hello", group)
    await stage.replies(1, group)
    await stage.settled()
    assert "canary" not in str(stage.model.requests[-1].body)
    assert stage.db is not None
    assert "canary" not in str(await stage.db["chat_buffers"].find_one({}))
