"""The health port: three pages on loopback, and counters that outlive the process."""

from __future__ import annotations

import re
import socket

import httpx
import pytest

from app import bootstrap
from app.config import load_settings
from app.database.connection import Database
from app.database.metrics_state import MetricsStateStore
from app.errors import ConfigError, StoreUnavailable
from tests.doubles.model_behaviours import server_error
from tests.integration.stage import Stage, free_port


async def get(port: int, path: str) -> httpx.Response:
    """One page of the health port."""
    async with httpx.AsyncClient() as client:
        return await client.get(f"http://127.0.0.1:{port}{path}")


async def counter(port: int, name: str) -> float:
    """A counter as Prometheus would read it."""
    text = (await get(port, "/metrics")).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, f"{name} is not in\n{text}"
    return float(found[1])


async def test_a_running_bot_is_alive_ready_and_counts(stage: Stage) -> None:
    port = free_port()
    await stage.start(http_port=port)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    health = await get(port, "/health")
    assert (health.status_code, health.json()["ok"]) == (200, True)
    ready = await get(port, "/ready")
    assert ready.status_code == 200
    assert ready.json()["components"] == {
        "process": "running",
        "database": "answers",
        "polling": "making progress",
        "model": "test-model",
    }
    assert await counter(port, "thinkmate_inbox_stored_total") == 1
    assert await counter(port, 'thinkmate_llm_calls_total{call="reply"}') == 1
    assert await counter(port, 'thinkmate_llm_success_total{call="reply"}') == 1
    assert await counter(port, "thinkmate_delivery_sent_total") == 1


async def test_what_fails_is_counted(stage: Stage) -> None:
    port = free_port()
    await stage.start(http_port=port)
    stage.model.script(server_error())
    stage.playground.faults.add("sendMessage", "429", retry_after=1)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert await counter(port, 'thinkmate_llm_failure_total{call="reply"}') == 1
    assert await counter(port, "thinkmate_turns_unanswered_total") == 1
    assert await counter(port, "thinkmate_delivery_errors_total") == 1


async def test_a_turn_that_got_a_reply_is_counted(stage: Stage) -> None:
    port = free_port()
    await stage.start(http_port=port)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert await counter(port, "thinkmate_turns_answered_total") == 1


async def test_counters_go_on_after_a_restart(stage: Stage) -> None:
    port = free_port()
    await stage.start(http_port=port)
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    await stage.stop()
    await stage.start(http_port=port)
    assert await counter(port, "thinkmate_inbox_stored_total") == 1
    stage.ana.send("Hello again")
    await stage.replies(2)
    await stage.settled()
    assert await counter(port, "thinkmate_inbox_stored_total") == 2
    assert await counter(port, 'thinkmate_llm_calls_total{call="reply"}') == 2


async def test_counters_survive_a_crash_but_for_the_last_moments(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "FLUSH_SECS", 0.05)
    bot = await stage.start()
    stage.ana.send("Hello")
    await stage.replies(1)
    await stage.settled()
    assert stage.db is not None
    state = MetricsStateStore(stage.db)
    await stage.until_true(lambda: _saved(state, bot.metrics.snapshot()))


async def _saved(state: MetricsStateStore, values: dict[str, float]) -> bool:
    return await state.load() == values and values["llm.reply.calls"] == 1


async def test_a_database_that_is_away_is_not_ready_but_alive(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, answers, ping = free_port(), [True], Database.ping

    async def flaky(self: Database) -> None:
        if not answers[0]:
            raise StoreUnavailable("away")
        await ping(self)

    monkeypatch.setattr(Database, "ping", flaky)
    await stage.start(http_port=port)
    assert (await get(port, "/ready")).status_code == 200
    answers[0] = False
    ready = await get(port, "/ready")
    assert ready.status_code == 503
    assert ready.json()["components"]["database"] == "does not answer"
    assert (await get(port, "/health")).status_code == 200
    answers[0] = True
    assert (await get(port, "/ready")).status_code == 200


async def test_only_loopback_is_listened_on(stage: Stage) -> None:
    port = free_port()
    await stage.start(http_port=port)
    assert (await get(port, "/health")).status_code == 200
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", port), timeout=1)


async def test_no_port_is_opened_unless_one_is_set(stage: Stage) -> None:
    port = free_port()
    await stage.start()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=1)
    assert load_settings(http_port="").http_port is None


async def test_a_port_in_use_stops_the_start_and_names_the_setting(stage: Stage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=f"HTTP_PORT.*{port}"):
            await stage.start(http_port=port)
    assert not [entry for entry in stage.world.ledger if entry.kind == "bot_message"]
