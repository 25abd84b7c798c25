"""The shared lock: what works on one subject's memory in the background runs one at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.clock import Clock
from app.database.subject_locks import SubjectLocks


class UserTaskManager:
    """A lock a subject within this process, and a lease across processes."""

    def __init__(self, locks: SubjectLocks, owner: str, clock: Clock) -> None:
        self._leases = locks
        self._owner = owner
        self._clock = clock
        self._locks: dict[int, asyncio.Lock] = {}
        self._users: Counter[int] = Counter()

    @asynccontextmanager
    async def locked(self, subject: int) -> AsyncIterator[None]:
        """Hold a subject's lock. Raises LeaseHeld while another process has it."""
        lock = self._locks.setdefault(subject, asyncio.Lock())
        self._users[subject] += 1
        try:
            async with lock:
                await self.renew(subject)
                try:
                    yield
                finally:
                    await self._leases.release(subject, self._owner)
        finally:
            self._users[subject] -= 1
            if not self._users[subject]:
                del self._users[subject]
                del self._locks[subject]

    async def renew(self, subject: int) -> None:
        """Keep the lease for as long again."""
        await self._leases.take(subject, self._owner, self._clock.now())
