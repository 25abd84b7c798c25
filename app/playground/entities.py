"""Text as Telegram counts it: UTF-16 units, entities, and long pastes split by the client."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.playground.api_error import bad_request

MESSAGE_LIMIT = 4096
CAPTION_LIMIT = 1024

Entity = dict[str, Any]

KNOWN_TYPES = frozenset(
    [
        "mention",
        "hashtag",
        "cashtag",
        "bot_command",
        "url",
        "email",
        "phone_number",
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    ]
)
_FOUND_BY_CLIENTS = (
    ("url", re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)]")),
    ("bot_command", re.compile(r"(?<![\w/@])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])")),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z0-9_]{3,32}(?!\w)")),
)


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def find_entities(text: str) -> list[Entity]:
    """What Telegram marks in plain text: links, commands and mentions, in order."""
    taken: list[tuple[int, int, str]] = []
    for kind, pattern in _FOUND_BY_CLIENTS:
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end, _ in taken):
                taken.append((match.start(), match.end(), kind))
    return [
        {"type": kind, "offset": units(text[:start]), "length": units(text[start:end])}
        for start, end, kind in sorted(taken)
    ]


def check_entities(text: str, entities: Sequence[Any]) -> list[Entity]:
    """The entities a bot gave for `text`. ApiError 400 when one doesn't fit the text."""
    return [_checked(entity, text) for entity in entities]


def _checked(entity: Any, text: str) -> Entity:
    if not isinstance(entity, Mapping) or entity.get("type") not in KNOWN_TYPES:
        raise bad_request("can't parse entities: unsupported type of an entity")
    offset, length = entity.get("offset"), entity.get("length")
    if type(offset) is not int or type(length) is not int:
        raise bad_request("can't parse entities: offset and length must be numbers")
    if offset < 0 or length <= 0 or offset + length > units(text):
        raise bad_request("can't parse entities: an entity lies outside the text")
    edges = _edges(text)
    if offset not in edges or offset + length not in edges:
        raise bad_request("can't parse entities: an entity cuts a UTF-16 symbol in half")
    if entity["type"] == "text_link" and not entity.get("url"):
        raise bad_request("can't parse entities: a text_link needs a URL")
    return dict(entity)


def _edges(text: str) -> set[int]:
    """Offsets between whole characters, never inside a surrogate pair."""
    edges, position = {0}, 0
    for character in text:
        position += 2 if ord(character) > 0xFFFF else 1
        edges.add(position)
    return edges


def trim(text: str, entities: Sequence[Entity]) -> tuple[str, list[Entity]]:
    """The text without white space around it, its entities moved and cut accordingly."""
    lead = units(text[: len(text) - len(text.lstrip())])
    trimmed = text.strip()
    size = units(trimmed)
    kept: list[Entity] = []
    for entity in entities:
        start = max(0, entity["offset"] - lead)
        end = min(size, entity["offset"] + entity["length"] - lead)
        if end > start:
            kept.append({**entity, "offset": start, "length": end - start})
    return trimmed, kept


def split_paste(text: str, limit: int = MESSAGE_LIMIT) -> Iterator[str]:
    """The messages a Telegram client makes of a long paste: cut at a line, a space, or hard."""
    rest = text
    while units(rest) > limit:
        cut = _fitting(rest, limit)
        for mark in ("\n", " "):
            soft = rest.rfind(mark, cut // 2, cut)
            if soft > 0:
                cut = soft + 1
                break
        yield rest[:cut]
        rest = rest[cut:]
    yield rest


def _fitting(text: str, limit: int) -> int:
    used = 0
    for index, character in enumerate(text):
        used += 2 if ord(character) > 0xFFFF else 1
        if used > limit:
            return index
    return len(text)
