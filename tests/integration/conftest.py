"""`stage`: the whole system on loopback, with a fresh database for each test."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app import bootstrap
from app.playground.server import Playground
from app.playground.world import World
from tests.contract.conftest import embedded_uri
from tests.doubles.leaping_clock import LeapingClock
from tests.doubles.model_server import ModelServer
from tests.integration.stage import Stage

__all__ = ["embedded_uri"]

TICK_SECS = 0.1


@pytest.fixture
async def stage(
    tmp_path: Path, embedded_uri: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stage]:
    """The stage; whatever bot a test started is stopped after it."""
    async with _set_up(Playground(), tmp_path, embedded_uri, monkeypatch) as stage:
        yield stage


@pytest.fixture
def clock() -> LeapingClock:
    """What the bot and the world of `stage_in_time` go by."""
    return LeapingClock()


@pytest.fixture
async def stage_in_time(
    clock: LeapingClock, tmp_path: Path, embedded_uri: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stage]:
    """A stage on which `clock` is the time, and the bot looks for due work all the time."""
    monkeypatch.setattr(bootstrap, "Clock", lambda: clock)
    monkeypatch.setattr(bootstrap, "WORK_SECS", TICK_SECS)
    playground = Playground(world=World(clock))
    async with _set_up(playground, tmp_path, embedded_uri, monkeypatch) as stage:
        yield stage


@asynccontextmanager
async def _set_up(
    playground: Playground, folder: Path, uri: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stage]:
    await playground.start()
    async with ModelServer() as model:
        name = f"it_{uuid.uuid4().hex[:12]}"
        stage = Stage(playground, model, uri, name, folder, monkeypatch.setenv)
        try:
            yield stage
        finally:
            playground.faults.clear()
            model.release()
            await stage.stop()
            await playground.stop()
