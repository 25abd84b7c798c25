"""Splitting: for any text and any entities, nothing lost, nothing torn, every part sendable."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.conversation import Part
from app.services.rendering import plain, render, rendered
from app.services.rendering.graphemes import has_visible, is_boundary, is_visible
from app.services.rendering.splitting import MAX_ENTITIES, MAX_PART_UTF16, split

FAMILY = "👨‍👩‍👧‍👦"
JOINED = ("👍🏽", "🇩🇪", FAMILY, "❤️‍🔥", "1️⃣", "e\u0301", "क्ष", "\u1100\u1161\u11a8", "🏴󠁧󠁢󠁳󠁣󠁴󠁿")
PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from([*JOINED, "\n", "\n\n", " ", ". ", "。", "word ", "\u200b", "🇩", "\u200d"]),
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]]]:
    """A text and entities anywhere in it, overlaps included."""
    text = draw(TEXTS)
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    rows = []
    for one, other in draw(st.lists(places, max_size=6)):
        start, end = sorted((one, other))
        if start < end:
            kind = draw(st.sampled_from(["bold", "pre", "text_link", "blockquote"]))
            offset = utf16(text[:start])
            rows.append({"type": kind, "offset": offset, "length": utf16(text[start:end])})
    return text, rows


def places(text: str, parts: tuple[Part, ...]) -> list[tuple[int, int]]:
    """Where each part stands in the text; fails when one is missing, moved or torn from it."""
    found, end = [], 0
    for part in parts:
        start = text.find(part.text, end)
        while start > 0 and has_visible(text[end:start]):
            raise AssertionError("a visible character was lost before a part")
        assert start >= 0
        end = start + len(part.text)
        found.append((start, end))
    assert not has_visible(text[end:])
    return found


def check_part(part: Part, limit: int) -> None:
    assert has_visible(part.text)
    assert part.text == part.text.rstrip()
    assert 0 < utf16(part.text) <= limit
    starts = {0}
    for char in part.text:
        starts.add(max(starts) + utf16(char))
    for row in part.entities:
        assert row["length"] > 0
        assert {row["offset"], row["offset"] + row["length"]} <= starts


@given(marked(), st.integers(12, 60))
@example(("\u200d" * 30 + "a", []), 12)
@example(("a" + "\u0301" * 30, []), 12)
def test_any_text_is_cut_without_loss(
    given_text: tuple[str, list[dict[str, Any]]], limit: int
) -> None:
    text, rows = given_text
    parts = split(text, rows, limit)
    for part in parts:
        check_part(part, limit)
    places(text, parts)
    visible = [char for char in text if is_visible(char)]
    assert [char for part in parts for char in part.text if is_visible(char)] == visible


@given(TEXTS, st.integers(12, 60))
def test_a_joined_character_is_never_cut(text: str, limit: int) -> None:
    for start, end in places(text, split(text, [], limit)):
        for cut in (start, end):
            at_blank = text[cut - 1 : cut + 1].strip() != text[cut - 1 : cut + 1]
            assert is_boundary(text, cut) or at_blank or joined_size(text, cut) > limit


def joined_size(text: str, inside: int) -> int:
    """UTF-16 units of the joined character around a place."""
    start = end = inside
    while not is_boundary(text, start):
        start -= 1
    while not is_boundary(text, end):
        end += 1
    return utf16(text[start:end])


@given(marked(), st.integers(12, 60))
def test_what_every_part_marks_is_what_was_marked(
    given_text: tuple[str, list[dict[str, Any]]], limit: int
) -> None:
    text, rows = given_text
    marked_chars: dict[str, set[int]] = {}
    for row in rows:
        inside = [
            i
            for i in range(len(text))
            if row["offset"] <= utf16(text[:i]) < row["offset"] + row["length"]
        ]
        marked_chars.setdefault(row["type"], set()).update(i for i in inside if is_visible(text[i]))
    parts = split(text, rows, limit)
    found: dict[str, set[int]] = {kind: set() for kind in marked_chars}
    for part, (start, _) in zip(parts, places(text, parts), strict=True):
        for row in part.entities:
            for i, char in enumerate(part.text):
                at = utf16(part.text[:i])
                if row["offset"] <= at < row["offset"] + row["length"] and is_visible(char):
                    found[row["type"]].add(start + i)
    assert found == marked_chars


@given(st.text(max_size=300), st.integers(1, 60))
def test_rendered_markdown_is_sent_whole(markdown: str, times: int) -> None:
    source = f"{markdown}\n\n**some** `words`. " * times
    text, _ = rendered(source)
    parts = render(source)
    for part in parts:
        check_part(part, MAX_PART_UTF16)
    places(text, parts)


@pytest.mark.parametrize("cluster", JOINED)
@pytest.mark.parametrize("limit", range(16, 26))
def test_emoji_in_a_row_stay_whole(cluster: str, limit: int) -> None:
    parts = split("x" + cluster * 30, [], limit)
    assert len(parts) > 1
    assert "".join(part.text for part in parts) == "x" + cluster * 30
    for part in parts:
        assert part.text.removeprefix("x").replace(cluster, "") == ""


def test_paragraphs_then_lines_then_sentences_then_words() -> None:
    assert texts("aaaa aaaa\n\nbbbb. bb\nb bbb", 20) == ["aaaa aaaa", "bbbb. bb\nb bbb"]
    assert texts("aaaa aaa. a\nbbbb bbbbbbbb bbb", 20) == ["aaaa aaa. a", "bbbb bbbbbbbb bbb"]
    assert texts("aaaa aaaa a. bbbb bbbb bbb", 20) == ["aaaa aaaa a.", "bbbb bbbb bbb"]
    assert texts("他说完了。他走了，再也没有回来过。", 12) == [
        "他说完了。",
        "他走了，再也没有回来过。",
    ]
    assert texts("aaaa aaaaaa bbbbbbb bbbb", 20) == ["aaaa aaaaaa bbbbbbb", "bbbb"]
    assert texts("a" * 30, 20) == ["a" * 20, "a" * 10]
    assert texts("a" * 20 + " " + "b" * 20, 20) == ["a" * 20, "b" * 20]


def test_a_paragraph_end_near_the_start_makes_no_tiny_part() -> None:
    assert texts("Hi\n\naaaa aaaa aaaa aaaa", 20) == ["Hi\n\naaaa aaaa aaaa", "aaaa"]


def texts(text: str, limit: int) -> list[str]:
    return [part.text for part in split(text, [], limit)]


def test_an_entity_that_fits_is_not_cut() -> None:
    link = {"type": "text_link", "offset": 13, "length": 15, "url": "https://x.org"}
    first, second = split("aaaa aaa aaa a link to there", [link], 20)
    assert first.text == "aaaa aaa aaa"
    assert second.entities == ({**link, "offset": 0},)


def test_a_code_block_that_fits_moves_to_the_next_part() -> None:
    code = "\n".join("x" * 99 for _ in range(30))
    parts = render(f"{'Word ' * 300}\n\n```python\n{code}\n```\nThat is it.")
    assert [len(part.entities) for part in parts] == [0, 1]
    assert parts[1].entities[0] == {
        "type": "pre",
        "offset": 0,
        "length": len(code),
        "language": "python",
    }


def test_a_code_block_longer_than_a_part_goes_on_at_line_ends() -> None:
    lines = [f"    line {number}. and so on" for number in range(400)]
    parts = render("Here:\n\n```python\n" + "\n".join(lines) + "\n```")
    assert len(parts) > 2
    seen: list[str] = []
    for part in parts:
        (entity,) = part.entities
        assert (entity["type"], entity["language"]) == ("pre", "python")
        code = part.text[entity["offset"] : entity["offset"] + entity["length"]]
        seen.extend(code.split("\n"))
    assert seen == lines


def test_one_endless_line_of_code_is_still_sent() -> None:
    parts = render("```\n" + "x y" * 5000 + "\n```")
    assert "".join(part.text for part in parts).replace(" ", "") == "xy" * 5000
    assert all(part.entities[0]["type"] == "pre" for part in parts)


def test_a_long_quote_goes_on_in_the_next_part() -> None:
    parts = render("> " + "Words of wisdom. " * 500)
    assert len(parts) > 1
    for part in parts:
        assert part.entities == ({"type": "blockquote", "offset": 0, "length": utf16(part.text)},)


def test_a_part_keeps_as_many_entities_as_telegram_takes() -> None:
    (part,) = render("**b** c " * 200)
    assert len(part.entities) == MAX_ENTITIES


def test_plain_text_of_any_length() -> None:
    parts = plain("All good. " * 1000)
    assert len(parts) == 3
    assert all(part.text.startswith("All") and part.text.endswith("good.") for part in parts)
