"""The shared lock: what works on one subject's memory in the background runs one at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from loguru import logger

from app.clock import Clock
from app.database.subject_locks import SubjectLocks
from app.errors import LeaseHeld, StoreError


class UserTaskManager:
    """A lock a subject within this process, and a lease across processes."""

    def __init__(self, locks: SubjectLocks, owner: str, clock: Clock) -> None:
        self._leases = locks
        self._owner = owner
        self._clock = clock
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: Counter[int] = Counter()

    @property
    def known(self) -> int:
        """How many subjects' locks are kept: those that are held or waited for."""
        return len(self._locks)

    @asynccontextmanager
    async def locked(self, subject: int) -> AsyncIterator[None]:
        """Hold a subject's lock, for as long as it takes; waits for others in this process.

        Raises LeaseHeld while another process has it.
        """
        lock = self._locks.setdefault(subject, asyncio.Lock())
        self._users[subject] += 1
        try:
            async with lock:
                await self._leases.take(subject, self._owner, self._clock.now())
                renewal = asyncio.create_task(self._keep(subject), name="subject-lock")
                try:
                    yield
                finally:
                    renewal.cancel()
                    await asyncio.gather(renewal, return_exceptions=True)
                    # What stays behind ends by itself, and this owner may take it at once.
                    with suppress(StoreError):
                        await self._leases.release(subject, self._owner)
        finally:
            self._users[subject] -= 1
            if not self._users[subject]:
                del self._users[subject]
                del self._locks[subject]

    async def _keep(self, subject: int) -> None:
        """Renew until cancelled, or until another process has the lease.

        The work goes on without it: what it writes is checked against what it read.
        """
        while True:
            await asyncio.sleep(self._leases.lease_secs / 3)
            try:
                await self._leases.take(subject, self._owner, self._clock.now())
            except LeaseHeld:
                logger.warning("a subject's lock went to another process")
                return
            except StoreError:
                continue
