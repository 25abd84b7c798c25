"""When messages that belong together are answered: the batch and the throttle."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.domain.conversation import Frozen


class BatchRules(Frozen):
    """Seconds: quiet time after the last message, most after the first, most under a flood."""

    delay: float
    max_delay: float
    flood_max_delay: float = 30.0
    flood_messages: int = 10
    flood_window: float = 5.0
    max_messages: int = 100


def is_flood(sent: Sequence[datetime], rules: BatchRules) -> bool:
    """Whether the newest messages came faster than allowed, by their own send time."""
    if len(sent) <= rules.flood_messages:
        return False
    newest = sent[-1]
    oldest = sent[-1 - rules.flood_messages]
    return newest - oldest < timedelta(seconds=rules.flood_window)


def closes_at(first: float, last: float, flood: bool, rules: BatchRules) -> float:
    """The monotonic moment at which a batch closes, given its first and last arrival."""
    ceiling = rules.flood_max_delay if flood else rules.max_delay
    return min(last + rules.delay, first + max(ceiling, rules.delay))
