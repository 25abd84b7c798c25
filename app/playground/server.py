"""The playground as a whole: world, Bot API, page and bot process behind one loopback port."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from starlette.applications import Starlette
from starlette.routing import Route

from app.clock import Clock
from app.playground.bot_api import BotApi
from app.playground.bot_process import BotProcess, ProcessState
from app.playground.control_api import ControlApi
from app.playground.faults import Faults
from app.playground.guard import Guard
from app.playground.http_server import HOST, LoopbackServer
from app.playground.ledger import Ledger
from app.playground.memory_watch import MemoryLook, MemoryWatch
from app.playground.model_choice import ConnectModel, ModelStatus
from app.playground.page_api import PageApi
from app.playground.polls import Polls
from app.playground.presence import Presence
from app.playground.webhook_push import WebhookPush
from app.playground.world import World

T = TypeVar("T")

MESSAGE_IDS_SINCE = 1_735_689_600
ABOUT = (
    "ThinkMate is an AI companion: write to it as you would to a friend.",
    "This page is a small Telegram on your own computer. The bot behind it is the real one.",
)
CHIPS = ("Hi! Who are you?", "I have a job interview on Friday and I'm nervous", "/help")


class Playground:
    """A local Telegram from `start` to `stop`, bound to 127.0.0.1.

    `world`, `faults`, `ledger` and `wait_for` are for tests in the same process; `control_url`
    and `control_token` for those in another. A world made here numbers updates and messages from
    the current time, so that a bot with a lasting database sees no number twice.
    """

    def __init__(
        self,
        *,
        world: World | None = None,
        bot: BotProcess | None = None,
        connect_model: ConnectModel | None = None,
        model_status: ModelStatus | None = None,
        memory: MemoryLook | None = None,
        chips: Sequence[str] = CHIPS,
        about: Sequence[str] = ABOUT,
        person_name: str = "You",
        ledger_file: Path | None = None,
        first_push_pause: float = 0.25,
    ) -> None:
        self.world = world or fresh_world(ledger_file)
        if not self.world.bots:
            self.world.add_bot()
        self._person_name = person_name
        self.bot_process = bot
        self.faults = Faults(self.world.changes.ring)
        self.control_token = secrets.token_urlsafe(24)
        self.presence = Presence(self.world)
        self._server = LoopbackServer()
        self._polls = Polls(
            self.world.changes,
            on_poll=self.presence.heard_from,
            on_hang_up=self.presence.gone,
        )
        self._webhooks = WebhookPush(
            self.world, first_pause=first_push_pause, on_success=self.presence.heard_from
        )
        self._memory = MemoryWatch(self.world, memory) if memory else None
        self._page = PageApi(
            self.world,
            self.presence,
            secrets.token_urlsafe(24),
            bot=bot,
            connect_model=connect_model,
            model_status=model_status,
            memory=self._memory,
            chips=chips,
            about=about,
        )
        if bot is not None:
            bot.listen(self._on_process)

    @property
    def ledger(self) -> Ledger:
        """What really happened."""
        return self.world.ledger

    @property
    def token(self) -> str:
        """The first bot's token."""
        return self.world.bot.token

    @property
    def address(self) -> str:
        """http://127.0.0.1:PORT: what TELEGRAM_API_BASE_URL wants."""
        return f"http://{HOST}:{self._server.port}"

    @property
    def base_url(self) -> str:
        """What python-telegram-bot wants as base_url: it appends the token."""
        return f"{self.address}/bot"

    @property
    def page_url(self) -> str:
        """What a browser opens."""
        return f"{self.address}/"

    @property
    def control_url(self) -> str:
        """Where actions are posted to: this, and the action's name."""
        return f"{self.address}/control/"

    async def listen(self, port: int = 0) -> None:
        """Serve, without starting the bot's process. Raises ConfigError when the port is taken."""
        api = BotApi(self.world, self.faults, self._polls, self._webhooks)
        control = ControlApi(self.world, self.faults, self.presence, self.control_token)

        routes = [
            Route("/bot{token}/{method}", api.__call__, methods=["GET", "POST"]),
            Route("/control/{action}", control.__call__, methods=["POST"]),
            *self._page.routes(),
        ]
        await self._server.start(Guard(Starlette(routes=routes), lambda: self._server.port), port)
        if self._memory is not None:
            self._memory.start()

    async def start(self, port: int = 0) -> None:
        """Serve, put the first person in front of the page, and start the bot's process."""
        if not self.world.people:
            first = self.world.add_person(self._person_name)
            self.world.private_chat(self.world.bot, first)
        await self.listen(port)
        if self.bot_process is not None:
            await self.bot_process.start()

    async def stop(self) -> None:
        """Stop the bot's process in order, end every poll and stream, and close."""
        if self.bot_process is not None:
            await self.bot_process.stop()
        if self._memory is not None:
            await self._memory.stop()
        self.faults.clear()
        self._polls.close()
        self.world.feed.close()
        await self._webhooks.close()
        await self._server.stop()
        self.ledger.close()

    async def wait_for(self, look: Callable[[Ledger], T], timeout: float = 10.0) -> T:  # noqa: ASYNC109  reads best at the call
        """The first truthy result of `look(ledger)`. Raises TimeoutError."""
        return await self.world.changes.until(lambda: look(self.ledger), timeout)

    def _on_process(self, state: ProcessState) -> None:
        if state == "dead":
            self.presence.gone()


def fresh_world(ledger_file: Path | None = None) -> World:
    """A world whose update and message ids lie above those of any earlier one."""
    now = Clock().now().timestamp()
    return World(
        ledger_file=ledger_file,
        first_update_id=int(now * 1000),
        first_message_id=int(now) - MESSAGE_IDS_SINCE,
    )
