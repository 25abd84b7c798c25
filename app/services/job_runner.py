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
from app.errors import JobFailed, LeaseHeld, LeaseLost, ModelError, StoreError
from app.memory.job_policy import LOST, Dead, Retry, after_failure, after_loss
from app.services.metrics import Metrics
from app.services.user_task_manager import UserTaskManager

Handler = Callable[[Job], Awaitable[None]]
LOCKED_PAUSE = timedelta(seconds=5)
TROUBLE_PAUSE = 5.0
SHORTEST_SLEEP = 0.05
LONGEST_SLEEP = 60.0
"""Seconds after which the runner looks even if nobody told it: a clock may have been set."""


class JobRunner:
    """Sleeps until the next job is due or somebody nudges it.

    At any moment one job of a subject runs here, so that a slow one holds up no other person.
    """

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
        self._lease = timedelta(seconds=lease_secs)
        self._clock = clock
        self._metrics = metrics
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._running: dict[asyncio.Task[None], int] = {}
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._took_back = False

    async def start(self) -> None:
        """Begin, with what the owner's last process left in the middle."""
        self._task = asyncio.create_task(self._work(), name="job-runner")

    async def stop(self) -> None:
        """Claim nothing more, and hand back what is under way, due at once."""
        self._stopping = True
        self._wake.set()
        # The loop ends by itself, so that no job is claimed and then forgotten.
        if self._task is not None:
            await self._task
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def nudge(self) -> None:
        """There may be something to do."""
        self._idle.clear()
        self._wake.set()

    async def tick(self) -> None:
        """Look for what other processes left, and count what waits; for the scheduler."""
        self.nudge()
        self._metrics.set_gauge("jobs.waiting", await self._jobs.waiting_count())

    async def idle(self) -> None:
        """Return when nothing is due, nothing runs and nothing more is asked of the database."""
        await self._idle.wait()

    async def _work(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                pause = await self._round()
            except Exception as error:  # noqa: BLE001 - the loop outlives any round; counted
                self._metrics.incr("scheduler.errors")
                logger.warning("jobs can't be read: {}", type(error).__name__)
                pause = TROUBLE_PAUSE
            if pause > 0 and not self._stopping:
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause):
                        await self._wake.wait()

    async def _round(self) -> float:
        """Start what is due; returns the seconds until it is worth looking again."""
        if not self._took_back:
            await self._jobs.take_back(self._owner)
            self._took_back = True
        room = self._concurrency - len(self._running)
        if room <= 0:
            return LONGEST_SLEEP
        busy = set(self._running.values())
        claimed = await self._jobs.claim(self._owner, self._clock.now(), room, busy)
        for job in claimed:
            self._idle.clear()
            task = asyncio.create_task(self._run(job), name=f"job-{job.kind}")
            self._running[task] = job.subject
            task.add_done_callback(self._ended)
        if claimed:
            return 0.0
        due = await self._jobs.next_run_at(busy)
        wait = LONGEST_SLEEP if due is None else (due - self._clock.now()).total_seconds()
        if wait > 0 and not self._running and not self._wake.is_set():
            self._idle.set()
        return min(LONGEST_SLEEP, max(SHORTEST_SLEEP, wait))

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._wake.set()

    async def _run(self, job: Job) -> None:
        """One run of a job, whatever comes of it."""
        try:
            rest = after_loss(job, self._clock.now(), self._lease)
            if rest is None:
                await self._settle(job)
            else:
                await self._put_off(job, LOST, rest)
        except (LeaseHeld, LeaseLost):
            self._metrics.incr("jobs.lost_lease")
            with suppress(StoreError):
                await self._jobs.release(job, self._clock.now() + LOCKED_PAUSE)
        except StoreError as error:
            # The lease ends by itself, and then the job is claimed again.
            logger.warning("job {} not settled: {}", job.kind, type(error).__name__)
        except asyncio.CancelledError:
            with suppress(StoreError):
                await self._jobs.release(job, self._clock.now())
            raise

    async def _settle(self, job: Job) -> None:
        raw = None
        try:
            await self._under_lease(job)
        except JobFailed as failed:
            kind, raw = failed.kind, failed.raw
        except ModelError as error:
            kind = error.kind.value
        except (LeaseHeld, LeaseLost):
            raise
        except Exception as error:  # noqa: BLE001 - one job's end; counted, logged, tried again
            kind = "error"
            logger.error("job {} failed: {}", job.kind, type(error).__name__)
        else:
            await self._jobs.finish(job, self._clock.now())
            self._metrics.incr("jobs.done")
            return
        await self._put_off(job, kind, after_failure(job, kind, self._clock.now()), raw)

    async def _put_off(
        self, job: Job, kind: str, then: Retry | Dead, raw: str | None = None
    ) -> None:
        retry_at = then.at if isinstance(then, Retry) else None
        await self._jobs.fail(
            job, kind, self._clock.now(), retry_at=retry_at, attempts=then.attempts, raw=raw
        )
        self._metrics.incr("jobs.failed" if retry_at else "jobs.dead")

    async def _under_lease(self, job: Job) -> None:
        """Do the work, and break it off with LeaseLost when somebody else has the job."""
        work = asyncio.create_task(self._handle(job), name=f"job-work-{job.kind}")
        beat = asyncio.create_task(self._beat(job), name="job-heartbeat")
        try:
            await asyncio.wait((work, beat), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise LeaseLost(job.id)
            if work.cancelled():
                raise JobFailed("cancelled")
            work.result()
        finally:
            work.cancel()
            beat.cancel()
            await asyncio.gather(work, beat, return_exceptions=True)

    async def _handle(self, job: Job) -> None:
        async with self._manager.locked(job.subject):
            await self._handlers[job.kind](job)

    async def _beat(self, job: Job) -> None:
        """Keep the lease; returns when it is lost."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            try:
                await self._jobs.heartbeat(job, self._clock.now())
            except LeaseLost:
                return
            except StoreError:
                continue
