"""A real python-telegram-bot against the playground: how updates reach it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from telegram import Bot
from telegram.error import BadRequest, Conflict

from app.playground import Person, Playground
from app.playground.http_server import LoopbackServer
from tests.doubles.playground import running_playground, telegram_bot

SECRET = "s" * 32


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with running_playground(first_push_pause=0.01) as running:
        yield running


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    async with telegram_bot(playground) as bot:
        yield bot


@pytest.fixture
def ana(playground: Playground) -> Person:
    return playground.world.add_person("Ana")


async def pending(playground: Playground) -> None:
    """Wait until a long poll hangs at the playground."""
    await playground.world.changes.until(lambda: playground.presence.state == "up", 5)


async def texts(bot: Bot, **options: Any) -> list[str | None]:
    updates = await bot.get_updates(**options)
    return [update.message.text for update in updates if update.message]


async def test_unconfirmed_updates_come_again_and_confirmed_ones_do_not(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    for word in ("one", "two", "three"):
        ana.send(word)
    assert await texts(bot) == await texts(bot) == ["one", "two", "three"]
    second = (await bot.get_updates(limit=2))[1]
    assert await texts(bot, offset=second.update_id + 1) == ["three"]
    assert await texts(bot) == ["three"]
    assert len(playground.ledger.of("update_delivered")) == 3
    assert [e.update_id for e in playground.ledger.of("update_confirmed")] == [
        second.update_id - 1,
        second.update_id,
    ]


async def test_a_long_poll_returns_as_soon_as_something_comes(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await pending(playground)
    ana.send("hello")
    assert [update.message.text for update in await poll if update.message] == ["hello"]


async def test_an_empty_long_poll_ends_after_its_time(bot: Bot) -> None:
    assert await bot.get_updates(timeout=1) == ()


async def test_a_second_poll_ends_the_first(playground: Playground, bot: Bot, ana: Person) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=30))
    await pending(playground)
    second = asyncio.create_task(bot.get_updates(timeout=30))
    with pytest.raises(Conflict, match=r"(?i)terminated by other getUpdates request"):
        await first
    ana.send("hello")
    assert len(await second) == 1


async def test_allowed_updates_are_remembered(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    message = ana.send("hi")
    await bot.get_updates(allowed_updates=["message_reaction"])
    await bot.get_updates()
    ana.send("unheard")
    ana.react(message, "👍")
    updates = await bot.get_updates()
    assert [bool(update.message_reaction) for update in updates] == [False, True]


async def test_a_bot_that_hangs_up_is_away_until_it_polls_again(
    playground: Playground, ana: Person
) -> None:
    async with telegram_bot(playground) as first:
        poll = asyncio.create_task(first.get_updates(timeout=30))
        await pending(playground)
        poll.cancel()
        await playground.wait_for(lambda ledger: ledger.of("bot_away"))
    ana.send("are you there?")
    async with telegram_bot(playground) as again:
        assert await texts(again) == ["are you there?"]
        await again.send_message(ana.id, "I am")
    view = playground.presence.view()
    assert (view["state"], view["waiting"], view["answered"]) == ("up", 1, 1)


class Hook:
    """A webhook that says what the test wants."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.bodies: list[dict[str, Any]] = []
        self.secrets: list[str] = []

    async def receive(self, request: Request) -> Response:
        self.bodies.append(await request.json())
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token", ""))
        return Response(status_code=self.codes.pop(0) if self.codes else 200)


@pytest.fixture
async def hook() -> AsyncIterator[tuple[Hook, str]]:
    hook, server = Hook(), LoopbackServer()
    await server.start(Starlette(routes=[Route("/in", hook.receive, methods=["POST"])]), 0)
    yield hook, f"http://127.0.0.1:{server.port}/in"
    await server.stop()


async def test_a_webhook_gets_updates_with_its_secret_until_it_says_yes(
    playground: Playground, bot: Bot, ana: Person, hook: tuple[Hook, str]
) -> None:
    receiver, url = hook
    receiver.codes = [500, 403]
    await bot.set_webhook(url, secret_token=SECRET)
    ana.send("one")
    ana.send("two")
    await playground.wait_for(lambda ledger: len(ledger.of("update_confirmed")) == 2)
    assert [body["message"]["text"] for body in receiver.bodies] == ["one", "one", "one", "two"]
    assert set(receiver.secrets) == {SECRET}
    info = await bot.get_webhook_info()
    assert (info.url, info.pending_update_count) == (url, 0)
    assert info.last_error_message == "Wrong response from the webhook: 403"


async def test_polling_and_webhook_exclude_each_other(
    playground: Playground, bot: Bot, ana: Person, hook: tuple[Hook, str]
) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await pending(playground)
    await bot.set_webhook(hook[1])
    with pytest.raises(Conflict, match=r"(?i)terminated by setWebhook"):
        await poll
    with pytest.raises(Conflict, match=r"(?i)webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    ana.send("hello")
    assert await texts(bot) == ["hello"]


async def test_a_webhook_must_be_on_this_machine(bot: Bot) -> None:
    with pytest.raises(BadRequest, match=r"(?i)bad webhook"):
        await bot.set_webhook("https://example.com/in")
    with pytest.raises(BadRequest, match=r"(?i)secret token"):
        await bot.set_webhook("http://127.0.0.1:1/in", secret_token="not allowed!")


async def test_pending_updates_can_be_dropped(bot: Bot, ana: Person) -> None:
    ana.send("old")
    await bot.delete_webhook(drop_pending_updates=True)
    assert await texts(bot) == []


async def test_stopping_ends_a_long_poll() -> None:
    async with running_playground() as playground, telegram_bot(playground) as bot:
        poll = asyncio.create_task(bot.get_updates(timeout=30))
        await pending(playground)
        await playground.stop()
        assert await poll == ()


async def test_ids_of_a_later_playground_lie_above(ana: Person, playground: Playground) -> None:
    ana.send("hi")
    first = playground.world.bot.updates.pending[0].update_id
    assert Playground().world.bot.updates.next_id > first > 1_000_000_000_000
