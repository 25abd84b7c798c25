"""Parked and edited runs of messages: all of them are read in the end, each once."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from app.database.connection import Database
from app.domain.job import Job, JobKind
from app.errors import JobFailed
from app.memory.merge import merged
from app.services.memory_source import PORTION_CHARS
from tests.contract.test_memory_jobs import KEY, ME, House, Killed, row

LONG = "and the tide came in " * 220
"""More than half a portion: two such messages don't fit one."""


@pytest.fixture
def house(db: Database) -> House:
    return House(db)


async def parked(house: House, first: int, last: int, **more: Any) -> Job:
    """A range that waits to be read."""
    await house.stores.jobs.enqueue(
        JobKind.EXTRACT_RANGE,
        subject=ME,
        conversation=KEY,
        args={"from_seq": first, "through_seq": last, **more},
        run_at=house.clock.now(),
    )
    return next(
        j for j in await house.stores.jobs.all("waiting") if j.args.get("from_seq") == first
    )


async def waiting(house: House) -> list[tuple[int, int]]:
    """The ranges that wait, as their numbers."""
    jobs = await house.stores.jobs.all("waiting")
    ranges = [j.args for j in jobs if j.kind is JobKind.EXTRACT_RANGE]
    return [(args["from_seq"], args["through_seq"]) for args in ranges]


async def done(house: House, job: Job) -> None:
    """Settle a job as the runner does."""
    claimed = await house.stores.jobs.claim("me", house.clock.now() + timedelta(hours=1), 9)
    for taken in claimed:
        if taken.id == job.id:
            await house.stores.jobs.finish(taken, house.clock.now())
        else:
            await house.stores.jobs.release(taken, house.clock.now())


async def texts(house: House) -> set[str]:
    return {record.text for record in (await house.profile()).records}


async def test_the_rest_of_a_long_range_is_read_later_and_nothing_twice(house: House) -> None:
    assert 2 * len(LONG) > PORTION_CHARS > len(LONG)
    words = ["Trains make me calm", "Gulls make me laugh", "Rain makes me sing"]
    await house.said(*(f"{said}. {LONG}" for said in words))
    job = await parked(house, 1, 3)
    for number, said in enumerate(words, 1):
        house.model.answers = [row(said, number)]
        await house.handlers[JobKind.EXTRACT_RANGE](job)
        assert await texts(house) == set(words[:number])
        rest = [(number + 1, 3)] if number < 3 else []
        assert [r for r in await waiting(house) if r != (job.args["from_seq"], 3)] == rest
        await done(house, job)
        if rest:
            (job,) = await house.stores.jobs.all("waiting")
    assert len(house.model.prompts) == 3
    assert [f"line #{n} on" in p for n, p in enumerate(house.model.prompts, 1)] == [True] * 3


async def test_a_crash_before_the_commit_leaves_the_range_and_its_rest_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.said(f"Trains make me calm. {LONG}", f"Gulls make me laugh. {LONG}")
    job = await parked(house, 1, 2)

    async def dies(*_: object) -> None:
        raise Killed

    house.model.answers = [row("Trains make me calm")]
    with monkeypatch.context() as patch:
        patch.setattr(house.stores.profiles, "commit", dies)
        with pytest.raises(Killed):
            await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert sorted(await waiting(house)) == [(1, 2), (2, 2)]
    house.model.answers = [row("Trains make me calm")]
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert sorted(await waiting(house)) == [(1, 2), (2, 2)]
    assert await texts(house) == {"Trains make me calm"}


async def test_a_range_that_is_done_is_not_read_again_after_a_crash(house: House) -> None:
    await house.said("Trains make me calm")
    job = await parked(house, 1, 1)
    house.model.answers = [row("Trains make me calm")]
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    before = await house.profile()
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await house.profile() == before
    assert len(house.model.prompts) == 1


async def test_two_runs_of_one_range_at_once_are_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.said("Trains make me calm and gulls make me laugh")
    job = await parked(house, 1, 1)
    answer, extract = house.model.complete, house.handlers[JobKind.EXTRACT_RANGE]

    async def overtaken(*asked: Any) -> str:
        monkeypatch.undo()
        await extract(job)
        return await answer(*asked)

    monkeypatch.setattr(house.model, "complete", overtaken)
    house.model.answers = [row("Trains make me calm"), row("gulls make me laugh")]
    await extract(job)
    assert await texts(house) == {"Trains make me calm"}


