"""What the model is told about time: now, how long since the last talk, and lateness."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

UTC_NAME = "UTC"


def gap_words(gap: timedelta) -> str:
    """A gap in coarse units: minutes, hours or days; never seconds."""
    minutes = max(0, int(gap.total_seconds() // 60))
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return _count(minutes, "minute")
    if minutes < 48 * 60:
        return _count(minutes // 60, "hour")
    return _count(minutes // (24 * 60), "day")


def build_time_context(
    now: datetime,
    previous: datetime | None,
    *,
    zone: str = UTC_NAME,
    late_by: timedelta | None = None,
) -> str:
    """The lines of the time section. Without a previous talk no gap is made up."""
    local = now.astimezone(ZoneInfo(zone))
    lines = [f"Now: {local:%A, %Y-%m-%d, %H:%M} ({zone})"]
    if previous is not None:
        lines.append(f"You last talked {gap_words(now - previous)} ago.")
    if late_by is not None:
        lines.append(
            f"You were away: the newest message was sent {gap_words(late_by)} ago. "
            "Answer with that delay in mind."
        )
    return "\n".join(lines)


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
