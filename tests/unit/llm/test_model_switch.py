"""Following the settings file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from loguru import logger

from app.config import Settings
from app.domain.reply import PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.errors import ConfigError, ModelError, ModelFailure
from app.prompts.reply_schema import JsonSchema
from app.services.model_switch import ModelSwitch
from app.services.offline_companion import OfflineCompanion

PROMPT = [PromptMessage(role="user", content="hello")]


class NamedModel:
    """Answers with its name, when it is let."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.llm_model or "default"
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.asked = asyncio.Event()
        self.closed = False

    async def start(self) -> None:
        if self.name == "unreachable":
            raise ModelError(ModelFailure.CONNECTION)

    async def aclose(self) -> None:
        self.closed = True

    def context_tokens(self) -> int:
        return len(self.name)

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        return call

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        assert not self.closed
        self.asked.set()
        await self.may_answer.wait()
        assert not self.closed
        return ReplyBundle(reply=self.name)


class House:
    """A settings file, a switch that follows it, and the models it built."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.built: list[NamedModel] = []
        self.loads = 0

    def write(self, text: str) -> None:
        draft = self.path.with_suffix(".new")
        draft.write_text(text)
        os.replace(draft, self.path)

    def load(self) -> Settings:
        self.loads += 1
        if "BROKEN" in (self.path.read_text() if self.path.exists() else ""):
            raise ConfigError("LLM_MODEL: broken.")
        return Settings(_env_file=self.path)

    def online(self, settings: Settings) -> NamedModel:
        self.built.append(NamedModel(settings))
        return self.built[-1]

    def switch(self) -> ModelSwitch:
        return ModelSwitch(
            load=self.load, online=self.online, offline=OfflineCompanion, path=self.path
        )


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    for key in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(key, raising=False)
    return House(tmp_path / ".env")


async def reply_of(switch: ModelSwitch) -> str:
    return (await switch.generate_reply_bundle(PROMPT)).reply


async def test_without_key_and_address_the_offline_companion_answers(house: House) -> None:
    switch = house.switch()
    assert switch.is_offline
    assert switch.name == "offline-companion"
    assert "no language model" in await reply_of(switch)


async def test_connecting_changing_and_disconnecting(house: House) -> None:
    switch = house.switch()
    house.write("OPENAI_API_KEY=k\nLLM_MODEL=one\n")
    assert await reply_of(switch) == "one"
    assert (switch.name, switch.is_offline) == ("one", False)
    house.write("OPENAI_API_KEY=k\nLLM_MODEL=second\n")
    assert switch.context_tokens() == len("second")
    assert await reply_of(switch) == "second"
    assert [model.closed for model in house.built] == [True, False]
    house.write("")
    assert "no language model" in await reply_of(switch)
    assert switch.is_offline
    assert house.built[1].closed


async def test_a_call_under_way_ends_with_the_old_model(house: House) -> None:
    house.write("OPENAI_BASE_URL=http://127.0.0.1:9/v1\nLLM_MODEL=old\n")
    switch = house.switch()
    old = house.built[0]
    old.may_answer.clear()
    under_way = asyncio.create_task(switch.generate_reply_bundle(PROMPT))
    await old.asked.wait()
    house.write("OPENAI_BASE_URL=http://127.0.0.1:9/v1\nLLM_MODEL=new\n")
    assert await reply_of(switch) == "new"
    assert not old.closed
    old.may_answer.set()
    assert (await under_way).reply == "old"
    assert old.closed
    assert switch.name == "new"


async def test_bad_settings_keep_the_last_good_ones_and_log_one_line(house: House) -> None:
    house.write("OPENAI_API_KEY=k\nLLM_MODEL=good\n")
    switch = house.switch()
    lines: list[str] = []
    sink = logger.add(lines.append, format="{message}")
    try:
        house.write("BROKEN=1\n")
        assert await reply_of(switch) == "good"
        assert await reply_of(switch) == "good"
    finally:
        logger.remove(sink)
    assert len(lines) == 1
    assert house.loads == 2


async def test_other_keys_and_an_untouched_file_change_nothing(house: House) -> None:
    house.write("OPENAI_API_KEY=k\n")
    switch = house.switch()
    await reply_of(switch)
    await reply_of(switch)
    assert house.loads == 1
    house.write("OPENAI_API_KEY=k\nLOG_LEVEL=DEBUG\n")
    await reply_of(switch)
    assert house.loads == 2
    assert len(house.built) == 1


async def test_a_model_that_cannot_be_reached_does_not_stop_the_start(house: House) -> None:
    house.write("OPENAI_API_KEY=k\nLLM_MODEL=unreachable\n")
    await house.switch().start()


@pytest.mark.parametrize("replace", [True, False])
async def test_closing_closes_all(house: House, replace: bool) -> None:
    house.write("OPENAI_API_KEY=k\nLLM_MODEL=a\n")
    switch = house.switch()
    if replace:
        house.write("OPENAI_API_KEY=k\nLLM_MODEL=b\n")
        switch.context_tokens()
    await switch.aclose()
    assert all(model.closed for model in house.built)
    assert len(house.built) == 1 + replace
