"""What a prompt has no room for is read for memory at once, before it is out of sight."""

from __future__ import annotations

import json
from typing import Any

from app.database.profiles import ProfileStore
from app.memory.prompt_budget import TAIL_SHARE
from tests.doubles.model_behaviours import Behaviour, bundle, text
from tests.integration.stage import Stage

SMALL: dict[str, Any] = {"llm_context_tokens": 2_560, "turn_fact_pre_compress_enabled": True}
EARLY = "My grandmother keeps bees in Arles"


def model(body: dict[str, Any]) -> Behaviour:
    """Replies, and finds the early words wherever it is asked to extract from them."""
    asked = body["messages"][-1]["content"]
    if "<transcript>" not in asked:
        return bundle("I see.")
    rows = []
    if EARLY in asked and "line #1 on" in asked:
        rows = [{"kind": "fact", "text": EARLY, "message": 1, "quote": EARLY, "confidence": 0.9}]
    return text(json.dumps({"rows": rows, "traits": [], "moods": []}))


async def talk(stage: Stage, turns: int) -> None:
    """Say something worth keeping, then much else."""
    for number in range(turns):
        before = len(stage.said())
        stage.ana.send(EARLY if number == 0 else f"Story {number}: " + "and so it went on " * 40)
        await stage.replies(before + 1)
        await stage.turns_over()
        assert stage.bot is not None
        await stage.bot.memory_idle()


def calls(stage: Stage, *, extraction: bool) -> list[str]:
    """The prompts of replies, or of extractions."""
    texts = [str(request.body["messages"]) for request in stage.model.requests]
    return [t for t in texts if ("<transcript>" in t) is extraction]


async def test_what_falls_out_of_the_prompt_is_extracted_first(stage: Stage) -> None:
    stage.model.answer = model
    await stage.start(**SMALL)
    await talk(stage, 8)
    assert EARLY not in calls(stage, extraction=False)[-1].rpartition("</memory>")[2]
    assert stage.db is not None
    profile = await ProfileStore(stage.db).read(stage.ana.id)
    assert profile is not None
    assert EARLY in [record.text for record in profile.records]
    assert sum(EARLY in prompt for prompt in calls(stage, extraction=True)) >= 1


async def test_a_message_cut_in_its_middle_is_extracted_at_once(stage: Stage) -> None:
    stage.model.answer = model
    await stage.start(**{**SMALL, "llm_context_tokens": 2_048})
    before, after = "Hello there. " * 120, " The end." * 240
    stage.ana.send(f"{before}{EARLY}.{after}")
    await stage.replies(1)
    await stage.turns_over()
    assert stage.bot is not None
    await stage.bot.memory_idle()
    (reply,) = calls(stage, extraction=False)
    assert EARLY not in reply
    assert "characters left out here" in reply
    (extraction,) = calls(stage, extraction=True)
    assert EARLY in extraction


async def test_while_everything_has_room_nothing_is_extracted_early(stage: Stage) -> None:
    stage.model.answer = model
    await stage.start(**{**SMALL, "llm_context_tokens": 32_000})
    await talk(stage, 4)
    assert calls(stage, extraction=True) == []


async def test_switched_off_it_isn_t(stage: Stage) -> None:
    stage.model.answer = model
    await stage.start(**{**SMALL, "turn_fact_pre_compress_enabled": False})
    await talk(stage, 8)
    assert calls(stage, extraction=True) == []


def test_the_tail_gets_sixty_percent() -> None:
    assert TAIL_SHARE == 0.6
