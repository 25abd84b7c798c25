"""What becomes of a job that failed: tried again later, or given up."""

from __future__ import annotations

import zlib
from datetime import datetime, timedelta

from app.domain.conversation import Frozen
from app.domain.job import Job, JobKind
from app.errors import ModelFailure

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=6)
PAUSE_WITHOUT_MODEL = timedelta(minutes=2)
LONGEST_WITHOUT_MODEL = timedelta(minutes=16)
MAX_ATTEMPTS = 8
FREE_LOSSES = 2
"""How often a job is begun again at once whose worker went away: it may not be the job's doing."""
MAX_REST_LEASES = 16
NEVER_DEAD = frozenset({JobKind.EXTRACT, JobKind.EXTRACT_RANGE, JobKind.EFFECTS})
"""Kinds whose loss would lose something a person said, or a part of a commit."""
UNCOUNTED = frozenset(
    {
        ModelFailure.NO_MODEL.value,
        ModelFailure.BREAKER_OPEN.value,
        ModelFailure.CONNECTION.value,
        ModelFailure.RATE_LIMIT.value,
        ModelFailure.SERVER.value,
        ModelFailure.AUTH.value,
        ModelFailure.NO_CREDIT.value,
        ModelFailure.UNKNOWN_MODEL.value,
    }
)
"""Failures that say nothing about the job: there is nobody to ask just now."""
LOST = "lost"
"""The failure of a job whose worker went away in the middle of it."""


class Retry(Frozen):
    """Try again at a moment; `attempts` is the count from then on."""

    at: datetime
    attempts: int


class Dead(Frozen):
    """Give up, until somebody asks for it again."""

    attempts: int


def after_failure(job: Job, kind: str, now: datetime) -> Retry | Dead:
    """Twice the pause each time, up to LONGEST_PAUSE.

    While there is nobody to ask, up to LONGEST_WITHOUT_MODEL, and no attempt is counted. Each
    pause is shortened by up to a tenth, the same on every run, so that jobs that failed together
    don't come back together.
    """
    if kind in UNCOUNTED:
        before = sum(job.failures.get(name, 0) for name in UNCOUNTED)
        pause = min(LONGEST_WITHOUT_MODEL, PAUSE_WITHOUT_MODEL * 2 ** min(before, 16))
        return Retry(at=now + pause * _spread(job, before), attempts=job.attempts)
    attempts = job.attempts + 1
    if _is_over(job.kind, attempts):
        return Dead(attempts=attempts)
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 16))
    return Retry(at=now + pause * _spread(job, attempts), attempts=attempts)


def after_loss(job: Job, now: datetime, lease: timedelta) -> Retry | Dead | None:
    """What becomes of a claimed job whose last run took its worker down; None: begin it again.

    From the third such run on it rests before the next, one lease at first and twice as long each
    time up to MAX_REST_LEASES, so that a job that kills its process can't keep the bot from
    running.
    """
    if not job.lost or job.attempts <= FREE_LOSSES:
        return None
    if _is_over(job.kind, job.attempts):
        return Dead(attempts=job.attempts)
    leases = min(MAX_REST_LEASES, 2 ** min(job.attempts - FREE_LOSSES - 1, 16))
    return Retry(at=now + leases * lease, attempts=job.attempts)


def _is_over(kind: JobKind, attempts: int) -> bool:
    return attempts >= MAX_ATTEMPTS and kind not in NEVER_DEAD


def _spread(job: Job, attempts: int) -> float:
    return 1 - zlib.crc32(f"{job.id}|{attempts}".encode()) % 1000 / 10_000
