"""How often a daemon that dies is started again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

DELAYS = (0.0, 0.5, 1.0, 2.0)
WITHIN_SECS = 60.0


class RestartRule:
    """Longer pauses for deaths that come close together, and an end after the last of `delays`.

    With the delays as they are, the fifth death within a minute is the last.
    """

    def __init__(self, delays: Sequence[float] = DELAYS) -> None:
        self._delays = delays
        self._deaths: deque[float] = deque()

    def died(self, now: float) -> float | None:
        """Note a death at `now` (monotonic seconds): the pause before the next start, or None."""
        self._deaths.append(now)
        while now - self._deaths[0] > WITHIN_SECS:
            self._deaths.popleft()
        recent = len(self._deaths)
        return self._delays[recent - 1] if recent <= len(self._delays) else None
