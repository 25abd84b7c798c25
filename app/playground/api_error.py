"""The refusals of the Bot API, in Telegram's own words."""

from __future__ import annotations

from typing import Any

from app.errors import ThinkMateError

KINDS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


class ApiError(ThinkMateError):
    """An answer with `ok: false`: a code, a description and perhaps parameters."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """The answer's JSON."""
        answer: dict[str, Any] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        if self.parameters:
            answer["parameters"] = self.parameters
        return answer


def bad_request(reason: str, **parameters: Any) -> ApiError:
    """A 400 with the usual prefix."""
    return ApiError(400, f"Bad Request: {reason}", **parameters)


def forbidden(reason: str) -> ApiError:
    """A 403 with the usual prefix."""
    return ApiError(403, f"Forbidden: {reason}")


def conflict(reason: str) -> ApiError:
    """A 409 with the usual prefix."""
    return ApiError(409, f"Conflict: {reason}")
