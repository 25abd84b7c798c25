"""One subject is worked on in one place at a time, across tasks and processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.clock import Clock
from app.database.connection import Database
from app.database.subject_locks import SubjectLocks
from app.errors import LeaseHeld, StoreUnavailable
from app.services.user_task_manager import UserTaskManager

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE_SECS = 60.0
CLOCK = Clock()


@pytest.fixture
def locks(db: Database) -> SubjectLocks:
    return SubjectLocks(db, LEASE_SECS)


async def test_a_lock_has_one_owner(locks: SubjectLocks) -> None:
    await locks.take(1, "a", NOW)
    with pytest.raises(LeaseHeld):
        await locks.take(1, "b", NOW)
    await locks.take(2, "b", NOW)
    await locks.release(1, "b")
    with pytest.raises(LeaseHeld):
        await locks.take(1, "b", NOW)
    await locks.release(1, "a")
    await locks.take(1, "b", NOW)


async def test_a_lock_ends_by_itself_unless_it_is_renewed(locks: SubjectLocks) -> None:
    almost, over = (NOW + timedelta(seconds=s) for s in (LEASE_SECS - 1, LEASE_SECS))
    await locks.take(1, "a", NOW)
    await locks.take(1, "a", almost)
    with pytest.raises(LeaseHeld):
        await locks.take(1, "b", over)
    await locks.take(1, "b", almost + timedelta(seconds=LEASE_SECS))
    with pytest.raises(LeaseHeld):
        await locks.take(1, "a", almost + timedelta(seconds=LEASE_SECS))


async def test_of_two_that_take_a_free_lock_at_once_one_has_it(locks: SubjectLocks) -> None:
    for subject in range(10):
        ends = await asyncio.gather(
            *(locks.take(subject, owner, NOW) for owner in "abc"), return_exceptions=True
        )
        assert [type(end) for end in ends].count(LeaseHeld) == 2, ends


async def test_nothing_is_left_of_a_lock_that_was_given_back(
    locks: SubjectLocks, db: Database
) -> None:
    manager = UserTaskManager(locks, "a", CLOCK)
    async with manager.locked(1):
        assert manager.known == 1
    assert manager.known == 0
    assert await db["subject_locks"].count_documents({}) == 0


async def test_one_at_a_time_within_a_process_and_others_beside_it(locks: SubjectLocks) -> None:
    manager = UserTaskManager(locks, "a", CLOCK)
    story: list[str] = []
    first_in, second_in, go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def hold(subject: int, name: str, entered: asyncio.Event) -> None:
        async with manager.locked(subject):
            story.append(f"{name} in")
            entered.set()
            await go_on.wait()
            story.append(f"{name} out")

    async with asyncio.timeout(5):
        first = asyncio.create_task(hold(1, "first", first_in))
        await first_in.wait()
        second = asyncio.create_task(hold(1, "second", second_in))
        async with manager.locked(2):
            assert story == ["first in"]
        go_on.set()
        await asyncio.gather(first, second)
    assert story == ["first in", "first out", "second in", "second out"]
    assert manager.known == 0


async def test_another_process_is_not_waited_for(locks: SubjectLocks) -> None:
    await locks.take(1, "b", CLOCK.now())
    manager = UserTaskManager(locks, "a", CLOCK)
    with pytest.raises(LeaseHeld):
        async with manager.locked(1):
            pytest.fail("it was held")
    assert manager.known == 0


async def test_work_that_fails_or_is_cancelled_gives_the_lock_back(locks: SubjectLocks) -> None:
    manager = UserTaskManager(locks, "a", CLOCK)
    with pytest.raises(ValueError, match="oh"):
        async with manager.locked(1):
            raise ValueError("oh")
    await locks.take(1, "b", CLOCK.now())
    await locks.release(1, "b")
    entered = asyncio.Event()

    async def work() -> None:
        async with manager.locked(1):
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await locks.take(1, "b", CLOCK.now())
    assert manager.known == 0


class Watched(SubjectLocks):
    """Renews quickly, tells when, and can be made to fail."""

    def __init__(self, db: Database) -> None:
        super().__init__(db, LEASE_SECS)
        self.lease_secs = 0.03
        self.takes = 0
        self.enough = asyncio.Event()
        self.before: Callable[[int], None] = lambda count: None

    async def take(self, subject: int, owner: str, now: datetime) -> None:
        self.takes += 1
        if self.takes == 4:
            self.enough.set()
        self.before(self.takes)
        await super().take(subject, owner, now)


async def test_long_work_renews_its_lock_even_after_a_hiccup(db: Database) -> None:
    locks = Watched(db)

    def hiccup(count: int) -> None:
        if count == 2:
            raise StoreUnavailable("gone for a moment")

    locks.before = hiccup
    async with asyncio.timeout(5), UserTaskManager(locks, "a", CLOCK).locked(1):
        taken = await db["subject_locks"].find_one({"_id": 1})
        await locks.enough.wait()
    assert taken is not None
    assert locks.takes >= 4


async def test_a_lock_lost_to_another_process_stays_lost(db: Database) -> None:
    locks = Watched(db)
    other = SubjectLocks(db, LEASE_SECS)
    async with asyncio.timeout(5), UserTaskManager(locks, "a", CLOCK).locked(1):
        await other.take(1, "b", CLOCK.now() + timedelta(seconds=LEASE_SECS + 1))
    row = await db["subject_locks"].find_one({"_id": 1})
    assert row is not None
    assert row["owner"] == "b"
