"""The composition root: the only room that knows every other.

Lives here: what makes the parts and hands them to one another; `memory` puts the memory engine
together. May import: everything below. Touches: nothing by itself.
Tested by: tests/integration.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from loguru import logger

from app.bootstrap.memory import MemoryEngine
from app.bootstrap.stores import Stores
from app.clock import Clock
from app.config import Settings, load_settings
from app.database.connection import Database, connect, ensure_indexes
from app.database.embedded import EmbeddedDatabase, running_uri
from app.database.instance_lock import InstanceLock, instance_id
from app.database.schema import INDEXES
from app.errors import DataDirBusy, StoreError, StoreUnavailable
from app.memory.batching import BatchRules
from app.services.access import Access, claim_link
from app.services.chat_manager import ChatManager
from app.services.commands import Commands
from app.services.delivery import Delivery
from app.services.health import Health
from app.services.intake import Intake
from app.services.llm_service import LlmService
from app.services.maintenance import Maintenance
from app.services.metrics import Metrics
from app.services.model_switch import ModelSwitch
from app.services.offline_companion import OfflineCompanion
from app.services.persona import Persona
from app.services.rekey import Rekey
from app.services.scheduler import Scheduler
from app.services.turn_handler import ConversationTurns
from app.services.turns import Turns
from app.services.usage_log import UsageLog
from app.transports.telegram.bot import Me, TelegramBot
from app.transports.telegram.channel import TelegramChannel
from app.transports.telegram.parse import UpdateParser
from app.transports.telegram.polling import Polling
from app.transports.web import HttpServer, health_app, webhook_app

__all__ = ["Bot", "MemoryEngine", "Stores", "open_database", "run_bot"]

FLUSH_SECS = 5.0
WORK_SECS = 15.0
SWEEP_SECS = 15.0
EXPIRE_SECS = 3_600.0

Announce = Callable[[str], None]


@asynccontextmanager
async def open_database(
    settings: Settings,
    *,
    shared: bool = False,
    listeners: Sequence[object] = (),
    on_give_up: Callable[[StoreUnavailable], None] | None = None,
) -> AsyncIterator[Database]:
    """The database in use: the server MONGODB_URI names, or the embedded one, started for this.

    The DATA_DIR belongs to one process at a time; raises DataDirBusy for the second. With
    `shared`, the embedded database of a bot that runs is used instead.
    """
    async with AsyncExitStack() as stack:
        if settings.mongodb_uri is not None:
            uri = settings.mongodb_uri.get_secret_value()
            if not shared:
                _lock(settings, stack)
        else:
            try:
                _lock(settings, stack)
            except DataDirBusy:
                running = running_uri(settings.data_dir) if shared else None
                if running is None:
                    raise
                uri = running
            else:
                embedded = EmbeddedDatabase(settings.data_dir, on_give_up=on_give_up)
                stack.push_async_callback(embedded.stop)
                uri = await embedded.start()
        db = await connect(uri, settings.mongodb_database, listeners=listeners)
        stack.push_async_callback(db.close)
        await ensure_indexes(db, INDEXES)
        yield db


def _lock(settings: Settings, stack: AsyncExitStack) -> None:
    lock = InstanceLock(settings.data_dir)
    lock.acquire()
    stack.callback(lock.release)


class Bot:
    """The whole bot over an open database; `start` and `stop` are each called once."""

    def __init__(self, settings: Settings, db: Database, announce: Announce) -> None:
        assert settings.telegram_bot_token is not None
        self._settings = settings
        self._db = db
        self._announce = announce
        self._clock = Clock()
        self.metrics = Metrics()
        self._stores = Stores.over(db, settings)
        self._usage_log = UsageLog(
            self._stores.usage, settings.usage_keep_days, self._clock, self.metrics
        )
        self._telegram = TelegramBot(settings.telegram_bot_token, settings.telegram_api_base_url)
        self._model = ModelSwitch(
            load=load_settings,
            online=lambda fresh: LlmService(
                fresh, clock=self._clock, on_usage=self._usage_log.record
            ),
            offline=OfflineCompanion,
        )
        self._memory = MemoryEngine(
            settings,
            self._stores,
            self._model,
            instance_id(settings.data_dir),
            self._clock,
            self.metrics,
        )
        self._scheduler = Scheduler(self.metrics)
        self._running = AsyncExitStack()

    async def start(self) -> Me:
        """Bring everything up, answer what waited, and begin to listen."""
        settings, stores = self._settings, self._stores
        me = await self._telegram.start()
        self._running.push_async_callback(self._telegram.stop)
        await self._model.start()
        self._running.push_async_callback(self._model.aclose)
        access = Access(settings, stores.access, me.id, self._clock)
        code = await access.start()
        await self._memory.start()
        self._running.push_async_callback(self._memory.stop)
        turns = self._build_turns(access)
        maintenance = self._build_maintenance(turns)
        await maintenance.load_metrics()
        self._running.push_async_callback(_last_flush, maintenance)
        self._running.push_async_callback(turns.stop)
        intake = Intake(
            bot_id=me.id,
            inbox=stores.inbox,
            parse=UpdateParser(self._telegram.bot, me.id, me.username),
            submit=turns.submit,
            clock=self._clock,
            metrics=self.metrics,
        )
        waiting = await intake.recover()
        if waiting:
            logger.info("{} stored updates were waiting for an answer", waiting)
        await maintenance.sweep()
        await self._telegram.publish_commands()
        await self._listen(intake)
        self._schedule(maintenance)
        if code:
            self._announce(claim_link(me.username, code))
        logger.info("@{} is up; model: {}", me.username, self._model.name)
        return me

    async def memory_idle(self) -> None:
        """Return when memory has nothing to do that is due."""
        await self._memory.idle()

    async def stop(self) -> None:
        """Stop listening, let running turns end, write what is in memory, close."""
        await self._running.aclose()

    def _build_turns(self, access: Access) -> Turns:
        settings, stores, clock, metrics = self._settings, self._stores, self._clock, self.metrics
        channel = TelegramChannel(self._telegram.bot)
        owner = instance_id(settings.data_dir)

        def deliver_at(key: str, delay: float) -> None:
            turns.deliver_at(key, delay)

        delivery = Delivery(stores.conversations, channel, deliver_at, clock, metrics)
        handler = ConversationTurns(
            owner=owner,
            settings=settings,
            conversations=stores.conversations,
            inbox=stores.inbox,
            segments=stores.segments,
            rekey=Rekey(stores.conversations, stores.segments, stores.inbox, owner, clock),
            access=access,
            chat=ChatManager(
                settings=settings,
                profiles=stores.profiles,
                persona=Persona(settings.persona_file),
                loader=self._memory.loader,
                memory=self._memory.turns,
                model=self._model,
                clock=clock,
                metrics=metrics,
            ),
            commands=Commands(stores.profiles, settings.default_timezone),
            hand=self._memory.hand,
            work=self._memory.work,
            delivery=delivery,
            deliver_at=deliver_at,
            channel=channel,
            clock=clock,
            metrics=metrics,
        )
        rules = BatchRules(
            delay=settings.message_batch_delay_secs,
            max_delay=settings.max_batch_delay_secs,
            flood_messages=settings.throttle_messages,
            flood_window=settings.throttle_window_secs,
        )
        turns = Turns(handler, rules, clock, metrics)
        return turns

    def _build_maintenance(self, turns: Turns) -> Maintenance:
        return Maintenance(
            conversations=self._stores.conversations,
            inbox=self._stores.inbox,
            usage=self._stores.usage,
            usage_log=self._usage_log,
            metrics_state=self._stores.metrics_state,
            metrics=self.metrics,
            queue_depth=lambda: turns.depth,
            deliver=turns.deliver,
            clock=self._clock,
        )

    async def _listen(self, intake: Intake) -> None:
        settings = self._settings

        async def accept(raw: dict[str, Any]) -> None:
            await intake.accept(raw)

        polling: Polling | None = None
        if settings.webhook_url and settings.webhook_secret:
            app = webhook_app("/telegram", settings.webhook_secret.get_secret_value(), accept)
            await self._serve(
                HttpServer(
                    app, settings.webhook_host, settings.webhook_port, setting="WEBHOOK_PORT"
                )
            )
            url = f"{settings.webhook_url}/telegram"
            await self._telegram.set_webhook(url, settings.webhook_secret)
        else:
            polling = Polling(
                self._telegram.bot,
                self._telegram.updates,
                accept,
                stall_secs=settings.polling_stall_secs,
                clock=self._clock,
                metrics=self.metrics,
            )
            await polling.start()
            self._running.push_async_callback(polling.stop)
        if settings.http_port is not None:
            health = Health(
                self._db.ping,
                polling_age=polling.stalled_for if polling else lambda: None,
                polling_stall_secs=settings.polling_stall_secs,
                model_state=lambda: self._model.name,
            )
            app = health_app(health, self.metrics)
            await self._serve(HttpServer(app, "127.0.0.1", settings.http_port))
            self._running.callback(health.begin_stop)

    async def _serve(self, server: HttpServer) -> None:
        await server.start()
        self._running.push_async_callback(server.stop)

    def _schedule(self, maintenance: Maintenance) -> None:
        scheduler = self._scheduler
        scheduler.every(FLUSH_SECS, maintenance.flush, "flush")
        scheduler.every(SWEEP_SECS, maintenance.sweep, "sweep")
        scheduler.every(EXPIRE_SECS, maintenance.expire, "expire")
        work = self._memory.work
        scheduler.every(WORK_SECS, work.scan, "memory_work")
        scheduler.every(WORK_SECS, self._memory.runner.tick, "jobs")
        scheduler.every(EXPIRE_SECS, work.expire, "expire_jobs")
        scheduler.every(
            self._settings.consolidation_scan_interval_secs,
            work.scan_consolidations,
            "consolidation",
        )
        scheduler.every(self._settings.metrics_log_interval_secs, maintenance.sum_up, "sum_up")
        scheduler.start()
        self._running.callback(scheduler.stop)


async def _last_flush(maintenance: Maintenance) -> None:
    try:
        await maintenance.flush()
    except StoreError as error:
        logger.warning("the last counters were not saved: {}", type(error).__name__)


async def run_bot(
    settings: Settings,
    stop: asyncio.Event,
    announce: Announce,
    *,
    listeners: Sequence[object] = (),
) -> None:
    """Run the bot until `stop` is set.

    Raises StoreUnavailable when the embedded database is lost for good.
    """
    lost: list[StoreUnavailable] = []

    def give_up(error: StoreUnavailable) -> None:
        lost.append(error)
        stop.set()

    async with open_database(settings, listeners=listeners, on_give_up=give_up) as db:
        bot = Bot(settings, db, announce)
        stopped = asyncio.create_task(stop.wait(), name="stop")
        starting = asyncio.create_task(bot.start(), name="start")
        try:
            await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if starting.done():
                starting.result()
                await stopped
        finally:
            starting.cancel()
            stopped.cancel()
            await asyncio.wait({starting, stopped})
            await bot.stop()
    if lost:
        raise lost[0]
