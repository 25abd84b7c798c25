"""One run of the daemon, from its start until it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path

from app.database.connection import connect
from app.database.embedded.daemon import READY_LINE, Daemon, environment, uri_of
from app.errors import StoreError, StoreUnavailable

LOOK_SECS = 0.02
LOG_KEPT_BYTES = 1_000_000
LOG_TAIL_LINES = 8


class DaemonProcess:
    """A running daemon; made by `launch`."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path, log_start: int) -> None:
        self._process = process
        self._log = log
        self._log_start = log_start
        self.port = 0

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @classmethod
    async def launch(
        cls, daemon: Daemon, storage: Path, port: int, config: Path, log: Path, deadline_secs: float
    ) -> DaemonProcess:
        """Start it and return when it answers; port 0 means any free one.

        Raises StoreUnavailable, with the end of its log, when it doesn't answer in time; it is
        gone then.
        """
        started = time.monotonic()
        rotate(log)
        try:
            with log.open("ab") as output:
                log_start = output.tell()
                process = await asyncio.create_subprocess_exec(
                    *daemon.command(storage, port, config),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    env=environment(),
                    # Its own session: Ctrl-C in the terminal must not end it before we are done.
                    start_new_session=True,
                )
        except OSError as error:
            raise StoreUnavailable(
                f"the embedded database can't be started: {error.strerror}"
            ) from None
        run = cls(process, log, log_start)
        try:
            await run._until_it_answers(started + deadline_secs)
        except BaseException:
            await run.stop(grace=0)
            raise
        return run

    async def wait(self) -> int:
        """Return its exit code when it is gone; negative for a signal."""
        return await self._process.wait()

    async def stop(self, grace: float) -> None:
        """End it: SIGTERM, and SIGKILL when it is still there after `grace` seconds."""
        with contextlib.suppress(ProcessLookupError):
            if grace > 0:
                self._process.terminate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), grace)
            if self._process.returncode is None:
                self._process.kill()
        await self._process.wait()

    async def _until_it_answers(self, deadline: float) -> None:
        """The port is read from its own words, so no other server can be taken for it."""
        while not (ready := READY_LINE.search(self._own_log())):
            if self._process.returncode is not None:
                raise StoreUnavailable(self._problem("ended at once"))
            if time.monotonic() > deadline:
                raise StoreUnavailable(self._problem("did not come up in time"))
            await asyncio.sleep(LOOK_SECS)
        self.port = int(ready.group(1))
        try:
            db = await connect(uri_of(self.port), "admin")
        except StoreError:
            raise StoreUnavailable(self._problem("does not answer")) from None
        await db.close()

    def _own_log(self) -> bytes:
        with self._log.open("rb") as stream:
            stream.seek(self._log_start)
            return stream.read(LOG_KEPT_BYTES)

    def _problem(self, what: str) -> str:
        lines = self._own_log().decode("utf-8", "replace").strip().splitlines()
        tail = "\n  ".join(lines[-LOG_TAIL_LINES:]) or "(it said nothing)"
        return f"the embedded database {what}; the end of {self._log}:\n  {tail}"


def rotate(log: Path) -> None:
    """Keep the log bounded: one that has grown large becomes `<name>.1`, and a new one begins."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_KEPT_BYTES:
            log.replace(log.with_name(f"{log.name}.1"))
