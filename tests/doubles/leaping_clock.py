"""A clock that runs as fast as the machine's, with leaps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.clock import Clock

BEGINNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


class LeapingClock(Clock):
    """Begins at BEGINNING; `leap` moves both of its hands."""

    def __init__(self) -> None:
        self.ahead = timedelta()
        self._start = super().monotonic()

    def leap(self, time: timedelta) -> None:
        """Let time pass in which nothing happens."""
        self.ahead += time

    def now(self) -> datetime:
        """The moment it shows."""
        now = BEGINNING + timedelta(seconds=self.monotonic() - self._start)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def monotonic(self) -> float:
        """Seconds, leaps included."""
        return super().monotonic() + self.ahead.total_seconds()
