"""A strict, scripted OpenAI-compatible server on loopback, in a test's loop or as a process.

    async with ModelServer() as server:
        server.script(rate_limited(1), bundle("hello"))
        ... settings with OPENAI_BASE_URL=server.base_url ...
        await server.wait_for_requests(2)

Each request takes the next scripted behaviour (model_behaviours.py makes them); when there is
none, `server.answer` decides (an echo by default). Requests are checked as OpenAI checks them,
and kept. It is written on bare asyncio streams: cheap enough for benchmarks, and able to hang
and to reset a connection.

As a process: `python -m tests.doubles.model_server --port 9001 [--delay-ms 200] [--key K]`
prints {"base_url": …} on one line and serves until it is stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import struct
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.doubles.model_behaviours import (
    Behaviour,
    check_chat,
    echo,
    error,
    json_answer,
    refuses_format,
    unauthorized,
    unknown_model,
)

PHRASES = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}


@dataclass(frozen=True)
class Request:
    """One request as it arrived; `body` is {} when there was none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class ModelServer:
    """The server. `models` None takes any model; `key` None takes any key.

    `refused_formats` names response_format types it refuses, always; `ollama` answers
    /api/version as Ollama does; `prefix` is where the API lives.
    """

    def __init__(
        self,
        *,
        models: tuple[str, ...] | None = None,
        key: str | None = None,
        answer: Callable[[dict[str, Any]], Behaviour] = echo,
        delay: float = 0.0,
        ollama: bool = False,
        prefix: str = "/v1",
    ) -> None:
        self.models = models
        self.key = key
        self.answer = answer
        self.delay = delay
        self.ollama = ollama
        self.prefix = prefix
        self.refused_formats: set[str] = set()
        self.all_requests: list[Request] = []
        self.requests: list[Request] = []
        self.rejections: list[str] = []
        self.keeps_requests = True
        self.count = 0
        self._script: deque[Behaviour] = deque()
        self._released = asyncio.Event()
        self._arrived = asyncio.Condition()
        self._connections: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    @property
    def base_url(self) -> str:
        """OPENAI_BASE_URL for this server."""
        return f"http://127.0.0.1:{self.port}{self.prefix}"

    @property
    def is_up(self) -> bool:
        """Whether it listens."""
        return self._server is not None

    async def start(self, port: int = 0) -> None:
        """Listen on 127.0.0.1; port 0 takes a free one."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, backlog=512)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and break what is still connected."""
        if self._server is None:
            return
        self._server.close()
        for writer in list(self._connections):
            writer.transport.abort()
        await self._server.wait_closed()
        self._server = None

    async def __aenter__(self) -> ModelServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def script(self, *behaviours: Behaviour) -> None:
        """Queue behaviours for the next chat requests."""
        self._script.extend(behaviours)

    def release(self) -> None:
        """Let requests that hang be answered as usual, these and later ones."""
        self._released.set()

    async def wait_for_requests(self, count: int, within: float = 10.0) -> None:
        """Wait until `count` chat requests have arrived since the start."""
        async with asyncio.timeout(within), self._arrived:
            await self._arrived.wait_for(lambda: self.count >= count)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        try:
            while (request := await _read_request(reader)) is not None:
                behaviour = await self._handle(request)
                if not await self._carry_out(behaviour, request, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the client went away
        finally:
            self._connections.discard(writer)
            writer.close()

    async def _carry_out(
        self,
        behaviour: Behaviour,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Whether the connection lives on."""
        if behaviour.kind == "reset":
            _reset(writer)
            return False
        if behaviour.kind == "hang":
            if not await self._hung_until_released(reader):
                return False
            behaviour = self.answer(request.body)
        elif self.delay and request.path.endswith("/chat/completions"):
            await asyncio.sleep(self.delay)
        writer.write(_encoded(behaviour))
        await writer.drain()
        return True

    async def _hung_until_released(self, reader: asyncio.StreamReader) -> bool:
        """True when released, False when the client gave up first."""
        released = asyncio.ensure_future(self._released.wait())
        gone = asyncio.ensure_future(reader.read(1))
        _, waiting = await asyncio.wait({released, gone}, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return not gone.done() or gone.cancelled()

    async def _handle(self, request: Request) -> Behaviour:
        if self.keeps_requests:
            self.all_requests.append(request)
        if request.path == "/api/version" and self.ollama:
            return json_answer({"version": "0.9.0"})
        if request.path == "/_count":
            return json_answer({"requests": self.count, "rejections": len(self.rejections)})
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            return unauthorized(request.headers.get("authorization", ""))
        if (request.method, request.path) == ("GET", f"{self.prefix}/models"):
            names = self.models if self.models is not None else ("scripted",)
            return json_answer(
                {"object": "list", "data": [{"id": name, "object": "model"} for name in names]}
            )
        if (request.method, request.path) == ("POST", f"{self.prefix}/chat/completions"):
            return await self._chat(request)
        return Behaviour(status=404, body=b"404 page not found", content_type="text/plain")

    async def _chat(self, request: Request) -> Behaviour:
        if self.keeps_requests:
            self.requests.append(request)
        async with self._arrived:
            self.count += 1
            self._arrived.notify_all()
        problem = check_chat(request.body)
        if problem is not None:
            self.rejections.append(problem)
            return error(400, problem)
        if self._script:
            return self._script.popleft()
        model = request.body["model"]
        if self.models is not None and model not in self.models:
            return unknown_model(model)
        wanted = (request.body.get("response_format") or {}).get("type", "text")
        if wanted in self.refused_formats:
            return refuses_format(wanted)
        return self.answer(request.body)


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readexactly(1)
        if not head.isupper():
            return None  # TLS, or no HTTP at all
        head += await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.lower()] = value.strip()
    raw = await reader.readexactly(int(headers.get("content-length", 0)))
    body = json.loads(raw) if raw else {}
    return Request(method, target.partition("?")[0], headers, body)


def _encoded(behaviour: Behaviour) -> bytes:
    lines = [
        f"HTTP/1.1 {behaviour.status} {PHRASES.get(behaviour.status, 'Other')}",
        f"content-type: {behaviour.content_type}",
        f"content-length: {len(behaviour.body)}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in behaviour.headers.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + behaviour.body


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST instead of an orderly end."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _run(arguments: argparse.Namespace) -> None:
    server = ModelServer(key=arguments.key, delay=arguments.delay_ms / 1000)
    server.keeps_requests = False
    await server.start(arguments.port)
    print(json.dumps({"base_url": server.base_url}), flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--delay-ms", type=float, default=0.0, help="time each answer takes")
    parser.add_argument("--key", default=None, help="the only API key that is accepted")
    try:
        asyncio.run(_run(parser.parse_args()))
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
