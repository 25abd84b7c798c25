"""Logs: one sink for everything, in which secrets and people's words never appear.

Every record passes the same redaction: message, extra fields and exception. An exception's own
text is shown only where its class is known not to quote data; of the rest the log keeps the class
and the places in the code.
"""

from __future__ import annotations

import json as jsonlib
import logging
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, quote_plus

from loguru import logger

if TYPE_CHECKING:
    from loguru import Message, Record

MASK = "[redacted]"
MIN_SECRET_CHARS = 6
MAX_FRAMES = 30
MAX_CHAIN = 8
QUIET_LIBRARIES = (
    "apscheduler",
    "asyncio",
    "httpcore",
    "httpx",
    "openai",
    "pymongo",
    "telegram",
    "uvicorn",
    "uvicorn.access",
    "uvicorn.error",
)
"""Loggers held at WARNING; at INFO httpx writes whole URLs, tokens included."""

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\d{6,}(?::|%3[Aa])[A-Za-z0-9_-]{30,}"), MASK),
    (re.compile(r"(?<![A-Za-z0-9])(?:sk|pk|rk|gsk|xai|hf|ghp)[-_][A-Za-z0-9_-]{8,}"), MASK),
    (re.compile(r"AIza[A-Za-z0-9_-]{30,}"), MASK),
    (
        re.compile(r"(?i)\b(bearer|authorization\W{1,4}basic)\s+[A-Za-z0-9._~+/=-]{6,}"),
        rf"\1 {MASK}",
    ),
    (re.compile(r"(?i)(mongodb(?:\+srv)?://)[^\s\"'<>]*@"), rf"\1{MASK}@"),
    (re.compile(r"(?i)(https?://)[^\s/\"'<>@]+@"), rf"\1{MASK}@"),
    (
        re.compile(
            r"(?i)((?:api[_-]?key|token|secret|password)(?:[\"']\s*:\s*[\"']|=[\"']?))[^\s\"',;&]{6,}"
        ),
        rf"\1{MASK}",
    ),
)
_ASYNCIO_EXCEPTION = re.compile(r"exception=(\w+)\(.*", re.DOTALL)
_TALKING_CLASSES = (OSError, TypeError, AttributeError, NameError, ImportError)
_TALKING_MODULES = ("app.errors", "telegram.error", "httpx", "httpcore")

_secrets: dict[str, None] = {}


class Stream(Protocol):
    """Where lines go."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


def configure(level: str = "INFO", json: bool = False, sink: Stream | None = None) -> None:
    """Send everything, the standard library's logging included, to `sink` as redacted lines.

    `sink` is standard error when not given. A line that can't be written never stops the program.
    """
    stream = sink or sys.stderr
    logger.remove()
    logger.configure(patcher=_redact_record, extra={})
    line = _json_line if json else _text_line

    def write(message: Message) -> None:
        text = line(message.record)
        stream.write(text.encode("utf-8", "backslashreplace").decode() + "\n")
        stream.flush()

    logger.add(write, level=level, format=_no_format, backtrace=False, diagnose=False, catch=True)
    logging.basicConfig(handlers=[_Bridge()], level=logging.WARNING, force=True)
    for name in QUIET_LIBRARIES:
        library = logging.getLogger(name)
        library.setLevel(logging.WARNING)
        library.handlers.clear()
        library.propagate = True


def register_secret(value: str | None) -> None:
    """Never show this exact value, as it is or as part of a URL. Very short values are skipped."""
    if value and len(value) >= MIN_SECRET_CHARS:
        spellings = {value, quote(value, safe=""), quote_plus(value)}
        every = sorted({*_secrets, *spellings}, key=len, reverse=True)
        _secrets.clear()
        _secrets.update(dict.fromkeys(every))


def redact(text: str) -> str:
    """`text` without registered secrets and without anything that looks like one."""
    for secret in _secrets:
        text = text.replace(secret, MASK)
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def describe_exception(error: BaseException) -> list[str]:
    """One line for each exception of the chain, each followed by its places in the code."""
    lines: list[str] = []
    for number, link in enumerate(_chain(error)):
        lines.append(("caused by " if number else "") + _headline(link))
        lines.extend(f"  at {place}" for place in _places(link))
    return lines


def _chain(error: BaseException) -> Iterator[BaseException]:
    waiting, seen = [error], 0
    while waiting and seen < MAX_CHAIN:
        link = waiting.pop(0)
        seen += 1
        yield link
        if isinstance(link, BaseExceptionGroup):
            waiting.extend(link.exceptions)
        cause = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
        if cause is not None:
            waiting.append(cause)


def _headline(error: BaseException) -> str:
    name = type(error).__name__
    talks = isinstance(error, _TALKING_CLASSES) or type(error).__module__ in _TALKING_MODULES
    text = redact(_one_line(str(error))) if talks else ""
    return f"{name}: {text}" if text else name


def _places(error: BaseException) -> list[str]:
    places: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno} in {code.co_name}")
        trace = trace.tb_next
    return places[-MAX_FRAMES:]


def _redact_record(record: Record) -> None:
    record["message"] = redact(record["message"])
    record["extra"] = {key: _redact_value(value) for key, value in record["extra"].items()}
    exception = record["exception"]
    if exception is not None and exception.value is not None:
        record["extra"]["exception"] = type(exception.value).__name__
        record["extra"]["trace"] = describe_exception(exception.value)
    # loguru's own rendering of it would quote source lines and the exception's text.
    record["exception"] = None


def _redact_value(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {redact(str(key)): _redact_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact_value(item) for item in value]
    if isinstance(value, BaseException):
        return _headline(value)
    return redact(str(value))


def _no_format(_: Record) -> str:
    return ""


def _json_line(record: Record) -> str:
    fields = {
        **record["extra"],
        "time": record["time"].isoformat(timespec="milliseconds"),
        "level": record["level"].name,
        "logger": record["name"],
        "message": record["message"],
    }
    return jsonlib.dumps(fields, ensure_ascii=False, default=str)


def _text_line(record: Record) -> str:
    extra = dict(record["extra"])
    trace = extra.pop("trace", None) or []
    if trace:
        extra.pop("exception", None)
    fields = "".join(f" {key}={_one_line(str(value))}" for key, value in extra.items())
    head = f"{record['time']:YYYY-MM-DD HH:mm:ss.SSS} {record['level'].name:<8}"
    first = f"{head} {record['name']}: {_one_line(record['message'])}{fields}"
    return "\n".join([first, *(f"    {line}" for line in trace)])


def _one_line(text: str) -> str:
    """Nobody's text may look like a second log line."""
    return text.replace("\r", "\\r").replace("\n", "\\n")


class _Bridge(logging.Handler):
    """Hands the standard library's records to loguru."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            level: str | int = logger.level(record.levelname).name
        except ValueError:
            level = record.levelno
        text = record.getMessage()
        if record.name == "asyncio":
            text = _ASYNCIO_EXCEPTION.sub(r"exception=\1", text)
        error = record.exc_info[1] if record.exc_info else None

        def name_it(line: Record) -> None:
            line["name"] = record.name

        logger.patch(name_it).opt(exception=error).log(level, "{}", text)
