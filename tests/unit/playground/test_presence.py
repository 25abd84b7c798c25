"""How long the bot was away, and what waited."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.clock import Clock
from app.playground import World
from app.playground.presence import Presence


class HandClock(Clock):
    def __init__(self) -> None:
        self.moment = datetime(2026, 3, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


def test_an_absence_counts_what_waited_and_what_was_answered() -> None:
    clock = HandClock()
    world = World(clock)
    bot = world.add_bot()
    ana, ben = world.add_person("Ana"), world.add_person("Ben")
    presence = Presence(world)
    assert presence.view()["state"] == "starting"
    presence.heard_from(bot)
    ana.send("before")
    world.post(ana.chat, bot, "answered before")
    presence.gone()
    presence.gone()
    ana.send("one")
    ana.send("two")
    ben.send("three")
    clock.moment += timedelta(seconds=4)
    away = presence.view()
    assert (away["state"], away["waiting"], away["away_secs"]) == ("away", 3, 4.0)
    presence.heard_from(bot)
    world.post(ana.chat, bot, "both answered at once")
    back = presence.view()
    assert (back["state"], back["waiting"], back["answered"]) == ("up", 3, 2)
    world.post(ben.chat, bot, "and yours")
    assert presence.view()["answered"] == 3
    assert [entry.kind for entry in world.ledger if "bot_" in entry.kind] == [
        "bot_away",
        "bot_back",
    ]


def test_in_groups_only_what_asks_the_bot_waits() -> None:
    world = World()
    bot = world.add_bot("mate_bot")
    ana = world.add_person("Ana")
    group = world.add_group("Garden", [ana])
    presence = Presence(world)
    presence.heard_from(bot)
    presence.gone(bot)
    ana.send("small talk", group)
    ana.send("@mate_bot well?", group)
    assert presence.view()["waiting"] == 1
