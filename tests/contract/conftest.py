"""`db`: an empty database, once as the in-memory stand-in and once in the embedded server."""

from __future__ import annotations

import subprocess
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Protocol

import pytest
from mongomock_motor import AsyncMongoMockClient

from app.database.connection import Database, connect
from app.database.embedded.daemon import READY_LINE, environment, find_daemon, uri_of

BOOT_DEADLINE_SECS = 30.0


@pytest.fixture(scope="session")
def embedded_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one daemon for the whole session; it belongs to no test's event loop."""
    folder = tmp_path_factory.mktemp("embedded")
    config = folder / "db.toml"
    config.touch()
    log = folder / "db.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            find_daemon().command(folder / "db", 0, config),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment(),
        )
    try:
        deadline = time.monotonic() + BOOT_DEADLINE_SECS
        while not (ready := READY_LINE.search(log.read_bytes())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.01)
        yield uri_of(int(ready.group(1)))
    finally:
        process.terminate()
        process.wait(timeout=10)


class MakeDatabase(Protocol):
    """Makes an empty database of a kind: "mongomock" or "embedded"."""

    async def __call__(self, kind: str) -> Database: ...


@pytest.fixture
async def make_database(request: pytest.FixtureRequest) -> AsyncIterator[MakeDatabase]:
    """For tests that need more than one database; all are closed after the test."""
    async with AsyncExitStack() as stack:

        async def make(kind: str) -> Database:
            name = f"test_{uuid.uuid4().hex[:12]}"
            if kind == "mongomock":
                return Database(AsyncMongoMockClient(tz_aware=True)[name])
            db = await connect(request.getfixturevalue("embedded_uri"), name)
            stack.push_async_callback(db.close)
            stack.push_async_callback(db.drop)
            return db

        yield make


@pytest.fixture(params=["mongomock", "embedded"])
async def db(request: pytest.FixtureRequest, make_database: MakeDatabase) -> Database:
    """An empty database, alone to its test."""
    return await make_database(request.param)
