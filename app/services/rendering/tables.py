"""Tables too wide for a phone, told row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence

PHONE_COLUMNS = 34
"""About what a phone shows of a monospaced line before it wraps."""

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_CELL_END = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"[*_`~]+|\]\([^)]*\)|\[")


def is_table_start(lines: Sequence[str], index: int) -> bool:
    """Whether a header and its rule stand at `index`."""
    if index + 1 >= len(lines) or "|" not in lines[index] or "|" not in lines[index + 1]:
        return False
    rule = lines[index + 1]
    return bool(_RULE.fullmatch(rule)) and len(cells(rule)) == len(cells(lines[index]))


def table_end(lines: Sequence[str], start: int) -> int:
    """The index after the last row of the table that starts at `start`."""
    end = start + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    return end


def cells(line: str) -> list[str]:
    """The cells of one row, without the outer bars."""
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in _CELL_END.split(inner)]


def is_wide(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the table needs more columns than a phone has."""
    count = max(len(row) for row in rows)
    widths = [max((len(_MARKS.sub("", row[i])) for row in rows if i < len(row)), default=0)
              for i in range(count)]  # fmt: skip
    return sum(widths) + 3 * (count - 1) > PHONE_COLUMNS


def as_records(rows: Sequence[Sequence[str]]) -> list[str]:
    """Markdown lines: each row under its first cell, the others with their column's name."""
    header, lines = rows[0], list[str]()
    for row in rows[1:]:
        title, rest = row[0], row[1:]
        lines.append("")
        if title:
            lines.append(_strong(title))
        for number, cell in enumerate(rest, start=1):
            name = header[number] if number < len(header) else ""
            if cell:
                lines.append(f"- {name}: {cell}" if name else f"- {cell}")
    return [*lines, ""]


def _strong(text: str) -> str:
    return text if any(mark in text for mark in "*_`") else f"**{text}**"
