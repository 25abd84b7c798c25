"""The product over a database that can fail: turns, edits, buttons and jobs as they really run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, cast

from mongomock_motor import AsyncMongoMockClient

from app.bootstrap.memory import MemoryEngine
from app.bootstrap.stores import Stores
from app.clock import Clock
from app.config import Settings
from app.database.connection import Database
from app.domain.conversation import Conversation, Message, OutboxRow
from app.domain.decision import Decision
from app.domain.inbox import Incoming, UpdateKind
from app.domain.job import Job, JobKind
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.profile import Profile
from app.domain.reply import MemoryOp
from app.errors import JobFailed, MemoryReset, ModelError, StoreError
from app.memory.draft import Draft
from app.services.access import Access
from app.services.chat_manager import ChatManager
from app.services.commands import Commands
from app.services.delivery import Delivery
from app.services.intake import Received
from app.services.metrics import Metrics
from app.services.persona import Persona
from app.services.rekey import Rekey
from app.services.turn_handler import ConversationTurns
from app.services.turns import Batch
from tests.contract.memory_machine.answers import SILENCE, Answer, ScriptedModel
from tests.contract.memory_machine.faults import Faults, FragileDatabase, Killed
from tests.contract.memory_machine.ledger import Ledger

OWNER = "house"
SETTINGS = Settings(
    _env_file=None,
    access="open",
    turn_fact_extraction_enabled=True,
    compression_cooldown_secs=0,
    consolidation_min_items=2,
    history_min_messages=4,
).model_copy(update={"user_memory_budget_chars": 900, "history_max_chars": 600})
"""Sizes below what the settings allow, so that a short conversation fills them."""


class Hands(Clock):
    """A clock that somebody moves; no two moments are the same."""

    def __init__(self) -> None:
        self.at = datetime.fromisoformat("2026-03-01T12:00:00+00:00")
        self._ids = 0

    def now(self) -> datetime:
        self.at += timedelta(milliseconds=1)
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def new_id(self) -> str:
        self._ids += 1
        return f"{self._ids:032x}"


class Silent:
    """A channel that takes everything."""

    async def send_part(self, row: OutboxRow, index: int) -> int:
        return 1

    async def react(self, row: OutboxRow) -> None:
        return

    async def typing(self, chat_id: int, thread_id: int | None) -> None:
        return

    async def answer_button(self, button_id: str, text: str = "") -> None:
        return


class House:
    """One process after the other over the same database."""

    def __init__(self) -> None:
        self._database = AsyncMongoMockClient(tz_aware=True)["machine"]
        self.raw = self._database.delegate
        self.ledger = Ledger(self.stored)
        self.faults = Faults(self.ledger.changed)
        self.clock = Hands()
        self.metrics = Metrics()
        self.model = ScriptedModel(self.faults)
        self.escaped: list[str] = []
        self.crashes = 0
        self._updates = 0
        self._running: set[int] = set()

    async def start(self) -> None:
        """Begin a process."""
        self.faults.dead = False
        self.faults.dies_at = None
        self.faults.meanwhile = None
        self._running.clear()
        db = Database(cast(Any, FragileDatabase(self._database, self.faults)))
        self.stores = Stores.over(db, SETTINGS)
        self.engine = MemoryEngine(
            SETTINGS, self.stores, self.model, OWNER, self.clock, self.metrics
        )
        self.handlers = {
            kind: self._noting(handler) for kind, handler in self.engine._handlers().items()
        }
        self.engine.runner._handlers = self.handlers
        self.engine.work.start()
        await self.stores.jobs.take_back(OWNER)
        self._turns = self._build_turns()

    async def stop(self) -> None:
        """End the process for good."""
        with suppress(Killed):
            await self.engine.work.stop()

    async def restart(self) -> None:
        """What the process was in the middle of is cut off; the next one begins."""
        self.crashes += 1
        self.faults.dead = True
        await self.stop()
        await self.start()

    async def turn(
        self, who: int, texts: Sequence[str], reply: str = "I see.", ops: Sequence[MemoryOp] = ()
    ) -> None:
        """Somebody writes, and is answered; again after a crash, as the inbox has it."""
        self.model.will_say(texts[-1], reply, ops)
        await self._handle(*(self._incoming(who, UpdateKind.MESSAGE, text=t) for t in texts))

    async def forward(self, who: int, text: str) -> None:
        """Somebody passes on what another person wrote."""
        incoming = self._incoming(who, UpdateKind.MESSAGE, text=text)
        await self._handle(incoming.model_copy(update={"origin": "forwarded"}))

    async def edit(self, who: int, message_id: int, text: str) -> None:
        """Somebody changes the text of a message."""
        incoming = self._incoming(who, UpdateKind.EDIT, text=text)
        await self._handle(incoming.model_copy(update={"telegram_message_id": message_id}))

    async def press(self, who: int, data: str) -> None:
        """Somebody presses a button."""
        incoming = self._incoming(who, UpdateKind.BUTTON, button_data=data)
        await self._handle(incoming)

    async def work(self, who: int, answer: Answer = SILENCE) -> bool:
        """The next due job of a subject, by the runner; without the lock while one runs already."""
        if who in self._running:
            return await self.redo(who, 0, answer)
        busy = [self.other(who)]
        claimed = await self.stores.jobs.claim(OWNER, self.clock.now(), 1, busy)
        for job in claimed:
            self.model.answer = await self._with_strangers(who, answer)
            self._running.add(who)
            try:
                await self.engine.runner._run(job)
            finally:
                self._running.discard(who)
        return bool(claimed)

    async def redo(self, who: int, pick: int, answer: Answer = SILENCE) -> bool:
        """Deliver a job once more that waits, runs or is done; nobody holds a lock for it."""
        jobs = [j for j in await self.stores.jobs.all(subject=who) if not j.args.get("edited")]
        if not jobs:
            return False
        job = sorted(jobs, key=lambda j: j.id)[pick % len(jobs)]
        self.model.answer = await self._with_strangers(who, answer)
        try:
            await self.handlers[job.kind](job)
        except (JobFailed, ModelError, StoreError):
            return False
        return True

    async def _with_strangers(self, who: int, answer: Answer) -> Answer:
        """An answer that also speaks of records of the other person."""
        records = (await self.profile(self.other(who))).records
        return answer._replace(strangers=tuple(record.id for record in records))

    async def scan(self) -> None:
        """What the scheduler looks for."""
        await self.engine.work.scan()
        await self.engine.work.scan_consolidations()

    async def owe_again(self, who: int) -> None:
        """Run the relay of a subject twice on the same list."""
        profile = await self.profile(who)
        for _ in range(2):
            await self.stores.effects.carry_out(profile.pending_effects)
        await self.handlers[JobKind.EFFECTS](_relay(who, self.clock.now()))

    async def pin(self, who: int, record_id: str) -> None:
        """The person pins a record."""

        def plan(draft: Draft) -> None:
            record = draft.profile.record(record_id)
            if record is not None:
                draft.carry_out(
                    Decision(
                        outcome=Outcome(
                            kind=OutcomeKind.NOOP,
                            reasons=(Reason.DUPLICATE_OF_ACTIVE_RECORD,),
                            record=record.id,
                            at=draft.now,
                        ),
                        put=record.model_copy(update={"pinned": True}),
                    )
                )

        with suppress(MemoryReset):
            await self.engine.commit.apply(await self.profile(who), plan)

    def reset(self, who: int) -> None:
        """Empty a memory and its conversation; the epoch and the generation advance."""
        document = self.raw["user_profiles"].find_one({"_id": who})
        conversation = self.raw["chat_buffers"].find_one({"_id": str(who)})
        if document is None or conversation is None:
            return
        last = conversation["first_seq"] + len(conversation.get("messages") or ()) - 1
        kept = {"_id", "created_at", "last_interaction_at", "pending_effects", "effects_due_at"}
        empty = {name: value for name, value in document.items() if name in kept}
        empty["generation"] = document["generation"] + 1
        empty["epoch"] = document["epoch"] + 1
        empty["watermarks"] = {str(who): {"turns": last, "extracted": last}}
        self.raw["user_profiles"].replace_one({"_id": who}, empty)
        self.raw["chat_buffers"].update_one(
            {"_id": str(who)},
            {
                "$set": {"messages": [], "first_seq": last + 1, "answered_through": last},
                "$inc": {"version": 1},
            },
        )
        self.raw["segments"].delete_many({"conversation": str(who)})
        self.raw["jobs"].delete_many({"subject": who})
        self.ledger.was_reset(who, last, self.clock.now())

    def other(self, who: int) -> int:
        """The other person."""
        return 15 - who

    async def profile(self, who: int) -> Profile:
        """What is remembered of a subject."""
        return await self.stores.profiles.read(who) or Profile(subject=who)

    def stored(self, who: int) -> dict[int, dict[str, Any]]:
        """The documents of all messages of a conversation by number."""
        key = str(who)
        window = self.raw["chat_buffers"].find_one({"_id": key}) or {}
        first = window.get("first_seq", 1)
        found = {}
        for segment in self.raw["segments"].find({"conversation": key}):
            found.update({message["seq"]: message for message in segment["messages"]})
        for number, message in enumerate(window.get("messages") or (), first):
            found[number] = {**message, "seq": number}
        return found

    async def messages(self, who: int) -> dict[int, Message]:
        """Every stored message of a conversation by number."""
        window = await self.stores.conversations.read(str(who)) or Conversation(key=str(who))
        archived = await self.stores.segments.messages(str(who), 0, window.next_seq)
        return {m.seq: m for m in (*archived, *window.messages)}

    async def _handle(self, *incoming: Incoming) -> None:
        items = tuple(
            Received(
                row_id=f"1:{one.update_id}",
                incoming=one,
                received_at=self.clock.now(),
                arrived=self.clock.monotonic(),
            )
            for one in incoming
        )
        batch = Batch(key=incoming[0].conversation, items=items)
        try:
            await self._turns.handle(batch)
            self.faults.alive()
        except Killed:
            await self.restart()
            await self._turns.handle(batch)
        except MemoryReset:
            await self._turns.handle(batch)
        self.faults.dies_at = None
        await self.engine.work.idle()

    def _incoming(self, who: int, kind: UpdateKind, **fields: Any) -> Incoming:
        self._updates += 1
        return Incoming(
            update_id=self._updates,
            kind=kind,
            conversation=str(who),
            chat_id=who,
            sender_id=who,
            telegram_message_id=self._updates,
            **fields,
        )

    def _noting(self, handler: Callable[[Job], Awaitable[None]]) -> Any:
        """A handler whose unexpected failures are known."""

        async def handle(job: Job) -> None:
            try:
                await handler(job)
            except (JobFailed, ModelError, StoreError, asyncio.CancelledError):
                raise
            except Exception as error:
                self.escaped.append(f"{job.kind}: {type(error).__name__}: {error}")
                raise

        return handle

    def _build_turns(self) -> ConversationTurns:
        stores, clock, metrics = self.stores, self.clock, self.metrics
        channel = Silent()

        def deliver_at(key: str, delay: float) -> None:
            return

        return ConversationTurns(
            owner=OWNER,
            settings=SETTINGS,
            conversations=stores.conversations,
            inbox=stores.inbox,
            segments=stores.segments,
            rekey=Rekey(stores.conversations, stores.segments, stores.inbox, OWNER, clock),
            access=Access(SETTINGS, stores.access, 1, clock),
            chat=ChatManager(
                settings=SETTINGS,
                profiles=stores.profiles,
                persona=Persona(SETTINGS.persona_file),
                loader=self.engine.loader,
                memory=self.engine.turns,
                model=self.model,
                clock=clock,
                metrics=metrics,
            ),
            commands=Commands(stores.profiles, SETTINGS.default_timezone),
            hand=self.engine.hand,
            work=self.engine.work,
            delivery=Delivery(stores.conversations, channel, deliver_at, clock, metrics),
            deliver_at=deliver_at,
            channel=channel,
            clock=clock,
            metrics=metrics,
        )


def _relay(who: int, now: datetime) -> Job:
    kind = JobKind.EFFECTS
    return Job(id=f"effects:{who}", kind=kind, subject=who, run_at=now, created_at=now)
