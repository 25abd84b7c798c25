"""A lease is kept while the work lasts, and the work ends when the lease is lost."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from app.clock import Clock
from app.database.connection import Database
from app.database.conversations import ConversationStore, Grant
from app.errors import LeaseLost
from app.services.lease import KeptLease

CLOCK = Clock()
LEASE_SECS = 60.0
RENEW_EVERY = 0.01


class Watched(ConversationStore):
    """Tells when a lease was renewed."""

    def __init__(self, db: Database) -> None:
        super().__init__(db, LEASE_SECS)
        self.renewed = asyncio.Event()

    async def renew(self, grant: Grant, now: object) -> None:
        await super().renew(grant, now)  # type: ignore[arg-type]
        self.renewed.set()


def kept(store: ConversationStore, grant: Grant) -> KeptLease:
    return KeptLease(store, grant, CLOCK, RENEW_EVERY * 3)


async def test_long_work_keeps_its_lease(db: Database) -> None:
    store = Watched(db)
    grant, before = await store.begin("1", "a", CLOCK.now() - timedelta(seconds=50))
    async with asyncio.timeout(5), kept(store, grant):
        await store.renewed.wait()
    current = await store.read("1")
    assert before.lease is not None
    assert current is not None
    assert current.lease is not None
    assert current.lease.expires_at > before.lease.expires_at
    await store.commit(grant, handled=[1])


async def test_work_ends_when_somebody_else_has_the_lease(db: Database) -> None:
    store = Watched(db)
    grant, _ = await store.begin("1", "a", CLOCK.now())
    await store.begin("1", "b", CLOCK.now() + timedelta(seconds=LEASE_SECS + 1))
    with pytest.raises(LeaseLost):
        async with asyncio.timeout(5), kept(store, grant):
            await asyncio.Event().wait()


async def test_cancelling_the_work_is_not_taken_for_a_lost_lease(db: Database) -> None:
    store = Watched(db)
    grant, _ = await store.begin("1", "a", CLOCK.now())
    started = asyncio.Event()

    async def work() -> None:
        async with kept(store, grant):
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
