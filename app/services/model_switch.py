"""The current model: follows the settings file, so that connecting a model needs no restart."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from loguru import logger

from app.config import Settings, env_file
from app.domain.reply import PromptMessage, ReplyBundle
from app.domain.turn_notes import TurnNotes
from app.errors import ConfigError, ModelError
from app.prompts.reply_schema import JsonSchema
from app.services.ports import ChatModel

MODEL_KEYS = (
    "openai_api_key",
    "openai_base_url",
    "llm_model",
    "llm_extraction_model",
    "llm_fallback_models",
    "llm_timeout_secs",
    "llm_max_retries",
    "llm_context_tokens",
    "llm_breaker_failures",
    "llm_breaker_cooldown_secs",
)


class ManagedModel(ChatModel, Protocol):
    """A ChatModel that has something to find out at first and something to close at last."""

    async def start(self) -> None:
        """Find out what the settings leave open. Raises ModelError while that can't be done."""
        ...

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """The text of a background call. Raises ModelError when there is none."""
        ...

    async def aclose(self) -> None:
        """Close connections."""
        ...


class ModelSwitch:
    """A ChatModel that passes calls on to the model the settings name now.

    Before each call one look at the settings file's state; when it changed, the settings are
    read again, and a changed model setting replaces the model. Calls under way end with the old
    one, which is closed after the last of them. Settings that can't be read change nothing.
    """

    def __init__(
        self,
        *,
        load: Callable[[], Settings],
        online: Callable[[Settings], ManagedModel],
        offline: Callable[[], ManagedModel],
        path: Path | None = None,
    ) -> None:
        self._load = load
        self._online = online
        self._offline = offline
        self._path = path or env_file()
        self._stamp = self._file_stamp()
        settings = load()
        self._keys = _model_keys(settings)
        self._current = _Held(self._build(settings))
        self._retired: list[_Held] = []
        self.name = self._current.model.name

    @property
    def is_offline(self) -> bool:
        """Whether the offline companion is answering."""
        self._follow()
        return self._keys[:2] == (None, None)

    async def start(self) -> None:
        """Let the model find out what it needs to; a model that can't be reached is only logged."""
        try:
            await self._current.model.start()
        except ModelError as error:
            logger.warning("the language model can't be used yet: {}", error)
        self.name = self._current.model.name

    def context_tokens(self) -> int:
        """The limit of the model that answers the next call."""
        self._follow()
        return self._current.model.context_tokens()

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        """The current model's reply. Raises ModelError when there is no usable answer."""
        self._follow()
        held = self._current
        async with self._in_use(held):
            bundle = await held.model.generate_reply_bundle(prompt, notes)
        if held is self._current:
            self.name = held.model.name
        return bundle

    async def complete(
        self, call: str, prompt: Sequence[PromptMessage], schema: JsonSchema | None = None
    ) -> str:
        """The current model's text. Raises ModelError when there is none."""
        self._follow()
        held = self._current
        async with self._in_use(held):
            return await held.model.complete(call, prompt, schema)

    async def aclose(self) -> None:
        """Close the current model, and those that were replaced."""
        for held in (*self._retired, self._current):
            await held.model.aclose()
        self._retired.clear()

    @asynccontextmanager
    async def _in_use(self, held: _Held) -> AsyncIterator[None]:
        held.calls += 1
        try:
            yield
        finally:
            held.calls -= 1
            await self._close_idle()

    async def _close_idle(self) -> None:
        idle = [held for held in self._retired if held.calls == 0]
        self._retired = [held for held in self._retired if held.calls]
        for held in idle:
            await held.model.aclose()

    def _follow(self) -> None:
        stamp = self._file_stamp()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            settings = self._load()
        except (ConfigError, OSError, UnicodeDecodeError) as error:
            logger.warning("settings not taken over, the old ones stay: {}", error)
            return
        keys = _model_keys(settings)
        if keys == self._keys:
            return
        replacement = self._build(settings)
        self._retired.append(self._current)
        self._current, self._keys = _Held(replacement), keys
        self.name = replacement.name
        logger.info("the language model is now {}", self.name or "the server's own choice")

    def _build(self, settings: Settings) -> ManagedModel:
        if settings.openai_api_key is None and settings.openai_base_url is None:
            return self._offline()
        return self._online(settings)

    def _file_stamp(self) -> tuple[int, int, int]:
        try:
            state = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return (state.st_mtime_ns, state.st_ino, state.st_size)


class _Held:
    """A model and how many calls it is answering."""

    __slots__ = ("calls", "model")

    def __init__(self, model: ManagedModel) -> None:
        self.model = model
        self.calls = 0


def _model_keys(settings: Settings) -> tuple[object, ...]:
    return tuple(getattr(settings, key) for key in MODEL_KEYS)
