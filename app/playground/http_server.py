"""uvicorn in our own loop, on loopback, with connections that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.errors import ConfigError
from app.playground.connection import with_transport

HOST = "127.0.0.1"
KEEP_ALIVE_SECS = 75
GRACE_SECS = 2


class LoopbackServer:
    """Serves on 127.0.0.1 from `start` to `stop`. The port is taken in `start`."""

    def __init__(self) -> None:
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self, app: ASGIApp, port: int) -> None:
        """Return once connections are accepted. Raises ConfigError when the port is taken."""
        try:
            listener = socket.create_server((HOST, port))
        except (OSError, OverflowError) as error:
            raise ConfigError(
                f"PLAYGROUND_PORT: can't listen on {HOST}:{port} "
                f"({getattr(error, 'strerror', None) or error}). "
                "Stop what uses the port, or choose another (0 for any free one)."
            ) from None
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(
            app,
            http=_CuttableProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_SECS,
            timeout_graceful_shutdown=GRACE_SECS,
        )
        self._server = _Server(config)
        self._task = asyncio.create_task(self._server.serve([listener]), name="playground")
        listening = asyncio.create_task(self._server.listening.wait())
        await asyncio.wait({self._task, listening}, return_when=asyncio.FIRST_COMPLETED)
        listening.cancel()
        if self._task.done():
            listener.close()
            self._task.result()

    async def stop(self) -> None:
        """Let running requests end, for at most 2 s, and close. Harmless when not started."""
        server, task = self._server, self._task
        self._server = self._task = None
        if server is None or task is None:
            return
        server.should_exit = True
        await task


class _CuttableProtocol(H11Protocol):
    """Lets the application see the transport under a request, and sends without delay.

    asyncio switches Nagle's algorithm off only for sockets that name their protocol, which
    accepted ones don't; with it on, every answer takes 40 ms.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        app = cast(ASGIApp, self.app)
        self.app = with_transport(app, transport)


class _Server(uvicorn.Server):
    """Tells when it listens, and leaves signals to the program."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()
