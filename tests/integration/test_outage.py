"""A long outage of the model: nothing is lost, the window stays small, memory catches up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from itertools import count, cycle
from typing import Any

import bson
import pytest

from app.bootstrap import Stores
from app.domain.conversation import Conversation
from app.domain.job import Job
from app.domain.profile import Profile
from app.errors import ModelFailure
from app.services.texts import model_failed
from tests.doubles.leaping_clock import LeapingClock
from tests.doubles.model_behaviours import hang, rate_limited, reset, server_error
from tests.doubles.reader import Known, Reader
from tests.integration.stage import Stage
from tests.soak.checks import Checks

MESSAGES = 200
BURSTS = (1, 2, 1, 3)
KEPT = 6
LIMIT = 2_000
SETTINGS: dict[str, Any] = {
    "history_max_chars": LIMIT,
    "history_min_messages": KEPT,
    "chat_buffer_max_chars": 600,
    "new_user_extraction_chars": 300,
    "session_end_secs": 600.0,
    "llm_timeout_secs": 1.0,
    "throttle_messages": 1_000,
    "consolidation_scan_interval_secs": 1.0,
}
SHORTEST = 20
"""Characters of the shortest message here; it bounds how many fit a window."""
FIXED_BYTES = 8_192
BYTES_A_MESSAGE = 512
"""What a conversation's document takes besides words: ids of updates, lease; a message's fields."""
BURSTS_A_WAY = 8
NIGHTS = (40, 80)
NIGHT, QUARTER = timedelta(hours=8), timedelta(minutes=15)
BACK = "Are you back?"
DOWN = model_failed(ModelFailure.SERVER)
PLAIN = (
    "My cat is called Pixel",
    "I live in Leeds",
    "My sister is called Vera",
    "I work as a gardener",
    "My birthday is 3 May",
    "I'm allergic to walnuts",
    "My favourite colour is green",
    "My boss is called Hugo",
)
"""What the rules read at once."""
IN_PASSING = (
    "Trains make me calm",
    "The smell of tar takes me back to the harbour",
    "On Sundays the whole street eats at our table",
    "Nothing beats a swim before breakfast",
    "Ever since school, maps have been my weakness",
    "Crowded lifts are not for me",
    "Our allotment is number seventeen by the canal",
    "It took me four years to finish the boat",
    "Brass bands make me cry",
    "The choir meets in the old mill on Tuesdays",
    "For me a holiday means mountains",
    "Thunder never scared me, moths do",
    "Half of my books are about beetles",
    "The piano came from an aunt in Bristol",
    "Snow makes everybody in my family silly",
    "Chess by post is how Otto and I keep in touch",
)
"""What takes a model to read."""
CORRECTED = ("My dog is called Rex", "Actually, it's Max, not Rex")
REMEMBERED = {*PLAIN, *IN_PASSING, "My dog is called Max"}


@pytest.fixture
def stage(stage_in_time: Stage) -> Stage:
    return stage_in_time


def lines() -> list[str]:
    """The person's messages: what is worth keeping all over them, some of it said twice."""
    worth = [*PLAIN[:4], *IN_PASSING[:8], CORRECTED[0], *PLAIN[4:], *IN_PASSING[8:], CORRECTED[1]]
    worth += [PLAIN[0], IN_PASSING[0], IN_PASSING[9]]
    said = [f"Anyway, tram number {number} was late again" for number in range(1, MESSAGES + 1)]
    every = MESSAGES // len(worth)
    for place, sentence in enumerate(worth):
        said[place * every] = sentence
    return said


def ways_to_be_away(stage: Stage) -> Iterator[Callable[[], Awaitable[None]]]:
    """Each makes the model fail in another way, until the next."""

    async def answers(behaviour: Any) -> None:
        if not stage.model.is_up:
            await stage.model.start(stage.model.port)
        stage.model.answer = lambda _: behaviour

    return cycle(
        [
            stage.model.stop,
            lambda: answers(server_error(503)),
            lambda: answers(hang()),
            lambda: answers(reset()),
            lambda: answers(rate_limited()),
        ]
    )


