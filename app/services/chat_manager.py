"""The hot path: window and profile in, one model call, a reply to commit out."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.clock import Clock
from app.config import Settings
from app.database.profiles import ProfileStore
from app.domain.conversation import Conversation, Frozen, Message, OutboxRow
from app.domain.inbox import Incoming
from app.domain.profile import Profile
from app.domain.reactions import normalise_reaction
from app.errors import ModelError, ModelFailure
from app.memory.time_context import UTC_NAME, build_time_context
from app.prompts.system_prompt import build_reply_prompt, build_system_prompt
from app.services import texts
from app.services.memory_loader import MemoryLoader
from app.services.metrics import Metrics
from app.services.notices import reaction_row
from app.services.persona import Persona
from app.services.ports import ChatModel
from app.services.rendering import plain, render


class Reply(Frozen):
    """What a turn adds: the bot's message for the window (None when no model answered), rows."""

    message: Message | None
    outbox: tuple[OutboxRow, ...]


class ChatManager:
    """Answers a conversation with exactly one call of the model."""

    def __init__(
        self,
        *,
        settings: Settings,
        profiles: ProfileStore,
        persona: Persona,
        memory: MemoryLoader,
        model: ChatModel,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._settings = settings
        self._profiles = profiles
        self._persona = persona
        self._memory = memory
        self._model = model
        self._clock = clock
        self._metrics = metrics

    async def reply(self, conversation: Conversation, newest: Incoming) -> Reply:
        """The answer to everything unanswered, as rows that are not stored yet.

        `newest` is the last message of the turn: the reaction goes to it. When no model
        answers, the reply is one honest line that does not enter the window.
        """
        private = newest.chat_kind == "private"
        now = self._clock.now()
        profile = await self._profiles.touch(newest.sender_id, now) if private else None
        prompt = build_reply_prompt(
            build_system_prompt(self._persona.text(), self._memory.block(profile, conversation)),
            conversation.messages,
            time_context=self._time_context(now, profile, newest) if private else "",
            named=not private,
            max_input_chars=self._settings.max_input_chars,
            context_tokens=self._model.context_tokens(),
        )
        row = OutboxRow(
            id=f"reply:{newest.update_id}",
            chat_id=newest.chat_id,
            thread_id=newest.thread_id,
            reply_to=None if private else newest.telegram_message_id,
            created_at=now,
        )
        try:
            bundle = await self._model.generate_reply_bundle(prompt)
        except ModelError as error:
            self._metrics.incr("turns.unanswered")
            line = texts.model_failed(error.kind)
            return Reply(message=None, outbox=(row.model_copy(update={"parts": plain(line)}),))
        parts = render(bundle.reply)
        if not parts:
            self._metrics.incr("turns.unanswered")
            line = texts.model_failed(ModelFailure.EMPTY)
            return Reply(message=None, outbox=(row.model_copy(update={"parts": plain(line)}),))
        self._metrics.incr("turns.answered")
        message = Message(
            seq=conversation.next_seq,
            role="assistant",
            content=bundle.reply,
            created_at=self._clock.now(),
            origin="bot",
            outbox_id=row.id,
        )
        rows = [row.model_copy(update={"parts": parts})]
        reaction = normalise_reaction(bundle.reaction)
        if reaction is not None and newest.telegram_message_id is not None:
            rows.insert(0, reaction_row(newest, reaction, now))
        return Reply(message=message, outbox=tuple(rows))

    def _time_context(self, now: datetime, profile: Profile | None, newest: Incoming) -> str:
        late: timedelta | None = None
        if newest.sent_at is not None:
            late = now - newest.sent_at
            if late < timedelta(seconds=self._settings.late_answer_secs):
                late = None
        return build_time_context(
            now,
            profile.last_interaction_at if profile else None,
            zone=(profile.timezone if profile else None) or UTC_NAME,
            late_by=late,
        )
