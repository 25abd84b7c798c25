"""The list of reactions."""

from __future__ import annotations

from app.playground.reactions import ALLOWED_REACTIONS


def test_there_are_73_and_none_holds_a_variation_selector() -> None:
    assert len(set(ALLOWED_REACTIONS)) == len(ALLOWED_REACTIONS) == 73
    assert not any("\ufe0f" in emoji for emoji in ALLOWED_REACTIONS)
    assert "\u2764\u200d\U0001f525" in ALLOWED_REACTIONS
