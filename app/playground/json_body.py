"""A small JSON object as a request's body."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

MAX_BYTES = 1_000_000


async def json_body(request: Request) -> dict[str, Any]:
    """The object. Raises ValueError for anything else and over 1 MB."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise ValueError("too much")
    try:
        decoded = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(decoded, dict):
        raise ValueError("a JSON object is expected")
    return decoded
