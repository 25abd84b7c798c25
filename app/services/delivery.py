"""Delivery: sends what a conversation owes, part by part, and remembers how far it got."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

from loguru import logger

from app.clock import Clock
from app.database.conversations import ConversationStore, Grant
from app.domain.conversation import Conversation, OutboxRow
from app.errors import ChatMoved, SendAmbiguous, SendError, SendRejected, StoreUnavailable
from app.memory.delivery_policy import Step, after_error, confirmed, is_finished
from app.services.metrics import Metrics
from app.services.ports import Channel

FIRST_PAUSE_SECS = 0.1
LONGEST_PAUSE_SECS = 5.0

DeliverAt = Callable[[str, float], None]


class Delivery:
    """Works through an outbox under the conversation's lease."""

    def __init__(
        self,
        store: ConversationStore,
        channel: Channel,
        deliver_at: DeliverAt,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._store = store
        self._channel = channel
        self._deliver_at = deliver_at
        self._clock = clock
        self._metrics = metrics

    async def run(self, grant: Grant, conversation: Conversation) -> None:
        """Send everything that is due and give the lease back.

        Raises ChatMoved when the group has a new id; everything else is settled here.
        """
        outbox = list(conversation.outbox)
        if not outbox:
            await self._store.release(grant)
            return
        if conversation.blocked:
            await self._settle(grant, outbox, None, release=True)
            return
        wait = self._still_waiting(conversation)
        if wait > 0:
            await self._store.release(grant)
            self._deliver_at(grant.key, wait)
            return
        delivered: OutboxRow | None = None
        unsettled = False
        while outbox:
            if unsettled and outbox[0].kind == "text":
                await self._settle(grant, outbox, self._clock.now(), delivered=delivered)
                delivered, unsettled = None, False
            row, at, parked = await self._send_row(grant, outbox)
            if parked:
                await self._settle(
                    grant, outbox, None, blocked=True, delivered=delivered, release=True
                )
                return
            if at is not None:
                await self._settle(grant, outbox, at, delivered=delivered, release=True)
                self._deliver_at(grant.key, (at - self._clock.now()).total_seconds())
                return
            outbox.pop(0)
            unsettled = unsettled or row.kind == "text"
            if any(message.outbox_id == row.id for message in conversation.messages):
                delivered = row
        await self._settle(grant, outbox, None, delivered=delivered, release=True)

    def _still_waiting(self, conversation: Conversation) -> float:
        """Seconds until Telegram, or our own backoff, lets this chat be written to again."""
        at = conversation.next_delivery_at
        return (at - self._clock.now()).total_seconds() if at else 0.0

    async def _send_row(
        self, grant: Grant, outbox: list[OutboxRow]
    ) -> tuple[OutboxRow, datetime | None, bool]:
        """Send the first row; returns it, when to go on if not now, and whether to park."""
        while not is_finished(outbox[0]):
            row = outbox[0]
            try:
                outbox[0] = confirmed(row, await self._send(row))
            except ChatMoved:
                raise
            except Exception as trouble:  # noqa: BLE001 - no reply may block those behind it
                error = trouble if isinstance(trouble, SendError) else _refused(trouble)
                decision = after_error(row, error, self._clock.now())
                self._metrics.incr("delivery.errors")
                logger.warning("send failed ({}): {}", type(error).__name__, decision.step)
                outbox[0] = decision.row
                if decision.step is Step.PARK:
                    return row, None, True
                if decision.step is Step.DROP:
                    self._metrics.incr("delivery.dropped")
                if decision.at is not None and decision.at > self._clock.now():
                    return row, decision.at, False
                if isinstance(error, SendAmbiguous):
                    self._metrics.incr("delivery.ambiguous")
                    await self._settle(grant, outbox, self._clock.now())
                continue
            if not is_finished(outbox[0]):
                await self._settle(grant, outbox, self._clock.now())
        return outbox[0], None, False

    async def _settle(self, *settlement: Any, **options: Any) -> None:
        """Write what was sent. While the database is away, try again: what Telegram has accepted
        is known to nobody else."""
        pause = FIRST_PAUSE_SECS
        while True:
            try:
                await self._store.settle(*settlement, **options)
                return
            except StoreUnavailable:
                await asyncio.sleep(pause)
                pause = min(LONGEST_PAUSE_SECS, pause * 2)

    async def _send(self, row: OutboxRow) -> int | None:
        if row.kind == "reaction":
            await self._channel.react(row)
            return None
        message_id = await self._channel.send_part(row, row.cursor)
        self._metrics.incr("delivery.sent")
        return message_id


def _refused(trouble: Exception) -> SendRejected:
    """A fault of our own in sending, which sending again would meet again."""
    return SendRejected(type(trouble).__name__)
