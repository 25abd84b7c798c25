"""The relay: carries out what memory commits owe to other collections."""

from __future__ import annotations

from app.database.effects import EffectStore
from app.database.profiles import ProfileStore
from app.domain.job import Job


class EffectsRelay:
    """Handles effects jobs. It may stop anywhere and run again: a row is written once."""

    def __init__(self, profiles: ProfileStore, effects: EffectStore) -> None:
        self._profiles = profiles
        self._effects = effects

    async def relay(self, job: Job) -> None:
        """Carry out everything a subject owes."""
        profile = await self._profiles.read(job.subject)
        if profile is None or not profile.pending_effects:
            return
        await self._effects.carry_out(profile.pending_effects)
        await self._profiles.paid(job.subject, [effect.id for effect in profile.pending_effects])
