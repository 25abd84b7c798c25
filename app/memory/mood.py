"""Mood: a short history in the order it was felt, and its trend in words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from app.domain.record import Mood


def with_mood(
    history: Sequence[Mood], current: Mood | None, mood: Mood, max_history: int
) -> tuple[tuple[Mood, ...], Mood]:
    """History and current mood with one more; the same word of the same moment counts once.

    The history is in the order the moods were felt and keeps the newest `max_history`. A mood
    felt before the newest one takes its place in the history only.
    """
    known = history if current is None else (*history, current)
    if any(_same(mood, other) for other in known):
        return tuple(history), current or max(history, key=lambda m: m.detected_at)
    ordered = sorted(history, key=lambda m: m.detected_at)
    ordered.insert(bisect_right(ordered, mood.detected_at, key=lambda m: m.detected_at), mood)
    newest = all(mood.detected_at >= other.detected_at for other in known)
    if current is None and not newest:
        current = ordered[-1]
    kept = ordered[-max_history:] if max_history > 0 else []
    return tuple(kept), mood if newest or current is None else current


def trend(history: Sequence[Mood]) -> str:
    """The moods' words oldest first, equal neighbours once: "calm → tense → calm"."""
    said: list[str] = []
    for mood in history:
        if not said or said[-1] != mood.mood:
            said.append(mood.mood)
    return " → ".join(said)


def _same(mood: Mood, other: Mood) -> bool:
    return (mood.mood, mood.detected_at) == (other.mood, other.detected_at)
