"""scripts/bench: what the bot costs, measured against real processes on this machine.

turn    starts a database server, a playground, a model server that answers at once, and two bots:
        ThinkMate and a stock python-telegram-bot handler that makes one model call and replies.
        Both get the same messages, in turn, from 1 person and from 64 people who each write again
        as soon as they have their answer. Measured are each bot's own CPU time (user and system,
        all threads, what it does after the reply included) and the wall time a turn; the figures
        are medians over the rounds. Database commands and model calls are counted in a third
        process that runs the same bot.

The messages are short and the model's reply is one short plain sentence or two, without reaction
or formatting. Batching waits 0 s and the throttle is off, since both would hide the time. The
window is that of a conversation that goes on, up to HISTORY_MAX_CHARS. Nothing passes or fails.

memory  starts the same database server and measures the parts of memory on it: the extraction of
        a message by the rules (microseconds); the commit of one added record, and the load of a
        profile with its memory block (milliseconds), with 100 to 10,000 people in the database;
        the two scans for what is due, with up to 100,000 (`due_scan_ms` is the sum of both
        medians); the characters of the prompt after 10 to 10,000 messages of one conversation,
        most of them put in by the product's own services, and the largest prompt until the
        window was cut; and the database round trips of a turn, plain or changing memory, counted
        apart from those of the jobs that follow it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from pathlib import Path

from app.errors import ThinkMateError
from app.logs import configure
from tests.bench.child import ChildEnded
from tests.bench.memory import QUICK_MEMORY, MemoryPlan, measure_memory
from tests.bench.memory_report import memory_line, memory_table
from tests.bench.report import json_line, table
from tests.bench.turn import BenchFailed, Plan, measure, say

QUICK = Plan(turns=64, rounds=3, warm_up=32, counted_turns=20)


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  scripts/bench turn\n  scripts/bench turn --quick\n"
        "  scripts/bench turn --turns 1000 --rounds 5\n"
        "  scripts/bench memory\n"
        "  scripts/bench turn | tail -1 | python3 -m json.tool",
    )
    parser.add_argument("what", choices=("turn", "memory"), help="what to measure")
    parser.add_argument("--turns", type=_positive, default=300, help="turn: turns a block (300)")
    parser.add_argument(
        "--rounds", type=_positive, default=3, help="turn: blocks of each subject (3)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small and short: a look, not a figure"
    )
    return parser.parse_args(argv)


def plan_of(arguments: argparse.Namespace) -> Plan:
    """How much the command line asks for."""
    if arguments.quick:
        return QUICK
    turns = arguments.turns
    return Plan(turns=turns, rounds=arguments.rounds, warm_up=max(64, turns // 2), counted_turns=50)


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


async def _run(arguments: argparse.Namespace) -> None:
    task = asyncio.current_task()
    assert task is not None

    def break_off() -> None:
        # Only the first time: a second signal must not break off the ending of the processes.
        if not task.cancelling():
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, break_off)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        if arguments.what == "memory":
            await _memory(QUICK_MEMORY if arguments.quick else MemoryPlan(), Path(folder))
        else:
            await _turn(plan_of(arguments), Path(folder))


async def _turn(plan: Plan, folder: Path) -> None:
    comparisons, counts = await measure(plan, folder)
    print(table(comparisons, counts))
    line = json_line(
        comparisons, counts, turns=plan.turns, rounds=plan.rounds, database="embedded, as a server"
    )
    print(json.dumps(line))


async def _memory(plan: MemoryPlan, folder: Path) -> None:
    began = time.monotonic()
    found = await measure_memory(plan, folder)
    print(memory_table(found))
    secs = time.monotonic() - began
    print(json.dumps(memory_line(found, repeats=plan.repeats, secs=secs)))


def main() -> int:
    """Measure and print; 1 when it can't be measured, 130 when it was broken off."""
    arguments = parse()
    configure("ERROR" if arguments.what == "memory" else "WARNING")
    try:
        asyncio.run(_run(arguments))
    except asyncio.CancelledError:
        return 130
    except (BenchFailed, ChildEnded, TimeoutError, ThinkMateError) as error:
        say(f"bench: {error or type(error).__name__}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
