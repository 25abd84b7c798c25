"""A whole system on loopback: the real bot over HTTP on both sides, and a database server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import SecretStr

from app.bootstrap import Bot
from app.config import Settings
from app.database.connection import Database, connect
from app.playground.chats import Chat
from app.playground.faults import Fault
from app.playground.messages import Message
from app.playground.person import Person
from app.playground.server import Playground
from app.playground.update_queue import Update
from tests.doubles.model_server import ModelServer

T = TypeVar("T")
PATIENCE_SECS = 10.0


class Stage:
    """One person, one bot, one model, one database; more people and bots as needed."""

    def __init__(
        self,
        playground: Playground,
        model: ModelServer,
        database_uri: str,
        database_name: str,
        folder: Path,
        monkey_env: Callable[[str, str], None],
    ) -> None:
        self.playground = playground
        self.world = playground.world
        self.model = model
        self.database_uri = database_uri
        self.database_name = database_name
        self.folder = folder
        self.persona = folder / "persona.md"
        self.persona.write_text("You are Mate, a kind companion.")
        self.ana: Person = self.world.add_person("Ana")
        self.db: Database | None = None
        self.bot: Bot | None = None
        self.announced: list[str] = []
        self._set_env = monkey_env

    def settings(self, **changes: Any) -> Settings:
        """The bot's settings on this stage: quick batches, open to everybody, no extraction."""
        values: dict[str, Any] = {
            "telegram_bot_token": SecretStr(self.world.bot.token),
            "telegram_api_base_url": self.playground.address,
            "access": "open",
            "openai_api_key": SecretStr("test-key"),
            "openai_base_url": self.model.base_url,
            "llm_model": "test-model",
            "llm_timeout_secs": 5.0,
            "llm_max_retries": 0,
            "data_dir": self.folder / "data",
            "persona_file": self.persona,
            "message_batch_delay_secs": 0.05,
            "max_batch_delay_secs": 0.5,
            "new_user_extraction_chars": 1_000_000,
            "chat_buffer_max_chars": 1_000_000,
            "turn_fact_pre_compress_enabled": False,
            **changes,
        }
        for key, value in values.items():
            raw = value.get_secret_value() if isinstance(value, SecretStr) else value
            text = ",".join(map(str, raw)) if isinstance(raw, tuple | list) else str(raw)
            self._set_env(key.upper(), text)
        return Settings(_env_file=None)

    async def open(self, listeners: Sequence[object] = ()) -> Database:
        """Connect to the stage's database."""
        self.db = await connect(self.database_uri, self.database_name, listeners=listeners)
        return self.db

    async def start(self, *, listeners: Sequence[object] = (), **changes: Any) -> Bot:
        """Start the bot."""
        db = await self.open(listeners)
        self.bot = Bot(self.settings(**changes), db, self.announced.append)
        await self.bot.start()
        return self.bot

    async def stop(self) -> None:
        """Stop the bot and close its database."""
        if self.bot is not None:
            await self.bot.stop()
            self.bot = None
        if self.db is not None:
            await self.db.close()
            self.db = None

    def said(self, chat: Chat | None = None) -> list[Message]:
        """What the bot wrote in a chat (Ana's private one when none is given)."""
        chat = chat or self.ana.chat
        return [m for m in chat.messages.values() if m.sender is self.world.bot]

    def texts(self, chat: Chat | None = None) -> list[str]:
        """The same, the words alone."""
        return [message.text for message in self.said(chat)]

    async def noted(self, kind: str, count: int) -> None:
        """Wait until the ledger has so many events of a kind."""
        await eventually(lambda: _now(self.ledger_count(kind) >= count))

    def ledger_count(self, kind: str) -> int:
        """How many events of a kind there were."""
        return sum(1 for entry in self.world.ledger if entry.kind == kind)

    async def met(self, fault: Fault) -> None:
        """Wait until a call has met a fault."""
        await eventually(lambda: _now(fault.hits > 0))

    async def until(self, look: Callable[[], T], within: float = PATIENCE_SECS) -> T:
        """Wait for something to become true in the world."""
        return await self.world.changes.until(look, within)

    async def replies(self, count: int, chat: Chat | None = None) -> list[str]:
        """Wait until the bot has written `count` messages, and return them all."""
        await self.until(lambda: len(self.said(chat)) >= count)
        return self.texts(chat)

    async def crash(self) -> None:
        """End the bot as a crash would: turns are broken off, nothing more is written."""
        for task in asyncio.all_tasks():
            if task.get_name().startswith("turn:"):
                task.cancel()
        await self.stop()

    async def turns_over(self) -> None:
        """Wait until no conversation of the bot is being worked on, without asking the database."""
        while tasks := [t for t in asyncio.all_tasks() if t.get_name().startswith("turn:")]:
            await asyncio.wait(tasks, timeout=PATIENCE_SECS)

    async def until_true(self, look: Callable[[], Awaitable[Any]]) -> None:
        """Wait until a look at something that sends no events finds it true."""
        await eventually(look)

    async def until_later(self, moment: float) -> None:
        """Wait until the world's clock shows a moment (Unix seconds)."""
        await asyncio.sleep(max(0.0, moment - self.world.now()))

    def push_raw(self, update: dict[str, Any]) -> None:
        """Put an update of any shape into the bot's queue."""
        (kind,) = [key for key in update if key != "update_id"]
        queue = self.world.bot.updates
        queue.pending.append(Update(update["update_id"], kind, update[kind]))
        self.world.changes.ring()

    async def refused_a_send(self) -> None:
        """Wait until a send met a closed door."""
        bot = self.bot
        assert bot is not None
        await eventually(lambda: _now(bot.metrics.value("delivery.errors") > 0))

    async def stored_conversations(self) -> list[str]:
        """The keys of all conversations in the database."""
        assert self.db is not None
        rows = self.db["chat_buffers"].find({"moved_to": {"$exists": False}})
        return sorted([row["_id"] async for row in rows])

    async def settled(self) -> None:
        """Wait until every update was taken in and ticked off, and nothing is owed."""
        await eventually(self._nothing_open)

    async def _nothing_open(self) -> bool:
        if self.world.bot.updates.pending:
            return False
        assert self.db is not None
        waiting = await self.db["inbox"].count_documents({"status": "waiting"})
        owed = await self.db["chat_buffers"].count_documents({"outbox.0": {"$exists": True}})
        return not waiting and not owed


async def _now(value: bool) -> bool:
    return value


async def eventually(look: Callable[[], Any], within: float = PATIENCE_SECS) -> Any:
    """The first truthy result of an async look at something that sends no events."""
    async with asyncio.timeout(within):
        while not (found := await look()):  # noqa: ASYNC110 - the database sends no events
            await asyncio.sleep(0.01)
        return found


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
