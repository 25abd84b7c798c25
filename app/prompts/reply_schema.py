"""The shape of a reply: what the model is told of it, and how its raw text becomes a ReplyBundle.

Small models break every rule of the shape. Reading is therefore forgiving (thinking, fences,
text around the JSON, JSON that is cut off or misquoted), with two firm limits: nothing usable
is None, never an empty reply, and a person never sees the braces of our own format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.domain.record import FactCategory
from app.domain.reply import MemoryOp, ReplyBundle
from app.domain.text import clean

REPLY_INSTRUCTIONS = """\
## How to answer
Answer with one JSON object and nothing around it: \
{"reply": "…", "reaction": "…", "memory_ops": []}
- "reply": what you say to the person, in Markdown, in the person's language and script. Plain, \
warm and as short as a chat message unless more is asked for. Never empty.
- "reaction": one emoji set on the person's message when a friend would do that too, one of \
👍 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 😢 🎉 🤩 🙏 👌 😍 💯 🤣 💔 😴 😭 👀 🤝 🤗 🫡 😎 — otherwise "none".
- "memory_ops": only when the person asks you to remember or to forget something, otherwise []. \
One for each thing; when several notes fit, ask which one instead. {"op": "remember", "text": what \
to keep, in their own voice and language, "category": "personal" | "work" | "preference" | \
"health" | "hobby" | "relationship", "id": null, "quote": their words, copied} or {"op": "forget", \
"text": the words that say what, "category": null, "id": the id of the note, if there is one, \
"quote": their words}. Don't claim it is done; that is confirmed for you."""

REPLY_MAX_CHARS = 16_000
OP_MAX_CHARS = 500
REACTION_MAX_CHARS = 16


class FormatLevel(StrEnum):
    """How firmly the endpoint is told the shape, firmest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"

    @property
    def weaker(self) -> FormatLevel | None:
        """The next less firm level, None below plain text."""
        return _WEAKER.get(self)


_WEAKER = {
    FormatLevel.JSON_SCHEMA: FormatLevel.JSON_OBJECT,
    FormatLevel.JSON_OBJECT: FormatLevel.TEXT,
}


@dataclass(frozen=True)
class JsonSchema:
    """A named strict JSON schema; `formats` holds the request's `response_format` by level."""

    name: str
    schema: Mapping[str, Any]
    formats: Mapping[FormatLevel, dict[str, Any]] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        strict = {"name": self.name, "strict": True, "schema": dict(self.schema)}
        formats = {
            FormatLevel.JSON_SCHEMA: {"type": "json_schema", "json_schema": strict},
            FormatLevel.JSON_OBJECT: {"type": "json_object"},
        }
        object.__setattr__(self, "formats", formats)


_OP = {
    "type": "object",
    "properties": {
        "op": {"type": "string", "enum": ["remember", "forget"]},
        "text": {"type": "string"},
        "category": {"type": ["string", "null"]},
        "id": {"type": ["string", "null"]},
        "quote": {"type": "string"},
    },
    "required": ["op", "text", "category", "id", "quote"],
    "additionalProperties": False,
}
MAX_OPS = 5
REPLY_SCHEMA = JsonSchema(
    "reply",
    {
        "type": "object",
        "properties": {
            "reply": {"type": "string"},
            "reaction": {"type": ["string", "null"]},
            "memory_ops": {"type": "array", "items": _OP},
        },
        "required": ["reply", "reaction", "memory_ops"],
        "additionalProperties": False,
    },
)

_REPLY_KEYS = ("reply", "response", "answer", "message", "text", "content", "output")
_NO_REACTION = frozenset({"", "none", "null", "no", "n/a", "nil", "false"})

