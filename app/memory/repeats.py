"""What was read a short while ago and need not be read again; forgotten by itself."""

from __future__ import annotations

from app.memory.normalise import content_hash

REMEMBERED_SECS = 300.0
MOST_REMEMBERED = 2_000


class Repeats:
    """Hashes of what subjects said, each for REMEMBERED_SECS; beyond `most` the oldest goes.

    Times are monotonic seconds. Nothing is blocked for good: a hash is as new after its time.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._until: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._until)

    def has(self, subject: int, text: str, now: float) -> bool:
        """Whether the same words of the subject were read less than REMEMBERED_SECS ago."""
        return self._until.get(content_hash(subject, text), now) > now

    def add(self, subject: int, text: str, now: float) -> None:
        """The words were read."""
        name = content_hash(subject, text)
        self._until.pop(name, None)
        self._until[name] = now + REMEMBERED_SECS
        for old in [old for old, until in self._until.items() if until <= now]:
            del self._until[old]
        while len(self._until) > self._most:
            del self._until[next(iter(self._until))]
