"""Waiting for the world to change, without polling it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Changes:
    """A bell: `ring` wakes everyone who waits. One event loop, no threads."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake everyone who waits now."""
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        """Return at the next ring."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)

    async def until(self, look: Callable[[], T], seconds: float | None) -> T:
        """The first truthy result of `look`, tried now and at each ring.

        Raises TimeoutError after `seconds` (None: never).
        """
        async with asyncio.timeout(seconds):
            while not (found := look()):
                await self.wait()
            return found
