"""The housekeeping that a clock triggers: flush, save, sum up, expire, look for what is owed."""

from __future__ import annotations

from collections.abc import Callable

from loguru import logger

from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.inbox import InboxStore
from app.database.metrics_state import MetricsStateStore
from app.database.usage import UsageStore
from app.services.metrics import Metrics
from app.services.usage_log import UsageLog


class Maintenance:
    """Each method is one tick's work, short, and harmless when repeated."""

    def __init__(
        self,
        *,
        conversations: ConversationStore,
        inbox: InboxStore,
        usage: UsageStore,
        usage_log: UsageLog,
        metrics_state: MetricsStateStore,
        metrics: Metrics,
        queue_depth: Callable[[], int],
        deliver: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self._conversations = conversations
        self._inbox = inbox
        self._usage = usage
        self._usage_log = usage_log
        self._metrics_state = metrics_state
        self._metrics = metrics
        self._queue_depth = queue_depth
        self._deliver = deliver
        self._clock = clock
        self._saved: dict[str, float] = {}

    async def load_metrics(self) -> None:
        """Continue the counters where the last run left them."""
        self._metrics.restore(await self._metrics_state.load())
        self._saved = self._metrics.snapshot()

    async def flush(self) -> None:
        """Write usage rows, and counters when they moved."""
        self._metrics.set_gauge("queue.depth", self._queue_depth())
        await self._usage_log.flush()
        values = self._metrics.snapshot()
        if values != self._saved:
            await self._metrics_state.save(values)
            self._saved = values

    async def sweep(self) -> None:
        """Hand every conversation that is owed something to its worker."""
        for key in await self._conversations.due_deliveries(self._clock.now()):
            self._deliver(key)

    async def expire(self) -> None:
        """Delete inbox and usage rows whose time is over."""
        now = self._clock.now()
        await self._inbox.forget_expired(now)
        await self._usage.forget_expired(now)

    async def sum_up(self) -> None:
        """One log line with the counters."""
        logger.info("counters: {}", self._metrics.summary_line())
