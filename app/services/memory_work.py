"""Work that is due on memory, written down as jobs; who does them is another matter."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from loguru import logger

from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.jobs import JobStore
from app.database.profiles import ProfileStore
from app.domain.conversation import Conversation
from app.domain.job import JobKind
from app.errors import StoreError
from app.services.metrics import Metrics

AGAIN_AFTER = timedelta(minutes=10)
"""When an extraction is looked for again that was handed out and never reported back."""
BATCH = 200

Told = tuple[JobKind, int, str | None, tuple[int, int] | None]
"""Kind, subject, conversation, and the numbers of the first and last message it is about."""


class MemoryWork:
    """Finds what is due by index, or is told of it, and enqueues one job for each.

    What it is told is lost when the process dies; the scans find it again.
    """

    def __init__(
        self,
        *,
        conversations: ConversationStore,
        profiles: ProfileStore,
        jobs: JobStore,
        is_offline: Callable[[], bool],
        worth_reading: Callable[[Conversation], tuple[int, int] | None],
        on_enqueued: Callable[[], None],
        consolidation_interval_secs: float,
        consolidation_limit: int,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._conversations = conversations
        self._profiles = profiles
        self._jobs = jobs
        self._is_offline = is_offline
        self._worth_reading = worth_reading
        self._on_enqueued = on_enqueued
        self._interval = timedelta(seconds=consolidation_interval_secs)
        self._limit = consolidation_limit
        self._clock = clock
        self._metrics = metrics
        self._told: set[Told] = set()
        self._wake = asyncio.Event()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to enqueue what an earlier process left due, and then what one is told."""
        self._quiet.clear()
        self._task = asyncio.create_task(self._listen(), name="memory-work")

    async def stop(self) -> None:
        """End; what was told and not enqueued yet is found by the next scan."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def idle(self) -> None:
        """Return when everything told so far is enqueued."""
        await self._quiet.wait()

    def owes(self, subject: int) -> None:
        """A memory commit left rows to be written."""
        self._tell(JobKind.EFFECTS, subject, None)

    def may_extract(self, subject: int, conversation: str) -> None:
        """A conversation has enough to extract from."""
        if not self._is_offline():
            self._tell(JobKind.EXTRACT, subject, conversation)

    def answered(self, subject: int, conversation: Conversation) -> None:
        """A turn was answered; `conversation` is as it stood before. Some are read at once."""
        span = self._worth_reading(conversation)
        if span is not None:
            self._tell(JobKind.TURN_FACTS, subject, conversation.key, span)

    def over_budget(self, subject: int) -> None:
        """A profile doesn't fit its budget."""
        self._tell(JobKind.COMPRESS, subject, None)

    async def edited(self, subject: int, conversation: str, number: int, update_id: int) -> None:
        """A stored message reads differently now; written down before the edit counts as done."""
        await self._enqueue(
            JobKind.EXTRACT_RANGE,
            subject=subject,
            conversation=conversation,
            args={"from_seq": number, "through_seq": number, "edited": update_id},
            run_at=self._clock.now(),
        )
        self._on_enqueued()

    async def scan(self) -> None:
        """Enqueue the extractions and effects that are due."""
        now = self._clock.now()
        if not self._is_offline():
            for key in await self._conversations.due_extractions(now, BATCH):
                subject = int(key.partition(":")[0])
                await self._enqueue(JobKind.EXTRACT, subject=subject, conversation=key, run_at=now)
                await self._conversations.extract_not_before(key, now, now + AGAIN_AFTER)
        for profile in await self._profiles.owing(now, BATCH):
            await self._enqueue(JobKind.EFFECTS, subject=profile, run_at=now)
        self._on_enqueued()

    async def scan_consolidations(self) -> None:
        """Enqueue the consolidations that are due: each subject once a day, whoever scans."""
        if self._interval <= timedelta(0) or self._is_offline():
            return
        now = self._clock.now()
        for subject in await self._profiles.due_for_consolidation(
            now - self._interval, self._limit
        ):
            await self._enqueue(
                JobKind.CONSOLIDATE, subject=subject, run_at=now, period=f"{now:%Y-%m-%d}"
            )
        self._on_enqueued()

    async def expire(self) -> None:
        """Delete finished jobs whose time is over."""
        await self._jobs.forget_expired(self._clock.now())

    async def _enqueue(self, kind: JobKind, *, subject: int, run_at: datetime, **more: Any) -> None:
        if await self._jobs.enqueue(kind, subject=subject, run_at=run_at, **more):
            self._metrics.incr("jobs.enqueued")

    def _tell(
        self,
        kind: JobKind,
        subject: int,
        conversation: str | None,
        span: tuple[int, int] | None = None,
    ) -> None:
        self._told.add((kind, subject, conversation, span))
        self._quiet.clear()
        self._wake.set()

    async def _listen(self) -> None:
        await self._or_later(self.scan())
        while True:
            if not self._told:
                self._quiet.set()
            await self._wake.wait()
            self._wake.clear()
            told, self._told = self._told, set()
            await self._or_later(self._enqueue_all(told))
            self._on_enqueued()

    async def _enqueue_all(self, told: set[Told]) -> None:
        for kind, subject, conversation, span in told:
            await self._enqueue(
                kind,
                subject=subject,
                conversation=conversation,
                args={"from_seq": span[0], "through_seq": span[1]} if span else None,
                run_at=self._clock.now(),
            )

    async def _or_later(self, work: Awaitable[None]) -> None:
        """Do what the next scan would do too, should the database be away now."""
        try:
            await work
        except StoreError as error:
            self._metrics.incr("scheduler.errors")
            logger.warning("jobs not enqueued, the next scan will: {}", type(error).__name__)
