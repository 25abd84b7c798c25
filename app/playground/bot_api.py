"""The Bot API over HTTP: /bot<token>/<method>."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from app.playground import methods_bot, methods_messages, methods_updates
from app.playground.accounts import BotAccount
from app.playground.api_error import ApiError
from app.playground.call import Call, Method
from app.playground.connection import Connection
from app.playground.faults import Fault, Faults
from app.playground.params import Params
from app.playground.polls import Polls
from app.playground.webhook_push import WebhookPush
from app.playground.world import World

TOKEN = re.compile(r"[1-9][0-9]{0,15}:[A-Za-z0-9_-]{20,}")
MAX_BODY_BYTES = 10_000_000

METHODS: dict[str, tuple[str, Method]] = {
    name.lower(): (name, method)
    for module in (methods_bot, methods_messages, methods_updates)
    for name, method in module.METHODS.items()
}


class BotApi:
    """Answers calls: checks the token, applies a fault if one is in force, runs the method."""

    def __init__(self, world: World, faults: Faults, polls: Polls, webhooks: WebhookPush) -> None:
        self._world = world
        self._faults = faults
        self._polls = polls
        self._webhooks = webhooks

    async def __call__(self, request: Request) -> Response:
        """One call over HTTP."""
        connection = Connection(request, self._world.changes)
        try:
            return await self._answer(request, connection)
        except ApiError as refusal:
            return JSONResponse(refusal.body(), refusal.code)
        except ClientDisconnect:
            return Response(status_code=499)
        finally:
            connection.leave()

    async def _answer(self, request: Request, connection: Connection) -> Response:
        bot = self._log_in(request.path_params["token"])
        found = METHODS.get(request.path_params["method"].lower())
        if found is None:
            raise ApiError(404, "Not Found: method not found")
        name, method = found
        body = await _read(request)
        connection.watch()
        params = Params.parse(request.url.query, request.headers.get("content-type", ""), body)
        call = Call(name, self._world, bot, params, connection, self._polls, self._webhooks)
        fault = self._faults.take(name, _chat_id(params))
        if fault is not None:
            return await self._fail(fault, call, method)
        return _ok(await method(call))

    async def _fail(self, fault: Fault, call: Call, method: Method) -> Response:
        refusal = fault.refusal()
        if refusal is not None:
            raise refusal
        if fault.kind == "hang":
            await self._hold(fault, call.connection)
            if call.connection.gone:
                fault.given_up += 1
                self._world.changes.ring()
                return Response(status_code=499)
            return _ok(await method(call))
        if fault.kind == "lost":
            with contextlib.suppress(ApiError):
                await method(replace(call, acknowledged=False))
        await call.connection.cut()
        return Response(status_code=499)

    async def _hold(self, fault: Fault, connection: Connection) -> None:
        with contextlib.suppress(TimeoutError):
            await self._world.changes.until(
                lambda: fault.released or connection.gone, fault.seconds
            )

    def _log_in(self, token: str) -> BotAccount:
        if not TOKEN.fullmatch(token):
            raise ApiError(404, "Not Found")
        for bot in self._world.bots.values():
            if bot.token == token:
                return bot
        raise ApiError(401, "Unauthorized")


async def _read(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise ApiError(413, "Request Entity Too Large")
    return bytes(body)


def _chat_id(params: Params) -> int | None:
    try:
        return params.integer("chat_id")
    except ApiError:
        return None


def _ok(result: Any) -> Response:
    return JSONResponse({"ok": True, "result": result})
