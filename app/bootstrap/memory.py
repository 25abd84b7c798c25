"""The memory engine put together: who writes, who finds work, who does it."""

from __future__ import annotations

from app.bootstrap.stores import Stores
from app.clock import Clock
from app.config import Settings
from app.domain.job import JobKind
from app.memory.draft import Limits
from app.services.effects_relay import EffectsRelay
from app.services.job_runner import Handler, JobRunner
from app.services.memory_call import MemoryCall
from app.services.memory_commit import MemoryCommit
from app.services.memory_compressor import MemoryCompressor
from app.services.memory_consolidator import MemoryConsolidator
from app.services.memory_extractor import MemoryExtractor
from app.services.memory_hand import MemoryHand
from app.services.memory_loader import MemoryLoader
from app.services.memory_source import MemorySource
from app.services.memory_work import MemoryWork
from app.services.metrics import Metrics
from app.services.ports import MemoryModel
from app.services.review_policy import load_review_policy
from app.services.turn_facts import TurnFactRules, TurnFacts
from app.services.turn_memory import TurnMemory
from app.services.user_task_manager import UserTaskManager


class MemoryEngine:
    """The parts of memory that others use; `start` and `stop` are each called once."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        model: MemoryModel,
        owner: str,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._settings = settings
        self._stores = stores
        self._clock = clock
        self._metrics = metrics
        self._policy = load_review_policy(settings.review_policy_file)
        self._call = MemoryCall(model)
        self.commit = MemoryCommit(
            stores.profiles,
            Limits(
                max_moods=settings.max_mood_history,
                max_insights=settings.max_insights,
                consolidation_min_items=settings.consolidation_min_items,
            ),
            clock,
            metrics,
            on_owed=lambda subject: self.work.owes(subject),
        )
        self.loader = MemoryLoader(settings.user_memory_budget_chars, settings.default_timezone)
        self.hand = MemoryHand(stores.profiles, stores.archive, self.commit)
        self.turns = TurnMemory(
            self.commit,
            self._policy,
            default_zone=settings.default_timezone,
            is_offline=lambda: model.is_offline,
        )
        self._turn_facts = self._build_turn_facts()
        self.runner = JobRunner(
            jobs=stores.jobs,
            handlers=self._handlers(),
            manager=UserTaskManager(stores.subject_locks, owner, clock),
            owner=owner,
            concurrency=settings.job_concurrency,
            lease_secs=settings.job_lease_secs,
            clock=clock,
            metrics=metrics,
        )
        self.work = MemoryWork(
            conversations=stores.conversations,
            profiles=stores.profiles,
            jobs=stores.jobs,
            is_offline=self._call.is_offline,
            worth_reading=self._turn_facts.worth_reading,
            on_enqueued=self.runner.nudge,
            consolidation_interval_secs=settings.consolidation_interval_secs,
            consolidation_limit=settings.consolidation_max_users_per_scan,
            clock=clock,
            metrics=metrics,
        )

    async def start(self) -> None:
        """Begin to work on what is due."""
        self.work.start()
        await self.runner.start()

    async def stop(self) -> None:
        """Take on nothing more and hand back what is under way."""
        await self.runner.stop()
        await self.work.stop()

    async def idle(self) -> None:
        """Return when nothing is due and nothing is under way."""
        await self.work.idle()
        await self.runner.idle()

    def _handlers(self) -> dict[JobKind, Handler]:
        extractor = self._extractor()
        compressor = MemoryCompressor(
            profiles=self._stores.profiles,
            loader=self.loader,
            commit=self.commit,
            call=self._call,
            budget_chars=self._settings.user_memory_budget_chars,
            cooldown_secs=self._settings.compression_cooldown_secs,
            default_zone=self._settings.default_timezone,
            clock=self._clock,
            metrics=self._metrics,
        )
        consolidator = MemoryConsolidator(
            profiles=self._stores.profiles,
            commit=self.commit,
            call=self._call,
            budget_chars=self._settings.user_memory_budget_chars,
            max_insights=self._settings.max_insights,
            interval_secs=self._settings.consolidation_interval_secs,
            default_zone=self._settings.default_timezone,
            clock=self._clock,
            metrics=self._metrics,
        )
        relay = EffectsRelay(self._stores.profiles, self._stores.effects)
        return {
            JobKind.EXTRACT: extractor.extract,
            JobKind.EXTRACT_RANGE: extractor.extract_range,
            JobKind.TURN_FACTS: self._turn_facts.handle,
            JobKind.COMPRESS: compressor.compress,
            JobKind.CONSOLIDATE: consolidator.consolidate,
            JobKind.EFFECTS: relay.relay,
        }

    def _extractor(self) -> MemoryExtractor:
        settings, stores = self._settings, self._stores
        return MemoryExtractor(
            conversations=stores.conversations,
            profiles=stores.profiles,
            source=MemorySource(stores.segments),
            commit=self.commit,
            jobs=stores.jobs,
            call=self._call,
            policy=self._policy,
            default_zone=settings.default_timezone,
            language=settings.memory_language,
            attempts=settings.max_extraction_attempts,
            clock=self._clock,
            metrics=self._metrics,
        )

    def _build_turn_facts(self) -> TurnFacts:
        settings, stores = self._settings, self._stores
        return TurnFacts(
            rules=TurnFactRules(
                enabled=settings.turn_fact_extraction_enabled,
                sample_rate=settings.turn_fact_extraction_sample_rate,
                max_per_turn=settings.turn_fact_max_per_turn,
            ),
            conversations=stores.conversations,
            profiles=stores.profiles,
            source=MemorySource(stores.segments),
            commit=self.commit,
            call=self._call,
            policy=self._policy,
            default_zone=settings.default_timezone,
            language=settings.memory_language,
            clock=self._clock,
            metrics=self._metrics,
        )
