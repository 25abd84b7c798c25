"""A model service on a bench: a scripted server, a stepped clock, what it cost."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.clock import Clock
from app.config import Settings
from app.domain.reply import PromptMessage, ReplyBundle, Usage
from app.errors import ModelError, ModelFailure
from app.services.llm_service import LlmService
from tests.doubles.model_server import ModelServer

CANARY = "the-canary-sings-in-the-mine"
KEY = "sk-canary-key-0123456789"
PROMPT = [
    PromptMessage(role="system", content="Answer in JSON."),
    PromptMessage(role="user", content=CANARY),
]
ECHO = ReplyBundle(reply=f"You said: {CANARY}")
F = ModelFailure


class SteppedClock(Clock):
    """A monotonic clock that a test can move on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead


class Bench:
    """A service on a server, with what it reported and how long it paused."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.clock = SteppedClock()
        self.usage: list[Usage] = []
        self.pauses: list[float] = []
        self.services: list[LlmService] = []

    def service(self, **settings: object) -> LlmService:
        values: dict[str, Any] = {
            "openai_base_url": self.server.base_url,
            "openai_api_key": KEY,
            "llm_model": "main",
            **settings,
        }
        service = LlmService(
            Settings(_env_file=None, **values),
            clock=self.clock,
            on_usage=self.usage.append,
            sleep=self._pause,
            rng=random.Random(1).random,
        )
        self.services.append(service)
        return service

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    @property
    def statuses(self) -> list[str]:
        return [usage.status for usage in self.usage]

    def formats(self) -> list[str]:
        wanted = [request.body.get("response_format") for request in self.server.requests]
        return [each["type"] if each else "text" for each in wanted]

    def models(self) -> list[str]:
        return [request.body["model"] for request in self.server.requests]


async def bench() -> AsyncIterator[Bench]:
    async with ModelServer() as server:
        bench = Bench(server)
        yield bench
        for service in bench.services:
            await service.aclose()
        assert server.rejections == []


async def failure_of(service: LlmService) -> ModelFailure:
    with pytest.raises(ModelError) as caught:
        await service.generate_reply_bundle(PROMPT)
    shown = f"{caught.value!r} {caught.value.__cause__!r}"
    assert CANARY not in shown
    assert KEY not in shown
    return caught.value.kind
