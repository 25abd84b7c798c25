"""The conversation: one message after the other to the real bot, looked at after each turn."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from loguru import logger

from app.bootstrap import Stores
from app.errors import ModelFailure
from app.services.texts import model_failed
from tests.integration.stage import Stage
from tests.soak.checks import Checks
from tests.soak.life import said
from tests.soak.report import Seen

ANSWER_SECS = 150.0
"""As long as one model call may take behind others, and then some."""
SECOND_ANSWER_SECS = 0.5
QUIET_SECS = 90.0
QUIET_EVERY = 3
"""After so many turns the memory's work is waited for; after the others it overlaps."""
RESTART_EVERY = 20
HONEST = frozenset(model_failed(kind) for kind in ModelFailure)
SMALL = {
    "llm_timeout_secs": 60.0,
    "llm_context_tokens": 8_000,
    "message_batch_delay_secs": 0.05,
    "history_max_chars": 2_500,
    "history_min_messages": 6,
    "chat_buffer_max_chars": 400,
    "new_user_extraction_chars": 150,
    "extraction_silence_secs": 20.0,
    "session_end_secs": 40.0,
    "user_memory_budget_chars": 1_000,
    "compression_cooldown_secs": 20.0,
    "consolidation_min_items": 3,
    "consolidation_interval_secs": 1.0,
    "consolidation_scan_interval_secs": 20.0,
    "turn_fact_pre_compress_enabled": True,
}
"""Limits small enough for each part of memory to be asked often."""
Told = Callable[[str], None]


class Soak:
    """Plays until the time is over; what it saw is in `seen`."""

    def __init__(self, stage: Stage, transcript: Path | None, tell: Told) -> None:
        self._stage = stage
        self._transcript = transcript
        self._tell = tell
        self.seen = Seen()
        self.counted: dict[str, float] = {}

    async def play(self, minutes: float) -> None:
        """Say one thing after the other, restarting the bot now and then."""
        ends = time.monotonic() + 60 * minutes
        asyncio.get_running_loop().set_exception_handler(self._lost)
        sink = logger.add(self._logged, level="ERROR", format="{message}")
        words = said()
        try:
            await self._start()
            while time.monotonic() < ends:
                await self._turn(next(words))
                if self.seen.turns % RESTART_EVERY == 0:
                    await self._restart()
            await self._quiet()
            await self._look()
        finally:
            logger.remove(sink)

    async def facts(self) -> tuple[int, list[dict[str, Any]], list[dict[str, Any]]]:
        """Records at the end, rows of usage, jobs; stops the bot, so that all is written."""
        profile = await self._checks.profile()
        bot = self._stage.bot
        assert bot is not None
        await bot.stop()
        self.counted = bot.metrics.snapshot()
        db = self._stage.db
        assert db is not None
        usage = [row async for row in db["usage"].find({})]
        jobs = [row async for row in db["jobs"].find({})]
        self._stage.bot = None
        self._write({"records": [record.text for record in profile.records]})
        return profile.item_count, usage, jobs

    async def _start(self) -> None:
        await self._stage.start(**SMALL)
        assert self._stage.db is not None
        stores = Stores.over(self._stage.db, self._stage.settings(**SMALL))
        self._checks = Checks(
            stores.profiles, stores.conversations, stores.segments, self._stage.ana.id
        )

    async def _restart(self) -> None:
        self.seen.restarts += 1
        self._tell("restarting the bot, in the middle of whatever it does")
        before = self._checks
        await self._stage.stop()
        await self._start()
        self._checks.take_over(before)

    async def _turn(self, words: str) -> None:
        seen, stage = self.seen, self._stage
        before = len(stage.said())
        stage.ana.send(words)
        seen.turns += 1
        began = time.monotonic()
        try:
            await stage.until(lambda: len(stage.said()) > before, ANSWER_SECS)
        except TimeoutError:
            seen.silent += 1
        await stage.turns_over()
        await asyncio.sleep(SECOND_ANSWER_SECS)
        answers = stage.texts()[before:]
        seen.replies += bool(answers)
        seen.doubled += len(answers) > 1
        seen.failure_lines += any(answer in HONEST for answer in answers)
        seen.raw_replies += any(answer.lstrip().startswith(("{", "[", "```")) for answer in answers)
        if seen.turns % QUIET_EVERY == 0:
            await self._quiet()
        records = await self._look()
        taken = time.monotonic() - began
        self._tell(f"turn {seen.turns}: {taken:.1f} s, {records} records")
        self._write({"said": words, "answers": answers, "records": records})

    async def _quiet(self) -> None:
        """Wait for the memory's work, but not for ever: a job may be hours from its next try."""
        assert self._stage.bot is not None
        try:
            async with asyncio.timeout(QUIET_SECS):
                await self._stage.bot.memory_idle()
        except TimeoutError:
            self._tell("memory is still at work; going on")

    async def _look(self) -> int:
        """Check memory; returns how many records there are."""
        profile = await self._checks.profile()
        self.seen.emptied = self._checks.emptied
        for text in await self._checks.unsupported(profile):
            if text not in self.seen.unsupported:
                self.seen.unsupported.append(text)
        for outcome in profile.recent_outcomes:
            self.seen.reasons[outcome.id] = f"{outcome.kind.value}:{outcome.reasons[0].value}"
        return profile.item_count

    def _logged(self, message: str) -> None:
        self.seen.errors.append(str(message).strip())

    def _lost(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.seen.errors.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _write(self, row: dict[str, Any]) -> None:
        if self._transcript is not None:
            with self._transcript.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
