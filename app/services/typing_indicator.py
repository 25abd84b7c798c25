"""Typing is shown while a reply is being made, and stops before it is sent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType

from app.errors import SendError
from app.services.ports import Channel

FIRST_AFTER_SECS = 0.2
EVERY_SECS = 4.0
DEADLINE_SECS = 180.0


class Typing:
    """An async context; a reply that is ready within 0.2 s shows no typing at all."""

    def __init__(self, channel: Channel, chat_id: int, thread_id: int | None) -> None:
        self._channel = channel
        self._chat_id = chat_id
        self._thread_id = thread_id
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Typing:
        self._timer = asyncio.get_running_loop().call_later(FIRST_AFTER_SECS, self._start)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer:
            self._timer.cancel()
        if self._loop:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)

    def _start(self) -> None:
        self._loop = asyncio.create_task(self._show(), name=f"typing:{self._chat_id}")

    async def _show(self) -> None:
        try:
            async with asyncio.timeout(DEADLINE_SECS):
                while True:
                    with suppress(SendError):
                        await self._channel.typing(self._chat_id, self._thread_id)
                    await asyncio.sleep(EVERY_SECS)
        except TimeoutError:
            return
