"""The clock that triggers housekeeping; the only importer of apscheduler."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from loguru import logger

from app.services.metrics import Metrics

Tick = Callable[[], Awaitable[None]]


class Scheduler:
    """Ticks in memory: never two of the same at once, missed ones made up by one."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._scheduler = AsyncIOScheduler(
            timezone="UTC",
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": 60},
        )
        self._scheduler.add_listener(self._report, EVENT_JOB_ERROR)

    def every(self, seconds: float, tick: Tick, name: str) -> None:
        """Run a tick every so many seconds."""
        self._scheduler.add_job(tick, "interval", seconds=seconds, id=name)

    def start(self) -> None:
        """Begin to tick, in the running loop."""
        self._scheduler.start()

    def stop(self) -> None:
        """No more ticks."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    def _report(self, event: Any) -> None:
        self._metrics.incr("scheduler.errors")
        logger.warning("tick {} failed: {}", event.job_id, type(event.exception).__name__)
