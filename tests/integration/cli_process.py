"""The program as a process, in a directory and an environment of its own."""

from __future__ import annotations

import asyncio
import os
import sys
import uuid
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path

from app.playground import Playground

ROOT = Path(__file__).parents[2]
PATIENCE_SECS = 60.0
COMMANDS = ("start", "run", "setup", "doctor", "backup", "restore", "inbox", "jobs", "memory")
PYTHON = (sys.executable, "-m", "app")


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Cli:
    """Runs `python -m app` in a directory of its own, with an environment of its own."""

    def __init__(self, folder: Path, database_uri: str) -> None:
        self.folder = folder
        persona = folder / "persona.md"
        persona.write_text("You are Mate, a kind companion.")
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "COLUMNS": "200",
            "PERSONA_FILE": str(persona),
            "DATA_DIR": str(folder / "data"),
            "MONGODB_URI": database_uri,
            "MONGODB_DATABASE": f"cli_{uuid.uuid4().hex[:12]}",
            "MESSAGE_BATCH_DELAY_SECS": "0.05",
            "ACCESS": "open",
        }

    async def begin(self, *args: str, **env: str) -> Process:
        """Start a command and leave it running."""
        return await asyncio.create_subprocess_exec(
            *PYTHON, *args, cwd=self.folder, env={**self.env, **env}, stdout=PIPE, stderr=PIPE
        )

    async def run(self, *args: str, **env: str) -> Result:
        """Run a command to its end."""
        return await ended(await self.begin(*args, **env))


async def ended(process: Process) -> Result:
    """Wait for a process and read what it said."""
    try:
        async with asyncio.timeout(PATIENCE_SECS):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    return Result(process.returncode, out.decode(), err.decode())


def connected(telegram: Playground) -> dict[str, str]:
    """The settings of a bot on the playground."""
    return {"TELEGRAM_BOT_TOKEN": telegram.token, "TELEGRAM_API_BASE_URL": telegram.address}


def one_line(result: Result) -> str:
    """The single line with which a command refused to work."""
    assert result.code == 1, result
    assert "Traceback" not in result.err
    (line,) = result.err.splitlines()
    assert line.startswith("thinkmate: ")
    return line
