"""A real python-telegram-bot meets each fault."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError, RetryAfter, TimedOut

from app.playground import Person, Playground
from app.playground.faults import Kind
from tests.doubles.playground import running_playground, telegram_bot


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with running_playground() as running:
        yield running


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    async with telegram_bot(playground) as bot:
        yield bot


@pytest.fixture
def ana(playground: Playground) -> Person:
    person = playground.world.add_person("Ana")
    person.send("hi")
    return person


async def test_429_names_the_pause(playground: Playground, bot: Bot, ana: Person) -> None:
    playground.faults.add("sendMessage", "429", retry_after=3, chat_id=ana.id)
    with pytest.raises(RetryAfter) as caught:
        await bot.send_message(ana.id, "hello")
    assert caught.value._retry_after == timedelta(seconds=3)
    await bot.send_message(ana.id, "hello")


@pytest.mark.parametrize(
    ("kind", "words"), [("500", "Internal Server Error"), ("502", "Bad Gateway")]
)
async def test_server_errors_accept_nothing(
    playground: Playground, bot: Bot, ana: Person, kind: Kind, words: str
) -> None:
    playground.faults.add("sendMessage", kind)
    with pytest.raises(NetworkError, match=words):
        await bot.send_message(ana.id, "hello")
    assert playground.ledger.bot_messages() == []


async def test_any_other_answer_can_be_asked_for(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    playground.faults.add("sendMessage", "error", description="Bad Request: not today")
    with pytest.raises(BadRequest, match=r"(?i)[Nn]ot today"):
        await bot.send_message(ana.id, "hello")


async def test_a_reset_gives_no_answer_and_accepts_nothing(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    playground.faults.add("sendMessage", "reset")
    with pytest.raises(NetworkError) as caught:
        await bot.send_message(ana.id, "hello")
    assert isinstance(caught.value.__cause__, httpx.RemoteProtocolError | httpx.ReadError)
    assert playground.ledger.bot_messages() == []


async def test_a_lost_answer_was_accepted_all_the_same(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    playground.faults.add("sendMessage", "lost")
    with pytest.raises(NetworkError):
        await bot.send_message(ana.id, "hello")
    await bot.send_message(ana.id, "hello")
    first, second = playground.ledger.bot_messages(ana.id)
    assert (first.acknowledged, second.acknowledged) == (False, True)


async def test_a_hang_ends_when_released(playground: Playground, bot: Bot, ana: Person) -> None:
    fault = playground.faults.add("sendMessage", "hang")
    call = asyncio.create_task(bot.send_message(ana.id, "hello"))
    await playground.wait_for(lambda _: fault.hits == 1)
    assert playground.ledger.bot_messages() == []
    fault.release()
    assert (await call).text == "hello"


async def test_a_hang_ends_after_its_time(playground: Playground, bot: Bot, ana: Person) -> None:
    playground.faults.add("sendMessage", "hang", seconds=0.05)
    assert (await bot.send_message(ana.id, "hello")).text == "hello"


async def test_a_hang_that_the_bot_gives_up_on_accepts_nothing(
    playground: Playground, ana: Person
) -> None:
    async with telegram_bot(playground, read_timeout=0.2) as bot:
        fault = playground.faults.add("sendMessage", "hang")
        with pytest.raises(TimedOut):
            await bot.send_message(ana.id, "hello")
        await playground.wait_for(lambda _: fault.given_up == 1)
        await bot.send_message(ana.id, "again")
    assert [entry.text for entry in playground.ledger.bot_messages()] == ["again"]
