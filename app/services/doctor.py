"""Doctor: looks at what the bot needs, and says of each part how it is and what would mend it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.errors import (
    ConfigError,
    ModelError,
    ModelFailure,
    SendAmbiguous,
    SendUnavailable,
    StoreError,
)
from app.services.persona import Persona

Ask = Callable[[], Awaitable[str]]


class Status(StrEnum):
    """How a part is: fine, usable with a drawback, or in the way."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One part's state in plain words, and what to do about it."""

    name: str
    status: Status
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A look at one part; `run` may raise, and is given up after `deadline_secs`."""

    name: str
    run: Callable[[], Awaitable[Verdict]]
    hint: str = ""
    deadline_secs: float = 10.0


async def run_doctor(checks: Iterable[Check]) -> list[Verdict]:
    """A verdict of every check, in their order; the checks run side by side."""
    return list(await asyncio.gather(*(_verdict(check) for check in checks)))


def rows(verdicts: Sequence[Verdict]) -> list[tuple[str, str, str, str]]:
    """Rows to print: status, name, message, hint."""
    return [
        (verdict.status.value, verdict.name, verdict.message, verdict.hint) for verdict in verdicts
    ]


def worst(verdicts: Iterable[Verdict]) -> Status:
    """The gravest status; OK when there is nothing to judge."""
    order = list(Status)
    return max((verdict.status for verdict in verdicts), key=order.index, default=Status.OK)


def persona_check(path: Path) -> Check:
    """Whether the persona file can be used."""

    async def run() -> Verdict:
        length = len((await asyncio.to_thread(Persona, path)).text())
        return Verdict("persona", Status.OK, f"{path} has {length} characters")

    return Check("persona", run, "Set PERSONA_FILE to a UTF-8 text file that says who the bot is.")


def database_check(ping: Ask) -> Check:
    """Whether the database answers; `ping` returns what it is, without credentials."""

    async def run() -> Verdict:
        return Verdict("database", Status.OK, f"{await ping()} answers")

    hint = "Check MONGODB_URI, or leave it empty for the embedded database under DATA_DIR."
    return Check("database", run, hint)


def telegram_check(get_me: Ask | None) -> Check:
    """Whether Telegram knows the bot; `get_me` returns its username, None means no token is set."""

    async def run() -> Verdict:
        if get_me is None:
            return Verdict(
                "telegram",
                Status.WARN,
                "no bot token is set, so the bot runs in the playground",
                "Get a token from @BotFather and set TELEGRAM_BOT_TOKEN, or run: thinkmate setup",
            )
        try:
            username = await get_me()
        except (SendUnavailable, SendAmbiguous):
            return Verdict(
                "telegram",
                Status.FAIL,
                "Telegram can't be reached",
                "Check this machine's network and TELEGRAM_API_BASE_URL.",
            )
        return Verdict("telegram", Status.OK, f"the token belongs to @{username.removeprefix('@')}")

    return Check("telegram", run, "Copy TELEGRAM_BOT_TOKEN again from @BotFather.")


def model_check(ask: Ask | None, *, deadline_secs: float = 60.0) -> Check:
    """Whether the language model answers; `ask` makes one small call and returns the model's name.

    None means that no model is connected.
    """

    async def run() -> Verdict:
        if ask is None:
            return Verdict(
                "model",
                Status.WARN,
                "no language model is connected, so the offline companion answers",
                "Set OPENAI_API_KEY or OPENAI_BASE_URL, or run: thinkmate setup",
            )
        try:
            model = await ask()
        except ModelError as error:
            return _model_trouble(error.kind)
        return Verdict("model", Status.OK, f"{model} answers")

    return Check("model", run, "Check OPENAI_BASE_URL and the model's server.", deadline_secs)


_MODEL_TROUBLE: dict[ModelFailure, tuple[Status, str, str]] = {
    ModelFailure.AUTH: (
        Status.FAIL,
        "the server refused the key",
        "Check OPENAI_API_KEY, and that it belongs to the server in OPENAI_BASE_URL.",
    ),
    ModelFailure.NO_CREDIT: (
        Status.FAIL,
        "the key is right, but its account has no credit left",
        "Add credit at your provider, or use another key in OPENAI_API_KEY.",
    ),
    ModelFailure.UNKNOWN_MODEL: (
        Status.FAIL,
        "the server doesn't know the model",
        "Set LLM_MODEL to a model that the server offers.",
    ),
    ModelFailure.CONNECTION: (
        Status.FAIL,
        "the server can't be reached",
        "Check OPENAI_BASE_URL, this machine's network, and that the server runs.",
    ),
    ModelFailure.TIMEOUT: (
        Status.FAIL,
        "the server gave no answer in time",
        "A local model may still be loading: try again, or raise LLM_TIMEOUT_SECS.",
    ),
    ModelFailure.BAD_REQUEST: (
        Status.FAIL,
        "the server refused the request",
        "The server may not speak the OpenAI chat API: check OPENAI_BASE_URL and LLM_MODEL.",
    ),
    ModelFailure.EMPTY: (
        Status.FAIL,
        "the model answered with nothing",
        "Try another model in LLM_MODEL.",
    ),
    ModelFailure.RATE_LIMIT: (
        Status.WARN,
        "the server asks for a pause: too many requests",
        "Try again later; if it stays so, look at your provider's limits.",
    ),
    ModelFailure.SERVER: (
        Status.WARN,
        "the server has trouble of its own",
        "Try again later; LLM_FALLBACK_MODELS can stand in meanwhile.",
    ),
    ModelFailure.BREAKER_OPEN: (
        Status.WARN,
        "calls are paused after repeated failures",
        "Try again in a few minutes.",
    ),
}


def _model_trouble(kind: ModelFailure) -> Verdict:
    return Verdict("model", *_MODEL_TROUBLE[kind])


async def _verdict(check: Check) -> Verdict:
    try:
        async with asyncio.timeout(check.deadline_secs) as deadline:
            return await check.run()
    except TimeoutError:
        within = f" within {check.deadline_secs:g} s" if deadline.expired() else ""
        message = f"no answer{within}"
    except ConfigError as error:
        message = str(error).rstrip(".")
    except StoreError:
        message = "it does not answer"
    except Exception as error:  # noqa: BLE001  the doctor's edge: a check's own failure is a verdict
        # Only the class: the text may quote an address with its password.
        message = f"it failed ({type(error).__name__})"
    return Verdict(check.name, Status.FAIL, message, check.hint)
