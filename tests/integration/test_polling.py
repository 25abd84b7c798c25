"""Polling that stands still, is refused, or has died is noticed and mended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from loguru import logger

from app.bootstrap import Bot
from app.transports.telegram import polling
from tests.doubles.playground import telegram_bot
from tests.integration.stage import Stage, eventually

STALL_SECS = 1.5


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """What is logged meanwhile."""
    seen: list[str] = []
    sink = logger.add(lambda message: seen.append(message.record["message"]), level="DEBUG")
    yield seen
    logger.remove(sink)


@pytest.fixture(autouse=True)
def short_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polls that end long before the watchdog's patience does."""
    monkeypatch.setattr(polling, "POLL_SECS", 1)
    monkeypatch.setattr(polling, "STOP_SECS", 0.5)


async def start(stage: Stage) -> Bot:
    """Start a bot that has answered once, so that it polls."""
    bot = await stage.start(polling_stall_secs=STALL_SECS)
    stage.ana.send("Hello")
    await stage.replies(1)
    return bot


async def counted(bot: Bot, name: str, least: float) -> None:
    """Wait until a counter has reached a number."""

    async def look() -> bool:
        return bot.metrics.value(name) >= least

    await eventually(look)


@pytest.mark.parametrize("hanging", [1, 2])
async def test_polling_that_hangs_is_restarted(
    stage: Stage, lines: list[str], hanging: int
) -> None:
    bot = await start(stage)
    hang = stage.playground.faults.add("getUpdates", "hang", times=hanging)
    await stage.met(hang)
    stage.ana.send("Are you there?")
    await stage.replies(2)
    await stage.settled()
    assert hang.hits == hanging
    assert bot.metrics.value("polling.restarts") >= 1
    assert any("restarting" in line for line in lines)
    assert len(stage.model.requests) == 2


async def test_a_quiet_chat_is_no_stall_however_short_the_patience(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polling, "POLL_SECS", 10)
    bot = await stage.start(polling_stall_secs=2.5)
    await stage.until_later(stage.world.now() + 3.5)
    assert bot.metrics.value("polling.restarts") == 0
    assert bot.metrics.value("polling.errors") == 0


async def test_a_second_poller_is_named_and_the_bot_goes_on(stage: Stage, lines: list[str]) -> None:
    bot = await start(stage)
    async with telegram_bot(stage.playground) as intruder:
        await eventually(lambda: _conflict(bot, intruder))
    assert any("another program polls" in line for line in lines)
    stage.ana.send("Still there?")
    await stage.replies(2)
    await stage.settled()
    assert len(stage.model.requests) == 2


async def _conflict(bot: Bot, intruder: Any) -> bool:
    await intruder.get_updates(timeout=0)
    return bot.metrics.value("polling.errors") > 0


@pytest.mark.parametrize("kind", ["500", "502", "reset", "lost"])
async def test_a_failing_get_updates_recovers(stage: Stage, kind: Any) -> None:
    bot = await start(stage)
    fault = stage.playground.faults.add("getUpdates", kind, retry_after=1)
    stage.ana.send("Are you there?")
    await stage.met(fault)
    await stage.replies(2)
    await stage.settled()
    assert len(stage.said()) == 2
    assert len(stage.model.requests) == 2
    assert bot.metrics.value("polling.restarts") == 0


async def test_a_polling_task_that_died_is_replaced_each_time(
    stage: Stage, lines: list[str]
) -> None:
    bot = await start(stage)
    for time in (1, 2):
        (task,) = [t for t in asyncio.all_tasks() if t.get_name().endswith("polling_task")]
        task.cancel()
        await asyncio.wait([task])
        await counted(bot, "polling.restarts", time)
        stage.ana.send("Are you there?")
        await stage.replies(1 + time)
        await stage.settled()
    assert len(stage.model.requests) == 3
    assert sum("restarting" in line for line in lines) == 2


async def test_a_telegram_that_is_away_at_the_start_is_waited_for(stage: Stage) -> None:
    away = stage.playground.faults.add("getMe", "502", times=1)
    stage.ana.send("Hello")
    await stage.start()
    assert away.hits == 1
    assert len(await stage.replies(1)) == 1
