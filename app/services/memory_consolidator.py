"""Consolidation: the whole profile looked at once a day, and what it shows in the long run."""

from __future__ import annotations

from datetime import timedelta

from app.clock import Clock
from app.database.profiles import ProfileStore
from app.domain.job import Job
from app.domain.record import Record
from app.errors import JobFailed
from app.memory.accounting import Account, Refused
from app.memory.draft import Draft
from app.memory.reviewing import adopt, evict
from app.prompts.memory import reviewing
from app.services.memory_call import Failed, MemoryCall
from app.services.memory_commit import MemoryCommit
from app.services.metrics import Metrics


class MemoryConsolidator:
    """Handles consolidate jobs: one call, one read, one write; a failure advances no clock."""

    def __init__(
        self,
        *,
        profiles: ProfileStore,
        commit: MemoryCommit,
        call: MemoryCall,
        budget_chars: int,
        max_insights: int,
        interval_secs: float,
        default_zone: str,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._profiles = profiles
        self._commit = commit
        self._call = call
        self._budget = budget_chars
        self._max_insights = max_insights
        self._interval = timedelta(seconds=interval_secs)
        self._default_zone = default_zone
        self._clock = clock
        self._metrics = metrics

    async def consolidate(self, job: Job) -> None:
        """Refresh summary and style, merge what says the same, write insights.

        After an outage jobs of several days wait; the first that succeeds is enough. Raises
        JobFailed when the model gave no usable account; the profile stays due then.
        """
        profile = await self._profiles.read(job.subject)
        now = self._clock.now()
        if profile is None or self._call.is_offline():
            return
        if profile.consolidate_from is None or now - profile.consolidate_from < self._interval:
            return
        self._metrics.incr("consolidation.runs")
        zone = profile.timezone.value if profile.timezone else self._default_zone
        prompt = reviewing.build_consolidation(
            profile, max_insights=self._max_insights, now=now, zone=zone
        )
        account = await self._call.ask(
            "consolidate", prompt, reviewing.CONSOLIDATION_SCHEMA, reviewing.parse_account
        )
        if isinstance(account, Failed):
            self._metrics.incr("consolidation.failure")
            raise account.of_job()
        given = tuple(profile.records)

        def plan(draft: Draft) -> Refused | None:
            return self._adopt(draft, account, given)

        committed = await self._commit.apply(profile, plan)
        if committed.value is not None:
            self._metrics.incr("consolidation.failure")
            raise JobFailed(committed.value.reason)
        self._metrics.incr("consolidation.success")

    def _adopt(self, draft: Draft, account: Account, given: tuple[Record, ...]) -> Refused | None:
        refused = adopt(draft, account, given, max_insights=self._max_insights)
        if refused is not None:
            return refused
        evict(draft, self._budget)
        draft.last_consolidated_at = draft.now
        draft.touched = True
        return None
