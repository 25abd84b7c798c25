"""The bot's process: started, watched, killed on request, started again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from loguru import logger

ProcessState = Literal["stopped", "running", "dead"]
FIRST_PAUSE_SECS = 0.5
LONGEST_PAUSE_SECS = 30.0
STEADY_SECS = 30.0


class BotProcess:
    """Runs `command` with exactly `env`, in its own session, and restarts it when it dies.

    `env` may be a function, which is asked before each start: what it tells may depend on a port
    that is known late.

    The pause before a restart grows from 0.5 s to 30 s while runs stay shorter than 30 s; after
    `kill` there is none. Output goes to `output` where it is given, else to our own.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str] | Callable[[], Mapping[str, str]],
        *,
        output: Path | None = None,
    ) -> None:
        self._command = list(command)
        self._env = env if callable(env) else lambda: env
        self._output = output
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._killed = False
        self._listeners: list[Callable[[ProcessState], None]] = []
        self.starts = 0

    @property
    def pid(self) -> int | None:
        """The process id of the current run."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    def listen(self, listener: Callable[[ProcessState], None]) -> None:
        """Hear of every change of state."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Start it and keep it running until `stop`. Raises OSError when it can't be started."""
        await self._launch()
        self._keeper = asyncio.create_task(self._keep(), name="bot process")

    async def kill(self) -> None:
        """SIGKILL it, as a power cut would end it. It is started again at once."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        self._killed = True
        process.kill()
        await process.wait()

    async def stop(self, grace_secs: float = 15.0) -> None:
        """SIGTERM it and wait; SIGKILL after `grace_secs`. It is not started again."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            self._keeper = None
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(grace_secs):
                await process.wait()
        except TimeoutError:
            logger.warning("the bot did not stop in {:g} s and is killed", grace_secs)
            process.kill()
            await process.wait()
        self._tell("stopped")

    async def _launch(self) -> None:
        output = self._output.open("ab") if self._output else None
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                env=dict(self._env()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        finally:
            if output is not None:
                output.close()
        self.starts += 1
        self._tell("running")

    async def _keep(self) -> None:
        pause = FIRST_PAUSE_SECS
        began = time.monotonic()
        while True:
            if self._process is not None:
                code = await self._process.wait()
                self._tell("dead")
                if time.monotonic() - began > STEADY_SECS:
                    pause = FIRST_PAUSE_SECS
                if self._killed:
                    self._killed = False
                else:
                    logger.warning("the bot ended by itself (exit code {})", code)
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, LONGEST_PAUSE_SECS)
            began = time.monotonic()
            try:
                await self._launch()
            except OSError as error:
                logger.error("the bot can't be started: {}", error.strerror)
                self._process = None
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECS)

    def _tell(self, state: ProcessState) -> None:
        for listener in self._listeners:
            listener(state)
