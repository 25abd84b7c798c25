"""Time and fresh ids, injectable so that tests decide both."""

from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime


class Clock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current moment, aware, UTC, whole milliseconds (what the database keeps)."""
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def monotonic(self) -> float:
        """Seconds on a clock that never steps; for delays and deadlines."""
        return time.monotonic()

    def new_id(self) -> str:
        """A fresh random id, 32 hex digits."""
        return uuid.uuid4().hex


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
