"""A long conversation: the prompt stays in bounds, its beginning stays put, nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from app.domain.reply import PromptMessage
from app.memory.prompt_budget import ANSWER_TOKENS, MESSAGE_OVERHEAD_TOKENS, estimate_tokens
from app.prompts.system_prompt import build_system_prompt
from tests.doubles.model_behaviours import bundle, last_user_message
from tests.integration.stage import Stage

LIMIT = 1_000
KEPT = 4
TURNS = 26


def prompts(stage: Stage) -> list[list[dict[str, Any]]]:
    """The messages of every call so far."""
    return [request.body["messages"] for request in stage.model.requests]


async def talk(stage: Stage, turns: int, words: str = "and so the garden grew") -> list[str]:
    """Hold a conversation; returns every message of it, both sides, in order."""
    spoken: list[str] = []
    for number in range(1, turns + 1):
        said, answer = f"Line {number}: {words}", f"Answer {number}: I see, {words}"
        stage.model.script(bundle(answer))
        stage.ana.send(said)
        await stage.replies(number)
        await stage.turns_over()
        spoken += [said, answer]
    return spoken


async def stored(stage: Stage) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The segments in order, and the window."""
    assert stage.db is not None
    cursor = stage.db["segments"].find({}).sort("first_seq", 1)
    window = await stage.db["chat_buffers"].find_one({})
    assert window is not None
    return [segment async for segment in cursor], window


def drops(calls: Sequence[list[dict[str, Any]]]) -> list[int]:
    """The calls whose beginning is not what the call before it began with."""
    return [
        number
        for number in range(1, len(calls))
        if calls[number][: len(calls[number - 1]) - 1] != calls[number - 1][:-1]
    ]


def history_chars(call: list[dict[str, Any]]) -> int:
    """Characters of everything but the system prompt."""
    return sum(len(message["content"]) for message in call[1:])


async def test_the_window_drops_to_half_in_one_step_and_stays_put_in_between(
    stage: Stage,
) -> None:
    await stage.start(history_max_chars=LIMIT, history_min_messages=KEPT)
    await talk(stage, TURNS)
    calls = prompts(stage)
    at = drops(calls)
    assert 2 <= len(at) <= TURNS // 5, at
    assert min(b - a for a, b in pairwise(at)) >= 4, at
    assert len({call[0]["content"] for call in calls}) == 1
    for number in at:
        before, after = history_chars(calls[number - 1][:-1]), history_chars(calls[number][:-1])
        assert after <= LIMIT // 2 < before <= LIMIT


async def test_between_two_drops_the_prompt_only_grows_at_its_end(stage: Stage) -> None:
    await stage.start(history_max_chars=LIMIT * 20)
    await talk(stage, 8)
    calls = prompts(stage)
    assert drops(calls) == []
    assert [len(call) for call in calls] == [2 * number for number in range(1, 9)]


async def test_what_leaves_the_window_is_in_the_segments_once_and_nothing_is_missing(
    stage: Stage,
) -> None:
    await stage.start(history_max_chars=LIMIT, history_min_messages=KEPT)
    spoken = await talk(stage, TURNS)
    segments, window = await stored(stage)
    assert len(segments) >= 2
    archived = [message for segment in segments for message in segment["messages"]]
    assert [message["seq"] for message in archived] == list(range(1, len(archived) + 1))
    assert window["first_seq"] == len(archived) + 1
    assert [m["content"] for m in [*archived, *window["messages"]]] == spoken
    assert len(window["messages"]) >= KEPT
    assert window["answered_through"] == len(spoken) - 1


async def test_the_last_messages_stay_however_long_they_are(stage: Stage) -> None:
    await stage.start(history_max_chars=LIMIT, history_min_messages=KEPT, max_input_chars=4_000)
    spoken = await talk(stage, 6, "a long story " * 60)
    segments, window = await stored(stage)
    assert [m["content"] for m in window["messages"]] == [s.strip() for s in spoken[-KEPT:]]
    assert sum(len(segment["messages"]) for segment in segments) == len(spoken) - KEPT


async def test_segments_survive_a_restart_in_the_middle(stage: Stage) -> None:
    settings: dict[str, Any] = {"history_max_chars": LIMIT, "history_min_messages": KEPT}
    await stage.start(**settings)
    spoken = await talk(stage, 12)
    await stage.stop()
    await stage.start(**settings)
    stage.model.script(bundle("Welcome back"))
    stage.ana.send("Where were we?")
    await stage.replies(13)
    await stage.turns_over()
    segments, window = await stored(stage)
    everything = [m for s in segments for m in s["messages"]] + window["messages"]
    assert [m["content"] for m in everything] == [*spoken, "Where were we?", "Welcome back"]


async def test_a_small_context_is_never_exceeded_and_the_persona_never_cut(stage: Stage) -> None:
    stage.persona.write_text("You are Mate. " + "You are kind and patient. " * 60)
    context = 2_560
    await stage.start(llm_context_tokens=context)
    await talk(stage, 10, "a long story " * 25)
    whole = build_system_prompt(stage.persona.read_text())
    for call in prompts(stage):
        assert call[0]["role"] == "system"
        assert call[0]["content"].startswith(whole)
        assert _tokens(call) <= context - ANSWER_TOKENS
        assert call[1]["role"] == "user"
    assert "Line 10:" in last_user_message(stage.model.requests[-1].body)
    assert "Line 1:" not in str(stage.model.requests[-1].body)
    _, window = await stored(stage)
    assert len(window["messages"]) == 20


@pytest.mark.parametrize(
    ("begin", "middle", "end"),
    [
        ("Begin.", "word " * 780, "End."),
        ("Начало. " + "слово " * 110, "word " * 450, "слово " * 110 + "Конец."),
    ],
    ids=["one script", "denser at both ends"],
)
async def test_a_message_too_long_for_the_context_loses_its_middle(
    stage: Stage, begin: str, middle: str, end: str
) -> None:
    context = 2_560
    await stage.start(llm_context_tokens=context)
    stage.ana.send(f"{begin} {middle}{end}")
    await stage.replies(1)
    (call,) = prompts(stage)
    newest = call[-1]["content"]
    assert "characters left out here" in newest
    assert "TIME CONTEXT" in newest
    assert begin[:6] in newest
    assert newest.endswith(end[-4:])
    assert _tokens(call) <= context - ANSWER_TOKENS


async def test_input_over_the_limit_reaches_the_model_as_head_and_tail_and_is_kept_whole(
    stage: Stage,
) -> None:
    await stage.start(max_input_chars=1_000, message_batch_delay_secs=0.3, max_batch_delay_secs=2.0)
    pasted = "".join(f"word{number} " for number in range(1_000)).strip()
    parts = stage.ana.paste(pasted)
    assert len(parts) > 1
    await stage.replies(1)
    await stage.turns_over()
    newest = last_user_message(stage.model.requests[0].body)
    said = newest.partition("</context>")[2].strip()
    assert len(said) <= 1_000
    assert said.startswith("word0 word1 ")
    assert said.endswith("word998 word999")
    assert "characters left out here" in said
    _, window = await stored(stage)
    people = [m["content"] for m in window["messages"] if m["role"] == "user"]
    assert people == [part.text for part in parts]
    assert " ".join(people).split() == pasted.split()


def _tokens(call: list[dict[str, Any]]) -> int:
    messages = [PromptMessage(**message) for message in call]
    return sum(estimate_tokens(m.content) + MESSAGE_OVERHEAD_TOKENS for m in messages)
