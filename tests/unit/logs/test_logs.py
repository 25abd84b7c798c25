"""Logs: every canary goes in by every way, and none comes out."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator

import pytest
from loguru import logger

from app import logs
from app.errors import ConfigError, SendRejected

TOKEN = "123456789:AAE-canary_canary_canary_canary_9"
KEY = "sk-proj-canarycanarycanary"
EXACT = "canary pass/word+1"
URI = "mongodb+srv://amara:canary@p@ss@db.example.org/thinkmate"
CANARIES = (
    TOKEN,
    f"https://api.telegram.org/bot{TOKEN}/getMe",
    TOKEN.replace(":", "%3A"),
    KEY,
    f"Authorization: Bearer {KEY[3:]}",
    "authorization: Basic Y2FuYXJ5OmNhbmFyeQ==canary",
    URI,
    "https://user:canarypass@proxy.example.org/",
    'api_key="canarycanary"',
    "{'password': 'canarycanary'}",
    EXACT,
    "https://host/?key=canary%20pass%2Fword%2B1",
)


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave both logging systems as they were."""
    monkeypatch.setattr(logs, "_secrets", {})
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logger.remove()
    logger.configure(patcher=lambda record: None, extra={})


@pytest.fixture(params=[True, False], ids=["json", "text"])
def out(request: pytest.FixtureRequest) -> io.StringIO:
    stream = io.StringIO()
    logs.configure("DEBUG", json=request.param, sink=stream)
    logs.register_secret(EXACT)
    return stream


@pytest.fixture
def lines() -> Callable[[], list[dict[str, object]]]:
    stream = io.StringIO()
    logs.configure("INFO", json=True, sink=stream)
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def fail(text: str) -> None:
    """Raise with a local variable and a message worth stealing."""
    secret_local = text
    raise ValueError(secret_local)


@pytest.mark.parametrize("canary", CANARIES)
def test_no_secret_gets_out(out: io.StringIO, canary: str) -> None:
    logger.info("message {}", canary)
    logger.info(canary)
    logger.bind(field=canary, nested={"list": [canary, {"deep": canary}]}).info("extra")
    logger.bind(error=RuntimeError(canary)).info("an error as a field")
    logging.getLogger("httpx").warning("HTTP Request: GET %s", canary)
    logging.getLogger("some.library").error("it broke: %s", {"uri": canary})
    for error in (SendRejected(canary), OSError(canary), TypeError(canary)):
        try:
            raise error
        except (SendRejected, OSError, TypeError):
            logger.exception("it failed")
    try:
        fail(canary)
    except ValueError:
        logger.exception("it failed")
        logging.getLogger("telegram.ext").exception("it failed there")
    assert "canary" not in out.getvalue()
    assert out.getvalue().count("it failed") == 5
    assert logs.MASK in out.getvalue()


def test_an_exception_is_named_and_placed_but_not_quoted(out: io.StringIO) -> None:
    try:
        try:
            fail("I told nobody but you")
        except ValueError as error:
            raise KeyError("I told nobody but you") from error
    except KeyError:
        logger.exception("the turn failed")
    text = out.getvalue()
    assert "KeyError" in text
    assert "caused by ValueError" in text
    assert "test_logs.py" in text
    assert "in fail" in text
    assert "told nobody" not in text


def test_our_own_errors_and_the_systems_may_speak(out: io.StringIO) -> None:
    for error in (ConfigError("LLM_MODEL: is empty"), ConnectionRefusedError(111, "refused")):
        try:
            raise error
        except (ConfigError, OSError):
            logger.exception("it failed")
    assert "LLM_MODEL: is empty" in out.getvalue()
    assert "refused" in out.getvalue()


def test_every_member_of_a_group_is_named(out: io.StringIO) -> None:
    try:
        raise ExceptionGroup("two", [ValueError("private"), OSError(5, "disk")])
    except* (ValueError, OSError):
        logger.exception("both failed")
    text = out.getvalue()
    assert "caused by ValueError" in text
    assert "caused by OSError" in text
    assert "private" not in text


def test_a_json_line_has_its_fields(lines: Callable[[], list[dict[str, object]]]) -> None:
    try:
        raise TimeoutError
    except TimeoutError:
        logger.bind(conversation="42", count=3).exception("late by {} s", 5)
    (line,) = lines()
    assert line["level"] == "ERROR"
    assert line["message"] == "late by 5 s"
    assert (line["conversation"], line["count"]) == ("42", 3)
    assert line["exception"] == "TimeoutError"
    assert str(line["time"]).count("T") == 1


def test_libraries_stay_quiet_below_warning(lines: Callable[[], list[dict[str, object]]]) -> None:
    for name in ("httpx", "telegram.ext.Updater", "uvicorn.access", "apscheduler.scheduler"):
        logging.getLogger(name).info("chatter")
        logging.getLogger(name).warning("trouble")
    assert [line["message"] for line in lines()] == ["trouble"] * 4
    assert lines()[0]["logger"] == "httpx"


def test_the_level_is_kept(lines: Callable[[], list[dict[str, object]]]) -> None:
    logger.debug("not this")
    logger.info("this")
    assert [line["message"] for line in lines()] == ["this"]


def test_a_text_line_is_one_line(restored: None) -> None:
    stream = io.StringIO()
    logs.configure(sink=stream)
    logger.bind(name_of="a\nb").info("one\r\ntwo")
    assert stream.getvalue().count("\n") == 1
    assert "INFO" in stream.getvalue()


async def test_asyncios_own_complaint_quotes_nobody(out: io.StringIO) -> None:
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    future.set_exception(ValueError("I told nobody but you"))
    loop.call_exception_handler(
        {"message": "never retrieved", "future": future, "exception": future.exception()}
    )
    assert "never retrieved" in out.getvalue()
    assert "ValueError" in out.getvalue()
    assert "told nobody" not in out.getvalue()


def test_a_broken_sink_or_text_stops_nothing(
    lines: Callable[[], list[dict[str, object]]], capsys: pytest.CaptureFixture[str]
) -> None:
    logger.info("half an emoji \ud83d")
    assert len(lines()) == 1
    closed = io.StringIO()
    closed.close()
    logs.configure(sink=closed)
    logger.info("nobody reads {}", TOKEN)
    assert "canary" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "harmless",
    [
        "prompt_tokens=123456789 completion_tokens=12",
        "the task-based worker took 12:34:56.789",
        "WEBHOOK_SECRET: should have at least 32 characters",
        "a basic understanding",
        "https://api.openai.com/v1 answered 200",
        "mongodb://localhost:27017/thinkmate",
        "chat -1001234567890:77 parked",
    ],
)
def test_ordinary_lines_are_left_alone(harmless: str) -> None:
    assert logs.redact(harmless) == harmless


@pytest.mark.parametrize("value", [None, "", "abc"])
def test_values_too_short_to_be_secret_are_not_registered(value: str | None) -> None:
    logs.register_secret(value)
    assert logs.redact("abc None") == "abc None"


def test_a_secret_that_contains_another_is_hidden_whole() -> None:
    logs.register_secret("pepper")
    logs.register_secret("pepper-and-salt")
    assert logs.redact("<pepper-and-salt>") == f"<{logs.MASK}>"
