"""The hot path: window and profile in, one model call, a reply to commit out."""

from __future__ import annotations

from datetime import datetime, timedelta

from loguru import logger

from app.clock import Clock
from app.config import Settings
from app.database.profiles import ProfileStore
from app.domain.conversation import Conversation, Frozen, Message, OutboxRow
from app.domain.inbox import Incoming
from app.domain.profile import Profile
from app.domain.reactions import normalise_reaction
from app.domain.reply import PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.errors import ModelError, ModelFailure, StoreError
from app.memory.memory_block import Block
from app.memory.time_context import build_time_context
from app.memory.triggers import TriggerRules, extract_due
from app.memory.unextracted import extracted_through, unextracted_chars
from app.prompts.system_prompt import (
    MEMORY_UNAVAILABLE,
    TIME_HEADING,
    build_reply_prompt,
    build_system_prompt,
    leaves_out,
)
from app.services import texts
from app.services.memory_loader import MemoryLoader
from app.services.memory_words import just_done, noted, second_line
from app.services.metrics import Metrics
from app.services.notices import reaction_row
from app.services.persona import Persona
from app.services.ports import ChatModel
from app.services.rendering import plain, render
from app.services.turn_memory import Heard, TurnMemory

NOTED_REACTION = "✍"


class Reply(Frozen):
    """What a turn adds: the bot's message for the window (None when no model answered), rows.

    `extract_due_at` is when the conversation should be extracted; `over_budget`: the memory is
    larger than what prompts may hold.
    """

    message: Message | None
    outbox: tuple[OutboxRow, ...]
    extract_due_at: datetime | None = None
    over_budget: bool = False


class _Memory(Frozen):
    """What a turn knows of its person: after their words went in, or nothing when that failed."""

    before: Profile | None = None
    heard: Heard | None = None
    block: Block | None = None
    failed: bool = False

    @property
    def text(self) -> str:
        if self.failed:
            return MEMORY_UNAVAILABLE
        return self.block.text if self.block else ""


