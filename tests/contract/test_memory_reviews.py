"""Compression and consolidation over a database: all of an account, or nothing of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from app.database.connection import Database
from app.domain.job import Job, JobKind
from app.domain.profile import Profile
from app.errors import JobFailed
from app.memory.draft import Draft
from tests.contract.test_memory_jobs import ME, House
from tests.unit.memory.records import a_record

IDS = "abcdefghij"
BOTH = pytest.mark.parametrize("kind", [JobKind.COMPRESS, JobKind.CONSOLIDATE])


@pytest.fixture
def house(db: Database) -> House:
    return House(db)


async def remember(house: House, chars: int = 20) -> Profile:
    """Ten facts of so many characters each."""
    now = house.clock.now()
    await house.stores.profiles.touch(ME, now)
    facts = [
        a_record(name, f"I own {number} kites {'and more ' * (chars // 9)}", said=now, seq=number)
        for number, name in enumerate(IDS, 2)
    ]

    def plan(draft: Draft) -> None:
        draft.replace_records(facts, ())

    return (await house.engine.commit.apply(await house.profile(), plan)).profile


async def review(house: House, kind: JobKind) -> None:
    now = house.clock.now()
    job = Job(id=f"{kind}:{ME}", kind=kind, subject=ME, run_at=now, created_at=now)
    await house.handlers[kind](job)


def account(dropped: Sequence[str] = (), **more: Any) -> str:
    """A model's answer: these are dropped, all others kept."""
    items = [{"id": i, "action": "dropped" if i in dropped else "kept"} for i in IDS]
    return json.dumps({"items": items, "summary": [], "style": None, **more})


@BOTH
@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ([], "server"),
        (["no json"], "parse_error"),
        ([account(dropped="abcd")], "drops_too_much"),
        (['{"items": [], "style": "curt"}'], "accounts_for_nothing"),
        (['{"items": [{"id": "x", "action": "dropped"}]}'], "accounts_for_nothing"),
    ],
)
async def test_a_review_that_fails_changes_nothing_and_stays_due(
    house: House, kind: JobKind, answers: list[str], why: str
) -> None:
    await remember(house, chars=1_200)
    before = await house.profile()
    house.model.answers = list(answers)
    with pytest.raises(JobFailed) as failed:
        await review(house, kind)
    assert failed.value.kind == why
    assert await house.profile() == before
    assert len(house.model.prompts) == 1
    house.model.answers = [account()]
    await review(house, kind)
    assert len(house.model.prompts) == 2


@BOTH
async def test_what_an_account_drops_is_archived_and_the_rest_stays(
    house: House, kind: JobKind
) -> None:
    await remember(house, chars=800 if kind is JobKind.CONSOLIDATE else 1_000)
    house.model.answers = [account(dropped="a")]
    await review(house, kind)
    after = await house.profile()
    left = {record.id for record in after.records}
    owed = {e.row["record"]["id"] for e in after.pending_effects if e.collection == "archive"}
    assert "a" not in left
    assert left | owed == set(IDS)
    assert len(left) >= 7
    await review(house, kind)
    assert len(house.model.prompts) == 1


async def test_a_profile_far_over_its_budget_is_cut_without_the_model(house: House) -> None:
    await remember(house, chars=2_500)
    with pytest.raises(JobFailed):
        await review(house, JobKind.COMPRESS)
    after = await house.profile()
    owed = {e.row["record"]["id"] for e in after.pending_effects if e.collection == "archive"}
    assert 0 < len(list(after.records)) < len(IDS)
    assert {record.id for record in after.records} | owed == set(IDS)
