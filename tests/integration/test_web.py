"""Health, metrics and webhook over real HTTP."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from app.errors import ConfigError, StoreUnavailable
from app.services.health import Health
from app.services.http_server import HttpServer
from app.services.metrics import Metrics
from app.transports.web.health import health_app
from app.transports.web.webhook import MAX_BODY_BYTES, SECRET_HEADER, webhook_app

SECRET = "a-secret-of-at-least-thirty-two-characters"
PATH = "/telegram"
Serve = Callable[[ASGIApp], Awaitable[httpx.AsyncClient]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Run an app on a free port and give a client for it."""
    servers: list[HttpServer] = []
    clients: list[httpx.AsyncClient] = []

    async def start(app: ASGIApp) -> httpx.AsyncClient:
        server = HttpServer(app, "127.0.0.1", 0)
        await server.start()
        servers.append(server)
        clients.append(httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}"))
        return clients[-1]

    yield start
    for client in clients:
        await client.aclose()
    for server in servers:
        await server.stop()


async def answers() -> None:
    """A database that is there."""


async def gone() -> None:
    """A database that isn't."""
    raise StoreUnavailable("mongodb://user:canary@db is down")


async def hangs() -> None:
    """A database that never answers."""
    await asyncio.Event().wait()


class Door:
    """An `accept` that remembers, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.updates: list[dict[str, Any]] = []

    async def __call__(self, raw: dict[str, Any]) -> None:
        if self.error:
            raise self.error
        self.updates.append(raw)


async def test_a_healthy_bot(serve: Serve) -> None:
    health = Health(answers, polling_age=lambda: 3.0, model_state=lambda: "answering")
    client = await serve(health_app(health, Metrics()))
    live, ready = await client.get("/health"), await client.get("/ready")
    assert (live.status_code, ready.status_code) == (200, 200)
    assert ready.json() == {
        "ok": True,
        "components": {
            "process": "running",
            "database": "answers",
            "polling": "making progress",
            "model": "answering",
        },
    }


@pytest.mark.parametrize("ping", [gone, hangs])
async def test_without_database_alive_but_not_ready(
    serve: Serve, ping: Callable[[], Awaitable[None]]
) -> None:
    client = await serve(health_app(Health(ping, ping_deadline_secs=0.05), Metrics()))
    assert (await client.get("/health")).status_code == 200
    ready = await client.get("/ready")
    assert ready.status_code == 503
    assert ready.json()["components"]["database"] == "does not answer"
    assert "canary" not in ready.text


async def test_stalled_polling_and_stopping_are_not_ready(serve: Serve) -> None:
    age = [10.0]
    health = Health(answers, polling_age=lambda: age[0], polling_stall_secs=90)
    client = await serve(health_app(health, Metrics()))
    assert (await client.get("/ready")).status_code == 200
    age[0] = 91.0
    stalled = await client.get("/ready")
    assert stalled.status_code == 503
    assert stalled.json()["components"]["polling"] == "no progress for 91 s"
    age[0] = 1.0
    health.begin_stop()
    assert (await client.get("/ready")).status_code == 503
    assert (await client.get("/health")).status_code == 200


async def test_metrics_are_exposed(serve: Serve) -> None:
    metrics = Metrics()
    metrics.incr("inbox.stored", 4)
    client = await serve(health_app(Health(answers), metrics))
    answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "thinkmate_inbox_stored_total 4.0" in answer.text
    assert (await client.post("/metrics")).status_code == 405


async def test_an_update_is_accepted_before_the_answer(serve: Serve) -> None:
    door = Door()
    client = await serve(webhook_app(PATH, SECRET, door))
    update = {"update_id": 7, "message": {"text": "Zoë 👋"}}
    answer = await client.post(PATH, json=update, headers={SECRET_HEADER: SECRET})
    assert answer.status_code == 200
    assert door.updates == [update]


@pytest.mark.parametrize(
    "headers",
    [{}, {SECRET_HEADER: ""}, {SECRET_HEADER: SECRET[:-1]}, {SECRET_HEADER: SECRET + "x"},
     {SECRET_HEADER: b"\xff\xfe"}],
)  # fmt: skip
async def test_a_wrong_secret_is_refused(serve: Serve, headers: dict[str, Any]) -> None:
    door = Door()
    client = await serve(webhook_app(PATH, SECRET, door))
    answer = await client.post(PATH, json={"update_id": 7}, headers=headers)
    assert answer.status_code == 403
    assert door.updates == []


@pytest.mark.parametrize(
    "body",
    [b"", b"nonsense", b"[]", b"7", b"{}", b"\xff", b'{"update_id": "7"}', b'{"update_id": true}',
     b'{"update_id": -1}', b'{"update_id": 1.0}', b'{"update_id": 99999999999999999999}',
     b"[" * 100_000],
)  # fmt: skip
async def test_what_is_no_update_is_a_bad_request(serve: Serve, body: bytes) -> None:
    door = Door()
    client = await serve(webhook_app(PATH, SECRET, door))
    answer = await client.post(PATH, content=body, headers={SECRET_HEADER: SECRET})
    assert answer.status_code == 400
    assert door.updates == []


@pytest.mark.parametrize("declared", [True, False])
async def test_a_huge_body_is_refused(serve: Serve, declared: bool) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 50_000 + 1):
            yield b" " * 50_000

    door = Door()
    client = await serve(webhook_app(PATH, SECRET, door))
    body = b" " * (MAX_BODY_BYTES + 1) if declared else chunks()
    answer = await client.post(PATH, content=body, headers={SECRET_HEADER: SECRET})
    assert answer.status_code == 413
    assert door.updates == []


@pytest.mark.parametrize("error", [StoreUnavailable("down"), RuntimeError("canary")])
async def test_a_failed_store_asks_for_the_update_again(serve: Serve, error: Exception) -> None:
    client = await serve(webhook_app(PATH, SECRET, Door(error)))
    answer = await client.post(PATH, json={"update_id": 7}, headers={SECRET_HEADER: SECRET})
    assert answer.status_code == 503
    assert "canary" not in answer.text


async def test_other_paths_and_methods_are_unknown(serve: Serve) -> None:
    client = await serve(webhook_app(PATH, SECRET, Door()))
    assert (await client.get(PATH)).status_code == 405
    assert (await client.post("/other")).status_code == 404


def test_an_empty_secret_is_never_served() -> None:
    with pytest.raises(ConfigError, match="WEBHOOK_SECRET"):
        webhook_app(PATH, "", Door())


async def test_a_taken_port_is_said_plainly() -> None:
    app = health_app(Health(answers), Metrics())
    first = HttpServer(app, "127.0.0.1", 0)
    await first.start()
    try:
        second = HttpServer(app, "127.0.0.1", first.port, setting="WEBHOOK_PORT")
        with pytest.raises(ConfigError, match=rf"WEBHOOK_PORT.*{first.port}"):
            await second.start()
        await second.stop()
    finally:
        await first.stop()


async def test_the_port_is_free_after_stop_and_signals_stay_ours() -> None:
    app = health_app(Health(answers), Metrics())
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    first = HttpServer(app, "127.0.0.1", 0)
    await first.start()
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
    await first.stop()
    await first.stop()
    second = HttpServer(app, "127.0.0.1", first.port)
    await second.start()
    await second.stop()


async def test_a_running_request_is_finished_at_stop() -> None:
    entered, release = asyncio.Event(), asyncio.Event()

    async def accept(_: dict[str, Any]) -> None:
        entered.set()
        await release.wait()

    server = HttpServer(webhook_app(PATH, SECRET, accept), "127.0.0.1", 0)
    await server.start()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as client:
        request = asyncio.create_task(
            client.post(PATH, json={"update_id": 7}, headers={SECRET_HEADER: SECRET})
        )
        await entered.wait()
        stopping = asyncio.create_task(server.stop())
        release.set()
        assert (await request).status_code == 200
        await stopping
