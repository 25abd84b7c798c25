"""Per-turn extraction in a conversation: what it costs, and that no reply ever waits for it."""

from __future__ import annotations

import json
from typing import Any

from app.database.profiles import ProfileStore
from app.services.turn_facts import BREAKER, DEADLINE_SECS
from tests.doubles.model_behaviours import Behaviour, bundle, echo, hang, server_error, text
from tests.integration.stage import Stage

TRAINS = "Trains make me calm"
ON: dict[str, Any] = {"turn_fact_extraction_enabled": True}


def found(words: str, number: int = 1) -> Behaviour:
    """A model's answer with one fact."""
    row = {"kind": "fact", "text": words, "message": number, "quote": words, "confidence": 0.9}
    return text(json.dumps({"rows": [row], "traits": [], "moods": []}))


async def say(stage: Stage, words: str) -> str:
    """One turn, and everything that follows from it."""
    before = len(stage.said())
    stage.ana.send(words)
    await stage.replies(before + 1)
    await stage.turns_over()
    assert stage.bot is not None
    await stage.bot.memory_idle()
    return stage.texts()[-1]


async def facts(stage: Stage) -> list[str]:
    """What is remembered of Ana."""
    assert stage.db is not None
    profile = await ProfileStore(stage.db).read(stage.ana.id)
    return [record.text for record in profile.records] if profile else []


def counted(stage: Stage, name: str) -> float:
    """A counter of per-turn extraction."""
    assert stage.bot is not None
    return stage.bot.metrics.value(f"turn_facts.{name}")


def test_deadline_and_breaker_are_atom_s() -> None:
    assert DEADLINE_SECS == 2.0
    assert (BREAKER.failures, BREAKER.cooldown) == (5, 120.0)


async def test_off_as_by_default_it_costs_nothing(stage: Stage) -> None:
    await stage.start()
    for words in (TRAINS, "My sister bakes bread", "I work nights"):
        await say(stage, words)
    assert len(stage.model.requests) == 3
    assert stage.db is not None
    assert await stage.db["jobs"].count_documents({"kind": "turn_facts"}) == 0


async def test_on_a_statement_costs_exactly_one_call_more_and_is_kept(stage: Stage) -> None:
    stage.model.script(bundle("Choo choo!"), found(TRAINS))
    await stage.start(**ON)
    assert await say(stage, TRAINS) == "Choo choo!"
    assert len(stage.model.requests) == 2
    assert await facts(stage) == [TRAINS]
    assert counted(stage, "success") == 1


async def test_on_what_states_nothing_costs_no_call_more(stage: Stage) -> None:
    await stage.start(**ON)
    for words in ("Good morning!", "What makes me calm?", "😂😂", "Tell me a joke"):
        await say(stage, words)
    assert len(stage.model.requests) == 4
    assert counted(stage, "skipped.filtered_before_model") == 4


async def test_the_later_extraction_makes_no_second_record_of_it(stage: Stage) -> None:
    long = "The sea is wide and blue today. " * 5
    stage.model.script(bundle("Choo!"), found(TRAINS), bundle("Indeed."), found(TRAINS))
    await stage.start(**ON, new_user_extraction_chars=100)
    await say(stage, TRAINS)
    await say(stage, long)
    assert len(stage.model.requests) == 4
    assert await facts(stage) == [TRAINS]
    assert stage.bot is not None
    assert stage.bot.metrics.value("extraction.success") == 1
    assert stage.bot.metrics.value("memory.outcomes.noop") == 1


async def test_a_model_that_hangs_holds_up_no_reply_and_is_given_up(stage: Stage) -> None:
    stage.model.script(bundle("One."), hang(), bundle("Two."))
    await stage.start(**ON)
    stage.ana.send(TRAINS)
    await stage.model.wait_for_requests(2)
    assert await stage.replies(1) == ["One."]
    stage.ana.send("And then?")
    assert await stage.replies(2) == ["One.", "Two."]
    await stage.turns_over()
    assert stage.bot is not None
    await stage.bot.memory_idle()
    assert counted(stage, "failure.timeout") == 1
    assert await facts(stage) == []


async def test_its_failures_are_not_repeated_and_keep_no_reply_from_the_model(
    stage: Stage,
) -> None:
    turns = 4
    stage.model.answer = lambda body: (
        server_error() if "<transcript>" in str(body["messages"]) else echo(body)
    )
    await stage.start(**ON, llm_breaker_failures=1, llm_max_retries=2)
    for number in range(turns):
        assert await say(stage, f"I own {number} kites") != ""
    assert stage.bot is not None
    assert stage.bot.metrics.value("turns.answered") == turns
    assert counted(stage, "failure.llm_error") == turns
    assert len(stage.model.requests) == turns + 1


async def test_a_turn_the_model_couldn_t_answer_is_left_to_the_ordinary_extraction(
    stage: Stage,
) -> None:
    stage.model.script(server_error())
    await stage.start(**ON)
    await say(stage, TRAINS)
    assert len(stage.model.requests) == 1
    assert counted(stage, "runs") == 0
