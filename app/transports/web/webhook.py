"""The webhook's door: Telegram is told 200 only after its update has been stored."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Any

from loguru import logger
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.errors import ConfigError

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
MAX_BODY_BYTES = 1_000_000
MAX_UPDATE_ID = 2**63 - 1

Accept = Callable[[dict[str, Any]], Awaitable[None]]


def webhook_app(path: str, secret: str, accept: Accept) -> Starlette:
    """An app that takes POSTs on `path` and awaits `accept(update)` before it answers.

    403 for a wrong secret, 413 for a body over 1 MB, 400 for what is no update, and 503 when
    `accept` fails, which makes Telegram send the update again. An empty secret is a ConfigError.
    """
    if not secret:
        raise ConfigError("WEBHOOK_SECRET must not be empty when a webhook is used.")
    expected = secret.encode()

    async def receive(request: Request) -> Response:
        given = request.headers.get(SECRET_HEADER, "").encode("latin-1")
        if not hmac.compare_digest(given, expected):
            return PlainTextResponse("wrong secret", 403)
        body = await _body(request)
        if body is None:
            return PlainTextResponse("too large", 413)
        update = _update(body)
        if update is None:
            return PlainTextResponse("not an update", 400)
        try:
            await accept(update)
        except Exception as error:  # noqa: BLE001  the door's edge: whatever failed, the update comes again
            logger.warning(
                "an update was not stored ({}); Telegram will repeat it", type(error).__name__
            )
            return PlainTextResponse("try again later", 503)
        return PlainTextResponse("ok")

    return Starlette(routes=[Route(path, receive, methods=["POST"])])


async def _body(request: Request) -> bytes | None:
    """The request's body, or None as soon as it is known to be too large."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MAX_BODY_BYTES:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return bytes(body)


def _update(body: bytes) -> dict[str, Any] | None:
    try:
        update = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(update, dict):
        return None
    number = update.get("update_id")
    if type(number) is not int or not 0 <= number <= MAX_UPDATE_ID:
        return None
    return update
