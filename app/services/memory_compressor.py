"""Compression: a profile over its budget is made smaller, and every item is accounted for."""

from __future__ import annotations

from datetime import timedelta

from app.clock import Clock
from app.database.profiles import ProfileStore
from app.domain.job import Job
from app.domain.profile import Profile
from app.errors import JobFailed
from app.memory.accounting import Account, Refused
from app.memory.budget import text_room
from app.memory.draft import Draft
from app.memory.reviewing import adopt, evict, records_room
from app.memory.triggers import compress_due
from app.prompts.memory import reviewing
from app.services.memory_call import Failed, MemoryCall
from app.services.memory_commit import MemoryCommit
from app.services.memory_loader import MemoryLoader
from app.services.metrics import Metrics

TARGET_SHARE = 0.8
FAR_OVER = 2
"""How many budgets a profile may reach before it is cut without the model's help."""


class MemoryCompressor:
    """Handles compress jobs: one call, one read, one write."""

    def __init__(
        self,
        *,
        profiles: ProfileStore,
        loader: MemoryLoader,
        commit: MemoryCommit,
        call: MemoryCall,
        budget_chars: int,
        cooldown_secs: float,
        default_zone: str,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._profiles = profiles
        self._loader = loader
        self._commit = commit
        self._call = call
        self._budget = budget_chars
        self._cooldown = timedelta(seconds=cooldown_secs)
        self._default_zone = default_zone
        self._clock = clock
        self._metrics = metrics

    async def compress(self, job: Job) -> None:
        """Bring a profile under its budget. Raises JobFailed when the model gave no account."""
        profile = await self._profiles.read(job.subject)
        now = self._clock.now()
        if profile is None:
            return
        block = self._loader.block(profile, now)
        due = compress_due(block.over_budget, profile.last_compressed_at, now, self._cooldown)
        if not due:
            return
        if self._call.is_offline():
            if block.full_chars > FAR_OVER * self._budget:
                await self._finish(profile, None)
            return
        self._metrics.incr("compression.runs")
        zone = profile.timezone.value if profile.timezone else self._default_zone
        prompt = reviewing.build_compression(
            profile,
            target_chars=text_room(
                tuple(profile.records), int(TARGET_SHARE * records_room(self._budget))
            ),
            now=now,
            zone=zone,
        )
        account = await self._call.ask(
            "compress", prompt, reviewing.COMPRESSION_SCHEMA, reviewing.parse_account
        )
        if isinstance(account, Failed):
            self._metrics.incr("compression.failure")
            if block.full_chars > FAR_OVER * self._budget:
                await self._finish(profile, None)
            raise account.of_job()
        refused = await self._finish(profile, account)
        if refused is not None:
            self._metrics.incr("compression.failure")
            raise JobFailed(refused.reason)
        self._metrics.incr("compression.success")

    async def _finish(self, profile: Profile, account: Account | None) -> Refused | None:
        """Adopt the account, then evict what still doesn't fit; nothing when it is refused."""
        given = tuple(profile.records)

        def plan(draft: Draft) -> Refused | None:
            if account is not None:
                refused = adopt(draft, account, given, max_insights=0)
                if refused is not None:
                    return refused
            evict(draft, self._budget)
            draft.last_compressed_at = draft.now
            draft.touched = True
            return None

        committed = await self._commit.apply(profile, plan)
        return committed.value
