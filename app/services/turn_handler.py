"""One turn from begin to done: take the lease, answer, commit, deliver, tick off, trim."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from loguru import logger
from pydantic import Field

from app.clock import Clock
from app.config import Settings
from app.database.conversations import ConversationStore, Grant
from app.database.inbox import InboxStore
from app.database.segments import SegmentStore
from app.domain.conversation import Conversation, Frozen, Message, OutboxRow
from app.domain.inbox import Incoming, UpdateKind
from app.errors import ChatMoved, LeaseHeld, LeaseLost, SendError, StoreUnavailable
from app.memory.window import cut_through, unanswered
from app.services import notices, texts
from app.services.access import Access, is_claim
from app.services.chat_manager import ChatManager
from app.services.commands import Commands
from app.services.delivery import DeliverAt, Delivery
from app.services.intake import Received
from app.services.lease import KeptLease
from app.services.memory_hand import MemoryHand
from app.services.memory_work import MemoryWork
from app.services.metrics import Metrics
from app.services.notices import Notice, text_row
from app.services.ports import Channel
from app.services.rekey import Rekey
from app.services.turns import TALK, Batch
from app.services.typing_indicator import Typing

DEAD_KEPT = timedelta(days=30)
TOLD_AT_ONCE = timedelta(seconds=60)
"""How long a scan leaves an extraction alone that is enqueued without it."""


class Turn(Frozen):
    """What one turn adds to its conversation, and what memory work it calls for."""

    messages: tuple[Message, ...] = ()
    rows: tuple[OutboxRow, ...] = ()
    notices: dict[str, datetime] = Field(default_factory=dict)
    answered_through: int | None = None
    extract_due_at: datetime | None = None
    over_budget: bool = False


class ConversationTurns:
    """The TurnHandler of the product."""

    def __init__(
        self,
        *,
        owner: str,
        settings: Settings,
        conversations: ConversationStore,
        inbox: InboxStore,
        segments: SegmentStore,
        rekey: Rekey,
        access: Access,
        chat: ChatManager,
        commands: Commands,
        hand: MemoryHand,
        work: MemoryWork,
        delivery: Delivery,
        deliver_at: DeliverAt,
        channel: Channel,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._owner = owner
        self._settings = settings
        self._conversations = conversations
        self._inbox = inbox
        self._segments = segments
        self._rekey = rekey
        self._access = access
        self._chat = chat
        self._commands = commands
        self._hand = hand
        self._work = work
        self._delivery = delivery
        self._deliver_at = deliver_at
        self._channel = channel
        self._clock = clock
        self._metrics = metrics

    async def handle(self, batch: Batch) -> None:
        """Do what the batch asks for. Safe to run again from the start after any failure."""
        incoming = [item.incoming for item in batch.items]
        first = incoming[0]
        if first.kind is UpdateKind.MIGRATION and first.new_chat_id is not None:
            moved = await self._rekey.move(first.conversation, first.new_chat_id)
            await self._done(batch.items)
            self._deliver_at(moved, 0.0)
            return
        now = self._clock.now()
        talk = [
            _message(i, now)
            for i in _with_edits(incoming)
            if i.kind is UpdateKind.MESSAGE
            and i.text
            and i.media != "sticker"
            and self._access.allows(i.sender_id)
        ]
        grant, conversation = await self._conversations.begin(
            batch.key, self._owner, now, talk, [i.update_id for i in incoming]
        )
        incoming = _where_it_is_now(grant.key, batch.key, incoming)
        handled = set(conversation.handled)
        fresh = [i for i in incoming if i.update_id not in handled]
        try:
            async with KeptLease(
                self._conversations, grant, self._clock, self._settings.lease_secs
            ):
                conversation = await self._answer(grant, conversation, fresh, batch.flood)
                await self._delivery.run(grant, conversation)
        except ChatMoved as moved:
            await self._follow(grant, moved)
        await self._done(batch.items)
        try:
            await self._trim(conversation)
        except Exception as error:  # noqa: BLE001 - the turn is done; the next one trims
            self._metrics.incr("turns.failed")
            logger.error("window not trimmed: {}", type(error).__name__)

    async def deliver(self, key: str) -> None:
        """Send what is owed to a conversation."""
        grant, conversation = await self._conversations.begin(key, self._owner, self._clock.now())
        try:
            async with KeptLease(
                self._conversations, grant, self._clock, self._settings.lease_secs
            ):
                await self._delivery.run(grant, conversation)
        except ChatMoved as moved:
            await self._follow(grant, moved)

    async def _follow(self, grant: Grant, moved: ChatMoved) -> None:
        await self._conversations.release(grant)
        self._deliver_at(await self._rekey.move(grant.key, moved.new_chat_id), 0.0)

    async def failed(self, item: Received, error: Exception) -> bool:
        """Count an attempt; after the last one the update is dead and its person is told once."""
        attempts = item.attempts + 1
        name = type(error).__name__
        if attempts < self._settings.inbox_max_attempts:
            await self._inbox.failed(item.row_id, name, attempts)
            return False
        expires = self._clock.now() + DEAD_KEPT
        if item.incoming.addressed and self._access.allows(item.incoming.sender_id):
            try:
                await self._apologise(item.incoming)
            except (LeaseHeld, LeaseLost, StoreUnavailable):
                raise
            except Exception as trouble:  # noqa: BLE001 - the row is dead; nothing may wait for it
                self._metrics.incr("turns.failed")
                logger.error("the person could not be told: {}", type(trouble).__name__)
        await self._inbox.dead(item.row_id, name, expires)
        self._metrics.incr("inbox.dead")
        logger.error("update {} given up after {} attempts: {}", item.row_id, attempts, name)
        return True

    async def _apologise(self, incoming: Incoming) -> None:
        grant, conversation = await self._conversations.begin(
            incoming.conversation, self._owner, self._clock.now()
        )
        (incoming,) = _where_it_is_now(grant.key, incoming.conversation, [incoming])
        now = self._clock.now()
        row = text_row(incoming, texts.GAVE_UP, now, name="dead")
        at = conversation.next_delivery_at or now
        if incoming.update_id in conversation.handled:
            await self._conversations.release(grant)
            return
        await self._conversations.commit(
            grant, outbox=[row], handled=[incoming.update_id], next_delivery_at=at
        )
        owed = conversation.model_copy(update={"outbox": (*conversation.outbox, row)})
        await self._delivery.run(grant, owed)

    async def _answer(
        self, grant: Grant, conversation: Conversation, fresh: Sequence[Incoming], flood: bool
    ) -> Conversation:
        """Commit what the fresh updates ask for; returns the conversation as it stands then."""
        if not fresh:
            return conversation
        now = self._clock.now()
        newest = fresh[-1]
        blocked = newest.kind is UpdateKind.MEMBERSHIP and not newest.can_write
        if newest.kind in TALK:
            conversation = await self._apply_edits(grant, conversation, fresh)
            turn = await self._talk(conversation, fresh, flood, now)
        elif newest.kind is UpdateKind.COMMAND:
            turn = await self._command(conversation, newest, now)
        else:
            turn = Turn()
            if newest.kind is UpdateKind.BUTTON:
                turn = await self._button(conversation, newest, now)
                await self._stop_spinner(newest)
        owed = (*conversation.outbox, *turn.rows)
        at = conversation.next_delivery_at or (now if owed and not blocked else None)
        await self._conversations.commit(
            grant,
            messages=turn.messages,
            outbox=turn.rows,
            answered_through=turn.answered_through,
            handled=[i.update_id for i in fresh],
            notices=turn.notices,
            next_delivery_at=at,
            extract_due_at=self._extract_due(turn, self._clock.now()),
            blocked=blocked if blocked != conversation.blocked else None,
        )
        self._call_for_work(conversation, turn, newest, self._clock.now())
        return conversation.model_copy(
            update={
                "messages": (*conversation.messages, *turn.messages),
                "outbox": owed,
                "answered_through": turn.answered_through or conversation.answered_through,
                "next_delivery_at": at,
                "blocked": blocked,
            }
        )

    async def _talk(
        self, conversation: Conversation, fresh: Sequence[Incoming], flood: bool, now: datetime
    ) -> Turn:
        """The reply to what is unanswered, with the small print where it is due."""
        given = conversation.notices
        served = [i for i in fresh if self._access.allows(i.sender_id)]
        if not served:
            self._metrics.incr("access.strangers")
            notice = notices.for_stranger(given, fresh[-1], now)
            return Turn(rows=notice.rows, notices=notice.given)
        pending = unanswered(conversation)
        target = _target(served)
        if not pending or target is None:
            notice = notices.for_media(given, served, now)
            through = pending[-1].seq if pending else None
            return Turn(rows=notice.rows, notices=notice.given, answered_through=through)
        async with Typing(self._channel, target.chat_id, target.thread_id):
            began = self._clock.monotonic()
            reply = await self._chat.reply(conversation, target)
            self._metrics.observe("turns.latency", self._clock.monotonic() - began)
        notice = notices.for_flood(given, target, now) if flood else Notice()
        return Turn(
            messages=(reply.message,) if reply.message else (),
            rows=(*notice.rows, *reply.outbox),
            notices=notice.given,
            answered_through=pending[-1].seq,
            extract_due_at=reply.extract_due_at,
            over_budget=reply.over_budget,
        )

    def _extract_due(self, turn: Turn, now: datetime) -> datetime | None:
        """When a scan should find the conversation: later, if it is told of at once."""
        if turn.extract_due_at is None or turn.extract_due_at > now:
            return turn.extract_due_at
        return now + TOLD_AT_ONCE

    def _call_for_work(
        self, conversation: Conversation, turn: Turn, newest: Incoming, now: datetime
    ) -> None:
        if turn.extract_due_at is not None and turn.extract_due_at <= now:
            self._work.may_extract(newest.sender_id, conversation.key)
        if turn.over_budget:
            self._work.over_budget(newest.sender_id)
        if turn.messages and newest.chat_kind == "private":
            self._work.answered(newest.sender_id, conversation)

    async def _command(self, conversation: Conversation, incoming: Incoming, now: datetime) -> Turn:
        if incoming.command == "start" and is_claim(incoming.args):
            claimed = await self._access.claim(incoming.args, incoming.sender_id)
            if claimed or self._access.allows(incoming.sender_id):
                text = texts.CLAIMED if claimed else texts.CLAIM_FAILED
                return Turn(rows=(text_row(incoming, text, now),))
        if not self._access.allows(incoming.sender_id):
            notice = notices.for_stranger(conversation.notices, incoming, now)
            return Turn(rows=notice.rows, notices=notice.given)
        rows = await self._commands.answer(incoming, now)
        return Turn(rows=rows)

    async def _button(self, conversation: Conversation, incoming: Incoming, now: datetime) -> Turn:
        if not self._access.allows(incoming.sender_id) or incoming.chat_kind != "private":
            return Turn()
        said = await self._hand.press(incoming.sender_id, incoming.button_data, conversation)
        return Turn(rows=(text_row(incoming, said, now),) if said else ())

    async def _apply_edits(
        self, grant: Grant, conversation: Conversation, fresh: Sequence[Incoming]
    ) -> Conversation:
        """Write edits of stored messages, so that they are answered as edited."""
        for edit in fresh:
            if (
                edit.kind is not UpdateKind.EDIT
                or edit.telegram_message_id is None
                or not edit.text
            ):
                continue
            stored = _find(conversation, edit.telegram_message_id)
            at = edit.sent_at or self._clock.now()
            if stored is None:
                number = await self._segments.edit(
                    edit.conversation, edit.telegram_message_id, edit.text, at
                )
            elif stored.content != edit.text:
                await self._conversations.edit(grant, edit.telegram_message_id, edit.text, at)
                conversation = _with_text(conversation, stored, edit.text, at)
                number = stored.seq
            else:
                # Stored by a run that was cut short, perhaps before it was judged.
                number = stored.seq if stored.edited_at else None
            if number is not None and edit.chat_kind == "private":
                await self._work.edited(edit.sender_id, conversation.key, number, edit.update_id)
        return conversation

    async def _stop_spinner(self, incoming: Incoming) -> None:
        try:
            await self._channel.answer_button(incoming.button_id)
        except SendError:
            self._metrics.incr("delivery.errors")

    async def _done(self, items: Sequence[Received]) -> None:
        expires = self._clock.now() + timedelta(seconds=self._settings.inbox_keep_secs)
        await self._inbox.done([item.row_id for item in items], expires)

    async def _trim(self, conversation: Conversation) -> None:
        limits = (self._settings.history_max_chars, self._settings.history_min_messages)
        if cut_through(conversation, *limits) is None:
            return
        current = await self._conversations.read(conversation.key)
        through = cut_through(current, *limits) if current else None
        if current is None or through is None:
            return
        leaving = [m for m in current.messages if m.seq <= through]
        stored = await self._segments.add(current.key, leaving, self._clock.now())
        if stored >= current.first_seq:
            await self._conversations.trim(current, min(stored, through))


def _target(served: Sequence[Incoming]) -> Incoming | None:
    """The message a reply is for: the last one that speaks to the bot."""
    spoken = [i for i in served if i.addressed and i.text and i.media != "sticker"]
    return spoken[-1] if spoken else None


def _where_it_is_now(key: str, asked: str, incoming: list[Incoming]) -> list[Incoming]:
    """Updates that name a chat by the id it had before it moved, under the id it has now."""
    if key == asked:
        return incoming
    chat_id = int(key.partition(":")[0])
    change = {"chat_id": chat_id, "conversation": key, "telegram_message_id": None}
    return [i.model_copy(update=change) for i in incoming]


def _with_edits(batch: Sequence[Incoming]) -> list[Incoming]:
    """The batch's messages as they read after the edits that arrived with them."""
    latest = {i.telegram_message_id: i.text for i in batch if i.kind is UpdateKind.EDIT and i.text}
    return [
        i.model_copy(update={"text": latest[i.telegram_message_id]})
        if i.kind is UpdateKind.MESSAGE and i.telegram_message_id in latest
        else i
        for i in batch
    ]


def _find(conversation: Conversation, message_id: int) -> Message | None:
    return next(
        (
            m
            for m in conversation.messages
            if m.role == "user" and m.telegram_message_id == message_id
        ),
        None,
    )


def _with_text(
    conversation: Conversation, message: Message, text: str, at: datetime
) -> Conversation:
    changed = message.model_copy(update={"content": text, "edited_at": at})
    messages = tuple(changed if m.seq == message.seq else m for m in conversation.messages)
    return conversation.model_copy(update={"messages": messages})


def _message(incoming: Incoming, now: datetime) -> Message:
    return Message(
        seq=0,
        role="user",
        content=incoming.text,
        created_at=incoming.sent_at or now,
        sender_id=incoming.sender_id,
        sender_name=incoming.sender_name or None,
        telegram_message_id=incoming.telegram_message_id,
        update_id=incoming.update_id,
        origin=incoming.origin,
    )
