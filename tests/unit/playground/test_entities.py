"""Text as Telegram counts it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.playground.api_error import ApiError
from app.playground.entities import check_entities, find_entities, split_paste, trim, units


def entity(kind: str, offset: int, length: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


def test_units_count_an_astral_character_twice() -> None:
    assert units("a🐳b") == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/start", [entity("bot_command", 0, 6)]),
        ("🐳 /help@mate_bot now", [entity("bot_command", 3, 14)]),
        ("hey @mate_bot, hi", [entity("mention", 4, 9)]),
        ("see https://example.com/a_b.", [entity("url", 4, 23)]),
        ("1/2 and a@example.com", []),
        ("/path/to", []),
    ],
)
def test_clients_mark_commands_mentions_and_links(
    text: str, expected: list[dict[str, Any]]
) -> None:
    assert find_entities(text) == expected


def test_an_entity_that_fits_is_taken() -> None:
    assert check_entities("a🐳b", [entity("bold", 1, 2)]) == [entity("bold", 1, 2)]


@pytest.mark.parametrize(
    "bad",
    [
        entity("bold", 2, 2),
        entity("bold", 0, 2),
        entity("bold", 0, 5),
        entity("bold", -1, 1),
        entity("bold", 0, 0),
        entity("sparkling", 0, 1),
        entity("text_link", 0, 1),
        entity("bold", 0, True),
        "bold",
    ],
)
def test_an_entity_that_does_not_fit_is_refused(bad: Any) -> None:
    with pytest.raises(ApiError, match="can't parse entities"):
        check_entities("a🐳b", [bad])


def test_trimming_moves_and_cuts_entities() -> None:
    assert trim("  hi  ", [entity("bold", 0, 6), entity("code", 5, 1)]) == (
        "hi",
        [entity("bold", 0, 2)],
    )


def test_a_paste_is_cut_where_a_line_ends() -> None:
    assert list(split_paste("aaaa\nbbbb\ncc", limit=10)) == ["aaaa\nbbbb\n", "cc"]


@given(st.text(), st.integers(min_value=2, max_value=20))
def test_a_split_paste_loses_nothing_and_fits(text: str, limit: int) -> None:
    parts = list(split_paste(text, limit))
    assert "".join(parts) == text
    assert all(units(part) <= limit for part in parts)
