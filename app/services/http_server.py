"""uvicorn inside our own event loop, without its signal handlers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.errors import ConfigError

GRACE_SECS = 5
KEEP_ALIVE_SECS = 75


class PromptProtocol(H11Protocol):
    """Sends without delay.

    asyncio switches Nagle's algorithm off only for sockets that name their protocol, which
    accepted ones don't; with it on, every answer takes 40 ms.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class HttpServer:
    """Serves `app` on host and port (0: any free one) from `start` to `stop`.

    `setting` is the key a person would change when the port is taken.
    """

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        *,
        setting: str = "HTTP_PORT",
        protocol: type[asyncio.Protocol] = PromptProtocol,
    ) -> None:
        self._app = app
        self._host = host
        self._wanted_port = port
        self._setting = setting
        self._protocol = protocol
        self._port: int | None = None
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port listened on; known from `start` on."""
        if self._port is None:
            raise RuntimeError("the server has not been started")
        return self._port

    async def start(self) -> None:
        """Return once connections are accepted. Raises ConfigError when the port can't be had."""
        listener = self._listener()
        self._port = listener.getsockname()[1]
        config = uvicorn.Config(
            self._app,
            http=self._protocol,
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
        self._task = asyncio.create_task(self._server.serve([listener]), name="http server")
        listening = asyncio.create_task(self._server.listening.wait())
        await asyncio.wait({self._task, listening}, return_when=asyncio.FIRST_COMPLETED)
        listening.cancel()
        if self._task.done():
            listener.close()
            self._task.result()

    async def stop(self) -> None:
        """Finish running requests, for at most GRACE_SECS, and close. Harmless when not started."""
        if self._server is None or self._task is None:
            return
        self._server.should_exit = True
        task, self._task, self._server = self._task, None, None
        await task

    def _listener(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            return socket.create_server((self._host, self._wanted_port), family=family)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ConfigError(
                f"{self._setting}: can't listen on {self._host}:{self._wanted_port} ({reason}). "
                "Stop what uses the port, or choose another."
            ) from None


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
