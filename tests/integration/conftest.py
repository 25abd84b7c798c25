"""`stage`: the whole system on loopback, with a fresh database for each test."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.playground.server import Playground
from tests.contract.conftest import embedded_uri
from tests.doubles.model_server import ModelServer
from tests.integration.stage import Stage

__all__ = ["embedded_uri"]


@pytest.fixture
async def stage(
    tmp_path: Path, embedded_uri: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Stage]:
    """The stage; whatever bot a test started is stopped after it."""
    playground = Playground()
    await playground.start()
    async with ModelServer() as model:
        stage = Stage(
            playground,
            model,
            embedded_uri,
            f"it_{uuid.uuid4().hex[:12]}",
            tmp_path,
            monkeypatch.setenv,
        )
        try:
            yield stage
        finally:
            playground.faults.clear()
            model.release()
            await stage.stop()
            await playground.stop()
