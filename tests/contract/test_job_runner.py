"""The job runner: leases kept and lost, pauses, dead letters, and nobody held up by another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.clock import Clock
from app.database.connection import Database
from app.database.jobs import JobStore
from app.database.subject_locks import SubjectLocks
from app.domain.job import Job, JobKind
from app.errors import JobFailed, ModelError, ModelFailure
from app.memory.job_policy import (
    FIRST_PAUSE,
    FREE_LOSSES,
    LONGEST_PAUSE,
    LONGEST_WITHOUT_MODEL,
    MAX_ATTEMPTS,
)
from app.services.job_runner import LOCKED_PAUSE, JobRunner
from app.services.metrics import Metrics
from app.services.user_task_manager import UserTaskManager

ANA, BEN = 1001, 1002
PATIENCE = 10.0
Work = Callable[[Job], Awaitable[None]]


class MovedClock(Clock):
    """The machine's clock, moved on by a test."""

    ahead = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.ahead


class WatchedStore(JobStore):
    """Tells how often a lease was kept."""

    def __init__(self, db: Database, lease_secs: float) -> None:
        super().__init__(db, lease_secs)
        self.beats: asyncio.Queue[datetime] = asyncio.Queue()

    async def heartbeat(self, job: Job, now: datetime) -> None:
        await super().heartbeat(job, now)
        self.beats.put_nowait(now)


class Shop:
    """A runner over a database, and what its handlers do."""

    def __init__(self, db: Database, owner: str = "a", lease_secs: float = 120.0) -> None:
        self.db = db
        self.clock = MovedClock()
        self.metrics = Metrics()
        self.jobs = WatchedStore(db, lease_secs)
        self.locks = SubjectLocks(db, lease_secs)
        self.work: dict[JobKind, Work] = {}
        self.seen: list[str] = []
        self.runner = JobRunner(
            jobs=self.jobs,
            handlers=dict.fromkeys(JobKind, self._handle),
            manager=UserTaskManager(self.locks, owner, self.clock),
            owner=owner,
            concurrency=4,
            lease_secs=lease_secs,
            clock=self.clock,
            metrics=self.metrics,
        )

    async def _handle(self, job: Job) -> None:
        self.seen.append(job.id)
        work = self.work.get(job.kind)
        if work is not None:
            await work(job)

    async def ask(self, kind: JobKind, subject: int = ANA, **more: Any) -> None:
        """Enqueue a job that is due."""
        if kind is JobKind.EXTRACT_RANGE:
            more = {"args": {"from_seq": 1, "through_seq": 2}, **more}
        conversation = None if kind is JobKind.COMPRESS else str(subject)
        await self.jobs.enqueue(
            kind, subject=subject, conversation=conversation, run_at=self.clock.now(), **more
        )
        self.runner.nudge()

    async def idle(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.runner.idle()

    async def later(self, pause: timedelta) -> None:
        """Move the clock on, and wait for what is due then."""
        self.clock.ahead += pause
        self.runner.nudge()
        await self.idle()

    async def only(self) -> Job:
        (job,) = await self.jobs.all()
        return job


async def fails(_: Job) -> None:
    raise JobFailed("parse_error", raw='{"x": x}')


@pytest.fixture
async def shop(db: Database) -> AsyncIterator[Shop]:
    shop = Shop(db)
    yield shop
    await shop.runner.stop()


async def test_what_is_done_is_done_once(shop: Shop) -> None:
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    await shop.idle()
    assert shop.seen == [f"compress:{ANA}"]
    assert (await shop.only()).status == "done"
    await shop.later(timedelta(days=1))
    assert len(shop.seen) == 1
    assert shop.metrics.value("jobs.done") == 1


async def test_a_failure_waits_twice_as_long_each_time(shop: Shop) -> None:
    shop.work[JobKind.COMPRESS] = fails
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    await shop.idle()
    for attempt in (1, 2, 3):
        job = await shop.only()
        pause = job.run_at - shop.clock.now()
        longest = FIRST_PAUSE * 2 ** (attempt - 1)
        assert longest * 0.85 < pause <= longest
        assert (job.status, job.attempts, job.last_error) == ("waiting", attempt, "parse_error")
        assert job.failures == {"parse_error": attempt}
        assert job.raw == '{"x": x}'
        await shop.later(longest * 0.8)
        assert len(shop.seen) == attempt
        await shop.later(longest * 0.2)
    assert len(shop.seen) == 4
    assert shop.metrics.value("jobs.failed") == 4


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (ModelError(ModelFailure.SERVER), ModelFailure.SERVER.value),
        (ValueError("something secret"), "error"),
        (asyncio.CancelledError(), "cancelled"),
    ],
)
async def test_a_handler_may_fail_in_any_way(shop: Shop, error: BaseException, word: str) -> None:
    async def breaks(_: Job) -> None:
        raise error

    shop.work[JobKind.COMPRESS] = breaks
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    await shop.idle()
    job = await shop.only()
    assert (job.status, job.last_error) == ("waiting", word)
    assert "secret" not in str(job)


