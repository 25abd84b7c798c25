"""The program as a person starts it: `thinkmate start` on a machine with nothing set up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FORGOTTEN = ("OPENAI_", "LLM_", "TELEGRAM_", "MONGODB_", "WEBHOOK_", "HTTP_")
PATIENCE_SECS = 30.0


class Product:
    """One data directory; started, killed with all its processes, started again, stopped."""

    def __init__(self, folder: Path) -> None:
        self.env_file = folder / ".env"
        self.url = ""
        self._env = {k: v for k, v in os.environ.items() if not k.startswith(FORGOTTEN)}
        self._env.update(
            DATA_DIR=str(folder / "data"),
            PLAYGROUND_PORT="0",
            THINKMATE_ENV_FILE=str(self.env_file),
            MESSAGE_BATCH_DELAY_SECS="0.3",
        )
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Run it until its page can be opened at `url`."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "app", "start", "--no-browser"),
            cwd=ROOT,
            env=self._env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_SECS):
            while b"playground is open at" not in (line := await self._process.stdout.readline()):
                assert line, "the program ended before its page could be opened"
        self.url = line.decode().split("open at ")[1].split()[0]

    async def kill(self) -> None:
        """SIGKILL it, its bot and its database at once, as a power cut would, and see them gone."""
        assert self._process is not None
        family = [self._process.pid, *_descendants(self._process.pid)]
        handles = [os.pidfd_open(pid) for pid in family]
        for handle in handles:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        await self._process.wait()
        for handle in handles:
            gone, _, _ = await asyncio.to_thread(select.select, [handle], [], [], PATIENCE_SECS)
            os.close(handle)
            assert gone, "a process outlived SIGKILL"
        assert len(family) > 1

    async def stop(self) -> int:
        """End it as Ctrl-C does; returns its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return await self._process.wait()


def _descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    found = [int(child) for child in children]
    return [*found, *(pid for child in found for pid in _descendants(child))]
