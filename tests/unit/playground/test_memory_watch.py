"""The watch over memory, and the buttons that stand beside a chat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.playground import Person, World
from app.playground.memory_watch import MemoryWatch


@pytest.fixture
def world() -> World:
    world = World()
    world.add_bot()
    return world


def a_card(undo: str | None) -> dict[str, Any]:
    return {"empty": "", "groups": [], "recent": [{"id": "o1", "undo": undo}]}


async def test_a_new_card_is_told_once_and_only_while_somebody_watches(world: World) -> None:
    ana = world.add_person("Ana")
    looks: list[int] = []

    async def look(person: int) -> dict[str, Any] | None:
        looks.append(person)
        return None if len(looks) == 1 else a_card("undo:o1")

    watch = MemoryWatch(world, look)
    watch.start()
    await asyncio.sleep(0)
    assert looks == []
    told = []
    async with asyncio.timeout(10):
        async for event in world.feed.follow(world.feed.seq):
            told.append((event["type"], event["person"]))
            if watch.card(ana.id):
                break
    assert told == [("memory", ana.id)]
    assert watch.offers(ana.id, "undo:o1")
    assert not watch.offers(ana.id, "undo:o2")
    assert not watch.offers(42, "undo:o1")
    await watch.stop()


async def test_a_look_that_fails_leaves_the_card_and_the_watch_as_they_are(world: World) -> None:
    ana = world.add_person("Ana")
    results: list[Any] = [a_card(None), OSError("gone"), a_card("undo:o9")]

    async def look(person: int) -> dict[str, Any] | None:
        result = results[0] if len(results) == 1 else results.pop(0)
        if isinstance(result, OSError):
            raise result
        return result  # type: ignore[no-any-return]

    watch = MemoryWatch(world, look)
    watch.start()
    async with asyncio.timeout(10):
        async for _ in world.feed.follow(world.feed.seq):
            if watch.offers(ana.id, "undo:o9"):
                break
    await watch.stop()
    assert watch.cards() == {ana.id: a_card("undo:o9")}


def test_a_button_beside_the_chat_is_a_press_under_the_bots_last_message(world: World) -> None:
    ana: Person = world.add_person("Ana")
    with pytest.raises(ValueError, match="nothing here yet"):
        ana.press_beside("undo:o1")
    world.post(ana.chat, world.bot, "first")
    last = world.post(ana.chat, world.bot, "last")
    ana.send("hm")
    assert ana.press_beside("undo:o1").message is last
    update = world.bot.updates.pending[-1]
    assert (update.kind, update.body["data"]) == ("callback_query", "undo:o1")
    ana.block()
    with pytest.raises(ValueError, match="blocked"):
        ana.press_beside("undo:o1")
