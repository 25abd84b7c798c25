"""Structured output, fallbacks, the breaker, and what the settings leave open; over real HTTP."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from loguru import logger

from app.errors import ModelError
from app.prompts.reply_schema import REPLY_SCHEMA
from app.services.llm_service import DEFAULT_OPENAI_MODEL, LlmService
from tests.doubles import model_behaviours as does
from tests.doubles.model_server import ModelServer
from tests.integration.model_bench import CANARY, ECHO, KEY, PROMPT, Bench, F, bench, failure_of


@pytest.fixture(name="bench")
async def make_bench() -> AsyncIterator[Bench]:
    """The bench."""
    async for made in bench():
        yield made


# Structured output


@pytest.mark.parametrize(
    ("refused", "first_call", "level"),
    [
        (set(), ["json_schema"], "json_schema"),
        ({"json_schema"}, ["json_schema", "json_object"], "json_object"),
        ({"json_schema", "json_object"}, ["json_schema", "json_object", "text"], "text"),
    ],
)
async def test_the_form_that_works_is_remembered(
    bench: Bench, refused: set[str], first_call: list[str], level: str
) -> None:
    bench.server.refused_formats = refused
    service = bench.service(llm_max_retries=0)  # stepping down is no retry
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.formats() == first_call
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.formats() == [*first_call, level]
    assert bench.pauses == []


async def test_an_unexplained_bad_request_counts_as_refusal_only_at_first(bench: Bench) -> None:
    service = bench.service()
    bench.server.script(does.error(400, "Bad Request"))
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.formats() == ["json_schema", "json_object"]
    bench.server.script(does.error(400, "Bad Request"))
    assert await failure_of(service) is F.BAD_REQUEST
    assert bench.formats() == ["json_schema", "json_object", "json_object"]


async def test_one_failed_generation_does_not_lower_the_form_for_good(bench: Bench) -> None:
    service = bench.service()
    problem = "Failed to generate JSON for response_format"
    bench.server.script(does.error(400, problem, code="json_validate_failed"))
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.formats() == ["json_schema", "json_object", "json_schema"]


async def test_the_form_is_remembered_for_each_model(bench: Bench) -> None:
    service = bench.service()
    bench.server.script(does.refuses_format("json_schema"))
    await service.generate_reply_bundle(PROMPT)
    await service.complete("other", PROMPT, REPLY_SCHEMA, "second")
    assert bench.formats() == ["json_schema", "json_object", "json_schema"]


# Fallback models


@pytest.mark.parametrize(
    ("behaviour", "requests"),
    [
        (does.unknown_model("main"), 1),
        (does.no_credit(402), 1),
        (does.rate_limited(), 3),
        (does.server_error(), 3),
        (does.empty(), 2),
        (does.reset(), 3),
    ],
)
async def test_fallbacks_in_order(bench: Bench, behaviour: does.Behaviour, requests: int) -> None:
    service = bench.service(llm_fallback_models=("second", "third"))
    bench.server.script(*[behaviour] * requests, does.unknown_model("second"))
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.models() == ["main"] * requests + ["second", "third"]


async def test_no_fallback_for_a_wrong_key(bench: Bench) -> None:
    bench.server.script(does.unauthorized())
    assert await failure_of(bench.service(llm_fallback_models=("second",))) is F.AUTH
    assert bench.models() == ["main"]


async def test_when_all_fail_the_first_failure_is_told(bench: Bench) -> None:
    bench.server.script(does.unknown_model(), *[does.server_error()] * 3)
    service = bench.service(llm_fallback_models=("second",))
    assert await failure_of(service) is F.UNKNOWN_MODEL


# The circuit breaker


async def open_breaker(bench: Bench, service: LlmService, failures: int = 5) -> None:
    bench.server.script(*[does.server_error()] * failures)
    for _ in range(failures):
        assert await failure_of(service) is F.SERVER
    assert await failure_of(service) is F.BREAKER_OPEN
    assert bench.server.count == failures


async def test_five_failed_calls_open_the_breaker_and_one_probe_closes_it(bench: Bench) -> None:
    service = bench.service(llm_max_retries=0)
    await open_breaker(bench, service)
    bench.clock.ahead += 119
    assert await failure_of(service) is F.BREAKER_OPEN
    bench.clock.ahead += 2
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert bench.server.count == 7


async def test_exactly_one_probe_under_concurrency(bench: Bench) -> None:
    service = bench.service(llm_max_retries=0)
    await open_breaker(bench, service)
    bench.clock.ahead += 121
    bench.server.script(does.hang())
    calls = [asyncio.create_task(service.generate_reply_bundle(PROMPT)) for _ in range(20)]
    await bench.server.wait_for_requests(6)
    bench.server.release()
    answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [each for each in answers if isinstance(each, ModelError)]
    assert [error.kind for error in refused] == [F.BREAKER_OPEN] * 19
    assert answers.count(ECHO) == 1
    assert bench.server.count == 6


async def test_a_failed_probe_is_not_retried_and_opens_again(bench: Bench) -> None:
    service = bench.service(llm_max_retries=2, llm_breaker_failures=1)
    bench.server.script(*[does.server_error()] * 4)
    assert await failure_of(service) is F.SERVER
    bench.clock.ahead += 121
    assert await failure_of(service) is F.SERVER
    assert bench.server.count == 4
    assert await failure_of(service) is F.BREAKER_OPEN


async def test_a_cancelled_probe_leaves_room_for_the_next(bench: Bench) -> None:
    service = bench.service(llm_max_retries=0)
    await open_breaker(bench, service)
    bench.clock.ahead += 121
    bench.server.script(does.hang())
    probe = asyncio.create_task(service.generate_reply_bundle(PROMPT))
    await bench.server.wait_for_requests(6)
    probe.cancel()
    await asyncio.gather(probe, return_exceptions=True)
    assert await service.generate_reply_bundle(PROMPT) == ECHO


@pytest.mark.parametrize("answer", [does.unauthorized, does.empty, does.unknown_model])
async def test_answers_that_are_no_outage_never_open_it(
    bench: Bench, answer: Callable[[], does.Behaviour]
) -> None:
    service = bench.service(llm_max_retries=0)
    for _ in range(7):
        bench.server.script(answer())
        assert await failure_of(service) is not F.BREAKER_OPEN
    assert await service.generate_reply_bundle(PROMPT) == ECHO


async def test_an_open_breaker_goes_straight_to_the_fallback(bench: Bench) -> None:
    service = bench.service(
        llm_max_retries=0, llm_breaker_failures=1, llm_fallback_models=("second",)
    )
    bench.server.script(does.server_error())
    await service.generate_reply_bundle(PROMPT)
    await service.generate_reply_bundle(PROMPT)
    assert bench.models() == ["main", "second", "second"]


# What the settings leave open


@pytest.mark.parametrize(
    ("ollama", "setting", "tokens"),
    [(True, None, 4_096), (False, None, 16_000), (True, 8_000, 8_000), (False, 8_000, 8_000)],
)
async def test_context_tokens(ollama: bool, setting: int | None, tokens: int) -> None:
    async with ModelServer(ollama=ollama) as server:
        settings: dict[str, Any] = {} if setting is None else {"llm_context_tokens": setting}
        service = Bench(server).service(**settings)
        await service.start()
        assert service.context_tokens() == tokens
        assert len(server.all_requests) == (1 if setting is None else 0)
        await service.aclose()


async def test_openai_needs_no_look(bench: Bench) -> None:
    service = bench.service(openai_base_url=None, llm_model=None)
    await service.start()
    assert (service.name, service.context_tokens()) == (DEFAULT_OPENAI_MODEL, 16_000)


async def test_an_unknown_server_gets_the_smaller_context_until_it_has_answered(
    bench: Bench,
) -> None:
    service = bench.service()
    assert service.context_tokens() == 4_096
    await service.generate_reply_bundle(PROMPT)
    assert service.context_tokens() == 16_000


async def test_without_llm_model_one_is_picked_from_the_list(bench: Bench) -> None:
    bench.server.models = ("embed-large", "small-1b", "good-8b")
    service = bench.service(llm_model=None)
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert (service.name, bench.models()) == ("good-8b", ["good-8b"])
    bench.server.models = ("small-1b",)
    assert await failure_of(service) is F.UNKNOWN_MODEL
    assert await service.generate_reply_bundle(PROMPT) == ECHO
    assert service.name == "small-1b"


async def test_a_server_without_models(bench: Bench) -> None:
    bench.server.models = ()
    assert await failure_of(bench.service(llm_model=None)) is F.UNKNOWN_MODEL


async def test_complete_returns_the_text_itself(bench: Bench) -> None:
    bench.server.script(does.text('<think>x</think> {"a": 1} '))
    service = bench.service()
    assert await service.complete("extraction", PROMPT, None, "careful") == '{"a": 1}'
    assert bench.models() == ["careful"]
    assert bench.formats() == ["text"]
    assert bench.usage[0].call == "extraction"


async def test_sixty_four_calls_at_once(bench: Bench) -> None:
    service = bench.service()
    calls = (service.generate_reply_bundle(PROMPT) for _ in range(64))
    assert await asyncio.gather(*calls) == [ECHO] * 64
    assert bench.server.count == 64


async def test_failures_hold_on_to_no_exception_with_the_servers_words(bench: Bench) -> None:
    bench.server.script(does.error(400, f"echo {CANARY}", code="context_length_exceeded"))
    with pytest.raises(ModelError) as caught:
        await bench.service().generate_reply_bundle(PROMPT)
    error: BaseException | None = caught.value
    while error is not None:
        assert CANARY not in str(error)
        error = error.__cause__ or error.__context__


async def test_no_log_line_holds_a_message_or_a_key(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    lines: list[str] = []
    sink = logger.add(lines.append, level="TRACE", diagnose=False)
    try:
        with caplog.at_level(logging.DEBUG):
            service = bench.service(llm_breaker_failures=1, llm_max_retries=0)
            await service.generate_reply_bundle(PROMPT)
            bench.server.script(does.error(400, CANARY), does.unauthorized(KEY))
            await failure_of(service)
            await failure_of(service)
            bench.server.script(does.server_error())
            await failure_of(service)
    finally:
        logger.remove(sink)
    assert lines  # the breaker said that it opened
    for line in (*lines, caplog.text):
        assert CANARY not in line
        assert KEY not in line
