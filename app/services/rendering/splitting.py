"""Cutting a text with entities into Telegram messages, at the places a reader would choose."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.conversation import Part
from app.services.rendering.graphemes import has_visible, is_boundary

MAX_PART_UTF16 = 4096
MAX_ENTITIES = 100
"""Telegram ignores what is beyond; a part keeps its first ones."""

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<![.!?…])[.!?…]+[\"'”’»)\]]*\s+|[。！？｡]+[」』）”’]*")
_WORD = re.compile(r"\s+")
_PLACES = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)
_PLACES_IN_CODE = (_PARAGRAPH, _LINE)
_LEADING_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*")

_MIN_FILL = 4
"""A cut that leaves less than a quarter of a part is taken only when there is no other."""


@dataclass(frozen=True, slots=True)
class Span:
    """An entity by code points: [start, end) of the text, and its other fields."""

    start: int
    end: int
    fields: dict[str, Any]

    @property
    def is_pre(self) -> bool:
        return bool(self.fields["type"] == "pre")


class Offsets:
    """Code point positions as UTF-16 positions, and back."""

    def __init__(self, text: str) -> None:
        self._table: Sequence[int] = range(len(text) + 1)
        if text and max(text) > "\uffff":
            table = [0]
            for char in text:
                table.append(table[-1] + (2 if char > "\uffff" else 1))
            self._table = table

    def utf16(self, index: int) -> int:
        return self._table[index]

    def index(self, utf16: int) -> int:
        """The code point at or after a UTF-16 position."""
        return min(bisect_left(self._table, utf16), len(self._table) - 1)

    def fitting(self, start: int, limit: int) -> int:
        """The furthest end so that [start, end) has at most `limit` units; always progress."""
        end = self.index(self._table[start] + limit)
        if self._table[end] - self._table[start] > limit:
            end -= 1
        return max(end, start + 1)


def split(
    text: str, entities: Iterable[dict[str, Any]], limit: int = MAX_PART_UTF16
) -> tuple[Part, ...]:
    """Parts of at most `limit` UTF-16 units that together show all of `text`, in order.

    A cut never falls inside a joined character nor inside an entity that fits in one part; an
    entity longer than that goes on in the next part, code at line ends. White space at a cut and
    parts that would show nothing are left out.
    """
    offsets = Offsets(text)
    spans = [
        Span(offsets.index(row["offset"]), offsets.index(row["offset"] + row["length"]), row)
        for row in entities
    ]
    parts = (
        _part(text, start, end, spans, offsets) for start, end in _cut(text, spans, offsets, limit)
    )
    return tuple(part for part in parts if part is not None)


def _cut(
    text: str, spans: Sequence[Span], offsets: Offsets, limit: int
) -> Iterator[tuple[int, int]]:
    """The parts' ranges, white space at the cuts left out."""
    whole = [span for span in spans if offsets.utf16(span.end) - offsets.utf16(span.start) <= limit]
    code = [span for span in spans if span.is_pre]
    end, start = len(text.rstrip()), 0
    while (start := _skip_blank(text, start, end, code)) < end:
        furthest = offsets.fitting(start, limit)
        cut = end if furthest >= end else _best_cut(text, start, furthest, whole, code)
        yield start, cut
        start = cut


def _skip_blank(text: str, start: int, end: int, code: Sequence[Span]) -> int:
    """Past leading white space, but not past the indentation of a first line of code."""
    stripped = end - len(text[start:end].lstrip()) if start < end else end
    if any(span.start < stripped < span.end for span in code):
        blank = _LEADING_BLANK_LINES.match(text, start, stripped)
        return blank.end() if blank else start
    return stripped


def _best_cut(
    text: str, start: int, furthest: int, whole: Sequence[Span], code: Sequence[Span]
) -> int:
    """Where the part that begins at `start` ends, at `furthest` at the latest."""
    floors = (start + (furthest - start) // _MIN_FILL, start + 1)
    for floor in floors:
        for place in _PLACES:
            blocking = whole if place in _PLACES_IN_CODE else [*whole, *code]
            # One more character is seen, so that a blank just after the limit counts as an end.
            for match in reversed(list(place.finditer(text, start, furthest + 1))):
                cut = min(match.end(), furthest)
                if cut < floor:
                    break
                if not _inside(cut, blocking) and is_boundary(text, cut):
                    return cut
    cut = furthest
    while cut > start and (_inside(cut, whole) or not is_boundary(text, cut)):
        cut -= 1
    if cut == start:
        # Nothing but one giant joined character or overlapping entities: only the limit counts.
        cut = furthest
        while cut > start and not is_boundary(text, cut):
            cut -= 1
    return cut if cut > start else furthest


def _inside(cut: int, spans: Iterable[Span]) -> bool:
    return any(span.start < cut < span.end for span in spans)


def _part(text: str, start: int, end: int, spans: Iterable[Span], offsets: Offsets) -> Part | None:
    """The Telegram message of a range, or None when nothing of it would be seen."""
    body = text[start:end].rstrip()
    if not has_visible(body):
        return None
    end = start + len(body)
    rows: list[dict[str, Any]] = []
    for span in spans:
        first, last = max(span.start, start), min(span.end, end)
        if not span.is_pre:
            piece = text[first:last]
            first += len(piece) - len(piece.lstrip())
            last -= len(piece) - len(piece.rstrip())
        if first < last:
            offset = offsets.utf16(first) - offsets.utf16(start)
            length = offsets.utf16(last) - offsets.utf16(first)
            rows.append({**span.fields, "offset": offset, "length": length})
    return Part(text=body, entities=tuple(rows[:MAX_ENTITIES]))
