"""Polling that never confirms an update before it is stored, and a watchdog over it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from loguru import logger
from telegram import Bot
from telegram.error import Conflict, NetworkError, TelegramError
from telegram.ext import Updater
from telegram.request import BaseRequest, HTTPXRequest, RequestData

from app.clock import Clock
from app.services.metrics import Metrics

Accept = Callable[[dict[str, Any]], Awaitable[None]]
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member")
POLL_SECS = 10
STOP_SECS = 5.0


class RawUpdates(HTTPXRequest):
    """The request of getUpdates: keeps Telegram's JSON and hands PTB only the update ids.

    So the store gets exactly what Telegram sent, and an update that this version of PTB can't
    parse is stored like any other instead of being fetched again for ever.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.raw: dict[int, dict[str, Any]] = {}
        self.answers = 0

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Fetch, remember the updates by id, and pass on their ids alone."""
        code, payload = await super().do_request(
            url, method, request_data, read_timeout, write_timeout, connect_timeout, pool_timeout
        )
        if code != 200 or not url.endswith("/getUpdates"):
            return code, payload
        self.answers += 1
        body = json.loads(payload)
        updates = [u for u in body.get("result") or () if isinstance(u.get("update_id"), int)]
        if not updates:
            return code, payload
        self.raw = {update["update_id"]: update for update in updates}
        slim = {"ok": True, "result": [{"update_id": number} for number in self.raw]}
        return code, json.dumps(slim).encode()


class DurableQueue(asyncio.Queue[Any]):
    """The Updater's queue: `put` returns only when the update is stored.

    Any failure is raised as NetworkError, which makes PTB hold the offset and fetch again.
    """

    def __init__(self, request: RawUpdates, accept: Accept, metrics: Metrics) -> None:
        super().__init__()
        self._request = request
        self._accept = accept
        self._metrics = metrics

    async def put(self, item: Any) -> None:
        """Store one update."""
        try:
            await self._accept(self._request.raw[item.update_id])
        except Exception as error:
            self._metrics.incr("inbox.failed")
            logger.error("update not stored, holding the offset: {}", type(error).__name__)
            raise NetworkError("update not stored") from error


class Polling:
    """Runs PTB's Updater and restarts it when it stops making progress."""

    def __init__(
        self,
        bot: Bot,
        request: RawUpdates,
        accept: Accept,
        *,
        stall_secs: float,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._bot = bot
        self._request = request
        self._queue = DurableQueue(request, accept, metrics)
        self._stall_secs = stall_secs
        self._clock = clock
        self._metrics = metrics
        self._updater: Updater | None = None
        self._watchdog: asyncio.Task[None] | None = None
        self._last_answers = 0
        self._last_progress = clock.monotonic()

    async def start(self) -> None:
        """Begin to fetch updates, and to watch over it."""
        await self._start_updater()
        self._watchdog = asyncio.create_task(self._watch(), name="polling watchdog")

    async def stop(self) -> None:
        """Stop fetching; what was stored is confirmed to Telegram."""
        if self._watchdog:
            self._watchdog.cancel()
            await asyncio.gather(self._watchdog, return_exceptions=True)
        await self._stop_updater()

    def stalled_for(self) -> float:
        """Seconds since Telegram last answered a poll."""
        if self._request.answers != self._last_answers:
            self._last_answers = self._request.answers
            self._last_progress = self._clock.monotonic()
        return self._clock.monotonic() - self._last_progress

    async def _start_updater(self) -> None:
        self._updater = Updater(self._bot, self._queue)
        await self._updater.initialize()
        await self._updater.start_polling(
            timeout=min(POLL_SECS, max(1, int(self._stall_secs / 2))),
            bootstrap_retries=-1,
            allowed_updates=list(ALLOWED_UPDATES),
            error_callback=self._report,
        )

    async def _stop_updater(self) -> None:
        updater, self._updater = self._updater, None
        if updater is not None and updater.running:
            await updater.stop()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._stall_secs / 3)
            if self.stalled_for() < self._stall_secs:
                continue
            self._metrics.incr("polling.restarts")
            logger.error("no answer to polling for {:.0f} s; restarting it", self.stalled_for())
            self._last_progress = self._clock.monotonic()
            await self._restart()

    async def _restart(self) -> None:
        try:
            async with asyncio.timeout(STOP_SECS):
                await self._stop_updater()
        except Exception as error:  # noqa: BLE001 - whatever broke the old poller, it is replaced
            logger.warning("the stalled poller is abandoned: {}", type(error).__name__)
        try:
            async with asyncio.timeout(self._stall_secs):
                await self._start_updater()
        except Exception as error:  # noqa: BLE001 - the watchdog must outlive any attempt
            logger.error("polling could not be restarted: {}", type(error).__name__)

    def _report(self, error: TelegramError) -> None:
        self._metrics.incr("polling.errors")
        if isinstance(error, Conflict):
            logger.error(
                "another program polls with this bot token; stop it, or this bot gets no messages"
            )
        else:
            logger.warning("polling failed, trying again: {}", type(error).__name__)
