"""The HTTP connection under a request: whether it is still there, and how to cut it."""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app.playground.changes import Changes

TRANSPORT = "playground.transport"


def with_transport(app: ASGIApp, transport: asyncio.Transport) -> ASGIApp:
    """`app`, told which transport its requests come over."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        scope[TRANSPORT] = transport
        await app(scope, receive, send)

    return handle


class Connection:
    """Watches one request's client from `watch` to `leave`; `changes` rings when it goes away."""

    def __init__(self, request: Request, changes: Changes) -> None:
        self._request = request
        self._changes = changes
        self._watcher: asyncio.Task[None] | None = None
        self.gone = False

    def watch(self) -> None:
        """Begin to watch. The request's body must have been read."""
        self._watcher = asyncio.create_task(self._wait_until_gone())

    def leave(self) -> None:
        """Stop watching."""
        if self._watcher is not None:
            self._watcher.cancel()

    async def cut(self) -> None:
        """Close the connection without an answer."""
        transport = cast(asyncio.Transport, self._request.scope[TRANSPORT])
        transport.abort()
        await self._changes.until(lambda: self.gone, seconds=5)

    async def _wait_until_gone(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self._changes.ring()
