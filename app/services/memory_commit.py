"""The only writer of memory: plan on a draft, seal, compare and set; again when it changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

from app.clock import Clock
from app.database.profiles import ProfileStore
from app.domain.outcome import Outcome
from app.domain.profile import Profile
from app.errors import MemoryChanged, MemoryReset
from app.memory.draft import Draft, Limits
from app.services.metrics import Metrics

T = TypeVar("T")
MAX_RACES = 12


class Committed(Generic[T]):
    """The profile after a commit, what the plan returned, and each claim's outcome."""

    def __init__(
        self, profile: Profile, value: T, outcomes: tuple[Outcome, ...], *, changed: bool
    ) -> None:
        self.profile = profile
        self.value = value
        self.outcomes = outcomes
        self.changed = changed


class MemoryCommit:
    """Applies plans to profiles. A plan may run several times; it must only use its draft."""

    def __init__(
        self,
        profiles: ProfileStore,
        limits: Limits,
        clock: Clock,
        metrics: Metrics,
        on_owed: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._profiles = profiles
        self._limits = limits
        self._clock = clock
        self._metrics = metrics
        self._on_owed = on_owed

    async def apply(self, profile: Profile, plan: Callable[[Draft], T]) -> Committed[T]:
        """Carry a plan out on the profile, or on what it has become since it was read.

        One round trip, none when the plan changes nothing; two more for each race that is lost.
        Raises MemoryReset when the memory was reset since, MemoryChanged after MAX_RACES races.
        """
        current = profile
        for _ in range(MAX_RACES):
            now = self._clock.now()
            draft = Draft(current, now, self._limits)
            value = plan(draft)
            sealed = draft.seal()
            if not draft.touched:
                self._count(draft.outcomes)
                return Committed(current, value, tuple(draft.outcomes), changed=False)
            if await self._profiles.commit(current, sealed, now):
                self._count(draft.outcomes)
                self._metrics.incr("memory.commits")
                if len(sealed.pending_effects) > len(current.pending_effects):
                    self._on_owed(sealed.subject)
                return Committed(sealed, value, tuple(draft.outcomes), changed=True)
            self._metrics.incr("memory.races")
            fresh = await self._profiles.read(profile.subject)
            if fresh is None or fresh.epoch != profile.epoch:
                raise MemoryReset("the memory was reset meanwhile")
            current = fresh
        raise MemoryChanged(f"lost {MAX_RACES} races")

    def _count(self, outcomes: list[Outcome]) -> None:
        for kind, number in Counter(outcome.kind for outcome in outcomes).items():
            self._metrics.incr(f"memory.outcomes.{kind.value.lower()}", number)
        waiting = sum(outcome.proposal is not None for outcome in outcomes)
        if waiting:
            self._metrics.incr("memory.quarantined", waiting)
