"""scripts/crash-run: kills the bot at durable operations and counts what was lost.

The bot runs as a process of its own against the playground, a scripted model and a database
server. People write a script of messages, one step after the other. By default the bot is killed
with SIGKILL at every durable operation of every step, once right before and once right after it;
with --kills N at random ones. Every third kill takes the database with it. Then everything starts
again. What was lost, doubled or out of order is counted from the playground's ledger. Then the
same script is played without a kill: the memories must be the same.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from app.database.connection import connect, store_errors
from app.database.embedded import EmbeddedDatabase
from app.database.embedded.restart_rule import RestartRule
from app.errors import StoreError
from app.playground.ledger import Entry
from app.playground.person import Person
from app.playground.server import Playground
from app.services import texts
from tests.crash.lives import Lives
from tests.crash.points import Point, read_points
from tests.crash.remembered import Remembered, memory_is_quiet, remembered
from tests.crash.script import PADDING, PEOPLE, Step, answer, edited, plain_answer, script
from tests.crash.verdict import (
    Verdict,
    between_acceptance_and_mark,
    duplicates,
    lost_commands,
    lost_tokens,
    out_of_order,
)
from tests.doubles.model_server import ModelServer

STEP_PATIENCE_SECS = 60.0
MEMORY_PATIENCE_SECS = 240.0
MAX_EXTRA = 16
DATABASE = "crash"
BARE_PATIENCE_SECS = 3.0
SIDES_PER_MESSAGE = 16
SIDES_PER_MESSAGE_BARE = 4


class CrashRun:
    """One run; `run` gives its verdict."""

    def __init__(self, arguments: argparse.Namespace, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._arguments = arguments
        self._folder = folder
        self._hits = folder / "hits"
        self._seen = folder / "seen"
        self._index = folder / "index"
        self._steps = script(arguments.messages)
        self._bare = arguments.subject == "bare"
        self._database = EmbeddedDatabase(folder / "db", rule=RestartRule([0.0] * 1_000))
        self._playground = Playground()
        self._model = ModelServer(answer=plain_answer if self._bare else answer)
        self._database_kills = 0
        self._played = 0
        self._people: list[Person] = []
        self.memory: Remembered | None = None

    async def run(self) -> Verdict:
        """Play the script to its end, and count."""
        self._note_place(0)
        uri = await self._database.start()
        await self._playground.start()
        async with self._model:
            self._people = [self._playground.world.add_person(f"Person {n}") for n in range(PEOPLE)]
            lives = Lives(self._arguments.subject, self._environment(uri), self._restart)
            await lives.start()
            try:
                for step in self._steps:
                    await self._play(step, uri)
                await self._play_out(lives, uri)
                if not self._bare:
                    self.memory = await self._memory(lives, uri)
            finally:
                await lives.stop()
                await self._playground.stop()
                await self._database.stop()
        if self._arguments.kills is None and not self._bare:
            for point in self._unhit():
                self._say(f"no kill {point.side} {point.op} (step {point.step})")
        return self._verdict(lives)

    def _note_place(self, index: int) -> None:
        """Written beside and moved there: a life may read it at any moment."""
        beside = self._index.with_suffix(".new")
        beside.write_text(f"{index} {self._played}")
        beside.replace(self._index)

    def _environment(self, uri: str) -> dict[str, str]:
        arguments = self._arguments
        return {
            "CRASH_MODE": "random" if arguments.kills is not None else "every",
            "CRASH_HITS": str(self._hits),
            "CRASH_SEEN": str(self._seen),
            "CRASH_INDEX": str(self._index),
            "CRASH_SEED": str(arguments.seed),
            "CRASH_LIMIT": str(arguments.kills if arguments.kills is not None else 10**9),
            "CRASH_CHANCE": str(self._chance()),
            "TELEGRAM_BOT_TOKEN": self._playground.token,
            "TELEGRAM_API_BASE_URL": self._playground.address,
            "ACCESS": "open",
            "MONGODB_URI": uri,
            "MONGODB_DATABASE": DATABASE,
            "DATA_DIR": str(self._folder / "bot"),
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": self._model.base_url,
            "LLM_MODEL": "scripted",
            "MESSAGE_BATCH_DELAY_SECS": "0.05",
            "MAX_BATCH_DELAY_SECS": "0.5",
            "HISTORY_MAX_CHARS": "3000",
            "HISTORY_MIN_MESSAGES": "2",
            "THINKMATE_ENV_FILE": str(self._folder / "none.env"),
            "LOG_LEVEL": "ERROR",
            "NEW_USER_EXTRACTION_CHARS": "100",
            "CHAT_BUFFER_MAX_CHARS": "100",
            "JOB_LEASE_SECS": "1",
            "TURN_FACT_PRE_COMPRESS_ENABLED": "false",
            **({"LOG_LEVEL": "INFO"} if arguments.verbose else {}),
        }

    def _chance(self) -> float:
        """Odds per side of an operation that spread the kills over the whole script."""
        sides = (SIDES_PER_MESSAGE_BARE if self._bare else SIDES_PER_MESSAGE) * len(self._steps)
        return min(0.5, 1.3 * (self._arguments.kills or 0) / sides)

    async def _play_out(self, lives: Lives, uri: str) -> None:
        """Go on with plain messages until two pass without a kill and nothing is left to hit.

        What a crash put off, such as trimming the window, happens at a later message.
        """
        if self._bare or self._arguments.kills is not None:
            return
        index, calm = self._steps[-1].index + 1, 0
        for number in range(self._arguments.messages, self._arguments.messages + MAX_EXTRA):
            kills = lives.kills
            token = f"m{number}"
            step = Step(index, number % PEOPLE, "plain", (f"plain {token}. {PADDING}",), (token,))
            self._steps.append(step)
            await self._play(step, uri)
            calm = calm + 1 if lives.kills == kills else 0
            if calm >= 2 and not self._unhit():
                return

    def _unhit(self) -> set[Point]:
        return set(read_points(self._seen)) - set(read_points(self._hits))

    async def _quiet(self, uri: str) -> None:
        """Wait until every update is ticked off and nothing is owed, database away or not."""
        if self._bare:
            return
        async with asyncio.timeout(STEP_PATIENCE_SECS):
            while True:
                try:
                    if await nothing_open(uri):
                        return
                except StoreError:
                    pass
                await asyncio.sleep(0.02)

    async def _play(self, step: Step, uri: str) -> None:
        self._played += 1
        self._note_place(step.index)
        person = self._people[step.person]
        already = len(self._answers(step))
        sent = [person.send(text) for text in step.texts]
        patience = BARE_PATIENCE_SECS if self._bare else STEP_PATIENCE_SECS
        try:
            await self._playground.wait_for(lambda _: self._is_answered(step, already), patience)
        except TimeoutError:
            self._say(f"step {step.index} ({step.kind}) was not answered in {patience:g} s")
        await self._quiet(uri)
        if step.kind == "edited":
            person.edit(sent[-1], edited(step.texts[-1]))
            await self._quiet(uri)
        if step.index % 5 == 4:
            self._say(f"{step.index + 1} of {len(self._steps)} steps")

    async def _memory(self, lives: Lives, uri: str) -> Remembered:
        """The memories, once nothing works on them any more."""
        kills = lives.kills
        async with asyncio.timeout(MEMORY_PATIENCE_SECS):
            while not await is_quiet(uri):
                await asyncio.sleep(0.05)
                if lives.kills != kills:
                    kills = lives.kills
                    self._played += 1
                    self._note_place(self._steps[-1].index)
        return await remembered(uri, DATABASE, [person.id for person in self._people])

    def _answers(self, step: Step) -> list[Entry]:
        chat_id = self._people[step.person].id
        return [e for e in self._playground.ledger.of("bot_message") if e.chat_id == chat_id]

    def _is_answered(self, step: Step, already: int) -> bool:
        answers = self._answers(step)
        if step.kind == "command":
            return any(e.text == texts.HELP for e in answers[already:])
        return not lost_tokens([step], answers)

    async def _restart(self, kills: int) -> None:
        database = self._database.pid
        if kills % 3 == 0 and not self._bare and database is not None:
            self._database_kills += 1
            os.kill(database, signal.SIGKILL)

    def _verdict(self, lives: Lives) -> Verdict:
        points = read_points(self._hits)
        sent = list(self._playground.ledger.of("bot_message"))
        commands = sum(step.kind == "command" for step in self._steps)
        missing = 0 if self._bare else lost_commands(self._steps, sent, texts.HELP)
        return Verdict(
            messages=sum(len(step.texts) for step in self._steps),
            kills=lives.kills,
            database_kills=self._database_kills,
            points_total=len(set(read_points(self._seen)) | set(points)),
            points_hit=len(set(points)),
            lost=len(lost_tokens(self._steps, sent)) + missing,
            duplicate_replies=duplicates(sent, texts.HELP, commands),
            ambiguous_sends=between_acceptance_and_mark(points),
            out_of_order=out_of_order(sent),
            failures=len(lives.failures),
        )

    def _say(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


async def is_quiet(uri: str) -> bool:
    """Whether the work on memory is done, database away or not."""
    try:
        db = await connect(uri, DATABASE)
        try:
            return await memory_is_quiet(db)
        finally:
            await db.close()
    except StoreError:
        return False


async def nothing_open(uri: str) -> bool:
    """Whether the bot's database holds no waiting update and no owed reply."""
    db = await connect(uri, DATABASE)
    try:
        with store_errors():
            waiting = await db["inbox"].count_documents({"status": "waiting"})
            owed = await db["chat_buffers"].count_documents({"outbox.0": {"$exists": True}})
    finally:
        await db.close()
    return not waiting and not owed


