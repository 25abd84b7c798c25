"""The embedded database as a whole: started, watched, started again, stopped."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path

from loguru import logger

from app.database.embedded.daemon import Daemon, find_daemon, uri_of
from app.database.embedded.orphans import end_orphans
from app.database.embedded.process import DaemonProcess
from app.database.embedded.restart_rule import RestartRule
from app.errors import ConfigError, StoreUnavailable

START_DEADLINE_SECS = 30.0
STOP_GRACE_SECS = 10.0
CONFIG_TEXT = "# Empty on purpose: no settings file found elsewhere may change the database.\n"

Restarted = Callable[[], None]
GaveUp = Callable[[StoreUnavailable], None]


class EmbeddedDatabase:
    """A database in DATA_DIR/db, served by a child process on one loopback port.

    Hold the DATA_DIR's lock while it runs. A daemon that dies is started again on the same port,
    so that clients find it again; `on_restart` is called each time it is back. After the fifth
    death within a minute `on_give_up` gets the error and nothing is tried any more.
    DATA_DIR/db.json tells `pid` and `port` while it runs; DATA_DIR/db.log has the daemon's words.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        on_restart: Restarted | None = None,
        on_give_up: GaveUp | None = None,
        daemon: Daemon | None = None,
        rule: RestartRule | None = None,
    ) -> None:
        self._data_dir = data_dir.resolve()
        self._storage = self._data_dir / "db"
        self._record = self._data_dir / "db.json"
        self._daemon = daemon or find_daemon()
        self._on_restart = on_restart
        self._on_give_up = on_give_up
        self._rule = rule or RestartRule()
        self._process: DaemonProcess | None = None
        self._watch: asyncio.Task[None] | None = None
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        """The daemon's process id, while there is one."""
        return self._process.pid if self._process else None

    async def start(self) -> str:
        """Start the daemon and return its URI once it answers.

        A daemon that a killed predecessor left behind is ended first. Raises StoreUnavailable,
        with the end of the daemon's log, when it isn't up after 30 s; ConfigError when DATA_DIR
        can't be written.
        """
        try:
            self._storage.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._config.write_text(CONFIG_TEXT)
            # A killed predecessor's record names a daemon that is about to be ended.
            self._record.unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError(f"DATA_DIR: can't write {error.filename}: {error.strerror}") from None
        await end_orphans(self._storage)
        self._process = await self._launch(port=0)
        self._watch = asyncio.create_task(self._keep_alive(self._process))
        return uri_of(self._process.port)

    async def stop(self) -> None:
        """Stop the daemon in order, within about 10 s; harmless when it doesn't run."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.wait([self._watch])
            self._watch = None
        if self._process is not None:
            await self._process.stop(STOP_GRACE_SECS)
            self._process = None
        self._record.unlink(missing_ok=True)

    @property
    def _config(self) -> Path:
        return self._data_dir / "db.toml"

    async def _launch(self, port: int) -> DaemonProcess:
        process = await DaemonProcess.launch(
            self._daemon,
            self._storage,
            port,
            self._config,
            self._data_dir / "db.log",
            START_DEADLINE_SECS,
        )
        try:
            self._write_record(process)
        except OSError as error:
            await process.stop(STOP_GRACE_SECS)
            raise StoreUnavailable(f"can't write {self._record}: {error.strerror}") from None
        return process

    def _write_record(self, process: DaemonProcess) -> None:
        draft = self._record.with_suffix(".json.new")
        draft.write_text(json.dumps({"pid": process.pid, "port": process.port}) + "\n")
        draft.replace(self._record)

    async def _keep_alive(self, process: DaemonProcess) -> None:
        port = process.port
        while True:
            code = await process.wait()
            logger.error("the embedded database died (exit code {}); starting it again", code)
            reborn = await self._again(port)
            if reborn is None:
                self._process = None
                return
            self._process = process = reborn
            self.restarts += 1
            logger.warning("the embedded database is back (restart {})", self.restarts)
            if self._on_restart is not None:
                self._on_restart()

    async def _again(self, port: int) -> DaemonProcess | None:
        """Try until the daemon is back; None when the rule says to give up."""
        problem = StoreUnavailable("the embedded database died too often")
        while (delay := self._rule.died(time.monotonic())) is not None:
            await asyncio.sleep(delay)
            try:
                return await self._launch(port)
            except StoreUnavailable as error:
                problem = error
                logger.error("{}", error)
        logger.critical("giving the embedded database up: {}", problem)
        if self._on_give_up is not None:
            self._on_give_up(problem)
        return None
