"""Extraction: what a conversation says becomes memory, portion by portion, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta

from loguru import logger

from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.jobs import JobStore
from app.database.profiles import ProfileStore
from app.domain.candidate import Candidate, Extracted
from app.domain.job import Job, JobKind
from app.domain.profile import Profile, Watermark
from app.errors import JobFailed
from app.memory.draft import Draft
from app.memory.evidence import is_evidence
from app.memory.ground import Ground
from app.memory.rejudge import rejudge, to_read_anew
from app.memory.review_policy import ReviewPolicy
from app.memory.rule_extractor import extract
from app.memory.unextracted import extracted_through
from app.prompts.memory import extraction
from app.services.memory_call import Failed, MemoryCall
from app.services.memory_commit import MemoryCommit
from app.services.memory_source import MemorySource, Portion
from app.services.metrics import Metrics

FIRST_RETRY = timedelta(seconds=30)


class MemoryExtractor:
    """Handles the jobs that read conversations. Each is safe to run twice."""

    def __init__(
        self,
        *,
        conversations: ConversationStore,
        profiles: ProfileStore,
        source: MemorySource,
        commit: MemoryCommit,
        jobs: JobStore,
        call: MemoryCall,
        policy: ReviewPolicy,
        default_zone: str,
        language: str | None,
        attempts: int,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._conversations = conversations
        self._profiles = profiles
        self._source = source
        self._commit = commit
        self._jobs = jobs
        self._call = call
        self._policy = policy
        self._default_zone = default_zone
        self._language = language
        self._attempts = attempts
        self._clock = clock
        self._metrics = metrics

    async def extract(self, job: Job) -> None:
        """Read on to the last answered turn. A portion that no model can read is parked."""
        assert job.conversation is not None
        if self._call.is_offline():
            return
        while True:
            conversation = await self._conversations.read(job.conversation)
            profile = await self._profiles.read(job.subject)
            if conversation is None or profile is None:
                return
            after = extracted_through(conversation, profile)
            portion = await self._source.portion(conversation, after, conversation.answered_through)
            if portion is None:
                await self._conversations.extracted(conversation, after, None)
                return
            if portion.has_evidence:
                read = await self._read(job, portion, profile)
                if isinstance(read, Failed):
                    await self._park(job, portion, profile, read)
                else:
                    await self._remember(portion, profile, read, job.conversation)
            await self._conversations.extracted(conversation, portion.last, None)

    async def extract_range(self, job: Job) -> None:
        """Read a parked or edited run of messages. Raises JobFailed until a model could."""
        assert job.conversation is not None
        first, last = int(job.args["from_seq"]), int(job.args["through_seq"])
        conversation = await self._conversations.read(job.conversation)
        profile = await self._profiles.read(job.subject)
        if conversation is None or profile is None or job.id in profile.applied:
            return
        portion = await self._source.portion(conversation, first - 1, last)
        if portion is None:
            return
        if job.args.get("edited"):
            profile = await self._judge_again(job, portion, profile, job.conversation)
        if not portion.has_evidence:
            return
        if self._call.is_offline():
            raise JobFailed("no_model")
        read = await self._once(portion, profile)
        if isinstance(read, Failed):
            raise read.of_job()
        if portion.last < last:
            # Written down first: once the commit is made, this job won't be read again.
            await self._jobs.enqueue(
                JobKind.EXTRACT_RANGE,
                subject=job.subject,
                conversation=conversation.key,
                args={**job.args, "from_seq": portion.last + 1},
                run_at=self._clock.now(),
            )

        def plan(draft: Draft) -> None:
            if draft.once(job.id):
                draft.take(read, self._ground(draft, portion, conversation.key))

        await self._commit.apply(profile, plan)

    async def _read(self, job: Job, portion: Portion, profile: Profile) -> Extracted | Failed:
        """One portion, tried again as long as there are attempts, from what is stored then."""
        assert job.conversation is not None
        self._metrics.incr("extraction.runs")
        read: Extracted | Failed = Failed(kind="dropped")
        for _ in range(self._attempts):
            read = await self._once(portion, profile)
            if not isinstance(read, Failed) or read.final:
                break
            conversation = await self._conversations.read(job.conversation)
            if conversation is None:
                break
            again = await self._source.portion(conversation, portion.first - 1, portion.last)
            portion = again or portion
        return read

    async def _once(self, portion: Portion, profile: Profile) -> Extracted | Failed:
        zone = profile.timezone.value if profile.timezone else self._default_zone
        prompt = extraction.build(
            (*portion.context, *portion.messages),
            profile,
            fresh_from=portion.first,
            hints=_hints(portion, zone),
            now=self._clock.now(),
            zone=zone,
            language=self._language,
        )
        read = await self._call.ask(
            "extract", prompt, extraction.EXTRACTION_SCHEMA, extraction.parse
        )
        if isinstance(read, Failed):
            self._metrics.incr(f"extraction.failure.{read.kind}")
        else:
            self._metrics.incr("extraction.success")
        return read

    async def _remember(
        self, portion: Portion, profile: Profile, read: Extracted, key: str
    ) -> None:
        def plan(draft: Draft) -> None:
            if draft.profile.watermarks.get(key, Watermark()).extracted < portion.last:
                draft.take(read, self._ground(draft, portion, key))
                draft.reached(key, extracted=portion.last)

        await self._commit.apply(profile, plan)

    async def _park(self, job: Job, portion: Portion, profile: Profile, failed: Failed) -> None:
        """Put a portion aside for later, and take what the rules alone can read."""
        key = job.conversation
        assert key is not None
        await self._jobs.enqueue(
            JobKind.EXTRACT_RANGE,
            subject=job.subject,
            conversation=key,
            args={"from_seq": portion.first, "through_seq": portion.last},
            run_at=self._clock.now() + FIRST_RETRY,
            raw=failed.raw,
        )
        self._metrics.incr("extraction.parked")
        logger.warning("extraction put aside for later: {}", failed.kind)
        zone = profile.timezone.value if profile.timezone else self._default_zone
        loose = Extracted(candidates=_hints(portion, zone))

        def plan(draft: Draft) -> None:
            ground = self._ground(draft, portion, key)
            draft.take(loose, ground.model_copy(update={"fallback_reason": failed.kind}))
            draft.reached(key, extracted=portion.last)

        await self._commit.apply(profile, plan)

    async def _judge_again(self, job: Job, portion: Portion, profile: Profile, key: str) -> Profile:
        edited = {m.seq: m for m in portion.messages if is_evidence(m)}
        # Written down first: once the commit is made, nothing says any more what they are.
        for number in sorted(to_read_anew(profile.records, edited, key)):
            await self._jobs.enqueue(
                JobKind.EXTRACT_RANGE,
                subject=job.subject,
                conversation=key,
                args={**job.args, "from_seq": number, "through_seq": number},
                run_at=self._clock.now(),
            )
        zone = profile.timezone.value if profile.timezone else self._default_zone
        found = [extract(m, now=m.created_at, zone=zone) for m in edited.values()]

        def plan(draft: Draft) -> None:
            ground = self._ground(draft, portion, key)
            rejudge(draft, edited, ground)
            for extracted in found:
                draft.take(Extracted(candidates=extracted.candidates), ground)

        committed = await self._commit.apply(profile, plan)
        return committed.profile

    def _ground(self, draft: Draft, portion: Portion, key: str) -> Ground:
        names = {m.sender_name for m in portion.messages if m.sender_name}
        return Ground(
            subject=draft.profile.subject,
            epoch=draft.profile.epoch,
            conversation=key,
            messages=portion.numbered,
            now=draft.now,
            policy=self._policy,
            known=tuple(sorted(names)),
            translated=self._language is not None,
        )


def _hints(portion: Portion, zone: str) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for message in portion.messages:
        if is_evidence(message):
            extracted = extract(message, now=message.created_at, zone=zone)
            found += (*extracted.candidates, *extracted.hints)
    return tuple(found)
