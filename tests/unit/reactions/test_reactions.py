"""Reactions: the list is Telegram's, and every common spelling of a member finds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram.constants import ReactionEmoji

from app.domain.reactions import REACTIONS, normalise_reaction


def test_the_list_is_telegrams() -> None:
    assert set(REACTIONS) == {member.value.replace("\ufe0f", "") for member in ReactionEmoji}
    assert len(REACTIONS) == 73


@pytest.mark.parametrize("emoji", REACTIONS)
def test_a_member_is_found_however_it_is_spelled(emoji: str) -> None:
    assert normalise_reaction(emoji) == emoji
    assert normalise_reaction(f" {emoji}\ufe0f\n") == emoji
    assert normalise_reaction(f'"{emoji}"') == emoji


@pytest.mark.parametrize(
    ("raw", "member"),
    [
        ("❤️", "❤"),
        ("👍🏽", "👍"),
        ("🤷🏿‍♀️", "🤷‍♀"),
        ("🤷🏻‍♂", "🤷‍♂"),
        ("👨🏾‍💻", "👨‍💻"),
        ("❤️‍🔥", "❤‍🔥"),
        ("✍🏼", "✍"),
    ],
)
def test_skin_tones_and_selectors_lead_to_the_member(raw: str, member: str) -> None:
    assert normalise_reaction(raw) == member


@pytest.mark.parametrize(
    "raw",
    [None, "", "  ", "none", "None", "null", "🚗", "👍👍", "👍 nice", "\ufe0f", "🏽", "thumbs up"],
)
def test_anything_else_is_no_reaction(raw: str | None) -> None:
    assert normalise_reaction(raw) is None


@given(st.text())
def test_the_answer_is_always_a_member_or_none(raw: str) -> None:
    assert normalise_reaction(raw) in (*REACTIONS, None)
