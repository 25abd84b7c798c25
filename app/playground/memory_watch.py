"""What the bot remembers of each person, looked up while somebody watches the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from loguru import logger

from app.playground.world import World

Card = dict[str, Any]
MemoryLook = Callable[[int], Awaitable[Card | None]]
"""A person's id -> what to show of their memory; None while that can't be known."""

LOOK_SECS = 1.0
"""How often memory is looked at when nothing happens in the world: background work is silent."""
REST_SECS = 0.2


class MemoryWatch:
    """Keeps the newest card of each person and tells the feed of each that is new.

    It looks after each change in the world and once a second, while a page is open.
    """

    def __init__(self, world: World, look: MemoryLook) -> None:
        self._world = world
        self._look = look
        self._cards: dict[int, Card] = {}
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._task = asyncio.create_task(self._watch(), name="memory watch")

    async def stop(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def card(self, person: int) -> Card | None:
        """The newest card of a person; None before the first look."""
        return self._cards.get(person)

    def cards(self) -> dict[int, Card]:
        """The newest card of everybody."""
        return dict(self._cards)

    def offers(self, person: int, button: str) -> bool:
        """Whether a person's card has a button with this data."""
        recent = (self._cards.get(person) or {}).get("recent", ())
        return any(button == row["undo"] for row in recent if row["undo"])

    async def _watch(self) -> None:
        while True:
            if self._world.feed.followers:
                await self._look_at_all()
            await asyncio.sleep(REST_SECS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECS):
                    await self._world.changes.wait()

    async def _look_at_all(self) -> None:
        for person in list(self._world.people):
            try:
                card = await self._look(person)
            except Exception as error:  # noqa: BLE001  the card waits, the playground goes on
                logger.warning("memory can't be looked at: {}", type(error).__name__)
                continue
            if card is not None and card != self._cards.get(person):
                self._cards[person] = card
                self._world.feed.publish("memory", person=person)
