"""Turns: one worker a conversation, batches by time, order by receipt, retries, dead letters."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Protocol

from loguru import logger

from app.clock import Clock
from app.domain.conversation import Frozen
from app.domain.inbox import UpdateKind
from app.errors import LeaseHeld, LeaseLost, StoreUnavailable
from app.memory.batching import BatchRules, closes_at, is_flood
from app.services.intake import Received
from app.services.metrics import Metrics

RETRY_PAUSE_SECS = 1.0
MAX_RETRY_PAUSE_SECS = 30.0
TALK = frozenset({UpdateKind.MESSAGE, UpdateKind.EDIT})


class Batch(Frozen):
    """What one turn answers: messages in order, or a single update of another kind."""

    key: str
    items: tuple[Received, ...]
    flood: bool = False


class TurnHandler(Protocol):
    """What the workers call."""

    async def handle(self, batch: Batch) -> None:
        """Do everything a batch asks for; safe to call again after any failure."""
        ...

    async def deliver(self, key: str) -> None:
        """Send what is owed to a conversation."""
        ...

    async def failed(self, item: Received, error: Exception) -> bool:
        """Count a failed attempt; True when the item was given up."""
        ...


class _Conversation:
    def __init__(self) -> None:
        self.queue: deque[Received] = deque()
        self.queued: set[str] = set()
        self.sent: dict[int, deque[datetime]] = defaultdict(lambda: deque(maxlen=64))
        self.deliver = False
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def take(self) -> None:
        """Remove the head of the queue, which is finished."""
        self.queued.discard(self.queue.popleft().row_id)


class Turns:
    """Runs the workers. `submit` never blocks and never drops."""

    def __init__(
        self, handler: TurnHandler, rules: BatchRules, clock: Clock, metrics: Metrics
    ) -> None:
        self._handler = handler
        self._rules = rules
        self._clock = clock
        self._metrics = metrics
        self._conversations: dict[str, _Conversation] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._stopping = False
        self._stopped = asyncio.Event()

    @property
    def depth(self) -> int:
        """Updates that wait in memory."""
        return sum(len(c.queue) for c in self._conversations.values())

    def submit(self, received: Received) -> None:
        """Queue an update for its conversation's worker, unless it stands in the queue already."""
        conversation = self._wake(received.incoming.conversation)
        if received.row_id in conversation.queued:
            return
        conversation.queued.add(received.row_id)
        conversation.queue.append(received)
        incoming = received.incoming
        if incoming.kind is UpdateKind.MESSAGE and incoming.sent_at is not None:
            conversation.sent[incoming.sender_id].append(incoming.sent_at)

    def deliver(self, key: str) -> None:
        """Let a conversation's worker send what is owed."""
        self._wake(key).deliver = True

    def deliver_at(self, key: str, delay: float) -> None:
        """The same, `delay` seconds from now; a newer time replaces an older one."""
        timer = self._timers.pop(key, None)
        if timer:
            timer.cancel()

        def fire() -> None:
            self._timers.pop(key, None)
            self.deliver(key)

        self._timers[key] = asyncio.get_running_loop().call_later(max(0.0, delay), fire)

    async def stop(self, grace: float = 10.0) -> None:
        """Let running turns end within `grace` seconds; what is left waits in the inbox."""
        self._stopping = True
        self._stopped.set()
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        tasks = [c.task for c in self._conversations.values() if c.task and not c.task.done()]
        for conversation in self._conversations.values():
            conversation.changed.set()
        if not tasks:
            return
        _, pending = await asyncio.wait(tasks, timeout=grace)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

    def _wake(self, key: str) -> _Conversation:
        conversation = self._conversations.setdefault(key, _Conversation())
        if conversation.task is None and not self._stopping:
            conversation.task = asyncio.create_task(
                self._work(key, conversation), name=f"turn:{key}"
            )
        conversation.changed.set()
        return conversation

    async def _work(self, key: str, conversation: _Conversation) -> None:
        pause = RETRY_PAUSE_SECS
        while not self._stopping and (conversation.queue or conversation.deliver):
            try:
                if conversation.queue:
                    await self._one_turn(key, conversation)
                else:
                    conversation.deliver = False
                    await self._handler.deliver(key)
                pause = RETRY_PAUSE_SECS
            except (LeaseHeld, LeaseLost, StoreUnavailable) as error:
                logger.warning("conversation waits {:g} s: {}", pause, type(error).__name__)
                conversation.deliver = True
                await self._pause(pause)
                pause = min(MAX_RETRY_PAUSE_SECS, pause * 2)
            except Exception as error:  # noqa: BLE001 - the loop must outlive any turn
                self._metrics.incr("turns.failed")
                logger.error("delivery failed: {}", type(error).__name__)
                await self._pause(pause)
        conversation.task = None
        if not conversation.queue and not conversation.deliver:
            self._conversations.pop(key, None)

    async def _one_turn(self, key: str, conversation: _Conversation) -> None:
        batch = await self._collect(key, conversation)
        if not batch.items:
            return
        try:
            await self._handler.handle(batch)
        except (LeaseHeld, LeaseLost, StoreUnavailable):
            raise
        except Exception as error:  # noqa: BLE001 - counted, logged, retried, then a dead letter
            await self._count_failure(conversation, batch, error)
            return
        for _ in batch.items:
            conversation.take()

    async def _count_failure(
        self, conversation: _Conversation, batch: Batch, error: Exception
    ) -> None:
        self._metrics.incr("turns.failed")
        logger.opt(exception=error).error("turn failed: {}", type(error).__name__)
        first = conversation.queue[0]
        if await self._handler.failed(first, error):
            conversation.take()
            return
        attempts = first.attempts + 1
        conversation.queue[0] = first.model_copy(update={"attempts": attempts})
        await self._pause(min(MAX_RETRY_PAUSE_SECS, 0.25 * 2**attempts))

    async def _collect(self, key: str, conversation: _Conversation) -> Batch:
        """Wait until the batch at the head of the queue is complete, and return it."""
        while not self._stopping:
            conversation.changed.clear()
            items, closed = self._head(conversation)
            flood = any(is_flood(list(s), self._rules) for s in conversation.sent.values())
            due = closes_at(items[0].arrived, items[-1].arrived, flood, self._rules)
            wait = due - self._clock.monotonic()
            if closed or wait <= 0:
                if flood:
                    self._metrics.incr("throttle.drops")
                    conversation.sent.clear()
                return Batch(key=key, items=tuple(items), flood=flood)
            try:
                async with asyncio.timeout(wait):
                    await conversation.changed.wait()
            except TimeoutError:
                continue
        return Batch(key=key, items=())

    def _head(self, conversation: _Conversation) -> tuple[Sequence[Received], bool]:
        """The items that belong together, and whether nothing more can join them."""
        first = conversation.queue[0]
        if first.incoming.kind not in TALK or first.attempts:
            return [first], True
        items: list[Received] = []
        for item in conversation.queue:
            if item.incoming.kind not in TALK or item.attempts:
                return items, True
            items.append(item)
            if len(items) >= self._rules.max_messages:
                return items, True
        return items, False

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopped.wait()
