"""The bot's lives: the process is started again whenever it was killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

BeforeRestart = Callable[[int], Awaitable[None]]


@dataclass
class Lives:
    """Runs tests.crash.child and counts how its lives end."""

    subject: str
    environment: Mapping[str, str]
    before_restart: BeforeRestart
    kills: int = 0
    failures: list[int] = field(default_factory=list)
    _launcher: asyncio.subprocess.Process | None = None
    _keeper: asyncio.Task[None] | None = None
    _pid: int | None = None
    _stopping: bool = False

    async def start(self) -> None:
        """Start the first life, and from then on the next one after each death."""
        self._launcher = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.crash.child",
            self.subject,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **self.environment},
        )
        self._keeper = asyncio.create_task(self._keep(), name="lives")

    async def stop(self) -> None:
        """End the present life in order, and start no other."""
        self._stopping = True
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)
        if self._keeper is not None:
            await self._keeper
        if self._launcher is not None and self._launcher.stdin is not None:
            self._launcher.stdin.close()
            await self._launcher.wait()

    async def _keep(self) -> None:
        assert self._launcher is not None
        assert self._launcher.stdin is not None
        while not self._stopping:
            self._launcher.stdin.write(b"\n")
            await self._launcher.stdin.drain()
            self._pid = (await self._line())["pid"]
            code = (await self._line())["exit"]
            self._pid = None
            if code == -signal.SIGKILL:
                self.kills += 1
            elif not self._stopping:
                self.failures.append(code)
            if not self._stopping:
                await self.before_restart(self.kills)

    async def _line(self) -> dict[str, int]:
        assert self._launcher is not None
        assert self._launcher.stdout is not None
        line = await self._launcher.stdout.readline()
        if not line:
            raise RuntimeError("the launcher of the bot ended")
        answer: dict[str, int] = json.loads(line)
        return answer