async def compare(arguments: argparse.Namespace, folder: Path) -> Verdict:
    """The verdict on a run with kills, its memories held against those of a run without any."""
    killed = CrashRun(arguments, folder / "killed")
    verdict = await killed.run()
    if killed.memory is None:
        return verdict
    calm = CrashRun(argparse.Namespace(**{**vars(arguments), "kills": 0}), folder / "calm")
    await calm.run()
    assert calm.memory is not None
    return replace(
        verdict,
        records=killed.memory.records,
        archived=killed.memory.archived,
        unsupported=killed.memory.unsupported,
        unread=killed.memory.unread,
        memory_differs=int(killed.memory.digest != calm.memory.digest),
    )


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/crash-run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  scripts/crash-run\n  scripts/crash-run --messages 200 --kills 100\n"
        "  scripts/crash-run --subject bare --messages 30 --kills 10",
    )
    parser.add_argument("--messages", type=int, default=30, help="messages of the script (30)")
    parser.add_argument("--kills", type=int, help="kill at N random operations, not at all")
    parser.add_argument("--seed", type=int, default=1, help="where the dice start (1)")
    parser.add_argument(
        "--subject",
        choices=("thinkmate", "bare"),
        default="thinkmate",
        help="bare: a stock handler, which must lose messages",
    )
    parser.add_argument("--verbose", action="store_true", help="show the bot's log")
    return parser.parse_args(argv)


def main() -> int:
    """Run, print the verdict as the last line; exit status 1 when something must not be."""
    arguments = parse()
    with tempfile.TemporaryDirectory(prefix="crash-run-") as folder:
        verdict = asyncio.run(compare(arguments, Path(folder)))
    problems = verdict.problems()
    for problem in problems:
        print(f"NOT RIGHT: {problem}", file=sys.stderr)
    print(json.dumps(verdict.as_json()))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