class ChatManager:
    """Answers a conversation with exactly one call of the model."""

    def __init__(
        self,
        *,
        settings: Settings,
        profiles: ProfileStore,
        persona: Persona,
        loader: MemoryLoader,
        memory: TurnMemory,
        model: ChatModel,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._settings = settings
        self._profiles = profiles
        self._persona = persona
        self._loader = loader
        self._memory = memory
        self._model = model
        self._clock = clock
        self._metrics = metrics
        self._triggers = TriggerRules(
            buffer_max_chars=settings.chat_buffer_max_chars,
            new_user_chars=settings.new_user_extraction_chars,
            new_user_threshold=settings.new_user_memory_threshold,
            silence_secs=settings.extraction_silence_secs,
            session_end_secs=settings.session_end_secs,
        )

    async def reply(self, conversation: Conversation, newest: Incoming) -> Reply:
        """The answer to everything unanswered, as rows that are not stored yet.

        `newest` is the last message of the turn: the reaction goes to it. What the person says
        plainly is in memory before the model is asked. When no model answers, the reply is one
        honest line that does not enter the window.
        """
        private = newest.chat_kind == "private"
        now = self._clock.now()
        memory = await self._recall(conversation, newest, now) if private else _Memory()
        prompt = build_reply_prompt(
            build_system_prompt(self._persona.text(), memory.text),
            conversation.messages,
            context=self._context(now, memory, newest) if private else "",
            named=not private,
            max_input_chars=self._settings.max_input_chars,
            context_tokens=self._model.context_tokens(),
        )
        bundle, failure = await self._ask(prompt, memory, newest, now)
        heard = memory.heard
        if heard is not None and bundle is not None:
            heard = await self._obey(heard, bundle, conversation)
        row = OutboxRow(
            id=f"reply:{newest.update_id}",
            chat_id=newest.chat_id,
            thread_id=newest.thread_id,
            reply_to=None if private else newest.telegram_message_id,
            created_at=now,
        )
        due = self._due(conversation, heard, prompt, now) if private else None
        over = memory.block is not None and memory.block.over_budget
        reply = self._reply(conversation, newest, row, bundle, failure, heard)
        return reply.model_copy(update={"extract_due_at": due, "over_budget": over})

    async def _recall(self, conversation: Conversation, newest: Incoming, now: datetime) -> _Memory:
        """The profile with this turn's plain words in it; a failure leaves the reply possible."""
        try:
            before = await self._profiles.touch(newest.sender_id, now)
            profile = before or Profile(subject=newest.sender_id, created_at=now)
            heard = await self._memory.listen(profile, conversation)
            block = self._loader.block(heard.profile, now)
        except StoreError as error:
            self._metrics.incr("memory.unavailable")
            logger.error("memory could not be loaded: {}", type(error).__name__)
            return _Memory(failed=True)
        return _Memory(before=before, heard=heard, block=block)

    async def _ask(
        self, prompt: list[PromptMessage], memory: _Memory, newest: Incoming, now: datetime
    ) -> tuple[ReplyBundle | None, ModelFailure | None]:
        heard = memory.heard
        notes = TurnNotes(
            said=newest.text,
            outcomes=heard.outcomes if heard else (),
            records=tuple(heard.profile.records) if heard else (),
            zone=self._memory.zone(heard.profile if heard else None),
            now=now,
        )
        try:
            return await self._model.generate_reply_bundle(prompt, notes), None
        except ModelError as error:
            return None, error.kind

    async def _obey(self, heard: Heard, bundle: ReplyBundle, conversation: Conversation) -> Heard:
        try:
            return await self._memory.obey(heard, bundle.memory_ops, conversation)
        except StoreError as error:
            self._metrics.incr("memory.unavailable")
            logger.error("memory could not be changed: {}", type(error).__name__)
            return heard.model_copy(update={"failed": True})

    def _reply(
        self,
        conversation: Conversation,
        newest: Incoming,
        row: OutboxRow,
        bundle: ReplyBundle | None,
        failure: ModelFailure | None,
        heard: Heard | None,
    ) -> Reply:
        outcomes = heard.outcomes if heard else ()
        second = second_line(outcomes, tuple(heard.profile.records)) if heard else None
        if heard is not None and heard.failed:
            second = texts.MEMORY_NOT_CHANGED
        text = bundle.reply if bundle else ""
        parts = render(text) if text else ()
        rows: list[OutboxRow] = []
        reaction = normalise_reaction(bundle.reaction) if bundle else None
        if noted(outcomes):
            reaction = NOTED_REACTION
        if reaction is not None and newest.telegram_message_id is not None:
            rows.append(reaction_row(newest, reaction, row.created_at))
        if not parts:
            self._metrics.incr("turns.unanswered")
            line = texts.model_failed(failure or ModelFailure.EMPTY)
            rows.append(row.model_copy(update={"parts": plain(_joined(line, second))}))
            return Reply(message=None, outbox=tuple(rows))
        self._metrics.incr("turns.answered")
        if second:
            text = _joined(text, second)
            parts = render(text)
        rows.append(row.model_copy(update={"parts": parts}))
        message = Message(
            seq=conversation.next_seq,
            role="assistant",
            content=text,
            created_at=self._clock.now(),
            origin="bot",
            outbox_id=row.id,
        )
        return Reply(message=message, outbox=tuple(rows))

    def _due(
        self,
        conversation: Conversation,
        heard: Heard | None,
        prompt: list[PromptMessage],
        now: datetime,
    ) -> datetime | None:
        """When to extract the conversation: at once, where the prompt had no room for all of it."""
        profile = heard.profile if heard else None
        pre_compress = self._settings.turn_fact_pre_compress_enabled
        through = extracted_through(conversation, profile)
        if pre_compress and leaves_out(conversation.messages, prompt, through):
            return now
        due = extract_due(
            unextracted_chars=unextracted_chars(conversation, profile),
            items=profile.item_count if profile else 0,
            last_message_at=now,
            now=now,
            rules=self._triggers,
        )
        return due.at if due else None

    def _context(self, now: datetime, memory: _Memory, newest: Incoming) -> str:
        profile = memory.before
        late: timedelta | None = None
        if newest.sent_at is not None:
            late = now - newest.sent_at
            if late < timedelta(seconds=self._settings.late_answer_secs):
                late = None
        time = build_time_context(
            now,
            profile.last_interaction_at if profile else None,
            zone=self._memory.zone(profile),
            late_by=late,
        )
        done = just_done(memory.heard.outcomes) if memory.heard else ""
        return f"{TIME_HEADING}\n{time}" + (f"\n\n{done}" if done else "")


def _joined(text: str, second: str | None) -> str:
    return f"{text}\n\n{second}" if second else text
