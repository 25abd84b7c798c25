"""A child process of the benchmark: surely ended, and spoken to in JSON lines."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH")
STOP_SECS = 8.0
LINE_LIMIT = 16 * 1024 * 1024


class ChildEnded(Exception):
    """The child ended although it was still needed."""


class Child:
    """A running child; made by `running`."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name = name
        self._process = process

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    async def read(self, within: float) -> dict[str, Any]:
        """Its next line of output. Raises ChildEnded or TimeoutError."""
        assert self._process.stdout is not None
        async with asyncio.timeout(within):
            line = await self._process.stdout.readline()
        if not line:
            raise ChildEnded(f"{self.name} ended; its error output is above")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def ask(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        """Send it a line and read one."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        await self._process.stdin.drain()
        return await self.read(within)

    async def stop(self) -> None:
        """SIGTERM, and SIGKILL to what is still there after 8 s."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), STOP_SECS)
            if self._process.returncode is None:
                self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def running(name: str, *command: str, **settings: str) -> AsyncIterator[Child]:
    """`python -m command...` with these settings, and nothing of the user's own in sight.

    It is in a session of its own, so that Ctrl-C reaches it through `stop` alone.
    """
    environment = {key: os.environ[key] for key in KEPT_VARIABLES if key in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**environment, **settings},
        start_new_session=True,
        limit=LINE_LIMIT,
    )
    child = Child(name, process)
    try:
        yield child
    finally:
        await child.stop()
