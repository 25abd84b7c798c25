"""Per-turn extraction over a database: once, in time, and nothing twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from app.clock import Clock
from app.database.connection import Database
from app.domain.conversation import Conversation
from app.domain.job import Job, JobKind, job_id
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.reply import PromptMessage
from app.memory.review_policy import ReviewPolicy
from app.prompts.reply_schema import JsonSchema
from app.services.memory_call import MemoryCall
from app.services.memory_source import MemorySource
from app.services.turn_facts import TurnFactRules, TurnFacts
from tests.contract.test_memory_jobs import KEY, ME, House, Model, row

TRAINS = "Trains make me calm"


class SteppedClock(Clock):
    """A monotonic clock that a test can move on."""

    ahead = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead


class SilentModel(Model):
    """A model that never answers while `silent`."""

    silent = True

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        if self.silent:
            self.prompts.append(prompt[-1].content)
            await asyncio.Event().wait()
        return await super().complete(call, prompt, schema)


class Desk:
    """A house and its per-turn extraction, switched on."""

    def __init__(self, db: Database, model: Model | None = None, **rules: Any) -> None:
        self.house = House(db)
        self.model = model or self.house.model
        self.clock = SteppedClock()
        stores, metrics = self.house.stores, self.house.metrics
        self.facts = TurnFacts(
            rules=TurnFactRules(**{"enabled": True, **rules}),
            conversations=stores.conversations,
            profiles=stores.profiles,
            source=MemorySource(stores.segments),
            commit=self.house.engine.commit,
            call=MemoryCall(self.model),
            policy=ReviewPolicy(),
            default_zone="UTC",
            language=None,
            clock=self.clock,
            metrics=metrics,
        )

    async def conversation(self) -> Conversation:
        conversation = await self.house.stores.conversations.read(KEY)
        assert conversation is not None
        return conversation

    async def read(self, first: int = 1, last: int = 1) -> tuple[Outcome, ...]:
        args = {"from_seq": first, "through_seq": last}
        now = self.clock.now()
        kind = JobKind.TURN_FACTS
        name = job_id(kind, ME, KEY, args)
        job = Job(
            id=name, kind=kind, subject=ME, conversation=KEY, args=args, run_at=now, created_at=now
        )
        return await self.facts.read(job)

    def counted(self, name: str) -> float:
        return self.house.metrics.value(f"turn_facts.{name}")

    async def texts(self) -> list[str]:
        return [record.text for record in (await self.house.profile()).records]


def reasons(outcomes: Sequence[Outcome]) -> list[Reason]:
    return [outcome.reasons[0] for outcome in outcomes]


@pytest.fixture
def desk(db: Database) -> Desk:
    return Desk(db)


async def test_what_a_turn_says_is_kept_and_the_later_extraction_finds_it_known(
    desk: Desk,
) -> None:
    await desk.house.said(TRAINS)
    desk.model.answers = [row(TRAINS), row(TRAINS)]
    (outcome,) = await desk.read()
    assert outcome.kind is OutcomeKind.ADD
    assert (await desk.conversation()).extracted_through == 0
    await desk.house.handlers[JobKind.EXTRACT](await desk.house.ask())
    profile = await desk.house.profile()
    assert [record.id for record in profile.records] == [outcome.record]
    assert profile.recent_outcomes[-1].reasons[0] is Reason.ALREADY_APPLIED
    assert profile.pending_effects == ()
    assert len(desk.model.prompts) == 2
    assert f"[{outcome.record}] {TRAINS}" in desk.model.prompts[1]


async def test_run_again_after_a_crash_it_adds_nothing(db: Database) -> None:
    first, again = Desk(db), Desk(db)
    await first.house.said(TRAINS)
    first.model.answers = [row(TRAINS)]
    await first.read()
    before = await first.house.profile()
    again.model.answers = [row(TRAINS)]
    assert reasons(await again.read()) == [Reason.ALREADY_APPLIED]
    assert await again.house.profile() == before


async def test_what_the_ordinary_extraction_has_read_is_left_alone(desk: Desk) -> None:
    await desk.house.said(TRAINS)
    desk.model.answers = [row(TRAINS)]
    await desk.house.handlers[JobKind.EXTRACT](await desk.house.ask())
    assert await desk.read() == ()
    assert len(desk.model.prompts) == 1
    assert desk.counted("overtaken") == 1


async def test_at_most_five_facts_and_the_others_are_told(desk: Desk) -> None:
    words = [f"I own {number} kites" for number in range(2, 9)]
    await desk.house.said(". ".join(words))
    rows = [json.loads(row(text))["rows"][0] for text in words]
    desk.model.answers = [json.dumps({"rows": rows, "traits": [], "moods": []})]
    outcomes = await desk.read()
    assert [o.kind for o in outcomes] == [OutcomeKind.ADD] * 5 + [OutcomeKind.REJECT] * 2
    assert reasons(outcomes)[5:] == [Reason.OVER_TURN_LIMIT] * 2
    assert desk.counted("skipped.over_turn_limit") == 2
    assert len(await desk.texts()) == 5


async def test_facts_alone_are_taken_moods_and_traits_are_for_later(desk: Desk) -> None:
    await desk.house.said("I am so glad, my kite flies")
    mood = {"mood": "glad", "message": 1, "quote": "I am so glad"}
    trait = {"trait": "style", "value": "cheerful", "message": 1, "quote": "I am so glad"}
    desk.model.answers = [json.dumps({"rows": [], "traits": [trait], "moods": [mood]})]
    assert await desk.read() == ()
    profile = await desk.house.profile()
    assert profile.mood_history == ()
    assert profile.style is None


async def test_the_same_words_within_five_minutes_are_not_read_twice(desk: Desk) -> None:
    await desk.house.said(TRAINS, "trains make me CALM!")
    desk.model.answers = [row(TRAINS), row("trains make me CALM", 2)]
    await desk.read()
    assert reasons(await desk.read(2, 2)) == [Reason.REPEATED_RECENTLY]
    assert len(desk.model.prompts) == 1
    assert desk.counted("skipped.repeated_recently") == 1
    desk.clock.ahead += 301
    assert reasons(await desk.read(2, 2)) == [Reason.DUPLICATE_OF_ACTIVE_RECORD]
    assert await desk.texts() == [TRAINS]


async def test_words_whose_reading_failed_may_be_read_when_they_come_again(desk: Desk) -> None:
    await desk.house.said(TRAINS, TRAINS)
    assert await desk.read() == ()
    desk.model.answers = [row(TRAINS, 2)]
    assert reasons(await desk.read(2, 2)) == [Reason.NEW_UNKEYED_FACT]


async def test_a_model_that_hangs_is_given_up_and_read_later(db: Database) -> None:
    model = SilentModel()
    desk = Desk(db, model, deadline_secs=0.05)
    await desk.house.said(TRAINS)
    async with asyncio.timeout(2):
        assert await desk.read() == ()
    assert desk.counted("failure.timeout") == 1
    assert await desk.texts() == []
    desk.house.model.answers = [row(TRAINS)]
    await desk.house.handlers[JobKind.EXTRACT](await desk.house.ask())
    assert await desk.texts() == [TRAINS]


async def test_after_five_failures_it_pauses_two_minutes_and_then_tries_once(desk: Desk) -> None:
    await desk.house.said(TRAINS)
    for _ in range(7):
        await desk.read()
    assert len(desk.model.prompts) == 5
    assert desk.counted("failure.llm_error") == 5
    assert desk.counted("failure.dropped") == 2
    desk.clock.ahead += 121
    await desk.read()
    await desk.read()
    assert len(desk.model.prompts) == 6
    desk.clock.ahead += 121
    desk.model.answers = [row(TRAINS)]
    await desk.read()
    assert await desk.texts() == [TRAINS]
    await desk.read()
    assert desk.counted("skipped.repeated_recently") == 1


@pytest.mark.parametrize("answer", ["", "no json", '{"rows": [{"kind": "fact"}]}', "[]", "{}"])
async def test_an_answer_without_sense_changes_nothing(desk: Desk, answer: str) -> None:
    await desk.house.said(TRAINS)
    desk.model.answers = [answer]
    before = await desk.house.profile()
    outcomes = await desk.read()
    assert all(outcome.kind is OutcomeKind.REJECT for outcome in outcomes)
    assert await desk.house.profile() == before


async def test_a_quote_that_was_never_typed_is_refused(desk: Desk) -> None:
    await desk.house.said(TRAINS)
    desk.model.answers = [row("I hate trains")]
    assert reasons(await desk.read()) == [Reason.UNSUPPORTED_BY_SOURCE]
    assert await desk.texts() == []


async def test_memory_that_was_reset_meanwhile_stays_empty(desk: Desk) -> None:
    await desk.house.said(TRAINS)
    rows = desk.house.stores.profiles._rows
    answered = desk.model.complete

    async def reset_meanwhile(*args: Any) -> str:
        await rows.update_one({"_id": ME}, {"$inc": {"epoch": 1}})
        return await answered(*args)

    desk.model.complete = reset_meanwhile  # type: ignore[method-assign]
    desk.model.answers = [row(TRAINS)]
    assert await desk.read() == ()
    assert await desk.texts() == []
    assert desk.counted("failure.dropped") == 1


async def test_worth_reading_counts_what_it_leaves_out(db: Database) -> None:
    desk, rare = Desk(db), Desk(db, sample_rate=0.0)
    off, offline = Desk(db, enabled=False), Desk(db)
    await desk.house.said("Hi!", TRAINS, "What's up?", answered=0)
    talk = await desk.conversation()
    assert desk.facts.worth_reading(talk) == (2, 2)
    assert desk.counted("skipped.filtered_before_model") == 2
    assert rare.facts.worth_reading(talk) is None
    assert rare.counted("skipped.not_sampled") == 3
    assert off.facts.worth_reading(talk) is None
    offline.model.is_offline = True
    assert offline.facts.worth_reading(talk) is None
