"""Memory's jobs over a database: outages, crashes between writes, runs that happen twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from app.bootstrap.memory import MemoryEngine
from app.bootstrap.stores import Stores
from app.clock import Clock
from app.config import Settings
from app.database.connection import Database
from app.domain.conversation import Message
from app.domain.job import Job, JobKind
from app.domain.profile import Profile
from app.domain.reply import MemoryOp, PromptMessage
from app.errors import MemoryReset, ModelError, ModelFailure
from app.memory.window import unanswered
from app.prompts.reply_schema import JsonSchema
from app.services.metrics import Metrics

ME = 1001
KEY = str(ME)


class Killed(Exception):
    """Stands for the end of the process."""


class Model:
    """A model that answers from a list, or is down while the list is empty."""

    is_offline = False
    failure = ModelFailure.SERVER

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.prompts: list[str] = []

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        self.prompts.append(prompt[-1].content)
        if not self.answers:
            raise ModelError(self.failure)
        return self.answers.pop(0)


class House:
    """The memory engine over a database, with one person's conversation."""

    def __init__(self, db: Database, model: Model | None = None, **settings: Any) -> None:
        self.settings = Settings(_env_file=None, **settings)
        self.stores = Stores.over(db, self.settings)
        self.model = model or Model()
        self.clock = Clock()
        self.metrics = Metrics()
        self.engine = MemoryEngine(
            self.settings, self.stores, self.model, "me", self.clock, self.metrics
        )
        self.handlers = self.engine._handlers()

    async def said(self, *texts: str, answered: int | None = None) -> None:
        now = self.clock.now()
        await self.stores.profiles.touch(ME, now)
        messages = [
            Message(seq=0, role="user", content=text, created_at=now, update_id=number)
            for number, text in enumerate(texts, 1)
        ]
        grant, _ = await self.stores.conversations.begin(KEY, "me", now, messages)
        through = len(texts) if answered is None else answered
        await self.stores.conversations.commit(grant, answered_through=through, extract_due_at=now)

    async def profile(self) -> Profile:
        profile = await self.stores.profiles.read(ME)
        assert profile is not None
        return profile

    async def run(self, kind: JobKind) -> None:
        """Run the jobs of a kind as they stand in the store, without lease and pause."""
        for job in await self.stores.jobs.all("waiting"):
            if job.kind is kind:
                await self.handlers[kind](job)

    async def ask(self) -> Job:
        now = self.clock.now()
        await self.stores.jobs.enqueue(JobKind.EXTRACT, subject=ME, conversation=KEY, run_at=now)
        return next(job for job in await self.stores.jobs.all("waiting") if job.kind == "extract")


@pytest.fixture
def house(db: Database) -> House:
    return House(db)


def row(text: str, number: int = 1) -> str:
    found = {"kind": "fact", "text": text, "message": number, "quote": text, "confidence": 0.9}
    return json.dumps({"rows": [found], "traits": [], "moods": []})


async def test_what_no_model_could_read_is_put_aside_and_read_later(house: House) -> None:
    await house.said("Trains make me calm", "I live in Leeds")
    await house.handlers[JobKind.EXTRACT](await house.ask())
    assert len(house.model.prompts) == 3
    profile = await house.profile()
    assert [record.text for record in profile.facts] == ["I live in Leeds"]
    assert profile.recent_outcomes[-1].fallback_reason == "llm_error"
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    assert conversation.extracted_through == 2
    house.model.answers = [row("Trains make me calm")]
    await house.run(JobKind.EXTRACT_RANGE)
    texts = {record.text for record in (await house.profile()).facts}
    assert texts == {"I live in Leeds", "Trains make me calm"}


async def test_a_portion_is_read_once_however_often_the_job_runs(house: House) -> None:
    await house.said("Trains make me calm")
    job = await house.ask()
    house.model.answers = [row("Trains make me calm")]
    await house.handlers[JobKind.EXTRACT](job)
    before = await house.profile()
    await house.handlers[JobKind.EXTRACT](job)
    assert await house.profile() == before
    assert len(house.model.prompts) == 1


