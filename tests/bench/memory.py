"""What memory costs: in time, in round trips, and in characters of the prompt."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Stores
from app.clock import Clock
from app.config import Settings
from app.database.connection import Database, connect, ensure_indexes
from app.database.embedded import EmbeddedDatabase
from app.database.schema import INDEXES
from app.playground.server import Playground, fresh_world
from tests.bench.due_scan import DueScan, scan
from tests.bench.growth import growing
from tests.bench.memory_report import MemoryFigures
from tests.bench.memory_times import MemoryTimes, times
from tests.bench.memory_trips import trips
from tests.bench.subjects import fill
from tests.bench.turn import say
from tests.doubles.model_server import ModelServer
from tests.integration.stage import Stage


@dataclass(frozen=True)
class MemoryPlan:
    """How much is measured: sizes of databases in people, of a conversation in messages."""

    subjects: tuple[int, ...] = (100, 1_000, 10_000)
    profiles: tuple[int, ...] = (1_000, 100_000)
    messages: tuple[int, ...] = (10, 100, 1_000, 10_000)
    repeats: int = 100


QUICK_MEMORY = MemoryPlan(subjects=(5, 20), profiles=(20, 200), messages=(4, 60), repeats=5)


async def measure_memory(plan: MemoryPlan, folder: Path) -> MemoryFigures:
    """All of it, one after the other, on one database server."""
    (trips_folder := folder / "trips").mkdir()
    (growth_folder := folder / "growth").mkdir()
    server = EmbeddedDatabase(folder / "server")
    try:
        uri = await server.start()
        taken = await _times(plan, uri)
        scans = await _scans(plan, uri)
        say("round trips of turns with and without a change of memory")
        async with _stage(uri, "bench_trips", trips_folder) as stage:
            plain, changing = await trips(stage)
        say(f"a conversation that grows to {max(plan.messages)} messages")
        async with _stage(uri, "bench_growth", growth_folder) as stage:
            prompts, largest = await growing(stage, plan.messages)
    finally:
        await server.stop()
    return MemoryFigures(taken, scans, prompts, largest, plain, changing)


async def _times(plan: MemoryPlan, uri: str) -> dict[int, MemoryTimes]:
    found: dict[int, MemoryTimes] = {}
    settings = Settings(_env_file=None)
    async with _database(uri, "bench_subjects") as db:
        there = 0
        for count in plan.subjects:
            say(f"{count} people: filling the database")
            await fill(db, there + 1, count + 1, Clock().now())
            there = count
            say(f"{count} people: extracting, committing, loading")
            found[count] = await times(Stores.over(db, settings), settings, count, plan.repeats)
    return found


async def _scans(plan: MemoryPlan, uri: str) -> dict[int, DueScan]:
    found: dict[int, DueScan] = {}
    settings = Settings(_env_file=None)
    for count in plan.profiles:
        say(f"{count} profiles and conversations: looking for what is due")
        async with _database(uri, f"bench_due_{count}") as db:
            stores = Stores.over(db, settings)
            found[count] = await scan(db, stores, settings, count, plan.repeats)
    return found


@asynccontextmanager
async def _database(uri: str, name: str) -> AsyncIterator[Database]:
    db = await connect(uri, name)
    try:
        await ensure_indexes(db, INDEXES)
        yield db
        await db.drop()
    finally:
        await db.close()


@asynccontextmanager
async def _stage(uri: str, name: str, folder: Path) -> AsyncIterator[Stage]:
    """The whole bot on loopback, and nothing of the user's own settings in sight."""
    os.environ["THINKMATE_ENV_FILE"] = str(folder / "none.env")
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(ModelServer())
        playground = Playground(world=fresh_world())
        await playground.listen()
        stack.push_async_callback(playground.stop)
        async with _database(uri, name):
            stage = Stage(playground, model, uri, name, folder, os.environ.__setitem__)
            try:
                yield stage
            finally:
                await stage.stop()
