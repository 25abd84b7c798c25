"""What the page is told, as it happens."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from app.playground.changes import Changes

KEPT = 2000


class Feed:
    """Numbered events for any number of open pages; one that fell behind is told to reload."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._events: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._closed = False
        self.seq = 0
        self.followers = 0

    def publish(self, kind: str, **fields: Any) -> None:
        """Tell every page."""
        self.seq += 1
        self._events.append({"seq": self.seq, "type": kind, **fields})
        self._changes.ring()

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._changes.ring()

    async def follow(self, since: int) -> AsyncIterator[dict[str, Any]]:
        """Events after number `since` as they come; ends after a `reload`, and at `close`."""
        self.followers += 1
        self._changes.ring()
        try:
            async for event in self._after(since):
                yield event
        finally:
            self.followers -= 1

    async def _after(self, since: int) -> AsyncIterator[dict[str, Any]]:
        while not self._closed:
            oldest = self._events[0]["seq"] if self._events else self.seq + 1
            if since > self.seq or since + 1 < oldest:
                yield {"seq": self.seq, "type": "reload"}
                return
            for event in [event for event in self._events if event["seq"] > since]:
                since = event["seq"]
                yield event
            if since == self.seq and not self._closed:
                await self._changes.wait()
