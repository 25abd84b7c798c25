"""Health: is the process alive, and can it do its work now; in plain words, without secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.errors import StoreError

PING_DEADLINE_SECS = 2.0


@dataclass(frozen=True, slots=True)
class Report:
    """`ok`, and a few words on each component."""

    ok: bool
    components: dict[str, str]


class Health:
    """Asks the components when it is asked.

    `ping` raises when the database doesn't answer. `polling_age` gives the seconds since polling
    last made progress, None when the bot doesn't poll. `model_state` gives a word or two; a model
    that fails doesn't make the bot unready, because what arrives is kept and answered later.
    """

    def __init__(
        self,
        ping: Callable[[], Awaitable[object]],
        *,
        polling_age: Callable[[], float | None] = lambda: None,
        polling_stall_secs: float = 90.0,
        model_state: Callable[[], str] = lambda: "not asked yet",
        ping_deadline_secs: float = PING_DEADLINE_SECS,
    ) -> None:
        self._ping = ping
        self._polling_age = polling_age
        self._polling_stall_secs = polling_stall_secs
        self._model_state = model_state
        self._ping_deadline_secs = ping_deadline_secs
        self._stopping = False

    def begin_stop(self) -> None:
        """From now on the process is alive but not ready."""
        self._stopping = True

    async def live(self) -> Report:
        """The process runs and its loop turns; says nothing of others, whom no restart mends."""
        return Report(True, {"process": "stopping" if self._stopping else "running"})

    async def ready(self) -> Report:
        """Messages can be received, kept and answered now."""
        database_ok, database = await self._database()
        polling_ok, polling = self._polling()
        components = {
            "process": "stopping" if self._stopping else "running",
            "database": database,
            "polling": polling,
            "model": self._model_state(),
        }
        return Report(database_ok and polling_ok and not self._stopping, components)

    async def _database(self) -> tuple[bool, str]:
        try:
            async with asyncio.timeout(self._ping_deadline_secs):
                await self._ping()
        except (StoreError, OSError):
            # OSError includes TimeoutError, ours and a driver's alike.
            return False, "does not answer"
        return True, "answers"

    def _polling(self) -> tuple[bool, str]:
        age = self._polling_age()
        if age is None:
            return True, "not used"
        if age > self._polling_stall_secs:
            return False, f"no progress for {age:.0f} s"
        return True, "making progress"
