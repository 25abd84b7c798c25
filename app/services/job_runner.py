"""The job runner: claims due jobs, runs them beside each other, and settles how they ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import timedelta

from loguru import logger

from app.clock import Clock
from app.database.jobs import JobStore
from app.domain.job import Job, JobKind
from app.errors import JobFailed, LeaseHeld, LeaseLost, StoreError
from app.memory.job_policy import Retry, after_failure
from app.services.metrics import Metrics
from app.services.user_task_manager import UserTaskManager

Handler = Callable[[Job], Awaitable[None]]
LOCKED_PAUSE = timedelta(seconds=5)
LONGEST_SLEEP = 5.0
"""Seconds after which the runner looks for work that another process left."""


class JobRunner:
    """Sleeps until a job is due, it is nudged, or LONGEST_SLEEP passed."""

    def __init__(
        self,
        *,
        jobs: JobStore,
        handlers: Mapping[JobKind, Handler],
        manager: UserTaskManager,
        owner: str,
        concurrency: int,
        lease_secs: float,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._jobs = jobs
        self._handlers = handlers
        self._manager = manager
        self._owner = owner
        self._concurrency = concurrency
        self._heartbeat = lease_secs / 3
        self._clock = clock
        self._metrics = metrics
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._work(), name="job-runner")

    async def stop(self) -> None:
        """Stop claiming, and hand back what is under way."""
        tasks = [task for task in (self._task, *self._running) if task is not None]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    def nudge(self) -> None:
        """There may be something to do."""
        self._idle.clear()
        self._wake.set()

    async def idle(self) -> None:
        """Return when nothing is due and nothing runs."""
        await self._idle.wait()

    async def _work(self) -> None:
        while True:
            self._wake.clear()
            try:
                pause = await self._round()
            except StoreError as error:
                self._metrics.incr("scheduler.errors")
                logger.warning("jobs can't be read: {}", type(error).__name__)
                pause = LONGEST_SLEEP
            if pause > 0:
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._wake.wait()

    async def _round(self) -> float:
        """Start what is due; returns the seconds until it is worth looking again."""
        room = self._concurrency - len(self._running)
        claimed: list[Job] = []
        if room > 0:
            claimed = await self._jobs.claim(self._owner, self._clock.now(), room)
        for job in claimed:
            task = asyncio.create_task(self._run(job), name=f"job-{job.kind}")
            self._running.add(task)
            task.add_done_callback(self._ended)
        if claimed:
            return LONGEST_SLEEP if len(self._running) >= self._concurrency else 0.0
        due = await self._jobs.next_run_at()
        if not self._running and not self._wake.is_set():
            self._idle.set()
        if due is None or room <= 0:
            return LONGEST_SLEEP
        return min(LONGEST_SLEEP, max(0.05, (due - self._clock.now()).total_seconds()))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._wake.set()

    async def _run(self, job: Job) -> None:
        try:
            async with self._manager.locked(job.subject):
                beat = asyncio.create_task(self._beat(job), name="job-heartbeat")
                try:
                    await self._settle(job)
                finally:
                    beat.cancel()
        except (LeaseHeld, LeaseLost):
            self._metrics.incr("jobs.lost_lease")
            with suppress(StoreError):
                await self._jobs.fail(
                    job,
                    "lease_held",
                    self._clock.now(),
                    retry_at=self._clock.now() + LOCKED_PAUSE,
                    attempts=job.attempts,
                )
        except StoreError as error:
            logger.warning("job {} not settled: {}", job.kind, type(error).__name__)
        except asyncio.CancelledError:
            with suppress(StoreError):
                await self._jobs.release(job, self._clock.now())
            raise

    async def _settle(self, job: Job) -> None:
        raw = None
        try:
            await self._handlers[job.kind](job)
        except JobFailed as failed:
            kind, raw = failed.kind, failed.raw
        except (LeaseHeld, LeaseLost):
            raise
        except Exception as error:  # noqa: BLE001 - one job's end; counted, logged, tried again
            kind = "error"
            logger.error("job {} failed: {}", job.kind, type(error).__name__)
        else:
            await self._jobs.finish(job, self._clock.now())
            self._metrics.incr("jobs.done")
            return
        now = self._clock.now()
        next_step = after_failure(job, kind, now)
        retry_at = next_step.at if isinstance(next_step, Retry) else None
        self._metrics.incr("jobs.failed" if retry_at else "jobs.dead")
        await self._jobs.fail(
            job, kind, now, retry_at=retry_at, attempts=next_step.attempts, raw=raw
        )

    async def _beat(self, job: Job) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            with suppress(StoreError):
                await self._jobs.heartbeat(job, self._clock.now())
                await self._manager.renew(job.subject)
