"""Finding local servers and judging a connection, with real loopback servers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from app.services.model_check import ModelVerdict, VerdictKind, check_model
from app.services.model_discovery import CANDIDATES, Candidate, FoundServer, discover
from tests.doubles import model_behaviours as does
from tests.doubles.model_server import ModelServer

KEY = "sk-canary-key-0123456789"
K = VerdictKind


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(models=("embed-large", "good-8b", "better-14b")) as server:
        yield server
        assert server.rejections == []


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def verdict(server: ModelServer, model: str | None = "good-8b") -> ModelVerdict:
    result = await check_model(server.base_url, KEY, model)
    assert KEY not in result.model_dump_json()
    return result


async def test_it_works(server: ModelServer) -> None:
    result = await verdict(server)
    assert (result.ok, result.kind, result.model) == (True, K.WORKS, "good-8b")
    assert "good-8b" in result.message
    assert server.count == 1


async def test_an_answer_without_text_still_works(server: ModelServer) -> None:
    server.script(does.text("", finish_reason="length"))
    assert (await verdict(server)).ok


async def test_without_a_model_one_is_picked(server: ModelServer) -> None:
    assert (await verdict(server, None)).model == "better-14b"


async def test_a_server_that_does_not_take_the_limit(server: ModelServer) -> None:
    server.script(does.error(400, "Unsupported parameter: 'max_tokens'"))
    assert (await verdict(server)).ok
    assert "max_tokens" not in server.requests[1].body


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        (does.unauthorized(KEY), K.WRONG_KEY, "refused the API key"),
        (does.no_credit(429), K.NO_CREDIT, "no credit"),
        (does.no_credit(402), K.NO_CREDIT, "no credit"),
        (does.rate_limited(5), K.BUSY, "wait a minute"),
        (does.server_error(), K.FAILED, "HTTP 500"),
        (does.error(400, "no"), K.FAILED, "HTTP 400"),
        (does.reset(), K.UNREACHABLE, "broke off"),
        (does.html(), K.NOT_OPENAI, "not as an OpenAI-compatible API"),
        (does.html(404), K.NOT_OPENAI, "not as an OpenAI-compatible API"),
        (does.json_answer({"detail": "Not Found"}, 404), K.NOT_OPENAI, "Check host and port"),
        (does.json_answer({"error": "Unexpected endpoint"}), K.NOT_OPENAI, "Check host"),
    ],
)
async def test_troubles_are_told_apart(
    server: ModelServer, behaviour: does.Behaviour, kind: VerdictKind, words: str
) -> None:
    server.script(behaviour)
    result = await verdict(server)
    assert (result.ok, result.kind) == (False, kind)
    assert words in result.message


async def test_a_missing_key_is_asked_for(server: ModelServer) -> None:
    server.key = KEY
    result = await check_model(server.base_url, None, "good-8b")
    assert result.kind is K.WRONG_KEY
    assert "wants an API key" in result.message


async def test_an_unknown_model_names_those_that_exist(server: ModelServer) -> None:
    result = await verdict(server, "god-8b")
    assert result.kind is K.UNKNOWN_MODEL
    assert "It has: good-8b, " in result.message


async def test_many_models_are_not_all_named(server: ModelServer) -> None:
    server.models = tuple(f"model-{number}" for number in range(30))
    assert "and 22 more" in (await verdict(server, "other")).message


async def test_a_server_with_nothing_to_chat_with(server: ModelServer) -> None:
    server.models = ("embed-large",)
    result = await verdict(server, None)
    assert result.kind is K.UNKNOWN_MODEL
    assert "no model to chat with" in result.message


async def test_a_forgotten_v1_is_pointed_out(server: ModelServer) -> None:
    result = await check_model(f"http://127.0.0.1:{server.port}", KEY, "good-8b")
    assert result.kind is K.NOT_OPENAI
    assert f"Use http://127.0.0.1:{server.port}/v1 instead" in result.message


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:{port}/v1", "the connection was refused"),
        ("http://no-such-host.invalid/v1", "no host named no-such-host.invalid"),
        ("http://user:secret@127.0.0.1:{port}/v1", "http://127.0.0.1:{port}/v1"),
    ],
)
async def test_unreachable(address: str, words: str) -> None:
    port = free_port()
    result = await check_model(address.format(port=port), KEY, "any")
    assert (result.ok, result.kind) == (False, K.UNREACHABLE)
    assert words.format(port=port) in result.message
    assert "secret" not in result.message


async def test_https_where_http_is_spoken(server: ModelServer) -> None:
    result = await check_model(f"https://127.0.0.1:{server.port}/v1", KEY, "any")
    assert result.kind is K.UNREACHABLE
    assert "http:// or https://" in result.message


async def test_a_server_that_never_answers(server: ModelServer) -> None:
    server.script(does.hang())
    result = await check_model(server.base_url, KEY, "good-8b", deadline=0.05)
    assert result.kind is K.UNREACHABLE
    assert "did not answer in time" in result.message


@pytest.mark.parametrize("address", ["localhost:11434", "", "ftp://127.0.0.1"])
async def test_what_is_no_address(address: str) -> None:
    assert (await check_model(address, KEY, "any")).kind is K.NOT_OPENAI


async def test_discovery_finds_servers_and_ignores_the_rest(server: ModelServer) -> None:
    silent = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    async with ModelServer(models=()) as bare, ModelServer(prefix="/elsewhere") as other, silent:
        ports = [
            server.port,
            free_port(),
            silent.sockets[0].getsockname()[1],
            other.port,
            bare.port,
        ]
        candidates = [Candidate(name=f"at {port}", port=port) for port in ports]
        assert await discover(candidates, probe_secs=0.3) == [
            FoundServer(name=f"at {server.port}", base_url=server.base_url, models=server.models),
            FoundServer(name=f"at {bare.port}", base_url=bare.base_url, models=()),
        ]


def test_the_usual_ports_are_known() -> None:
    known = {(candidate.name, candidate.port) for candidate in CANDIDATES}
    assert {("Ollama", 11434), ("LM Studio", 1234), ("llama.cpp", 8080), ("vLLM", 8000)} <= known
    assert len({candidate.port for candidate in CANDIDATES}) == len(CANDIDATES)
