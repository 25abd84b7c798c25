"""What model calls cost, gathered in memory and written in batches, off the hot path."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.clock import Clock
from app.database.usage import UsageStore
from app.domain.reply import Usage
from app.errors import StoreUnavailable
from app.services.metrics import Metrics

MAX_KEPT = 10_000


class UsageLog:
    """Counts at once, stores on `flush`."""

    def __init__(self, store: UsageStore, keep_days: int, clock: Clock, metrics: Metrics) -> None:
        self._store = store
        self._keep = timedelta(days=keep_days)
        self._clock = clock
        self._metrics = metrics
        self._rows: list[tuple[datetime, Usage]] = []

    def record(self, usage: Usage) -> None:
        """Take note of one call; never waits."""
        self._metrics.incr(f"llm.{usage.call}.calls")
        outcome = "success" if usage.status == "ok" else "failure"
        self._metrics.incr(f"llm.{usage.call}.{outcome}")
        self._metrics.observe(f"llm.{usage.call}.latency", usage.latency_ms / 1000)
        if len(self._rows) < MAX_KEPT:
            self._rows.append((self._clock.now(), usage))

    async def flush(self) -> None:
        """Write what was gathered; on failure it is kept for the next time."""
        rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            await self._store.add(rows, self._clock.now() + self._keep)
        except StoreUnavailable:
            self._rows = rows + self._rows
            raise
