"""Intake: an update is durable before Telegram is told that it was received."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from loguru import logger

from app.clock import Clock
from app.database.inbox import InboxStore
from app.domain.conversation import Frozen
from app.domain.inbox import InboxRow, InboxStatus, Incoming, UpdateKind, inbox_id
from app.services.metrics import Metrics

UNREADABLE_KEPT = timedelta(days=30)
Parse = Callable[[Mapping[str, Any]], Incoming]


class Received(Frozen):
    """A stored update on its way to its conversation's worker."""

    row_id: str
    incoming: Incoming
    received_at: datetime
    arrived: float
    attempts: int = 0


class Intake:
    """Stores updates and hands the new ones on, in the order of their receipt."""

    def __init__(
        self,
        *,
        bot_id: int,
        inbox: InboxStore,
        parse: Parse,
        submit: Callable[[Received], None],
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._bot_id = bot_id
        self._inbox = inbox
        self._parse = parse
        self._submit = submit
        self._clock = clock
        self._metrics = metrics
        self._last_order = 0
        self._in_order = asyncio.Lock()

    async def accept(self, raw: Mapping[str, Any]) -> None:
        """Store an update and pass it on. Raises StoreUnavailable when it could not be stored.

        An update that was stored before is passed on again only while it is unfinished. One that
        can't be understood is stored as dead, so that it holds nobody up.
        """
        async with self._in_order:
            await self._accept(raw)

    async def _accept(self, raw: Mapping[str, Any]) -> None:
        update_id = int(raw["update_id"])
        incoming = self._understand(raw)
        if incoming is not None and incoming.kind is UpdateKind.IGNORED:
            return
        now = self._clock.now()
        row = InboxRow(
            id=inbox_id(self._bot_id, update_id),
            bot_id=self._bot_id,
            update_id=update_id,
            conversation=incoming.conversation if incoming else "",
            status=InboxStatus.WAITING if incoming else InboxStatus.DEAD,
            payload=json.dumps(raw),
            received_at=now,
            order=self._next_order(now),
            error=None if incoming else "unreadable update",
            expires_at=None if incoming else now + UNREADABLE_KEPT,
        )
        if not await self._inbox.add(row):
            self._metrics.incr("inbox.duplicates")
            if incoming is None or not await self._inbox.is_waiting(row.id):
                return
            # It was stored by a call that never learned of it: nobody else would pass it on.
            self._submit(self._received(row, incoming))
        elif incoming is not None:
            self._metrics.incr("inbox.stored")
            self._submit(self._received(row, incoming))

    async def recover(self) -> int:
        """Pass on everything that was stored but not finished; returns how many."""
        found: list[Received] = []
        async for row in self._inbox.waiting(self._bot_id):
            self._last_order = max(self._last_order, row.order)
            incoming = self._understand(json.loads(row.payload or "{}"))
            if incoming is None or incoming.kind is UpdateKind.IGNORED:
                await self._inbox.dead(row.id, "unreadable update", self._clock.now())
                continue
            found.append(self._received(row, incoming))
        for received in found:
            self._submit(received)
        return len(found)

    def _received(self, row: InboxRow, incoming: Incoming) -> Received:
        waited = max(0.0, (self._clock.now() - row.received_at).total_seconds())
        return Received(
            row_id=row.id,
            incoming=incoming,
            received_at=row.received_at,
            arrived=self._clock.monotonic() - waited,
            attempts=row.attempts,
        )

    def _understand(self, raw: Mapping[str, Any]) -> Incoming | None:
        try:
            return self._parse(raw)
        except Exception as error:  # noqa: BLE001 - whatever Telegram sends must not stop intake
            self._metrics.incr("inbox.unreadable")
            logger.error("update {} can't be read: {}", raw.get("update_id"), type(error).__name__)
            return None

    def _next_order(self, now: datetime) -> int:
        self._last_order = max(self._last_order + 1, int(now.timestamp() * 1000) * 1000)
        return self._last_order
