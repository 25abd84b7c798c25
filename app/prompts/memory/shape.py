"""Reading rows out of a model's raw text: forgiving of dress, strict about what a row says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from app.prompts.reply_schema import strip_thinking

MASKED_CHARS = 400
MAX_RAW = 400_000
_DECODER = json.JSONDecoder(strict=False)
_ROW_START = re.compile(r"\{")


def read_object(raw: str | None, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """The object of a raw answer that has one of the keys; None when there is none.

    Fences, thinking and text around it don't matter. From an answer that is cut off, the lists
    keep the rows that are whole; with no whole row there is no object.
    """
    text = strip_thinking((raw or "")[:MAX_RAW])
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict) and any(key in value for key in keys):
            return value
        start = text.find("{", start + 1)
    return _cut_off(text, keys)


def rows(value: Any) -> list[Any]:
    """A list as it is, one object as a list of one, anything else as no rows."""
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, dict) else []


def text_of(value: Any) -> str:
    """A string without the white space around it; "" for anything else."""
    return value.strip() if isinstance(value, str) else ""


def number_of(value: Any, otherwise: float) -> float:
    """A number from 0 to 1, also when written as text or as a percentage."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return otherwise
    if 1 < number <= 100:
        number /= 100
    return number if 0 <= number <= 1 else otherwise


def strings(value: Any) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def masked(raw: str | None) -> str:
    """The shape of an answer without its content: JSON's own signs, all else as x; 400 at most."""
    return re.sub(r"[^\s{}\[\]:,\"]", "x", (raw or "")[:MASKED_CHARS])


def _cut_off(text: str, keys: tuple[str, ...]) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    for key in keys:
        match = re.search(rf'"{key}"\s*:\s*\[', text)
        if match is None:
            continue
        whole = _whole_rows(text, match.end())
        if whole:
            found[key] = whole
    return found or None


def _whole_rows(text: str, at: int) -> list[Mapping[str, Any]]:
    whole: list[Mapping[str, Any]] = []
    while True:
        start = _ROW_START.match(text, _skip(text, at))
        if start is None:
            return whole
        try:
            value, at = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            return whole
        whole.append(value)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in ", \t\r\n":
        at += 1
    return at
