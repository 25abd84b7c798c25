"""The memory block of a prompt: what is remembered and may be said in this conversation."""

from __future__ import annotations

from datetime import datetime

from app.domain.profile import Profile
from app.domain.record import PRIVATE
from app.memory.memory_block import Block, compile_block


class MemoryLoader:
    """Builds the block from a profile that is at hand; no round trip."""

    def __init__(self, budget_chars: int, default_zone: str) -> None:
        self._budget = budget_chars
        self._default_zone = default_zone

    def block(self, profile: Profile, now: datetime, *, scope: str = PRIVATE) -> Block:
        """What the model is told of the person, within the budget."""
        zone = profile.timezone.value if profile.timezone else self._default_zone
        return compile_block(profile, now=now, zone=zone, scope=scope, budget=self._budget)
