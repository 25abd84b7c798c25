"""The playground's connections: on loopback, and such that a test can have them cut."""

from __future__ import annotations

import asyncio
from typing import cast

from starlette.types import ASGIApp

from app.playground.connection import with_transport
from app.services.http_server import HttpServer, PromptProtocol

HOST = "127.0.0.1"


class CuttableProtocol(PromptProtocol):
    """Lets the application see the transport under a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        app = cast(ASGIApp, self.app)
        self.app = with_transport(app, transport)


class LoopbackServer:
    """Serves on 127.0.0.1 from `start` to `stop`. The port is taken in `start`."""

    def __init__(self) -> None:
        self._server: HttpServer | None = None
        self.port = 0

    async def start(self, app: ASGIApp, port: int) -> None:
        """Return once connections are accepted. Raises ConfigError when the port is taken."""
        self._server = HttpServer(
            app, HOST, port, setting="PLAYGROUND_PORT", protocol=CuttableProtocol
        )
        await self._server.start()
        self.port = self._server.port

    async def stop(self) -> None:
        """Let running requests end, and close. Harmless when not started."""
        if self._server is not None:
            await self._server.stop()
            self._server = None