async def test_a_crash_after_the_commit_reads_nothing_twice(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.said("Trains make me calm")
    job = await house.ask()
    house.model.answers = [row("Trains make me calm")]

    async def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(house.stores.conversations, "extracted", dies)
        with pytest.raises(Killed):
            await house.handlers[JobKind.EXTRACT](job)
    before = await house.profile()
    await house.handlers[JobKind.EXTRACT](job)
    assert await house.profile() == before
    assert len(house.model.prompts) == 1


async def test_memory_that_was_reset_during_an_extraction_stays_empty(house: House) -> None:
    await house.said("Trains make me calm")
    job = await house.ask()
    complete = house.model.complete

    async def reset_meanwhile(*args: Any) -> str:
        await house.stores.profiles._rows.update_one({"_id": ME}, {"$inc": {"epoch": 1}})
        return await complete(*args)

    house.model.complete = reset_meanwhile  # type: ignore[method-assign]
    house.model.answers = [row("Trains make me calm")]
    with pytest.raises(MemoryReset):
        await house.handlers[JobKind.EXTRACT](job)
    assert (await house.profile()).item_count == 0


async def test_two_extractions_of_the_same_messages_are_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.said("Trains make me calm and gulls make me laugh")
    job = await house.ask()
    answer, extract = house.model.complete, house.handlers[JobKind.EXTRACT]

    async def overtaken(*asked: Any) -> str:
        monkeypatch.undo()
        await extract(job)
        return await answer(*asked)

    monkeypatch.setattr(house.model, "complete", overtaken)
    house.model.answers = [row("Trains make me calm"), row("gulls make me laugh")]
    await extract(job)
    assert [record.text for record in (await house.profile()).facts] == ["Trains make me calm"]


async def test_messages_not_answered_yet_are_left_for_later(house: House) -> None:
    await house.said("Trains make me calm", "I am typing", answered=1)
    house.model.answers = [row("Trains make me calm")]
    await house.handlers[JobKind.EXTRACT](await house.ask())
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    assert conversation.extracted_through == 1
    assert "I am typing" not in house.model.prompts[0]


async def test_a_request_is_carried_out_once_when_its_turn_is_run_again(house: House) -> None:
    await house.said("please keep: trains make me calm", answered=0)
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    assert unanswered(conversation)
    op = MemoryOp(op="remember", text="Trains make me calm", quote="trains make me calm")
    turns = house.engine.turns
    heard = await turns.listen(await house.profile(), conversation)
    first = await turns.obey(heard, [op], conversation)
    assert len(first.profile.facts) == 1
    heard = await turns.listen(await house.profile(), conversation)
    again = await turns.obey(heard, [op], conversation)
    assert again.profile.generation == first.profile.generation
    forget = MemoryOp(op="forget", id=first.profile.facts[0].id, quote="please keep")
    gone = await turns.obey(again, [forget], conversation)
    assert gone.profile.facts == ()
    heard = await turns.listen(await house.profile(), conversation)
    twice = await turns.obey(heard, [forget], conversation)
    assert [o for o in twice.outcomes if o.verification == "failed_verification"] == []


async def test_a_turn_that_is_run_again_hears_nothing_twice(house: House) -> None:
    await house.said("My dog is called Rex", "Forget my dog's name", answered=0)
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    heard = await house.engine.turns.listen(await house.profile(), conversation)
    again = await house.engine.turns.listen(await house.profile(), conversation)
    assert [o.verification for o in heard.outcomes] == ["verified"] * 2
    assert [o.id for o in again.outcomes] == [o.id for o in again.profile.recent_outcomes]


async def test_two_writers_lose_nothing(house: House) -> None:
    await house.said("Trains make me calm", "I live in Leeds", answered=0)
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    stale = await house.profile()
    first = MemoryOp(op="remember", text="Trains make me calm", quote="Trains make me calm")
    second = MemoryOp(op="remember", text="I live in Leeds", quote="I live in Leeds")
    turns = house.engine.turns
    heard = (await turns.listen(stale, conversation)).model_copy(update={"outcomes": ()})
    await turns.obey(heard, [first], conversation)
    await turns.obey(heard, [second], conversation)
    assert len((await house.profile()).facts) == 2
    assert house.metrics.value("memory.races") == 1


@pytest.mark.parametrize(
    "dying", [("effects", "carry_out"), ("profiles", "paid")], ids=lambda step: step[1]
)
async def test_effects_are_carried_out_once_wherever_the_relay_dies(
    house: House, monkeypatch: pytest.MonkeyPatch, dying: tuple[str, str]
) -> None:
    await house.said("My dog is called Rex", answered=0)
    await house.said("Actually, it's Max, not Rex", answered=0)
    for _ in range(2):
        conversation = await house.stores.conversations.read(KEY)
        assert conversation is not None
        await house.engine.turns.listen(await house.profile(), conversation)
    job = Job(
        id="effects:1001",
        kind=JobKind.EFFECTS,
        subject=ME,
        run_at=house.clock.now(),
        created_at=house.clock.now(),
    )
    owed = len((await house.profile()).pending_effects)
    assert owed == 2

    async def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(getattr(house.stores, dying[0]), dying[1], dies)
        with pytest.raises(Killed):
            await house.handlers[JobKind.EFFECTS](job)
    assert await house.stores.profiles.owing(house.clock.now(), 5) == [ME]
    await house.handlers[JobKind.EFFECTS](job)
    assert (await house.profile()).pending_effects == ()
    assert len(await house.stores.archive.of_subject(ME)) == 1
    assert [step.kind for step in await house.stores.lineage.of_subject(ME)] == ["corrects"]
    assert await house.stores.profiles.owing(house.clock.now() + timedelta(days=1), 5) == []