async def test_without_a_model_no_attempt_is_counted(shop: Shop) -> None:
    async def nobody(_: Job) -> None:
        raise JobFailed("no_model")

    shop.work[JobKind.COMPRESS] = nobody
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    await shop.idle()
    for _ in range(MAX_ATTEMPTS + 2):
        await shop.later(LONGEST_WITHOUT_MODEL)
    job = await shop.only()
    assert (job.status, job.attempts) == ("waiting", 0)
    assert len(shop.seen) == MAX_ATTEMPTS + 3


async def test_after_eight_attempts_it_is_a_dead_letter_until_somebody_asks(shop: Shop) -> None:
    shop.work[JobKind.COMPRESS] = fails
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    await shop.idle()
    for _ in range(MAX_ATTEMPTS + 3):
        await shop.later(LONGEST_PAUSE)
    assert len(shop.seen) == MAX_ATTEMPTS
    assert (await shop.only()).status == "dead"
    assert shop.metrics.value("jobs.dead") == 1
    del shop.work[JobKind.COMPRESS]
    assert await shop.jobs.retry(f"compress:{ANA}", shop.clock.now())
    await shop.later(timedelta(0))
    assert (await shop.only()).status == "done"


async def test_what_fails_for_ever_blocks_neither_its_person_nor_another(shop: Shop) -> None:
    shop.work[JobKind.EXTRACT_RANGE] = fails
    await shop.ask(JobKind.EXTRACT_RANGE)
    await shop.runner.start()
    await shop.idle()
    for _ in range(MAX_ATTEMPTS * 2):
        await shop.ask(JobKind.COMPRESS)
        await shop.ask(JobKind.EXTRACT, BEN)
        await shop.later(LONGEST_PAUSE)
    assert shop.seen.count(f"extract_range:{ANA}:1-2") == MAX_ATTEMPTS * 2 + 1
    assert shop.seen.count(f"compress:{ANA}") == MAX_ATTEMPTS * 2
    assert shop.seen.count(f"extract:{BEN}") == MAX_ATTEMPTS * 2
    (parked,) = [job for job in await shop.jobs.all() if job.kind is JobKind.EXTRACT_RANGE]
    assert parked.status == "waiting"
    assert shop.metrics.value("jobs.dead") == 0


async def test_one_job_of_a_person_at_a_time_and_people_beside_each_other(shop: Shop) -> None:
    inside: dict[int, int] = {ANA: 0, BEN: 0}
    both, go_on = asyncio.Event(), asyncio.Event()

    async def work(job: Job) -> None:
        inside[job.subject] += 1
        assert inside[job.subject] == 1
        if all(inside.values()):
            both.set()
        await go_on.wait()
        inside[job.subject] -= 1

    for kind in (JobKind.COMPRESS, JobKind.EXTRACT):
        shop.work[kind] = work
        for subject in (ANA, BEN):
            await shop.ask(kind, subject)
    await shop.runner.start()
    async with asyncio.timeout(PATIENCE):
        await both.wait()
    assert len(shop.seen) == 2
    go_on.set()
    await shop.idle()
    assert len(shop.seen) == 4
    assert shop.metrics.value("jobs.done") == 4


async def test_a_heartbeat_keeps_long_work(db: Database) -> None:
    shop = Shop(db, lease_secs=0.3)
    go_on = asyncio.Event()

    async def long(_: Job) -> None:
        await go_on.wait()

    shop.work[JobKind.COMPRESS] = long
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    async with asyncio.timeout(PATIENCE):
        beats = [await shop.jobs.beats.get() for _ in range(5)]
    assert beats[-1] - beats[0] > timedelta(seconds=0.3)
    job = await shop.only()
    assert job.lease is not None
    assert (job.status, job.attempts) == ("running", 0)
    assert job.lease.expires_at > beats[-1]
    go_on.set()
    await shop.idle()
    assert shop.seen == [f"compress:{ANA}"]
    await shop.runner.stop()


