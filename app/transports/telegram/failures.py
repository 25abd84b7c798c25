"""python-telegram-bot's exceptions as our own send errors."""

from __future__ import annotations

from datetime import timedelta

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from app.errors import (
    ChatBlocked,
    ChatMoved,
    RetryLater,
    SendAmbiguous,
    SendError,
    SendRejected,
    SendUnavailable,
)

NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
)


def send_error(error: TelegramError) -> SendError:
    """What a failed call means for the message that was to be sent."""
    if isinstance(error, RetryAfter):
        return RetryLater(_seconds(error))
    if isinstance(error, ChatMigrated):
        return ChatMoved(error.new_chat_id)
    if isinstance(error, Forbidden):
        return ChatBlocked("forbidden")
    if isinstance(error, BadRequest):
        return SendRejected(error.message)
    if isinstance(error, InvalidToken | EndPointNotFound):
        return SendUnavailable("the bot token was refused")
    if isinstance(error, NetworkError):
        if isinstance(error.__cause__, NEVER_SENT):
            return SendUnavailable("no connection")
        if isinstance(error, TimedOut) or isinstance(error.__cause__, httpx.HTTPError):
            return SendAmbiguous("no answer")
    return SendUnavailable("Telegram failed")


def _seconds(error: RetryAfter) -> float:
    pause = error.retry_after
    return pause.total_seconds() if isinstance(pause, timedelta) else float(pause)
