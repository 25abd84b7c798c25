"""Ways to make the Bot API fail on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from app.playground.api_error import ApiError

Kind = Literal["429", "500", "502", "reset", "hang", "lost", "error"]


@dataclass(eq=False)
class Fault:
    """What happens to the next `times` matching calls (None: to all), after `skip` good ones.

    429, 500, 502, error: refused with that answer, nothing accepted. reset: the connection is
    closed without an answer, nothing accepted. hang: no answer until `release`, or `seconds`
    have passed; then the call goes on as usual. lost: accepted, but the connection is closed
    without an answer. `given_up` counts hanging calls whose caller hung up; they accept nothing.
    """

    method: str
    kind: Kind
    times: int | None = 1
    skip: int = 0
    chat_id: int | None = None
    retry_after: int = 1
    code: int = 400
    description: str = "Bad Request: refused on purpose"
    seconds: float | None = None
    on_change: Callable[[], None] = lambda: None
    hits: int = 0
    given_up: int = 0
    released: bool = False

    def release(self) -> None:
        """Let hanging calls go on, and no further call be hit."""
        self.times = 0
        self.released = True
        self.on_change()

    def refusal(self) -> ApiError | None:
        """The answer, for the kinds that have one."""
        match self.kind:
            case "429":
                return ApiError(
                    429,
                    f"Too Many Requests: retry after {self.retry_after}",
                    retry_after=self.retry_after,
                )
            case "500":
                return ApiError(500, "Internal Server Error")
            case "502":
                return ApiError(502, "Bad Gateway")
            case "error":
                return ApiError(self.code, self.description)
        return None


class Faults:
    """The faults in force; the oldest that matches a call is used. `on_change` hears of it."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._faults: list[Fault] = []
        self._on_change = on_change

    def add(
        self,
        method: str,
        kind: Kind,
        *,
        times: int | None = 1,
        skip: int = 0,
        chat_id: int | None = None,
        retry_after: int = 1,
        code: int = 400,
        description: str = "Bad Request: refused on purpose",
        seconds: float | None = None,
    ) -> Fault:
        """Put a fault in force; method "*" means any."""
        if kind not in get_args(Kind):
            raise ValueError(f"no such fault: {kind}")
        fault = Fault(
            method,
            kind,
            times,
            skip,
            chat_id,
            retry_after,
            code,
            description,
            seconds,
            self._on_change,
        )
        self._faults.append(fault)
        return fault

    def take(self, method: str, chat_id: int | None) -> Fault | None:
        """The fault for this call, which is counted."""
        for fault in self._faults:
            if fault.times == 0 or not _matches(fault, method, chat_id):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            if fault.times is not None:
                fault.times -= 1
            fault.hits += 1
            self._on_change()
            return fault
        return None

    def clear(self) -> None:
        """Lift every fault; hanging calls go on."""
        for fault in self._faults:
            fault.release()
        self._faults.clear()


def _matches(fault: Fault, method: str, chat_id: int | None) -> bool:
    if fault.chat_id is not None and fault.chat_id != chat_id:
        return False
    return fault.method == "*" or fault.method.lower() == method.lower()
