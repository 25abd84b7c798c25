"""One OpenAI-compatible endpoint: single requests, and every way they fail as one error type."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncOpenAI,
    DefaultAsyncHttpxClient,
    OpenAIError,
    Timeout,
)

from app.errors import ModelError, ModelFailure
from app.memory.retry_policy import failure_of, refuses_format, retry_after_secs

OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_PORT = 11434
CONNECT_SECS = 10.0
POOL_SECS = 60.0

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_NO_KEY = "none"  # the client insists on a key; servers that need none ignore it

# At DEBUG the client writes whole prompts to its log; nothing here may ever turn that on.
logging.getLogger("openai").setLevel(logging.WARNING)


class EndpointError(ModelError):
    """One request that gave no answer.

    `status` is the HTTP status or 0; `reason` says why there was none (refused, dns, tls,
    timeout, lost); `foreign` means that whatever answered doesn't speak the OpenAI API. The
    server's own words are kept out of the message, since they may repeat a prompt or a key.
    """

    def __init__(
        self,
        kind: ModelFailure,
        detail: str = "",
        *,
        status: int = 0,
        reason: str = "",
        retry_after: float | None = None,
        foreign: bool = False,
        words: str = "",
    ) -> None:
        super().__init__(kind, detail)
        self.detail = detail
        self.status = status
        self.reason = reason
        self.retry_after = retry_after
        self.foreign = foreign
        self._words = words

    def refuses_format(self, *, proven: bool) -> bool:
        """Whether the endpoint can't give the structured output that was asked for."""
        return refuses_format(self.status, self._words, proven=proven)

    def mentions(self, word: str) -> bool:
        """Whether the server's own words name something, e.g. a parameter."""
        return word in self._words.lower()


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A model's text ("" when there is none) and what it cost in tokens."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class ModelEndpoint:
    """A base URL and a key. Requests are sent once; every failure is an EndpointError."""

    def __init__(self, base_url: str | None, key: str | None) -> None:
        self.base_url = (base_url or OPENAI_URL).rstrip("/")
        parts = urlsplit(self.base_url)
        self.host = parts.hostname or ""
        self.port = parts.port
        self._root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._client = AsyncOpenAI(
            api_key=key or _NO_KEY,
            base_url=self.base_url,
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(
                timeout=Timeout(None, connect=CONNECT_SECS, pool=POOL_SECS),
                # A proxy from the environment can't reach this machine's own loopback.
                trust_env=self.host not in _LOOPBACK,
            ),
        )

    async def chat(self, body: dict[str, Any], deadline: float) -> ChatAnswer:
        """One chat completion within `deadline` seconds.

        The plain `post` is used on purpose: checking the request and building the response as
        typed objects costs some twenty times the CPU of everything else in a call.
        """
        answer = await self._send("post", "/chat/completions", body, deadline)
        return _read(answer)

    async def models(self, deadline: float = 10.0) -> tuple[str, ...]:
        """The ids of the endpoint's models, in its own order."""
        answer = await self._send("get", "/models", None, deadline)
        rows = answer.get("data")
        if not isinstance(rows, list):
            raise EndpointError(ModelFailure.BAD_REQUEST, "no list of models", foreign=True)
        ids = (row.get("id") for row in rows if isinstance(row, dict))
        return tuple(name for name in ids if isinstance(name, str) and name)

    async def is_ollama(self, deadline: float = 2.0) -> bool | None:
        """Whether this is an Ollama server; None while nobody answers."""
        if self.port == OLLAMA_PORT:
            return True
        try:
            answer = await self._send("get", f"{self._root}/api/version", None, deadline)
        except EndpointError as error:
            return False if error.status or error.foreign else None
        return isinstance(answer.get("version"), str)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _send(
        self, method: str, path: str, body: dict[str, Any] | None, deadline: float
    ) -> dict[str, Any]:
        failure: EndpointError
        try:
            async with asyncio.timeout(deadline):
                if method == "post":
                    answer = await self._client.post(path, body=body, cast_to=object)
                else:
                    answer = await self._client.get(path, cast_to=object)
            return _as_object(answer)
        except TimeoutError:
            failure = EndpointError(
                ModelFailure.TIMEOUT, f"no answer in {deadline:g} s", reason="timeout"
            )
        except APIStatusError as error:
            failure = _status_failure(error)
        except APIConnectionError as error:
            failure = _connection_failure(error)
        except (OpenAIError, ValueError, RecursionError):
            failure = EndpointError(
                ModelFailure.SERVER, "the answer can't be read", status=200, foreign=True
            )
        # Raised out here so that no exception that holds the server's words hangs on to it.
        raise failure


def is_openai(base_url: str | None) -> bool:
    """Whether the address is OpenAI's own (the default)."""
    return base_url is None or urlsplit(base_url).hostname == "api.openai.com"


def _as_object(answer: object) -> dict[str, Any]:
    if isinstance(answer, str):  # some servers send JSON under another content type
        answer = json.loads(answer)
    if not isinstance(answer, dict):
        raise ValueError("not an object")
    return answer


def _read(answer: dict[str, Any]) -> ChatAnswer:
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        problem = answer.get("error")
        if problem:  # an error under status 200, as routers in front of several providers send it
            code = problem.get("code") if isinstance(problem, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 400
            raise _error_in_body(status, problem)
        if choices is None:
            raise EndpointError(ModelFailure.SERVER, "no chat completion", status=200, foreign=True)
        return ChatAnswer("", 0, 0)
    usage = answer.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    return ChatAnswer(
        _text(message.get("content")) or _text(message.get("refusal")),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
    )


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _words(body: object) -> str:
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, dict):
        body = body.get("error") or body
    if isinstance(body, dict):
        body = " ".join(str(body.get(key) or "") for key in ("code", "type", "param", "message"))
    return str(body or "")[:2000]


def _error_in_body(status: int, problem: object) -> EndpointError:
    words = _words(problem)
    kind = failure_of(status, words)
    foreign = not isinstance(problem, dict)
    return EndpointError(kind, f"HTTP {status}", status=status, words=words, foreign=foreign)


def _status_failure(error: APIStatusError) -> EndpointError:
    status, words = error.status_code, _words(error.body)
    page = words.lstrip().startswith("<") or "model" not in words.lower()
    foreign = status in (404, 405, 501) and page
    hint = " (is this the address of an OpenAI-compatible API?)" if foreign else ""
    return EndpointError(
        failure_of(status, words),
        f"HTTP {status}{hint}",
        status=status,
        retry_after=retry_after_secs(error.response.headers, datetime.now(UTC)),
        foreign=foreign,
        words=words,
    )


def _connection_failure(error: APIConnectionError) -> EndpointError:
    late = isinstance(error, APITimeoutError)
    reason = "timeout" if late else "lost"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionRefusedError):
            reason = "refused"
        elif isinstance(cause, socket.gaierror):
            reason = "dns"
        elif isinstance(cause, ssl.SSLError):
            reason = "tls"
        elif isinstance(cause, TimeoutError):
            reason = "timeout"
        cause = cause.__cause__ or cause.__context__
    kind = ModelFailure.TIMEOUT if late else ModelFailure.CONNECTION
    return EndpointError(kind, reason, reason=reason)
