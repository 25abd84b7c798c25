"""Which failed jobs come back, when, and which are given up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.job import Job, JobKind, job_id
from app.memory.job_policy import (
    FIRST_PAUSE,
    FREE_LOSSES,
    LONGEST_PAUSE,
    LONGEST_WITHOUT_MODEL,
    MAX_ATTEMPTS,
    NEVER_DEAD,
    UNCOUNTED,
    Dead,
    Retry,
    after_failure,
    after_loss,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=60)
MORTAL = sorted(set(JobKind) - NEVER_DEAD)


def a_job(kind: JobKind = JobKind.COMPRESS, attempts: int = 0, subject: int = 1001) -> Job:
    return Job(
        id=f"{kind}:{subject}",
        kind=kind,
        subject=subject,
        run_at=NOW,
        created_at=NOW,
        attempts=attempts,
    )


def pause(job: Job, kind: str = "timeout") -> timedelta:
    after = after_failure(job, kind, NOW)
    assert isinstance(after, Retry)
    return after.at - NOW


@pytest.mark.parametrize(
    ("attempts", "longest"),
    [(0, 30), (1, 60), (2, 120), (3, 240), (4, 480), (5, 960), (6, 1_920)],
)
def test_the_pause_doubles(attempts: int, longest: float) -> None:
    seconds = pause(a_job(attempts=attempts)).total_seconds()
    assert longest * 0.9 <= seconds <= longest


@given(attempts=st.integers(0, 10_000), subject=st.integers(1, 10**12))
def test_a_parked_run_of_messages_is_tried_for_ever(attempts: int, subject: int) -> None:
    job = a_job(JobKind.EXTRACT_RANGE, attempts, subject)
    assert FIRST_PAUSE * 0.9 <= pause(job) <= LONGEST_PAUSE
    assert pause(job) == pause(job)
    rest = after_loss(job.model_copy(update={"lost": True}), NOW, LEASE)
    assert not isinstance(rest, Dead)


@pytest.mark.parametrize("kind", MORTAL)
def test_others_are_given_up_after_eight_attempts(kind: JobKind) -> None:
    job = a_job(kind)
    for attempt in range(1, MAX_ATTEMPTS):
        after = after_failure(job, "parse_error", NOW)
        assert isinstance(after, Retry)
        assert after.attempts == attempt
        job = job.model_copy(update={"attempts": after.attempts})
    assert after_failure(job, "parse_error", NOW) == Dead(attempts=MAX_ATTEMPTS)


@pytest.mark.parametrize("kind", MORTAL)
def test_what_takes_its_workers_down_is_given_up_after_eight_of_them(kind: JobKind) -> None:
    job = a_job(kind, MAX_ATTEMPTS).model_copy(update={"lost": True})
    assert after_loss(job, NOW, LEASE) == Dead(attempts=MAX_ATTEMPTS)


@pytest.mark.parametrize(
    ("losses", "leases"), [(1, None), (2, None), (3, 1), (4, 2), (5, 4), (7, 16), (8, 16), (40, 16)]
)
def test_what_takes_its_workers_down_rests_longer_each_time(
    losses: int, leases: int | None
) -> None:
    job = a_job(JobKind.EXTRACT, losses).model_copy(update={"lost": True})
    rest = after_loss(job, NOW, LEASE)
    assert rest == (Retry(at=NOW + leases * LEASE, attempts=losses) if leases else None)
    assert (losses <= FREE_LOSSES) == (leases is None)


@given(attempts=st.integers(0, 100))
def test_a_job_that_rested_is_begun_again(attempts: int) -> None:
    assert after_loss(a_job(attempts=attempts), NOW, LEASE) is None


@pytest.mark.parametrize("failure", sorted(UNCOUNTED))
@pytest.mark.parametrize("attempts", [0, MAX_ATTEMPTS - 1, 40])
def test_nobody_to_ask_is_not_an_attempt_and_soon_asked_again(failure: str, attempts: int) -> None:
    after = after_failure(a_job(attempts=attempts), failure, NOW)
    assert isinstance(after, Retry)
    assert after.attempts == attempts
    assert timedelta(minutes=1) < after.at - NOW <= timedelta(minutes=2)


@pytest.mark.parametrize(
    ("failures", "longest"),
    [
        ({}, 2),
        ({"server": 1}, 4),
        ({"server": 1, "breaker_open": 1}, 8),
        ({"breaker_open": 3, "timeout": 9}, 16),
        ({"connection": 10_000}, 16),
    ],
)
def test_while_nobody_can_be_asked_the_pause_grows_to_sixteen_minutes(
    failures: dict[str, int], longest: int
) -> None:
    job = a_job(JobKind.EXTRACT_RANGE).model_copy(update={"failures": failures})
    minutes = pause(job, "breaker_open").total_seconds() / 60
    assert longest * 0.9 <= minutes <= longest
    assert minutes * 60 <= LONGEST_WITHOUT_MODEL.total_seconds()


def test_jobs_that_failed_together_come_back_apart() -> None:
    pauses = {pause(a_job(attempts=3, subject=number)) for number in range(50)}
    assert len(pauses) > 40


@pytest.mark.parametrize(
    ("kind", "conversation", "args", "period", "expected"),
    [
        (JobKind.EXTRACT, "1001:5", {}, "", "extract:1001:5"),
        (
            JobKind.EXTRACT_RANGE,
            "1001",
            {"from_seq": 3, "through_seq": 9},
            "",
            "extract_range:1001:3-9",
        ),
        (
            JobKind.EXTRACT_RANGE,
            "1001",
            {"from_seq": 3, "through_seq": 3, "edited": 77},
            "",
            "extract_range:1001:3-3:e77",
        ),
        (
            JobKind.TURN_FACTS,
            "1001",
            {"from_seq": 5, "through_seq": 6},
            "",
            "turn_facts:1001:5-6",
        ),
        (JobKind.COMPRESS, None, {}, "", "compress:1001"),
        (JobKind.CONSOLIDATE, None, {}, "2026-03-01", "consolidate:1001:2026-03-01"),
        (JobKind.EFFECTS, None, {}, "", "effects:1001"),
    ],
)
def test_the_same_work_has_the_same_id(
    kind: JobKind, conversation: str | None, args: dict[str, int], period: str, expected: str
) -> None:
    assert job_id(kind, 1001, conversation, args, period) == expected
