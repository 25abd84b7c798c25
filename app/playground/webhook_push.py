"""Pushes updates to a bot's webhook, one at a time, until it says 2xx."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
from collections.abc import Callable
from urllib.parse import urlsplit

from loguru import logger

from app.playground.accounts import BotAccount, Webhook
from app.playground.api_error import bad_request
from app.playground.world import World

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
ANSWER_SECS = 60.0
LONGEST_PAUSE_SECS = 30.0


def check_url(url: str) -> None:
    """ApiError 400 unless `url` is http or https on this machine: nothing here goes further."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname in LOOPBACK
        parts.port  # noqa: B018  raises for a port out of range
    except ValueError:
        usable = False
    if not usable:
        raise bad_request("bad webhook: only an address on this machine can be used")


class WebhookPush:
    """One task a bot that has a webhook. `first_pause` seconds follow a first failure, doubled
    with each further one; `on_success` hears of every update that was taken."""

    def __init__(
        self,
        world: World,
        *,
        first_pause: float = 0.25,
        on_success: Callable[[BotAccount], None],
    ) -> None:
        self._world = world
        self._first_pause = first_pause
        self._on_success = on_success
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def follow(self, bot: BotAccount) -> None:
        """Push to the webhook the bot has now, if any, and to no earlier one."""
        await self._end(bot.id)
        if bot.webhook is not None:
            self._tasks[bot.id] = asyncio.create_task(self._push_all(bot, bot.webhook))

    async def close(self) -> None:
        """Stop pushing."""
        for bot_id in list(self._tasks):
            await self._end(bot_id)

    async def _end(self, bot_id: int) -> None:
        task = self._tasks.pop(bot_id, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def _push_all(self, bot: BotAccount, hook: Webhook) -> None:
        pause = self._first_pause
        queue, ledger = bot.updates, self._world.ledger
        while True:
            while not queue.pending:
                await self._world.changes.wait()
            update = queue.pending[0]
            if not update.delivered:
                update.delivered = True
                ledger.append("update_delivered", bot_id=bot.id, update_id=update.update_id)
            problem = await _post(hook, json.dumps(update.json()).encode())
            if not problem:
                for gone in queue.confirm(update.update_id + 1):
                    ledger.append("update_confirmed", bot_id=bot.id, update_id=gone.update_id)
                pause = self._first_pause
                self._on_success(bot)
                self._world.changes.ring()
                continue
            hook.last_error, hook.last_error_at = problem, int(self._world.now())
            logger.debug("the webhook did not take update {}: {}", update.update_id, problem)
            self._world.changes.ring()
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECS)


async def _post(hook: Webhook, body: bytes) -> str:
    """Send one update; what was wrong, or nothing."""
    parts = urlsplit(hook.url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {parts.netloc}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    ]
    if hook.secret:
        lines.append(f"X-Telegram-Bot-Api-Secret-Token: {hook.secret}")
    try:
        async with asyncio.timeout(ANSWER_SECS):
            reader, writer = await asyncio.open_connection(
                parts.hostname, port, ssl=_trusting_context() if secure else None
            )
            try:
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                await writer.drain()
                status = (await reader.readline()).split()
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError) as error:
        return f"Connection failed: {type(error).__name__}"
    code = int(status[1]) if len(status) > 1 and status[1].isdigit() else 0
    if 200 <= code < 300:
        return ""
    return f"Wrong response from the webhook: {code or 'no answer'}"


def _trusting_context() -> ssl.SSLContext:
    """Takes any certificate: the address is this machine's own."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
