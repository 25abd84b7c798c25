"""What becomes of a job that failed: tried again later, or given up."""

from __future__ import annotations

import zlib
from datetime import datetime, timedelta

from app.domain.conversation import Frozen
from app.domain.job import Job, JobKind

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=6)
MAX_ATTEMPTS = 8
NEVER_DEAD = frozenset({JobKind.EXTRACT_RANGE, JobKind.EFFECTS})
"""Kinds whose loss would lose something a person said, or a part of a commit."""
UNCOUNTED = frozenset({"no_model"})


class Retry(Frozen):
    """Try again at a moment; `attempts` is the count from then on."""

    at: datetime
    attempts: int


class Dead(Frozen):
    """Give up, until somebody asks for it again."""

    attempts: int


def after_failure(job: Job, kind: str, now: datetime) -> Retry | Dead:
    """Twice the pause each time, with a jitter of a tenth that is the same on every run."""
    attempts = job.attempts if kind in UNCOUNTED else job.attempts + 1
    if attempts >= MAX_ATTEMPTS and job.kind not in NEVER_DEAD:
        return Dead(attempts=attempts)
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(max(attempts - 1, 0), 16))
    jitter = zlib.crc32(f"{job.id}|{attempts}".encode()) % 1000 / 10_000
    return Retry(at=now + pause * (1 + jitter), attempts=attempts)
