"""Which entities Telegram takes, and how they may stand inside each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

Entity = dict[str, Any]

STYLES = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
CODE = frozenset({"code", "pre"})
QUOTES = frozenset({"blockquote", "expandable_blockquote"})
LINK = "text_link"
MAX_URL_CHARS = 2048

_SCHEMES = frozenset({"http", "https", "tg", "mailto"})
_MAIL_ADDRESS = re.compile(r"[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+")
_LANGUAGE = re.compile(r"[\w+#.-]{1,32}")


def tidy(entities: Iterable[Entity]) -> list[Entity]:
    """The entities Telegram allows together, outermost first.

    Unsafe links, custom emoji, quotes in quotes, links in links and anything inside code go;
    a style around code is cut so that it covers only what stands beside the code.
    """
    known = [kept for row in entities if (kept := _known(row)) is not None]
    known.sort(key=lambda row: (row["offset"], -row["length"]))
    quotes = _without_overlaps(row for row in known if row["type"] in QUOTES)
    links = _without_overlaps(row for row in known if row["type"] == LINK)
    blocks = _without_overlaps(row for row in known if row["type"] == "pre")
    code = [row for row in known if row["type"] == "code" and not _touches(row, [*links, *blocks])]
    code = _without_overlaps(code)
    links = [row for row in links if not _touches(row, blocks)]
    styles = [
        piece for row in known if row["type"] in STYLES for piece in _beside(row, [*blocks, *code])
    ]
    together = [*quotes, *links, *blocks, *code, *styles]
    together.sort(key=lambda row: (row["offset"], -row["length"]))
    return together


def _known(row: Entity) -> Entity | None:
    """The entity with only the fields its type has, or None when it can't be shown."""
    kind = row["type"]
    place = {"type": kind, "offset": row["offset"], "length": row["length"]}
    if kind in STYLES or kind in QUOTES or kind == "code":
        return place
    if kind == "pre":
        language = row.get("language") or ""
        return {**place, "language": language} if _LANGUAGE.fullmatch(language) else place
    if kind == LINK:
        url = safe_url(row.get("url") or "")
        return {**place, "url": url} if url else None
    return None


def safe_url(url: str) -> str | None:
    """A link Telegram may open, with its scheme; None for any other kind of link."""
    if _MAIL_ADDRESS.fullmatch(url):
        url = f"mailto:{url}"
    elif url.startswith("www."):
        url = f"https://{url}"
    if len(url) > MAX_URL_CHARS or any(char.isspace() or not char.isprintable() for char in url):
        return None
    try:
        address = urlsplit(url)
    except ValueError:
        return None
    if address.scheme not in _SCHEMES or not (address.netloc or address.path.strip("/")):
        return None
    return url if address.scheme == "mailto" or address.netloc else None


def _end(row: Entity) -> int:
    return int(row["offset"]) + int(row["length"])


def _touches(row: Entity, others: Iterable[Entity]) -> bool:
    return any(other["offset"] < _end(row) and row["offset"] < _end(other) for other in others)


def _without_overlaps(rows: Iterable[Entity]) -> list[Entity]:
    """Of rows in order, those that begin after the one kept before has ended."""
    kept: list[Entity] = []
    for row in rows:
        if not kept or row["offset"] >= _end(kept[-1]):
            kept.append(row)
    return kept


def _beside(row: Entity, code: Sequence[Entity]) -> list[Entity]:
    """What is left of a style when the code under it is taken out."""
    start, end, pieces = row["offset"], _end(row), []
    for hole in sorted(code, key=lambda item: int(item["offset"])):
        if _end(hole) <= start or hole["offset"] >= end:
            continue
        if hole["offset"] > start:
            pieces.append({**row, "offset": start, "length": hole["offset"] - start})
        start = max(start, _end(hole))
    if start < end:
        pieces.append({**row, "offset": start, "length": end - start})
    return pieces
