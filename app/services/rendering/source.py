"""What models write, made into Markdown that loses nothing on the way to a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.services.rendering.tables import as_records, cells, is_table_start, is_wide, table_end

LESS_THAN = "\ufdd0"
"""Stands for a `<` that begins no autolink, as long as the parser looks at the text: it would drop
HTML. A noncharacter, one UTF-16 unit like the sign itself, so that no offset moves."""

_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127, *range(0xFDD0, 0xFDF0)])
_SURROGATE = re.compile("[\ud800-\udfff]")
_FENCE = re.compile(r"\s{0,3}(?:>\s?|[-*+]\s++|\d++[.)]\s++)*+\s*+(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG_PAIR = re.compile(
    r"<(b|strong|i|em|u|s|del|code)>(?=\S)((?:(?!<\1>).)+?)(?<=\S)</\1>", re.IGNORECASE
)
_TAG_MARKS = {
    "b": "**", "strong": "**", "i": "*", "em": "*", "u": "", "s": "~~", "del": "~~", "code": "`",
}  # fmt: skip
_AUTOLINK = r"(?:https?://|tg://|mailto:)[^\s<>]+>|[^\s<>@]+@[^\s<>]+>"
_MARKUP_SIGN = re.compile(rf"(?<!\\)(?<!\]\()<(?=[A-Za-z/!?])(?!{_AUTOLINK})")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")


def clean(text: str) -> str:
    """`text` with plain line ends and without what can't be sent: controls, half emoji."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROL)
    return _SURROGATE.sub("\ufffd", text)


def prepare(markdown: str) -> str:
    """Markdown in which HTML, footnotes and wide tables survive; code is left alone."""
    return "\n".join(_prepared(markdown.split("\n")))


def restore(text: str) -> str:
    """Undo the stand-in after the conversion."""
    return text.replace(LESS_THAN, "<")


def _prepared(lines: list[str]) -> Iterator[str]:
    fence, index = "", 0
    while index < len(lines):
        line = lines[index]
        mark = _FENCE.match(line)
        if fence:
            if line.strip().strip(">").strip().startswith(fence) and not line.strip(" >`~\t"):
                fence = ""
        elif mark:
            fence = mark[1]
        elif is_table_start(lines, index):
            end = table_end(lines, index)
            yield from _table(lines[index:end])
            index = end
            continue
        else:
            line = _outside_code(line, "\n")
        yield line
        index += 1


def _table(lines: list[str]) -> Iterator[str]:
    # Two bars side by side are an empty cell here, but a spoiler's mark to the converter.
    lines = [_outside_code(line, " ").replace("||", "| |") for line in lines]
    rows = [cells(line) for number, line in enumerate(lines) if number != 1]
    # The converter drops what has no column.
    ragged = any(len(row) > len(rows[0]) for row in rows)
    if len(rows) > 1 and (ragged or is_wide(rows)):
        yield from as_records(rows)
    else:
        yield from lines


def _outside_code(line: str, line_break: str) -> str:
    """One line with the mends made everywhere but in its code spans."""
    pieces, last = [], 0
    for span in _CODE_SPAN.finditer(line):
        pieces += [_mended(line[last : span.start()], line_break), span[0]]
        last = span.end()
    return "".join([*pieces, _mended(line[last:], line_break)])


def _mended(text: str, line_break: str) -> str:
    if "<" in text:
        text = _BREAK.sub(line_break, text)
        text = _TAG_PAIR.sub(_as_marks, text)
        text = _MARKUP_SIGN.sub(LESS_THAN, text)
    if "[^" in text:
        text = _FOOTNOTE.sub(r"\\[\1\\]", text)
    return _TIMES.sub(r"\\*", text) if "*" in text else text


def _as_marks(match: re.Match[str]) -> str:
    mark = _TAG_MARKS[match[1].lower()]
    return f"{mark}{match[2]}{mark}"