class Outage:
    """What happens to one person's conversation while the model is away."""

    def __init__(self, stage: Stage, clock: LeapingClock) -> None:
        assert stage.db is not None
        self.stage, self.clock, self.db = stage, clock, stage.db
        self.key = str(stage.ana.id)
        self.stores = Stores.over(stage.db, stage.settings(**SETTINGS))
        self.sent = 0

    async def conversation(self) -> Conversation:
        found = await self.stores.conversations.read(self.key)
        assert found is not None
        return found

    async def profile(self) -> Profile:
        found = await self.stores.profiles.read(self.stage.ana.id)
        assert found is not None
        return found

    async def burst(self, texts: list[str]) -> None:
        """Messages that are a turn, or nearly; each turn gets one honest line."""
        before = len(self.stage.said())
        for text in texts:
            self.stage.ana.send(text)
        self.sent += len(texts)
        await self.stage.until_true(self._answered)
        await self.stage.turns_over()
        answers = self.stage.texts()[before:]
        assert answers == [DOWN] * len(answers)
        assert 1 <= len(answers) <= len(texts)
        await self._look()

    async def _look(self) -> None:
        raw = await self.db["chat_buffers"].find_one({"_id": self.key})
        assert raw is not None
        chars = sum(len(message["content"]) for message in raw["messages"])
        size = len(bson.encode(raw))
        assert chars <= LIMIT or len(raw["messages"]) <= KEPT
        assert len(raw["messages"]) <= LIMIT // SHORTEST
        assert size <= chars + BYTES_A_MESSAGE * len(raw["messages"]) + FIXED_BYTES

    async def said(self) -> list[str]:
        """Every message of the person that is stored, from archive and window, in order."""
        conversation = await self.conversation()
        archived = await self.stores.segments.messages(self.key, 0, conversation.next_seq)
        found = [m for m in archived if m.seq < conversation.first_seq]
        return [m.content for m in (*found, *conversation.messages) if m.role == "user"]

    async def night(self) -> None:
        """Hours in which nobody writes, and the jobs try in vain."""
        for _ in range(NIGHT // QUARTER):
            self.clock.leap(QUARTER)
            await self.stage.until_true(self._nothing_due)

    async def over(self, reader: Reader) -> None:
        """The model is back; return when memory has caught up, half an hour later at most."""
        if not self.stage.model.is_up:
            await self.stage.model.start(self.stage.model.port)
        self.stage.model.answer = reader
        self.clock.leap(QUARTER)
        await self.stage.until_true(self._nothing_due)
        self.stage.ana.send(BACK)
        await self.stage.until(lambda: self.stage.texts()[-1] == reader.reply)
        await self.stage.turns_over()
        self.sent += 1
        self.clock.leap(QUARTER)
        await self.stage.until_true(self._all_read)

    async def open_jobs(self) -> list[Job]:
        """What memory still has to do."""
        jobs = await self.stores.jobs.all(limit=1_000)
        return [job for job in jobs if job.status in ("waiting", "running")]

    async def _answered(self) -> bool:
        conversation = await self.stores.conversations.read(self.key)
        return conversation is not None and conversation.answered_through == self.sent

    async def _nothing_due(self) -> bool:
        """Whether all that is left waits for a later moment."""
        jobs = await self.open_jobs()
        return all(j.status != "running" and j.run_at > self.clock.now() for j in jobs)

    async def _all_read(self) -> bool:
        conversation = await self.conversation()
        read = conversation.extracted_through == conversation.answered_through
        return read and not await self.open_jobs()


async def test_two_hundred_messages_without_a_model_are_all_remembered_when_it_is_back(
    stage: Stage, clock: LeapingClock
) -> None:
    bot = await stage.start(**SETTINGS)
    outage = Outage(stage, clock)
    said, sizes, away = lines(), cycle(BURSTS), ways_to_be_away(stage)
    left = said
    for number in count():
        if not left:
            break
        if number % BURSTS_A_WAY == 0:
            await next(away)()
        if number in NIGHTS:
            await outage.night()
        size = next(sizes)
        await outage.burst(left[:size])
        left = left[size:]
        clock.leap(timedelta(minutes=1))
    assert await outage.said() == said
    assert bot.metrics.value("extraction.parked") > MESSAGES / 20
    assert bot.metrics.value("extraction.success") == 0

    reader = Reader([Known(sentence) for sentence in (*PLAIN, *IN_PASSING)])
    await outage.over(reader)
    assert await outage.said() == [*said, BACK]
    conversation, profile = await outage.conversation(), await outage.profile()
    assert conversation.extracted_through == conversation.answered_through == MESSAGES + 1
    assert await outage.stores.jobs.all("dead") == []
    assert bot.metrics.value("jobs.dead") == bot.metrics.value("inbox.dead") == 0
    assert set(reader.read) == {*PLAIN, *IN_PASSING}
    assert Counter(r.text for r in profile.records) == Counter(REMEMBERED)
    stores = outage.stores
    checks = Checks(stores.profiles, stores.conversations, stores.segments, stage.ana.id)
    assert await checks.unsupported(profile) == []
    assert profile.last_consolidated_at is not None
