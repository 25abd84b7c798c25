"""What a turn does to memory: what was said plainly goes in before the reply, requests after."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.domain.candidate import Candidate, Extracted, Forget
from app.domain.conversation import Conversation, Frozen, Message
from app.domain.evidence import Quote
from app.domain.outcome import Outcome, Reason
from app.domain.profile import Profile, Watermark
from app.domain.reply import MemoryOp
from app.memory.draft import Draft
from app.memory.evidence import is_evidence
from app.memory.ground import Ground
from app.memory.rejudge import rejudge
from app.memory.requests import as_candidate, as_forget
from app.memory.review_policy import ReviewPolicy
from app.memory.rule_extractor import extract
from app.memory.window import unanswered
from app.services.memory_commit import MemoryCommit

NO_MODEL = "no_model"


class Heard(Frozen):
    """The profile after a turn's words went in, and the outcomes of this turn so far.

    `failed`: something was asked of memory and the database refused.
    """

    profile: Profile
    outcomes: tuple[Outcome, ...] = ()
    failed: bool = False


class TurnMemory:
    """Changes memory within a turn, by rules and by what the person asks for."""

    def __init__(
        self,
        commit: MemoryCommit,
        policy: ReviewPolicy,
        *,
        default_zone: str,
        is_offline: Callable[[], bool],
    ) -> None:
        self._commit = commit
        self._policy = policy
        self._default_zone = default_zone
        self._is_offline = is_offline

    def zone(self, profile: Profile | None) -> str:
        """The person's time zone, or the one the settings name."""
        known = profile.timezone if profile else None
        return known.value if known else self._default_zone

    async def listen(self, profile: Profile, conversation: Conversation) -> Heard:
        """Take in what the unanswered messages say in so many words.

        One round trip when memory changes, none otherwise. A turn that is run again after a
        crash finds its outcomes instead of repeating them.
        """
        key = conversation.key
        pending = [message for message in unanswered(conversation) if is_evidence(message)]
        edited = {m.seq: m for m in conversation.messages if m.edited_at and is_evidence(m)}
        if not pending and not edited:
            return Heard(profile=profile)
        offline = self._is_offline()
        zone = self.zone(profile)
        found = [
            extract(m, now=m.created_at, zone=zone, previous=_before(conversation, m))
            for m in pending
        ]

        def plan(draft: Draft) -> tuple[Outcome, ...]:
            done = draft.profile.watermarks.get(key, Watermark()).turns
            ground = self._ground(draft, conversation)
            hinted = ground.model_copy(update={"fallback_reason": NO_MODEL})
            if edited:
                rejudge(draft, edited, ground, settle=False)
            for message, extracted in zip(pending, found, strict=True):
                if message.seq <= done:
                    continue
                draft.take(extracted, ground)
                if offline:
                    draft.take(Extracted(candidates=extracted.hints), hinted)
            if draft.touched and pending:
                draft.reached(key, turns=pending[-1].seq)
            numbers = {message.seq for message in pending if message.seq <= done}
            return tuple(
                outcome
                for outcome in draft.profile.recent_outcomes
                if any(s.conversation == key and s.seq in numbers for s in outcome.evidence)
            )

        committed = await self._commit.apply(profile, plan)
        return Heard(profile=committed.profile, outcomes=(*committed.value, *committed.outcomes))

    async def obey(
        self, heard: Heard, ops: Sequence[MemoryOp], conversation: Conversation
    ) -> Heard:
        """Carry out what the model understood the person to ask; through the same outcomes.

        A turn that is run again after a crash doesn't carry it out twice.
        """
        if not ops:
            return heard
        pending = [message for message in unanswered(conversation) if is_evidence(message)]

        def plan(draft: Draft) -> None:
            ground = self._ground(draft, conversation)
            for op in ops:
                self._carry_out(op, draft, ground, pending, heard.outcomes)
            if draft.touched and pending:
                draft.reached(conversation.key, turns=pending[-1].seq)

        committed = await self._commit.apply(heard.profile, plan)
        return Heard(profile=committed.profile, outcomes=(*heard.outcomes, *committed.outcomes))

    def _carry_out(
        self,
        op: MemoryOp,
        draft: Draft,
        ground: Ground,
        pending: Sequence[Message],
        before: Sequence[Outcome],
    ) -> None:
        if op.op == "forget":
            forget = as_forget(op, pending)
            if not _granted(forget, before):
                draft.forget(forget, ground)
            return
        candidate = as_candidate(op, pending, ground.messages, self.zone(draft.profile))
        if not _kept(candidate, before):
            draft.decide(candidate, ground)

    def _ground(self, draft: Draft, conversation: Conversation) -> Ground:
        messages = {message.seq: message for message in conversation.messages}
        names = {m.sender_name for m in conversation.messages if m.sender_name}
        return Ground(
            subject=draft.profile.subject,
            epoch=draft.profile.epoch,
            conversation=conversation.key,
            messages=messages,
            now=draft.now,
            policy=self._policy,
            known=tuple(sorted(names)),
        )


def _before(conversation: Conversation, message: Message) -> Message | None:
    """The bot's message just before one of the person's, if that is what stands there."""
    index = message.seq - conversation.first_seq - 1
    if index < 0:
        return None
    previous = conversation.messages[index]
    return previous if previous.role == "assistant" else None


def _places(quotes: Sequence[Quote]) -> set[int]:
    return {quote.seq for quote in quotes}


def _kept(candidate: Candidate, before: Sequence[Outcome]) -> bool:
    """Whether the rules kept, at the person's request, what these words say."""
    numbers = _places(candidate.quotes)
    return any(
        outcome.asked
        and outcome.verification == "verified"
        and Reason.FORGET_REQUESTED not in outcome.reasons
        and any(span.seq in numbers for span in outcome.evidence)
        for outcome in before
    )


def _granted(forget: Forget, before: Sequence[Outcome]) -> bool:
    """Whether the rules carried this request to forget out already."""
    return any(
        Reason.FORGET_REQUESTED in outcome.reasons
        and (
            forget.record_id in outcome.replaced
            or (
                forget.quote is not None
                and any(span.seq == forget.quote.seq for span in outcome.evidence)
            )
        )
        for outcome in before
    )
