"""The store of jobs: the same work is there once, and one worker at a time has it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.database import jobs as jobs_module
from app.database.connection import Database, ensure_indexes
from app.database.jobs import DEAD_KEPT, DEAD_RESTS, DONE_KEPT, JobStore
from app.domain.job import Job, JobKind
from app.errors import LeaseLost

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE_SECS = 60.0
AFTER_LEASE = NOW + timedelta(seconds=LEASE_SECS)
LATER = NOW + timedelta(hours=1)


@pytest.fixture
async def jobs(db: Database) -> JobStore:
    await ensure_indexes(db, {jobs_module.COLLECTION: jobs_module.INDEXES})
    return JobStore(db, LEASE_SECS)


async def ask(
    jobs: JobStore,
    subject: int = 1001,
    kind: JobKind = JobKind.EXTRACT,
    run_at: datetime = NOW,
    **more: Any,
) -> bool:
    conversation = None if kind in (JobKind.COMPRESS, JobKind.CONSOLIDATE) else str(subject)
    return await jobs.enqueue(
        kind, subject=subject, conversation=conversation, run_at=run_at, **more
    )


async def claimed(jobs: JobStore, now: datetime = NOW, owner: str = "a") -> Job:
    (job,) = await jobs.claim(owner, now, 5)
    return job


async def only(jobs: JobStore) -> Job:
    (job,) = await jobs.all()
    return job


async def test_a_job_comes_back_as_it_was_asked_for(jobs: JobStore) -> None:
    args = {"from_seq": 3, "through_seq": 9}
    assert await ask(jobs, kind=JobKind.EXTRACT_RANGE, args=args, raw="x" * 500)
    job = await claimed(jobs)
    assert (job.id, job.kind, job.subject, job.conversation, job.args) == (
        "extract_range:1001:3-9",
        JobKind.EXTRACT_RANGE,
        1001,
        "1001",
        args,
    )
    assert job.raw == "x" * 400
    assert job.lease is not None
    assert (job.status, job.attempts, job.lease.fence) == ("running", 0, 1)


async def test_work_asked_for_twice_is_one_job_at_the_earlier_time(jobs: JobStore) -> None:
    assert await ask(jobs, run_at=LATER)
    assert not await ask(jobs, run_at=NOW)
    assert not await ask(jobs, run_at=LATER)
    assert (await only(jobs)).run_at == NOW
    assert await jobs.waiting_count() == 1


async def test_asking_again_does_not_shorten_the_pause_after_a_failure(jobs: JobStore) -> None:
    await ask(jobs)
    await jobs.fail(await claimed(jobs), "timeout", NOW, retry_at=LATER, attempts=1)
    assert not await ask(jobs)
    assert (await only(jobs)).run_at == LATER
    assert await jobs.claim("a", NOW, 5) == []


async def test_work_asked_for_during_a_run_runs_once_more(jobs: JobStore) -> None:
    await ask(jobs)
    job = await claimed(jobs)
    assert await ask(jobs)
    assert not await ask(jobs)
    await jobs.finish(job, NOW)
    again = await claimed(jobs)
    await jobs.finish(again, NOW)
    assert (await only(jobs)).status == "done"


async def test_done_work_can_be_asked_for_anew_and_its_old_worker_has_no_say(
    jobs: JobStore,
) -> None:
    await ask(jobs)
    first = await claimed(jobs)
    await jobs.finish(first, NOW)
    assert await ask(jobs, run_at=LATER)
    second = await claimed(jobs, LATER)
    assert first.lease is not None
    assert second.lease is not None
    assert second.lease.fence > first.lease.fence
    with pytest.raises(LeaseLost):
        await jobs.finish(first, LATER)
    assert (await only(jobs)).status == "running"


async def test_a_period_has_its_job_once(jobs: JobStore) -> None:
    assert await ask(jobs, kind=JobKind.CONSOLIDATE, period="2026-03-01")
    await jobs.finish(await claimed(jobs), NOW)
    assert not await ask(jobs, kind=JobKind.CONSOLIDATE, period="2026-03-01")
    assert await ask(jobs, kind=JobKind.CONSOLIDATE, period="2026-03-02")
    assert await jobs.waiting_count() == 1


async def test_of_two_that_claim_at_once_each_job_has_one(jobs: JobStore) -> None:
    for subject in range(12):
        await ask(jobs, subject)
    both = await asyncio.gather(*(jobs.claim(owner, NOW, 12) for owner in "ab"))
    ids = [job.id for found in both for job in found]
    assert len(ids) == len(set(ids)) == 12
    for found in both:
        for job in found:
            await jobs.finish(job, NOW)


async def test_a_job_whose_worker_is_gone_goes_to_another_when_the_lease_ends(
    jobs: JobStore,
) -> None:
    await ask(jobs)
    lost = await claimed(jobs)
    assert await jobs.claim("b", AFTER_LEASE - timedelta(seconds=1), 5) == []
    other = await claimed(jobs, AFTER_LEASE, "b")
    assert (other.id, other.attempts) == (lost.id, 1)
    for late in (
        jobs.heartbeat(lost, NOW),
        jobs.finish(lost, NOW),
        jobs.release(lost, NOW),
        jobs.fail(lost, "error", NOW, retry_at=None, attempts=1),
    ):
        with pytest.raises(LeaseLost):
            await late
    await jobs.finish(other, AFTER_LEASE)
    done = await only(jobs)
    assert (done.status, done.attempts) == ("done", 0)


async def test_a_heartbeat_keeps_a_job(jobs: JobStore) -> None:
    await ask(jobs)
    job = await claimed(jobs)
    await jobs.heartbeat(job, AFTER_LEASE - timedelta(seconds=1))
    assert await jobs.claim("b", AFTER_LEASE, 5) == []
    await jobs.finish(job, AFTER_LEASE)


async def test_a_new_process_takes_back_what_its_last_one_held(jobs: JobStore) -> None:
    for subject in (1, 2):
        await ask(jobs, subject)
    mine = await jobs.claim("a", NOW, 1)
    await jobs.claim("b", NOW, 1)
    await jobs.take_back("a")
    again = await claimed(jobs, NOW, "a")
    assert (again.id, again.attempts) == (mine[0].id, 1)
    await jobs.take_back("a")
    assert await jobs.claim("a", NOW, 5) == [], "it ended two processes: it waits for its lease"
    assert {job.id for job in await jobs.claim("a", AFTER_LEASE, 5)} >= {mine[0].id}


async def test_one_job_a_subject_is_claimed_and_none_of_the_busy(jobs: JobStore) -> None:
    for kind in (JobKind.EXTRACT, JobKind.COMPRESS, JobKind.EFFECTS):
        await ask(jobs, 1, kind)
        await ask(jobs, 2, kind)
        await ask(jobs, 3, kind)
    found = [
        *(first := await jobs.claim("a", NOW, 9, busy={3})),
        *(await jobs.claim("a", NOW, 9, busy={1, 3})),
    ]
    assert [job.subject for job in first] == [1, 2]
    assert [job.subject for job in found] == [1, 2, 2]
    assert await jobs.next_run_at(busy={1, 2, 3}) is None
    assert await jobs.next_run_at(busy={1, 2}) == NOW


async def test_the_limit_holds_and_the_longest_due_come_first(jobs: JobStore) -> None:
    for subject in range(4):
        await ask(jobs, subject, run_at=NOW - timedelta(seconds=subject))
    assert [job.subject for job in await jobs.claim("a", NOW, 2)] == [3, 2]
    assert await jobs.next_run_at() == NOW - timedelta(seconds=1)


async def test_what_is_not_due_is_not_claimed(jobs: JobStore) -> None:
    await ask(jobs, run_at=LATER)
    assert await jobs.claim("a", NOW, 5) == []
    assert await jobs.next_run_at() == LATER
    assert (await claimed(jobs, LATER)).run_at == LATER


async def test_a_released_job_is_for_the_next_one(jobs: JobStore) -> None:
    await ask(jobs)
    await jobs.release(await claimed(jobs), NOW)
    assert (await claimed(jobs, NOW, "b")).attempts == 0


async def test_failures_are_counted_by_kind(jobs: JobStore) -> None:
    await ask(jobs)
    for attempt, kind in enumerate(("timeout", "parse_error", "timeout"), start=1):
        job = await claimed(jobs)
        await jobs.fail(job, kind, NOW, retry_at=NOW, attempts=attempt, raw="x" * 999)
    failed = await only(jobs)
    assert failed.failures == {"timeout": 2, "parse_error": 1}
    assert (failed.status, failed.attempts, failed.last_error) == ("waiting", 3, "timeout")
    assert failed.raw == "x" * 400


async def test_a_dead_job_stays_dead_until_it_is_tried_again(jobs: JobStore) -> None:
    await ask(jobs)
    await jobs.fail(await claimed(jobs), "error", NOW, retry_at=None, attempts=8)
    assert not await ask(jobs)
    assert await jobs.claim("a", LATER, 5) == []
    (dead,) = await jobs.all("dead")
    assert (dead.attempts, dead.expires_at) == (8, NOW + DEAD_KEPT)
    assert await jobs.retry(dead.id, NOW)
    assert not await jobs.retry(dead.id, NOW)
    assert not await jobs.retry("extract:1", NOW)
    revived = await claimed(jobs)
    assert (revived.attempts, revived.expires_at) == (0, None)


async def test_a_dead_job_that_is_still_wanted_after_a_day_starts_anew(jobs: JobStore) -> None:
    await ask(jobs)
    await jobs.fail(await claimed(jobs), "error", NOW, retry_at=None, attempts=8)
    assert not await ask(jobs, run_at=NOW + DEAD_RESTS - timedelta(seconds=1))
    assert await ask(jobs, run_at=NOW + DEAD_RESTS)
    anew = await claimed(jobs, NOW + DEAD_RESTS)
    assert (anew.attempts, anew.expires_at) == (0, None)


@pytest.mark.parametrize("change", [{"kind": "tidy_up"}, {"run_at": NOW, "attempts": "many"}])
async def test_a_row_that_makes_no_sense_holds_nobody_up(
    jobs: JobStore, db: Database, change: dict[str, Any]
) -> None:
    await ask(jobs, 1)
    await db["jobs"].update_one({"_id": "extract:1"}, {"$set": change})
    await ask(jobs, 2)
    assert [job.subject for job in await jobs.claim("a", NOW, 5)] == [2]
    assert [job.subject for job in await jobs.all()] == [2]
    row = await db["jobs"].find_one({"_id": "extract:1"})
    assert row is not None
    assert (row["status"], row["last_error"]) == ("dead", "unreadable")


async def test_finished_rows_and_raw_answers_go_when_their_time_is_over(jobs: JobStore) -> None:
    for subject in (1, 2, 3):
        await ask(jobs, subject)
    done, dead, tried = await jobs.claim("a", NOW, 5)
    await jobs.finish(done, NOW)
    await jobs.fail(dead, "error", NOW, retry_at=None, attempts=8, raw="xxx")
    await jobs.fail(tried, "parse_error", NOW, retry_at=LATER, attempts=1, raw="xxx")
    before = NOW + DONE_KEPT - timedelta(seconds=1)
    assert await jobs.forget_expired(before) == 0
    assert sorted(job.raw or "" for job in await jobs.all()) == ["", "xxx", "xxx"]
    assert await jobs.forget_expired(NOW + DONE_KEPT) == 1
    kept = await jobs.all()
    assert sorted((job.subject, job.raw) for job in kept) == [(2, None), (3, None)]
    assert await jobs.forget_expired(NOW + DEAD_KEPT) == 1
    assert [job.subject for job in await jobs.all()] == [3]


async def test_jobs_are_listed_by_status_and_subject(jobs: JobStore) -> None:
    for subject in (1, 2, 3):
        await ask(jobs, subject, run_at=NOW + timedelta(seconds=9 - subject))
    (job,) = await jobs.claim("a", LATER, 1)
    await ask(jobs, 1, JobKind.COMPRESS, run_at=LATER)
    assert [job.subject for job in await jobs.all()] == [3, 2, 1, 1]
    assert await jobs.all("running") == [job]
    assert [job.id for job in await jobs.all("waiting", 1)] == ["extract:1", "compress:1"]
    assert await jobs.all("dead", 1) == []
    assert len(await jobs.all(limit=2)) == 2
