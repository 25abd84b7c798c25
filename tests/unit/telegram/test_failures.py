"""What a failed call says of the message: never sent, perhaps sent, refused."""

from __future__ import annotations

import httpx
import pytest
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TimedOut

from app.errors import (
    ChatBlocked,
    ChatMoved,
    RetryLater,
    SendAmbiguous,
    SendError,
    SendRejected,
    SendUnavailable,
)
from app.transports.telegram.failures import send_error

REQUEST = httpx.Request("POST", "http://127.0.0.1/")


def network(cause: Exception) -> NetworkError:
    kind = TimedOut if isinstance(cause, httpx.TimeoutException) else NetworkError
    error = kind("trouble")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        (httpx.ConnectError("x"), SendUnavailable),
        (httpx.ConnectTimeout("x"), SendUnavailable),
        (httpx.PoolTimeout("x"), SendUnavailable),
        (httpx.ProxyError("x"), SendUnavailable),
        (httpx.LocalProtocolError("x"), SendUnavailable),
        (httpx.ReadTimeout("x"), SendAmbiguous),
        (httpx.ReadError("x"), SendAmbiguous),
        (httpx.WriteError("x"), SendAmbiguous),
        (httpx.RemoteProtocolError("x"), SendAmbiguous),
    ],
)
def test_the_cause_tells_whether_it_was_sent(cause: Exception, expected: type[SendError]) -> None:
    assert type(send_error(network(cause))) is expected


def test_telegrams_own_answers() -> None:
    assert type(send_error(Forbidden("blocked"))) is ChatBlocked
    assert type(send_error(BadRequest("no"))) is SendRejected
    assert type(send_error(NetworkError("Bad Gateway"))) is SendUnavailable
    later = send_error(RetryAfter(7))
    assert isinstance(later, RetryLater)
    assert later.seconds == 7
    moved = send_error(ChatMigrated(-1005))
    assert isinstance(moved, ChatMoved)
    assert moved.new_chat_id == -1005