_THINK_OPEN = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THINK_CLOSE = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CHANNEL = "<|channel|>final<|message|>"
_END_TOKENS = re.compile(
    r"(?:\s*(?:<\|(?:im_end|eot_id|end|return|endoftext|end_of_text)\|>|</s>|<end_of_turn>))+\s*$"
)
_WHOLE_FENCE = re.compile(
    r"^```(?:json5?|jsonc|markdown|md|text|txt)?[ \t]*\n(.*?)\n?```\s*$", re.DOTALL | re.IGNORECASE
)
_OPEN_FENCE = re.compile(r"^```(?:json5?|jsonc)?\s*(?=\{)", re.IGNORECASE)
_OBJECT_START = re.compile(r"\{\s*[\"'“]?reply[\"'”]?\s*:")
_LOOKS_LIKE_JSON = re.compile(
    r"^(?:\{\s*(?:[\"'“]?\w+[\"'”]?\s*:|[\"'“]?\w*[\"'”]?\s*$)|\[\s*\{|null$|[\[\]{}\",:\s]*$)"
)
_REPLY_FIELD = re.compile(r"[\"'“]?\breply[\"'”]?\s*:\s*([\"'“])")
_FIELD_END = {
    '"': re.compile(r'"\s*(?=,\s*["\'“]?reaction\b|,?\s*\}|,?\s*(?:```)?\s*$)'),
    "'": re.compile(r"'\s*(?=,\s*[\"'“]?reaction\b|,?\s*\}\s*(?:```)?\s*$|,?\s*(?:```)?\s*$)"),
    "“": re.compile(r'[”"]\s*(?=,\s*["\'“]?reaction\b|,?\s*\}|,?\s*(?:```)?\s*$)'),
}
_REACTION_FIELD = re.compile(r"[\"'“]?\breaction[\"'”]?\s*:\s*[\"'“]([^\"'”]{1,16})[\"'”]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|u[0-9a-fA-F]{0,3}$|(.)|$)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "", "b": "", "f": ""}
_DECODER = json.JSONDecoder(strict=False)


def parse_reply(raw: str | None) -> ReplyBundle | None:
    """The reply in a model's raw text; None when there is nothing to show."""
    text = strip_thinking(raw or "")
    if not text:
        return None
    fenced = _WHOLE_FENCE.match(text)
    text = fenced[1].strip() if fenced else _OPEN_FENCE.sub("", text)
    value = _find_json(text)
    if value is not None:
        bundle = _bundle(*_fields(value))
        ops = _ops(value)
        return bundle.model_copy(update={"memory_ops": ops}) if bundle and ops else bundle
    if _LOOKS_LIKE_JSON.match(text) or _OBJECT_START.search(text):
        return _bundle(*_recovered(text))
    return _bundle(text, None)


def strip_thinking(raw: str) -> str:
    """A model's text without what it thought aloud, its end tokens and white space around it.

    Only a block at the start counts, so that a reply may speak about such tags; one that never
    ends leaves nothing.
    """
    text = raw.strip()
    if _CHANNEL in text:
        text = text.rpartition(_CHANNEL)[2]
    while opening := _THINK_OPEN.match(text):
        closing = _THINK_CLOSE.search(text, opening.end())
        if closing is None:
            return ""
        text = text[closing.end() :].lstrip()
    if "</think" in text and "<think" not in text and not text.startswith(("{", "```")):
        text = _THINK_CLOSE.split(text)[-1]
    return _END_TOKENS.sub("", text).strip()


def _find_json(text: str) -> Any:
    """The first JSON value that can carry a reply: the whole text, or an object inside it."""
    if text[:1] in ("{", "[", '"'):
        try:
            value, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            value, end = None, 0
        if isinstance(value, dict | list) or (isinstance(value, str) and not text[end:].strip()):
            return value
    start = _OBJECT_START.search(text)
    if start is None:
        return None
    try:
        return _DECODER.raw_decode(text, start.start())[0]
    except (ValueError, RecursionError):
        return None


def _fields(value: Any, depth: int = 0) -> tuple[str, Any]:
    """Reply and reaction in a decoded value, whatever the model made of the shape."""
    if isinstance(value, str):
        inner = _find_json(value.strip()) if depth < 2 and value.lstrip()[:1] == "{" else None
        return _fields(inner, depth + 1) if isinstance(inner, dict) else (value, None)
    if isinstance(value, list):
        pieces = [_fields(item, depth + 1)[0] for item in value] if depth < 3 else []
        return "\n\n".join(piece for piece in pieces if piece), None
    if isinstance(value, dict):
        return _object_fields(value, depth)
    return ("", None) if value is None or isinstance(value, bool) else (str(value), None)


def _object_fields(value: dict[str, Any], depth: int) -> tuple[str, Any]:
    reaction = value.get("reaction")
    for key in _REPLY_KEYS:
        if value.get(key) and depth < 3:
            reply, inner_reaction = _fields(value[key], depth + 1)
            return reply, reaction if reaction is not None else inner_reaction
    texts = [item for key, item in value.items() if isinstance(item, str) and key != "reaction"]
    only = len(texts) == 1 and len(value) - ("reaction" in value) == 1
    return (texts[0] if only else ""), reaction


def _recovered(text: str) -> tuple[str, Any]:
    """What can be saved from JSON that doesn't parse: the reply's string, whole or cut off."""
    start = _REPLY_FIELD.search(text)
    if start is None:
        return "", None
    end = _FIELD_END[start[1]].search(text, start.end())
    body = text[start.end() : end.start() if end else len(text)]
    reaction = _REACTION_FIELD.search(text)
    return _ESCAPE.sub(_unescaped, body), reaction[1] if reaction else None


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    return _ESCAPED.get(escape[2], escape[2]) if escape[2] else ""


def _ops(value: Any) -> tuple[MemoryOp, ...]:
    """The requests in an answer that can be read; the others never cost the reply."""
    rows = value.get("memory_ops") if isinstance(value, dict) else None
    return tuple(op for op in map(_op, rows if isinstance(rows, list) else ()) if op)[:MAX_OPS]


def _op(row: Any) -> MemoryOp | None:
    if not isinstance(row, dict) or row.get("op") not in ("remember", "forget"):
        return None
    text, quote, record = (row.get(name) for name in ("text", "quote", "id"))
    category = row.get("category")
    op = MemoryOp(
        op=row["op"],
        text=clean(text).strip()[:OP_MAX_CHARS] if isinstance(text, str) else "",
        category=category if category in set(FactCategory) else None,
        id=record.strip("[] ") or None if isinstance(record, str) else None,
        quote=clean(quote).strip() if isinstance(quote, str) else "",
    )
    return op if op.text or op.id else None


def _bundle(reply: str, reaction: Any) -> ReplyBundle | None:
    reply = clean(reply).strip()
    if not reply:
        return None
    if len(reply) > REPLY_MAX_CHARS:
        reply = reply[: REPLY_MAX_CHARS - 2].rstrip() + " …"
    return ReplyBundle(reply=reply, reaction=_reaction(reaction))


def _reaction(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    value = clean(value).strip()
    return None if value.lower() in _NO_REACTION or len(value) > REACTION_MAX_CHARS else value
