"""The door: only this machine's own programs and the page itself get in.

Any website can make a browser send requests to loopback; it can't choose Host and Origin.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

OWN_SITES = frozenset({"same-origin", "none"})
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Middleware that answers 403 to a foreign Host or Origin, on every path."""

    def __init__(self, app: ASGIApp, port: Callable[[], int]) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or not self._welcome(scope):
            await PlainTextResponse("forbidden", 403)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _welcome(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        hosts = {f"{name}:{self._port()}" for name in ("127.0.0.1", "localhost")}
        given = headers.getlist("host")
        if len(given) != 1 or given[0] not in hosts:
            return False
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{given[0]}":
            return False
        site = headers.get("sec-fetch-site", "none")
        return site in OWN_SITES or (scope["path"] == "/" and scope["method"] == "GET")


def has_token(request: Request, header: str, expected: str) -> bool:
    """Whether the request carries the secret that only the page, or the starter, was given."""
    given = request.headers.get(header, "")
    return hmac.compare_digest(given.encode("latin-1"), expected.encode())


def secured(response: Response) -> Response:
    """The response with the headers that keep foreign scripts and frames out."""
    response.headers.update(SECURITY_HEADERS)
    return response
