"""The playground as a test's Telegram, and a real python-telegram-bot Bot that talks to it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from telegram import Bot
from telegram.request import HTTPXRequest

from app.playground import Playground


@asynccontextmanager
async def running_playground(**options: Any) -> AsyncIterator[Playground]:
    """A playground without a bot process, on a free port."""
    playground = Playground(**options)
    await playground.listen()
    try:
        yield playground
    finally:
        await playground.stop()


@asynccontextmanager
async def telegram_bot(
    playground: Playground, *, token: str = "", read_timeout: float = 5.0
) -> AsyncIterator[Bot]:
    """An initialised python-telegram-bot Bot."""
    bot = Bot(
        token or playground.token,
        base_url=playground.base_url,
        request=HTTPXRequest(read_timeout=read_timeout, connection_pool_size=8),
        get_updates_request=HTTPXRequest(read_timeout=read_timeout, connection_pool_size=8),
    )
    async with bot:
        yield bot