async def test_work_ends_when_the_lease_is_lost_and_the_new_holder_is_left_alone(
    db: Database,
) -> None:
    shop = Shop(db, lease_secs=0.15)
    began, broken_off = asyncio.Event(), asyncio.Event()

    async def long(_: Job) -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            broken_off.set()

    shop.work[JobKind.COMPRESS] = long
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    async with asyncio.timeout(PATIENCE):
        await began.wait()
        theirs = JobStore(db, 3_600.0)
        (job,) = await theirs.claim("b", shop.clock.now() + timedelta(minutes=1), 1)
        await broken_off.wait()
    await shop.idle()
    assert shop.metrics.value("jobs.lost_lease") == 1
    now = await shop.only()
    assert now.status == "running"
    assert now.lease == job.lease
    await theirs.finish(job, shop.clock.now())
    assert shop.seen == [f"compress:{ANA}"]
    await shop.runner.stop()


async def test_a_person_another_process_works_on_is_left_for_later(shop: Shop) -> None:
    await shop.locks.take(ANA, "b", shop.clock.now())
    await shop.ask(JobKind.COMPRESS)
    await shop.ask(JobKind.COMPRESS, BEN)
    await shop.runner.start()
    await shop.idle()
    assert shop.seen == [f"compress:{BEN}"]
    (waiting,) = await shop.jobs.all("waiting")
    assert (waiting.subject, waiting.attempts) == (ANA, 0)
    assert waiting.run_at - shop.clock.now() <= LOCKED_PAUSE
    await shop.locks.release(ANA, "b")
    await shop.later(LOCKED_PAUSE)
    assert shop.seen == [f"compress:{BEN}", f"compress:{ANA}"]


async def test_stopping_hands_back_what_is_under_way(shop: Shop) -> None:
    began = asyncio.Event()

    async def long(_: Job) -> None:
        began.set()
        await asyncio.Event().wait()

    shop.work[JobKind.COMPRESS] = long
    await shop.ask(JobKind.COMPRESS)
    await shop.runner.start()
    async with asyncio.timeout(PATIENCE):
        await began.wait()
        await shop.runner.stop()
    job = await shop.only()
    assert (job.status, job.attempts) == ("waiting", 0)
    assert job.run_at <= shop.clock.now()


async def test_a_new_process_goes_on_with_what_its_last_one_left(db: Database) -> None:
    left = JobStore(db, 3_600.0)
    now = Clock().now()
    await left.enqueue(JobKind.COMPRESS, subject=ANA, run_at=now)
    await left.claim("a", now, 1)
    shop = Shop(db)
    await shop.runner.start()
    shop.runner.nudge()
    await shop.idle()
    assert shop.seen == [f"compress:{ANA}"]
    assert (await shop.only()).status == "done"
    await shop.runner.stop()


async def test_a_job_that_took_its_workers_down_eight_times_is_given_up(shop: Shop) -> None:
    await shop.ask(JobKind.COMPRESS)
    at = shop.clock.now()
    for _ in range(MAX_ATTEMPTS):
        await shop.jobs.claim("other", at, 1)
        at += timedelta(hours=1)
    shop.clock.ahead = timedelta(days=1)
    await shop.runner.start()
    shop.runner.nudge()
    await shop.idle()
    job = await shop.only()
    assert (job.status, job.last_error) == ("dead", "lost")
    assert shop.seen == []


async def test_a_job_that_took_three_workers_down_rests_before_the_next(shop: Shop) -> None:
    await shop.ask(JobKind.EXTRACT)
    at = shop.clock.now()
    for _ in range(FREE_LOSSES + 1):
        await shop.jobs.claim("other", at, 1)
        at += timedelta(hours=1)
    shop.clock.ahead = timedelta(days=1)
    await shop.runner.start()
    shop.runner.nudge()
    await shop.idle()
    job = await shop.only()
    assert (job.status, job.last_error, job.attempts) == ("waiting", "lost", FREE_LOSSES + 1)
    assert job.run_at > shop.clock.now()
    assert shop.seen == []
    shop.clock.ahead += timedelta(hours=1)
    shop.runner.nudge()
    await shop.idle()
    assert shop.seen == [job.id]
    assert (await shop.only()).status == "done"
