"""Jobs that meet a model which is away or has nothing to say: they wait, and memory stays."""

from __future__ import annotations

import json

import pytest

from app.clock import EPOCH
from app.database.connection import Database
from app.domain.job import Job, JobKind
from app.domain.profile import Profile
from app.errors import JobFailed, ModelFailure
from app.memory.job_policy import MAX_ATTEMPTS, UNCOUNTED, Dead, Retry, after_failure
from tests.contract.test_memory_jobs import KEY, ME, House
from tests.unit.memory.records import a_record

WORDS = "I keep the seeds of every tomato that tasted of something"
ABOUT_THE_JOB = {ModelFailure.TIMEOUT, ModelFailure.BAD_REQUEST, ModelFailure.EMPTY}
KINDS = (JobKind.EXTRACT_RANGE, JobKind.COMPRESS, JobKind.CONSOLIDATE)


@pytest.fixture
def house(db: Database) -> House:
    return House(db)


async def full(house: House) -> None:
    """A person who said something, and whose memory is over its budget."""
    await house.said("Trains make me calm")
    before = await house.profile()
    number = house.settings.user_memory_budget_chars // len(WORDS)
    facts = tuple(a_record(f"m{n}", f"{WORDS}, {n}", seq=n) for n in range(1, number + 1))
    after = before.model_copy(update={"facts": facts, "generation": 1, "consolidate_from": EPOCH})
    assert await house.stores.profiles.commit(before, after, house.clock.now())


def a_job(house: House, kind: JobKind, attempts: int = 0) -> Job:
    now = house.clock.now()
    return Job(
        id=f"{kind}:1",
        kind=kind,
        subject=ME,
        conversation=KEY,
        args={"from_seq": 1, "through_seq": 1},
        run_at=now,
        created_at=now,
        attempts=attempts,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("failure", sorted(set(ModelFailure) - ABOUT_THE_JOB))
async def test_a_model_that_is_away_costs_a_job_no_attempt(
    house: House, kind: JobKind, failure: ModelFailure
) -> None:
    await full(house)
    house.model.failure = failure
    job = a_job(house, kind, attempts=MAX_ATTEMPTS - 1)
    with pytest.raises(JobFailed) as failed:
        await house.handlers[kind](job)
    assert failed.value.kind == failure.value
    assert failed.value.kind in UNCOUNTED
    after = after_failure(job, failed.value.kind, house.clock.now())
    assert isinstance(after, Retry)
    assert after.attempts == job.attempts


@pytest.mark.parametrize("failure", sorted(ABOUT_THE_JOB))
async def test_what_the_job_itself_may_be_the_cause_of_is_counted(
    house: House, failure: ModelFailure
) -> None:
    await full(house)
    house.model.failure = failure
    job = a_job(house, JobKind.CONSOLIDATE, attempts=MAX_ATTEMPTS - 1)
    with pytest.raises(JobFailed) as failed:
        await house.handlers[job.kind](job)
    assert after_failure(job, failed.value.kind, house.clock.now()) == Dead(attempts=MAX_ATTEMPTS)


@pytest.mark.parametrize("kind", [JobKind.COMPRESS, JobKind.CONSOLIDATE])
@pytest.mark.parametrize(
    "answer", ["", " ", "null", "[]", "{}", '{"items": null}', '{"items": []}']
)
async def test_an_empty_answer_never_empties_memory(
    house: House, kind: JobKind, answer: str
) -> None:
    await full(house)
    before = await house.profile()
    house.model.answers = [answer]
    with pytest.raises(JobFailed):
        await house.handlers[kind](a_job(house, kind))
    assert await house.profile() == before


async def test_of_the_consolidations_of_several_days_the_first_that_succeeds_is_enough(
    house: House,
) -> None:
    await full(house)
    house.model.answers = [_keep_all(await house.profile())]
    await house.handlers[JobKind.CONSOLIDATE](a_job(house, JobKind.CONSOLIDATE))
    consolidated = await house.profile()
    changed = consolidated.model_copy(
        update={
            "generation": consolidated.generation + 1,
            "consolidate_from": consolidated.last_consolidated_at,
        }
    )
    assert await house.stores.profiles.commit(consolidated, changed, house.clock.now())
    await house.handlers[JobKind.CONSOLIDATE](a_job(house, JobKind.CONSOLIDATE))
    assert len(house.model.prompts) == 1


def _keep_all(profile: Profile) -> str:
    items = [{"id": record.id, "action": "kept"} for record in profile.records]
    return json.dumps({"items": items, "summary": [], "insights": []})
