"""Keeping a lease while work is under way, and stopping the work when the lease is lost."""

from __future__ import annotations

import asyncio
from types import TracebackType

from app.clock import Clock
from app.database.conversations import ConversationStore, Grant
from app.errors import LeaseLost, StoreError


class KeptLease:
    """An async context that renews a grant every third of its length.

    Short work costs nothing: the first renewal is only a timer. When the lease is lost, the
    work inside is cancelled and LeaseLost is raised.
    """

    def __init__(
        self, store: ConversationStore, grant: Grant, clock: Clock, lease_secs: float
    ) -> None:
        self._store = store
        self._grant = grant
        self._clock = clock
        self._interval = lease_secs / 3
        self._timer: asyncio.TimerHandle | None = None
        self._renewal: asyncio.Task[None] | None = None
        self._work: asyncio.Task[object] | None = None
        self._lost = False

    async def __aenter__(self) -> KeptLease:
        self._work = asyncio.current_task()
        self._schedule()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer:
            self._timer.cancel()
        if self._renewal and not self._renewal.done():
            self._renewal.cancel()
            await asyncio.gather(self._renewal, return_exceptions=True)
        if self._lost and kind is asyncio.CancelledError and self._work is not None:
            self._work.uncancel()
            raise LeaseLost(self._grant.key) from None

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._interval, self._start)

    def _start(self) -> None:
        self._renewal = asyncio.create_task(self._renew(), name=f"lease:{self._grant.key}")

    async def _renew(self) -> None:
        try:
            await self._store.renew(self._grant, self._clock.now())
        except LeaseLost:
            self._lost = True
            if self._work is not None:
                self._work.cancel()
            return
        except StoreError:
            pass
        self._schedule()
