"""Trying a model connection once and saying plainly what came of it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from app.domain.conversation import Frozen
from app.errors import ModelFailure
from app.memory.model_choice import pick_model
from app.services.llm_service import DEFAULT_OPENAI_MODEL, EndpointError, ModelEndpoint, is_openai

CHECK_SECS = 60.0
ANSWER_TOKENS = 16
NAMES_SHOWN = 8


class VerdictKind(StrEnum):
    """What a test call can come to."""

    WORKS = "works"
    WRONG_KEY = "wrong_key"
    NO_CREDIT = "no_credit"
    UNKNOWN_MODEL = "unknown_model"
    UNREACHABLE = "unreachable"
    NOT_OPENAI = "not_openai"
    BUSY = "busy"
    FAILED = "failed"


class ModelVerdict(Frozen):
    """`message` says what happened and what to do, in one or two sentences; never the key.

    `model` is the model that was tried, chosen by the documented rule when none was named.
    """

    ok: bool
    kind: VerdictKind
    message: str
    model: str = ""


async def check_model(
    base_url: str | None, key: str | None, model: str | None, *, deadline: float = CHECK_SECS
) -> ModelVerdict:
    """Make one tiny test call, within `deadline` seconds, and judge it. Never raises for a model
    that can't be used."""
    address = _shown(base_url)
    if base_url is not None and urlsplit(base_url).scheme not in ("http", "https"):
        return _bad(
            VerdictKind.NOT_OPENAI,
            f"{address} is not an address; it starts with http:// or https://.",
        )
    endpoint = ModelEndpoint(base_url, key)
    try:
        return await _check(endpoint, base_url, key, model, deadline)
    finally:
        await endpoint.aclose()


async def _check(
    endpoint: ModelEndpoint,
    base_url: str | None,
    key: str | None,
    model: str | None,
    deadline: float,
) -> ModelVerdict:
    address = _shown(base_url)
    name = model or (DEFAULT_OPENAI_MODEL if is_openai(base_url) else "")
    try:
        if not name:
            name = pick_model(await endpoint.models()) or ""
            if not name:
                return _bad(
                    VerdictKind.UNKNOWN_MODEL,
                    f"{address} answers but has no model to chat with. Load one there first "
                    "(Ollama: ollama pull llama3.2).",
                )
        seconds = await _call(endpoint, name, deadline)
    except EndpointError as error:
        return await _explained(error, endpoint, base_url, key, name)
    return ModelVerdict(
        ok=True,
        kind=VerdictKind.WORKS,
        message=f"It works: {name} at {address} answered in {seconds:.1f} s.",
        model=name,
    )


async def _call(endpoint: ModelEndpoint, model: str, deadline: float) -> float:
    """Seconds until the model answered. An answer without text is one: some models think first."""
    limit = "max_completion_tokens" if is_openai(endpoint.base_url) else "max_tokens"
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "user", "content": "Answer with the word: ready"}],
    }
    started = time.monotonic()
    try:
        await endpoint.chat({**body, limit: ANSWER_TOKENS}, deadline)
    except EndpointError as error:
        if error.kind is not ModelFailure.BAD_REQUEST or not error.mentions("max_"):
            raise
        await endpoint.chat(body, deadline)
    return time.monotonic() - started


async def _explained(
    error: EndpointError,
    endpoint: ModelEndpoint,
    base_url: str | None,
    key: str | None,
    model: str,
) -> ModelVerdict:
    address = _shown(base_url)
    if error.foreign:
        return await _not_openai(base_url, key)
    match error.kind:
        case ModelFailure.AUTH:
            return _bad(VerdictKind.WRONG_KEY, _key_message(address, key, error.status), model)
        case ModelFailure.NO_CREDIT:
            return _bad(
                VerdictKind.NO_CREDIT,
                f"{address} knows the key, but the account has no credit left. Add credit or set "
                "a spending limit there, then try again.",
                model,
            )
        case ModelFailure.UNKNOWN_MODEL:
            return _bad(VerdictKind.UNKNOWN_MODEL, await _model_message(endpoint, model), model)
        case ModelFailure.CONNECTION | ModelFailure.TIMEOUT:
            return _bad(VerdictKind.UNREACHABLE, _unreachable_message(error, base_url), model)
        case ModelFailure.RATE_LIMIT:
            return _bad(
                VerdictKind.BUSY,
                f"{address} says there were too many requests (429). The key is known; wait a "
                "minute and try again.",
                model,
            )
        case _:
            return _bad(
                VerdictKind.FAILED,
                f"{address} answered the test call to {model} with an error (HTTP {error.status}). "
                "Look at the server's own log, or try another model.",
                model,
            )


def _key_message(address: str, key: str | None, status: int) -> str:
    if not key:
        return f"{address} wants an API key ({status}). Set OPENAI_API_KEY."
    return (
        f"{address} refused the API key ({status}). Copy it again, without spaces, and check that "
        "it belongs to this address."
    )


async def _model_message(endpoint: ModelEndpoint, model: str) -> str:
    address = _shown(endpoint.base_url)
    try:
        existing = await endpoint.models()
    except EndpointError:
        existing = ()
    if not existing:
        return f"{address} doesn't know the model {model}. Check LLM_MODEL."
    names = ", ".join(_closest(model, existing))
    more = len(existing) - NAMES_SHOWN
    tail = f" and {more} more" if more > 0 else ""
    return f"{address} doesn't know the model {model}. It has: {names}{tail}. Set LLM_MODEL to one."


def _closest(model: str, existing: Sequence[str]) -> list[str]:
    close = difflib.get_close_matches(model, existing, n=NAMES_SHOWN, cutoff=0.4)
    return list(dict.fromkeys([*close, *existing]))[:NAMES_SHOWN]


def _unreachable_message(error: EndpointError, base_url: str | None) -> str:
    address, host = _shown(base_url), urlsplit(base_url or "").hostname or "api.openai.com"
    match error.reason:
        case "refused":
            return (
                f"Nothing answers at {address}: the connection was refused. Is the server running?"
            )
        case "dns":
            return (
                f"There is no host named {host}. Check the spelling, and the internet connection."
            )
        case "tls":
            return (
                f"No secure connection to {address}. Check whether it is http:// or https://, and "
                "its certificate."
            )
        case "timeout":
            return (
                f"{address} did not answer in time. Check the address; a local server may still "
                "be loading the model: then try again."
            )
        case _:
            return f"The connection to {address} broke off. Check the address and try again."


async def _not_openai(base_url: str | None, key: str | None) -> ModelVerdict:
    address = _shown(base_url)
    message = f"{address} answers, but not as an OpenAI-compatible API. "
    suggestion = f"{(base_url or '').rstrip('/')}/v1"
    if urlsplit(base_url or "").path.rstrip("/").endswith("/v1"):
        message += "Check host and port."
    elif await _has_models(suggestion, key):
        message += f"Use {_shown(suggestion)} instead."
    else:
        message += "The address usually ends in /v1; check it."
    return _bad(VerdictKind.NOT_OPENAI, message)


async def _has_models(base_url: str, key: str | None) -> bool:
    endpoint = ModelEndpoint(base_url, key)
    try:
        await endpoint.models(5.0)
    except EndpointError:
        return False
    finally:
        await endpoint.aclose()
    return True


def _shown(base_url: str | None) -> str:
    """The address without a name and password, should it hold some."""
    if base_url is None:
        return "OpenAI"
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _bad(kind: VerdictKind, message: str, model: str = "") -> ModelVerdict:
    return ModelVerdict(ok=False, kind=kind, message=message, model=model)
