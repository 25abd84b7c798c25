"""Triggers: when background work on memory is due."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

from app.clock import EPOCH
from app.domain.conversation import Frozen


class TriggerRules(Frozen):
    """Sizes in characters, times in seconds; the defaults are the settings' own."""

    buffer_max_chars: int = 4_000
    new_user_chars: int = 1_000
    new_user_threshold: int = 10
    silence_secs: float = 120.0
    session_end_secs: float = 21_600.0


class Due(Frozen):
    """When something is due, and why."""

    at: datetime
    why: Literal["size", "silence", "session_end"]


def extract_due(
    *,
    unextracted_chars: int,
    items: int,
    last_message_at: datetime,
    now: datetime,
    rules: TriggerRules,
) -> Due | None:
    """When a conversation should be extracted; None when there is nothing to extract.

    `items` counts the active records; a profile with few of them fills up sooner: at a smaller
    size, or after a short silence.
    """
    if unextracted_chars <= 0:
        return None
    sparse = items < rules.new_user_threshold
    size = min(rules.new_user_chars, rules.buffer_max_chars) if sparse else rules.buffer_max_chars
    if unextracted_chars >= size:
        return Due(at=now, why="size")
    if sparse:
        return Due(at=last_message_at + timedelta(seconds=rules.silence_secs), why="silence")
    return Due(at=last_message_at + timedelta(seconds=rules.session_end_secs), why="session_end")


def compress_due(
    over_budget: bool, last_compressed_at: datetime | None, now: datetime, cooldown: timedelta
) -> bool:
    """Whether a profile should be compressed now."""
    return over_budget and (last_compressed_at is None or now - last_compressed_at >= cooldown)


def consolidation_due_at(
    last_consolidated_at: datetime | None, items: int, *, interval: timedelta, min_items: int
) -> datetime | None:
    """When a profile is due for consolidation, long ago if it never had one; None for never.

    Thin profiles are not, and an interval of nothing or less switches it off.
    """
    if interval <= timedelta(0) or items < min_items:
        return None
    return EPOCH if last_consolidated_at is None else last_consolidated_at + interval


def consolidate_due(
    last_consolidated_at: datetime | None,
    items: int,
    *,
    interval: timedelta,
    min_items: int,
    now: datetime,
) -> bool:
    """Whether a profile should be consolidated now."""
    at = consolidation_due_at(last_consolidated_at, items, interval=interval, min_items=min_items)
    return at is not None and at <= now
