"""The model service against a scripted OpenAI-compatible server, over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.domain.reply import ReplyBundle
from app.errors import ModelFailure
from tests.doubles import model_behaviours as does
from tests.integration.model_bench import CANARY, ECHO, KEY, PROMPT, Bench, F, bench, failure_of


@pytest.fixture(name="bench")
async def make_bench() -> AsyncIterator[Bench]:
    """The bench."""
    async for made in bench():
        yield made


async def test_one_call_gives_reply_and_reaction(bench: Bench) -> None:
    service = bench.service()
    bench.server.script(does.bundle("Hello!", "👍"))
    assert await service.generate_reply_bundle(PROMPT) == ReplyBundle(reply="Hello!", reaction="👍")
    assert len(bench.server.all_requests) == 2  # the look for an Ollama, once, and the call
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert len(bench.server.all_requests) == 3
    assert service.name == "main"
    first = bench.server.requests[0]
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert first.body["messages"] == [message.model_dump() for message in PROMPT]
    assert first.body["response_format"]["json_schema"]["strict"] is True


async def test_usage_has_lengths_only(bench: Bench) -> None:
    await bench.service().generate_reply_bundle(PROMPT)
    (usage,) = bench.usage
    assert (usage.call, usage.model, usage.status, usage.attempts) == ("reply", "main", "ok", 1)
    assert usage.prompt_chars == len("Answer in JSON.") + len(CANARY)
    assert usage.prompt_tokens == 20
    assert usage.completion_tokens > 0
    assert usage.latency_ms >= 0
    assert CANARY not in usage.model_dump_json()


@pytest.mark.parametrize(
    ("behaviour", "reply"),
    [
        (does.text("Just words."), "Just words."),
        (does.text("<think>hm</think>Just words."), "Just words."),
        (does.text('```json\n{"reply": "Fenced."}\n```'), "Fenced."),
        (does.garbage(), "It broke in the midd"),
        (does.text('{"reply": "Cut', finish_reason="length"), "Cut"),
        (does.text(None, refusal="I can't help with that."), "I can't help with that."),
    ],
)
async def test_what_is_not_json_is_the_reply(
    bench: Bench, behaviour: does.Behaviour, reply: str
) -> None:
    bench.server.script(behaviour)
    assert (await bench.service().generate_reply_bundle(PROMPT)).reply == reply
    assert bench.server.count == 1


@pytest.mark.parametrize(
    "nothing",
    [
        does.empty(),
        does.null_content(),
        does.no_choices(),
        does.text(" \n"),
        does.text("{}"),
        does.text("<think>only thought"),
        does.completion([{"index": 0, "message": None}]),
    ],
)
async def test_empty_is_a_failure_retried_once(bench: Bench, nothing: does.Behaviour) -> None:
    service = bench.service()
    bench.server.script(nothing)
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.statuses == ["empty", "ok"]
    bench.server.script(nothing, nothing)
    assert await failure_of(service) is F.EMPTY
    assert bench.server.count == 4


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (does.rate_limited(), F.RATE_LIMIT),
        (does.server_error(500), F.SERVER),
        (does.server_error(503), F.SERVER),
        (does.reset(), F.CONNECTION),
        (does.html(), F.SERVER),
        (does.html(502), F.SERVER),
        (does.json_answer({"error": {"code": 502, "message": "Provider down"}}), F.SERVER),
        (does.json_answer({"object": "something else"}), F.SERVER),
        (does.Behaviour(body=b"{broken"), F.SERVER),
        (does.Behaviour(body=b""), F.SERVER),
    ],
)
async def test_passing_troubles_are_retried_twice(
    bench: Bench, behaviour: does.Behaviour, kind: ModelFailure
) -> None:
    service = bench.service()
    bench.server.script(behaviour, behaviour)
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.statuses == [kind.value, kind.value, "ok"]
    assert [usage.attempts for usage in bench.usage] == [1, 2, 3]
    assert 0.25 <= bench.pauses[0] <= 0.5 <= bench.pauses[1] <= 1.0
    bench.server.script(behaviour, behaviour, behaviour)
    assert await failure_of(service) is kind
    assert bench.server.count == 6


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (does.unauthorized(KEY), F.AUTH),
        (does.error(403, "forbidden"), F.AUTH),
        (does.no_credit(429), F.NO_CREDIT),
        (does.no_credit(402), F.NO_CREDIT),
        (does.unknown_model(), F.UNKNOWN_MODEL),
        (does.error(400, f"too long: {CANARY}", code="context_length_exceeded"), F.BAD_REQUEST),
    ],
)
async def test_lasting_troubles_are_not_retried(
    bench: Bench, behaviour: does.Behaviour, kind: ModelFailure
) -> None:
    bench.server.script(behaviour)
    assert await failure_of(bench.service()) is kind
    assert bench.server.count == 1
    assert bench.pauses == []


async def test_retry_after_is_honoured(bench: Bench) -> None:
    bench.server.script(does.rate_limited(7))
    assert await bench.service().generate_reply_bundle(PROMPT) == ECHO
    assert 7.0 <= bench.pauses[0] <= 7.5


async def test_a_retry_after_that_is_too_long_fails_now(bench: Bench) -> None:
    bench.server.script(does.rate_limited(31))
    assert await failure_of(bench.service()) is F.RATE_LIMIT
    assert bench.server.count == 1


async def test_each_attempt_has_its_own_deadline(bench: Bench) -> None:
    bench.server.script(does.hang())
    service = bench.service(llm_timeout_secs=0.05)
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.statuses == ["timeout", "ok"]
    bench.server.script(does.hang(), does.hang(), does.hang())
    assert await failure_of(service) is F.TIMEOUT


async def test_nobody_listens(bench: Bench) -> None:
    service = bench.service()
    await bench.server.stop()
    assert await failure_of(service) is F.CONNECTION
    assert bench.statuses == ["connection"] * 3


async def test_a_cancelled_call_ends_at_once_and_is_told(bench: Bench) -> None:
    bench.server.script(does.hang())
    call = asyncio.create_task(bench.service().generate_reply_bundle(PROMPT))
    await bench.server.wait_for_requests(1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert bench.statuses == ["cancelled"]
