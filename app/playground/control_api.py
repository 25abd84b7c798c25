"""Control over loopback for tests in another process: POST /control/<action>, JSON both ways.

Besides the people's actions: `ledger` {since, wait_secs?}, `fault` {method, kind, ...},
`clear-faults`, `away` and `state`. Every call carries the control token in X-Playground-Control.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.playground.actions import CONTROL_ACTIONS
from app.playground.faults import Faults
from app.playground.guard import has_token
from app.playground.json_body import json_body
from app.playground.presence import Presence
from app.playground.world import World

CONTROL_HEADER = "X-Playground-Control"
LONGEST_WAIT_SECS = 30.0


class ControlApi:
    """Answers 403 without the token and 400 with `{"error": …}` for what can't be done."""

    def __init__(self, world: World, faults: Faults, presence: Presence, token: str) -> None:
        self._world = world
        self._faults = faults
        self._presence = presence
        self._token = token

    async def __call__(self, request: Request) -> Response:
        """One action."""
        if not has_token(request, CONTROL_HEADER, self._token):
            return JSONResponse({"error": "the control token is missing or wrong"}, 403)
        try:
            body = await json_body(request)
            return JSONResponse(await self._act(request.path_params["action"], body))
        except (ValueError, TypeError) as error:
            return JSONResponse({"error": str(error)}, 400)
        except KeyError as error:
            return JSONResponse({"error": f"{error.args[0]} is missing"}, 400)

    async def _act(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        match name:
            case "ledger":
                return await self._ledger(
                    int(body.get("since", 0)), float(body.get("wait_secs", 0))
                )
            case "fault":
                self._faults.add(body.pop("method"), body.pop("kind"), **body)
                return {}
            case "clear-faults":
                self._faults.clear()
                return {}
            case "state":
                return {"bot": self._presence.view(), "ledger": len(self._world.ledger)}
        action = CONTROL_ACTIONS.get(name)
        if action is None:
            raise ValueError("no such action")
        result: dict[str, Any] = action(self._world, body)
        return result

    async def _ledger(self, since: int, wait_secs: float) -> dict[str, Any]:
        """Entries after `since`, after waiting for the first where asked to."""
        ledger = self._world.ledger
        if len(ledger) <= since and wait_secs > 0:
            try:
                await self._world.changes.until(
                    lambda: len(ledger) > since, min(wait_secs, LONGEST_WAIT_SECS)
                )
            except TimeoutError:
                await asyncio.sleep(0)
        return {"entries": [asdict(entry) for entry in ledger.since(since)]}
