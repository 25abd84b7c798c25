"""What a turn costs, beside a bare handler in the same run."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.database.embedded import EmbeddedDatabase
from tests.bench.child import Child, running
from tests.bench.cpu import cpu_secs, settled
from tests.bench.report import Comparison, Counts, Round, Summary

START_SECS = 30.0
BLOCK_SECS = 600.0
NO_THROTTLE = "1000000"
BOTS = {"product": 0, "bare": 1, "counted": 2}


class BenchFailed(Exception):
    """A measurement that can't be taken, in one sentence."""


@dataclass(frozen=True)
class Plan:
    """How much is measured. Turns are those of one block."""

    turns: int
    rounds: int
    warm_up: int
    counted_turns: int
    concurrencies: tuple[int, ...] = (1, 64)


class Scene:
    """Everything that runs: messenger, model, database, and the subjects."""

    def __init__(self, messenger: Child, model: Child, subjects: dict[str, Child]) -> None:
        self._messenger = messenger
        self._model = model
        self._subjects = subjects

    async def block(self, subject: str, people: int, turns: int) -> Round:
        """`turns` turns of one subject, with everything it does after the last reply."""
        child = self._subjects[subject]
        try:
            before = cpu_secs(child.pid)
            told = await self._talk(subject, people, turns)
            cpu = await settled(child.pid) - before
        except ProcessLookupError:
            raise BenchFailed(f"{child.name} ended; its error output is above") from None
        return Round(turns, cpu, told["secs"], tuple(told["waits"]), told["typing"])

    async def count(self, turns: int) -> Counts:
        """Database commands and model calls of `turns` turns, one after the other."""
        counted = self._subjects["counted"]
        await self._talk("counted", 1, 3)
        await settled(counted.pid)
        await counted.ask({}, START_SECS)
        calls = (await self._model.ask({}, START_SECS))["requests"]
        await self._talk("counted", 1, turns)
        await settled(counted.pid)
        found = await counted.ask({}, START_SECS)
        model = await self._model.ask({}, START_SECS)
        if model["rejections"]:
            raise BenchFailed(f"the model server refused a request: {model['rejections'][0]}")
        if found["commands"].get("update inbox") != turns:
            raise BenchFailed("the counted turns were not all over when they were counted")
        return Counts(turns, found["commands"], found["background"], model["requests"] - calls)

    async def _talk(self, subject: str, people: int, turns: int) -> dict[str, Any]:
        question = {"bot": BOTS[subject], "people": people, "turns": turns}
        told = await self._messenger.ask(question, BLOCK_SECS)
        if "error" in told:
            raise BenchFailed(f"{self._subjects[subject].name}: {told['error']}")
        return told


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    """Start it all, and end it all however this ends."""
    async with AsyncExitStack() as stack:
        database = EmbeddedDatabase(folder / "database")
        stack.push_async_callback(database.stop)
        uri = await database.start()
        model = await stack.enter_async_context(running("the model server", "tests.bench.model"))
        messenger = await stack.enter_async_context(
            running("the playground", "tests.bench.messenger")
        )
        base_url = (await model.read(START_SECS))["base_url"]
        place = await messenger.read(START_SECS)

        def settings(subject: str) -> dict[str, str]:
            return {
                "TELEGRAM_BOT_TOKEN": place["tokens"][BOTS[subject]],
                "TELEGRAM_API_BASE_URL": place["address"],
                "ACCESS": "open",
                "MONGODB_URI": uri,
                "MONGODB_DATABASE": f"bench_{subject}",
                "DATA_DIR": str(folder / subject),
                "OPENAI_API_KEY": "none",
                "OPENAI_BASE_URL": base_url,
                "LLM_MODEL": "scripted",
                "MESSAGE_BATCH_DELAY_SECS": "0",
                "THROTTLE_MESSAGES": NO_THROTTLE,
                "THINKMATE_ENV_FILE": str(folder / "none.env"),
                "LOG_LEVEL": "WARNING",
            }

        subjects = {
            "product": await stack.enter_async_context(
                running("ThinkMate", "app", "run", **settings("product"))
            ),
            "bare": await stack.enter_async_context(
                running("the bare handler", "tests.bench.bare", **settings("bare"))
            ),
            "counted": await stack.enter_async_context(
                running("ThinkMate, counted", "tests.bench.counted", **settings("counted"))
            ),
        }
        yield Scene(messenger, model, subjects)


async def measure(plan: Plan, folder: Path) -> tuple[list[Comparison], Counts]:
    """All rounds, product and bare handler in turn, and the counted run."""
    async with scene(folder) as stage:
        say("counting database commands and model calls")
        counts = await stage.count(plan.counted_turns)
        comparisons = [await _compare(stage, plan, people) for people in plan.concurrencies]
    return comparisons, counts


async def _compare(stage: Scene, plan: Plan, people: int) -> Comparison:
    rounds: dict[str, list[Round]] = {"product": [], "bare": []}
    for subject in rounds:
        say(f"concurrency {people}: warming up the {subject}")
        await stage.block(subject, people, max(plan.warm_up, people))
    for number in range(plan.rounds):
        for subject, done in rounds.items():
            done.append(found := await stage.block(subject, people, max(plan.turns, people)))
            say(
                f"concurrency {people}, round {number + 1} of {plan.rounds}, {subject}: "
                f"{found.cpu_ms:.2f} ms CPU, {found.wall_ms:.2f} ms a turn"
            )
    return Comparison(people, Summary.of(rounds["product"]), Summary.of(rounds["bare"]))


def say(line: str) -> None:
    """A line of progress."""
    print(line, file=sys.stderr, flush=True)
