"""Per-turn extraction: the model reads what was just said, soon after the reply, if that is on.

It only ever comes first. The ordinary extraction reads the same messages later, so whatever fails,
is skipped or is lost here is only later, and what was found here it finds known.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.profiles import ProfileStore
from app.domain.candidate import Extracted
from app.domain.conversation import Conversation, Frozen
from app.domain.job import Job
from app.domain.outcome import Outcome, Reason
from app.domain.profile import Profile
from app.domain.reply import PromptMessage
from app.errors import MemoryChanged, MemoryReset
from app.memory.breaker import Admission, Breaker, BreakerRules, admit, settle
from app.memory.breaker import Outcome as Ending
from app.memory.draft import Draft
from app.memory.evidence import is_evidence
from app.memory.ground import Ground
from app.memory.repeats import Repeats
from app.memory.review_policy import ReviewPolicy
from app.memory.turn_filter import may_state
from app.memory.turn_sample import sample_turn, skipped
from app.memory.unextracted import extracted_through
from app.prompts.memory import extraction
from app.services.memory_call import Failed, MemoryCall
from app.services.memory_commit import MemoryCommit
from app.services.memory_source import MemorySource, Portion
from app.services.metrics import Metrics

DEADLINE_SECS = 2.0
"""A model that takes longer is not waited for: the ordinary extraction will be."""
BREAKER = BreakerRules(failures=5, cooldown=120.0)
COUNTED = (
    Reason.NOT_SAMPLED,
    Reason.FILTERED_BEFORE_MODEL,
    Reason.REPEATED_RECENTLY,
    Reason.OVER_TURN_LIMIT,
)


class TurnFactRules(Frozen):
    """Whether turns are read at once, which share of them, and how many facts each may give."""

    enabled: bool = False
    sample_rate: float = 1.0
    max_per_turn: int = 5
    deadline_secs: float = DEADLINE_SECS


class TurnFacts:
    """Says which turns are worth a call, and handles their jobs."""

    def __init__(
        self,
        *,
        rules: TurnFactRules,
        conversations: ConversationStore,
        profiles: ProfileStore,
        source: MemorySource,
        commit: MemoryCommit,
        call: MemoryCall,
        policy: ReviewPolicy,
        default_zone: str,
        language: str | None,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._rules = rules
        self._conversations = conversations
        self._profiles = profiles
        self._source = source
        self._commit = commit
        self._call = call
        self._policy = policy
        self._default_zone = default_zone
        self._language = language
        self._clock = clock
        self._metrics = metrics
        self._repeats = Repeats()
        self._breaker = Breaker()

    def worth_reading(self, conversation: Conversation) -> tuple[int, int] | None:
        """First and last number of what a turn said that a model should read now; or None.

        `conversation` is as it stood when the turn began to be answered.
        """
        if not self._rules.enabled or self._call.is_offline():
            return None
        sample = sample_turn(conversation, self._rules.sample_rate, self._clock.now())
        self._count(sample.outcomes)
        if not sample.messages:
            return None
        return sample.messages[0].seq, sample.messages[-1].seq

    async def handle(self, job: Job) -> None:
        """Read a turn, once, however that ends. Raises StoreError alone."""
        await self.read(job)

    async def read(self, job: Job) -> tuple[Outcome, ...]:
        """The same; returns what became of each message that was skipped and each claim."""
        if not self._rules.enabled or self._call.is_offline() or job.conversation is None:
            return ()
        first, last = int(job.args["from_seq"]), int(job.args["through_seq"])
        conversation = await self._conversations.read(job.conversation)
        profile = await self._profiles.read(job.subject)
        if conversation is None or profile is None:
            return ()
        after = max(first - 1, extracted_through(conversation, profile))
        portion = await self._source.portion(conversation, after, last)
        if portion is None:
            self._metrics.incr("turn_facts.overtaken")
            return ()
        portion, outcomes = self._fresh(job.subject, portion)
        read = await self._ask(portion, profile) if portion is not None else None
        if portion is None or read is None:
            self._count(outcomes)
            return outcomes
        committed = await self._remember(job, portion, profile, read)
        for message in portion.messages:
            if is_evidence(message):
                self._repeats.add(job.subject, message.content, self._clock.monotonic())
        outcomes = (*outcomes, *committed)
        self._count(outcomes)
        return outcomes

    def _fresh(self, subject: int, portion: Portion) -> tuple[Portion | None, tuple[Outcome, ...]]:
        """The portion, None when nothing in it is worth a call any more; and what was skipped."""
        worth = [m for m in portion.messages if is_evidence(m) and may_state(m.content)]
        at = self._clock.monotonic()
        new = [m for m in worth if not self._repeats.has(subject, m.content, at)]
        repeated = skipped(Reason.REPEATED_RECENTLY, self._clock.now())
        return portion if new else None, (repeated,) * (len(worth) - len(new))

    async def _ask(self, portion: Portion, profile: Profile) -> Extracted | None:
        """What the model found; None when it wasn't asked or gave nothing in time."""
        admission, self._breaker = admit(self._breaker, BREAKER, self._clock.monotonic())
        if admission is Admission.REFUSE:
            self._metrics.incr("turn_facts.failure.dropped")
            return None
        self._metrics.incr("turn_facts.runs")
        ending = Ending.ABANDONED
        try:
            read = await self._call.ask(
                "turn_fact",
                self._prompt(portion, profile),
                extraction.EXTRACTION_SCHEMA,
                extraction.parse,
                deadline_secs=self._rules.deadline_secs,
            )
            ending = Ending.FAILED if isinstance(read, Failed) else Ending.ANSWERED
        finally:
            now = self._clock.monotonic()
            self._breaker = settle(self._breaker, BREAKER, admission, ending, now)
        if isinstance(read, Failed):
            self._metrics.incr(f"turn_facts.failure.{read.kind}")
            return None
        self._metrics.incr("turn_facts.success")
        return read

    def _prompt(self, portion: Portion, profile: Profile) -> list[PromptMessage]:
        return extraction.build(
            (*portion.context, *portion.messages),
            profile,
            fresh_from=portion.first,
            hints=(),
            now=self._clock.now(),
            zone=profile.timezone.value if profile.timezone else self._default_zone,
            language=self._language,
        )

    async def _remember(
        self, job: Job, portion: Portion, profile: Profile, read: Extracted
    ) -> tuple[Outcome, ...]:
        """Facts only; moods and traits are for the extraction that sees more than one turn."""
        key = job.conversation or ""
        facts = Extracted(candidates=read.candidates, malformed=read.malformed)
        names = {m.sender_name for m in portion.messages if m.sender_name}

        def plan(draft: Draft) -> None:
            ground = Ground(
                subject=draft.profile.subject,
                epoch=draft.profile.epoch,
                conversation=key,
                messages=portion.numbered,
                now=draft.now,
                policy=self._policy,
                known=tuple(sorted(names)),
                translated=self._language is not None,
            )
            draft.take(facts, ground, limit=self._rules.max_per_turn)

        try:
            return (await self._commit.apply(profile, plan)).outcomes
        except (MemoryChanged, MemoryReset):
            self._metrics.incr("turn_facts.failure.dropped")
            return ()

    def _count(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.reasons[0] in COUNTED:
                self._metrics.incr(f"turn_facts.skipped.{outcome.reasons[0].value}")
