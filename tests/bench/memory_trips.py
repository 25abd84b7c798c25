"""Database round trips of a turn that changes memory, beside one that doesn't."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app import bootstrap
from app.services import job_runner
from tests.bench.counted import is_the_turns
from tests.bench.model import AS_BUNDLE, REPLY
from tests.bench.turn import BenchFailed
from tests.doubles.command_log import Command, CommandLog
from tests.doubles.model_behaviours import Behaviour, last_user_message, text
from tests.integration.stage import Stage

HOURS = 7_200.0
WARM_UP = "Good evening!"
PLAIN = ("How are you today?", "It was a long day.", "What could I cook with leeks?")
CHANGING = (
    "My dog is called Rex",
    "My sister lives in Oslo",
    "Actually, it's Max, not Rex",
    "My cat is called Nora",
    "Please forget my cat's name",
)
"""Three that add, one that corrects, one that takes back: read by the rules."""
BOTH = "My bicycle is called Blitz. I sing in a choir on Tuesdays!"
"""One half of it is read by the rules, the other asked for through the model."""
ASKED = {
    "op": "remember",
    "text": "I sing in a choir on Tuesdays",
    "quote": "I sing in a choir on Tuesdays",
    "category": "hobby",
    "id": None,
}
AS_ASKED = text(json.dumps({"reply": REPLY, "reaction": None, "memory_ops": [ASKED]}))


@dataclass(frozen=True)
class Trips:
    """Round trips of the turns of one kind, memory commits among them, and of their jobs."""

    turns: tuple[int, ...]
    jobs: tuple[int, ...]
    commits: tuple[int, ...]


async def trips(stage: Stage) -> tuple[Trips, Trips]:
    """Of turns that leave memory as it is, and of turns that change it.

    A turn is over when everything is stored and sent; jobs are what follows until all is quiet.
    """
    for ticks in ("FLUSH_SECS", "SWEEP_SECS", "EXPIRE_SECS", "WORK_SECS"):
        setattr(bootstrap, ticks, HOURS)
    job_runner.LONGEST_SLEEP = HOURS
    commands = CommandLog()
    stage.model.answer = _answered
    await stage.start(listeners=[commands])
    await _counted(stage, commands, (WARM_UP,))
    plain = await _counted(stage, commands, PLAIN)
    changing = await _counted(stage, commands, (*CHANGING, BOTH))
    commits = (*plain.commits, *changing.commits)
    if commits != (*[0] * len(PLAIN), *[1] * len(CHANGING), 2):
        raise BenchFailed(f"these turns were not to commit to memory so often: {commits}")
    await stage.stop()
    return plain, changing


def _answered(body: Mapping[str, Any]) -> Behaviour:
    return AS_ASKED if BOTH in last_user_message(body) else AS_BUNDLE


async def _counted(stage: Stage, commands: CommandLog, texts: tuple[str, ...]) -> Trips:
    assert stage.bot is not None
    turns, jobs, commits = [], [], []
    for words in texts:
        await stage.bot.memory_idle()
        commands.clear()
        replies = len(stage.said())
        stage.ana.send(words)
        await stage.replies(replies + 1)
        await stage.turns_over()
        await stage.bot.memory_idle()
        own = commands.count(is_the_turns)
        turns.append(own)
        jobs.append(len(commands.commands) - own)
        commits.append(commands.count(_is_commit))
    return Trips(tuple(turns), tuple(jobs), tuple(commits))


def _is_commit(command: Command) -> bool:
    return str(command) == "update user_profiles" and is_the_turns(command)