async def test_a_range_nobody_can_read_fails_with_a_masked_answer_and_stays(house: House) -> None:
    await house.said("Trains make me calm")
    job = await parked(house, 1, 1)
    house.model.answers = ['{"rows": "Trains make me']
    with pytest.raises(JobFailed) as failed:
        await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert failed.value.kind == "parse_error"
    assert "Trains" not in (failed.value.raw or "")
    house.model.is_offline = True
    with pytest.raises(JobFailed) as failed:
        await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert failed.value.kind == "no_model"
    assert await waiting(house) == [(1, 1)]


async def test_a_range_that_left_the_window_is_read_from_the_archive(house: House) -> None:
    await house.said("Trains make me calm", "Gulls make me laugh", answered=2)
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    now = house.clock.now()
    await house.stores.segments.add(KEY, conversation.messages, now)
    assert await house.stores.conversations.trim(conversation, 2)
    job = await parked(house, 1, 2)
    house.model.answers = [row("Gulls make me laugh", 2)]
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await texts(house) == {"Gulls make me laugh"}


async def _edit(house: House, text: str) -> None:
    """The first message reads differently now, and nobody judged it yet."""
    await house.stores.conversations._rows.update_one(
        {"_id": KEY},
        {"$set": {"messages.0.content": text, "messages.0.edited_at": house.clock.now()}},
    )


async def test_an_edit_is_judged_again_although_a_crash_came_between(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.said("I live in Leeds")
    house.model.answers = [row("I live in Leeds")]
    await house.handlers[JobKind.EXTRACT](await house.ask())
    assert await texts(house) == {"I live in Leeds"}
    await _edit(house, "I live in York")
    job = await parked(house, 1, 1, edited=77)

    async def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(house.stores.profiles, "commit", dies)
        with pytest.raises(Killed):
            await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await texts(house) == {"I live in Leeds"}
    house.model.answers = [row("I live in York")]
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await texts(house) == {"I live in York"}


async def test_an_edit_is_judged_by_the_rules_even_while_no_model_can_be_asked(
    house: House,
) -> None:
    await house.said("I live in Leeds")
    house.model.answers = [row("I live in Leeds")]
    await house.handlers[JobKind.EXTRACT](await house.ask())
    await _edit(house, "Never mind")
    job = await parked(house, 1, 1, edited=77)
    house.model.is_offline = True
    with pytest.raises(JobFailed):
        await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await texts(house) == set()
    effects = (await house.profile()).pending_effects
    assert [json.loads(json.dumps(e.row["end"])) for e in effects] == ["unsupported"]


async def test_two_edits_of_one_message_are_two_pieces_of_work(house: House) -> None:
    await house.said("I live in Leeds")
    await house.engine.work.edited(ME, KEY, 1, 77)
    await house.engine.work.edited(ME, KEY, 1, 77)
    await house.engine.work.edited(ME, KEY, 1, 78)
    assert await waiting(house) == [(1, 1), (1, 1)]


async def test_what_an_edit_leaves_half_said_ends_and_the_other_half_is_read_anew(
    house: House,
) -> None:
    await house.said("I live in Leeds", "My uncle grows 90 leeks")
    house.model.answers = [row("I live in Leeds"), row("My uncle grows 90 leeks", 2)]
    for number in (1, 2):
        job = await parked(house, number, number)
        await house.handlers[JobKind.EXTRACT_RANGE](job)
        await done(house, job)
    one, other = (await house.profile()).facts
    both = merged(one, other).model_copy(update={"text": f"{one.text} and {other.text}"})
    await house.engine.commit.apply(
        await house.profile(), lambda draft: draft.replace_records((both,), ())
    )
    await _edit(house, "Never mind")
    conversation = await house.stores.conversations.read(KEY)
    assert conversation is not None
    await house.engine.turns.listen(await house.profile(), conversation)
    assert await texts(house) == {both.text}
    job = await parked(house, 1, 1, edited=77)
    house.model.answers = ['{"rows": []}', row("My uncle grows 90 leeks", 2)]
    await house.handlers[JobKind.EXTRACT_RANGE](job)
    assert await texts(house) == set()
    anew = [j for j in await house.stores.jobs.all("waiting") if j.args.get("edited")]
    assert sorted(j.args["from_seq"] for j in anew) == [1, 2]
    await house.handlers[JobKind.EXTRACT_RANGE](next(j for j in anew if j.id != job.id))
    assert await texts(house) == {"My uncle grows 90 leeks"}
