"""Long polls: one a bot at a time, and whether the bot is there at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.playground.accounts import BotAccount
from app.playground.api_error import ApiError, conflict
from app.playground.changes import Changes
from app.playground.connection import Connection
from app.playground.update_queue import Update

OTHER_POLL = (
    "terminated by other getUpdates request; make sure that only one bot instance is running"
)
WEBHOOK_SET = "terminated by setWebhook request"


@dataclass(eq=False)
class _Poll:
    bot: BotAccount
    refusal: ApiError | None = None


class Polls:
    """`on_poll` is called when a bot begins to poll, `on_hang_up` when it goes away meanwhile."""

    def __init__(
        self,
        changes: Changes,
        *,
        on_poll: Callable[[BotAccount], None],
        on_hang_up: Callable[[BotAccount], None],
    ) -> None:
        self._changes = changes
        self._on_poll = on_poll
        self._on_hang_up = on_hang_up
        self._pending: dict[int, _Poll] = {}
        self._closed = False

    def end(self, bot: BotAccount, reason: str) -> None:
        """Answer the bot's pending poll, if any, with a conflict."""
        poll = self._pending.pop(bot.id, None)
        if poll is not None:
            poll.refusal = conflict(reason)
            self._changes.ring()

    def close(self) -> None:
        """Let every pending poll end with what there is."""
        self._closed = True
        self._changes.ring()

    async def updates(
        self, bot: BotAccount, limit: int, wait_secs: int, connection: Connection
    ) -> list[Update]:
        """Up to `limit` unconfirmed updates, waiting up to `wait_secs` for the first.

        Ends the poll that was pending. ApiError 409 when a later call ends this one.
        """
        self.end(bot, OTHER_POLL)
        self._on_poll(bot)
        poll = self._pending[bot.id] = _Poll(bot)
        queue = bot.updates
        try:
            if wait_secs and not queue.pending:
                await self._changes.until(
                    lambda: queue.pending or poll.refusal or connection.gone or self._closed,
                    wait_secs,
                )
        except TimeoutError:
            return []
        finally:
            if self._pending.get(bot.id) is poll:
                del self._pending[bot.id]
                if connection.gone and not self._closed:
                    self._on_hang_up(bot)
        if poll.refusal is not None:
            raise poll.refusal
        return [] if connection.gone else queue.read(limit)
