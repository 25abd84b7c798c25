"""Calls to the language model that end: in an answer, or in a ModelError that says why not."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from loguru import logger

from app.clock import Clock
from app.config import Settings
from app.domain.reply import PromptMessage, ReplyBundle, Usage
from app.domain.turn_notes import TurnNotes
from app.errors import ModelError, ModelFailure
from app.memory.breaker import Admission, Breaker, BreakerRules, Outcome, admit, settle
from app.memory.model_choice import pick_model
from app.memory.retry_policy import RetryRules, outcome_of, pause_before_retry, tries_fallback
from app.prompts.reply_schema import (
    REPLY_SCHEMA,
    FormatLevel,
    JsonSchema,
    parse_reply,
    strip_thinking,
)
from app.services.llm_service.endpoint import ChatAnswer, EndpointError, ModelEndpoint, is_openai

DEFAULT_OPENAI_MODEL = "gpt-4.1-mini"
DEFAULT_CONTEXT_TOKENS = 16_000
OLLAMA_CONTEXT_TOKENS = 4_096

T = TypeVar("T")
ASIDE = frozenset({"turn_fact"})
"""Calls that are optional: not retried, and their failures don't keep others from the model."""


class LlmService:
    """A ChatModel over an OpenAI-compatible endpoint.

    Each model has its own circuit breaker, another one for calls ASIDE, and its own remembered
    form of structured output.
    LLM_MODEL unset means DEFAULT_OPENAI_MODEL at OpenAI, and elsewhere what `pick_model` picks
    from the server's list. `on_usage` gets one Usage after every request, text never.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock,
        on_usage: Callable[[Usage], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: Callable[[], float] = random.random,
    ) -> None:
        self._clock = clock
        self._on_usage = on_usage
        self._sleep = sleep
        self._rng = rng
        key = settings.openai_api_key
        self._endpoint = ModelEndpoint(
            settings.openai_base_url, key.get_secret_value() if key else None
        )
        self._timeout = settings.llm_timeout_secs
        self._retries = RetryRules(max_retries=settings.llm_max_retries)
        self._single = RetryRules(max_retries=0)
        self._breaker_rules = BreakerRules(
            settings.llm_breaker_failures, settings.llm_breaker_cooldown_secs
        )
        self._fallbacks = settings.llm_fallback_models
        self._breakers: dict[str, Breaker] = {}
        self._levels: dict[str, FormatLevel] = {}
        at_openai = is_openai(settings.openai_base_url)
        self._picks = settings.llm_model is None and not at_openai
        self.name = settings.llm_model or (DEFAULT_OPENAI_MODEL if at_openai else "")
        self._background = settings.llm_extraction_model
        self._context_tokens = settings.llm_context_tokens
        if self._context_tokens is None and at_openai:
            self._context_tokens = DEFAULT_CONTEXT_TOKENS

    async def start(self) -> None:
        """Find out what the settings leave open: the model and the kind of server.

        Called at start and again by each call until the server has answered. Raises ModelError
        only when no model can be named.
        """
        if self._context_tokens is None:
            ollama = await self._endpoint.is_ollama()
            if ollama is not None:
                self._context_tokens = OLLAMA_CONTEXT_TOKENS if ollama else DEFAULT_CONTEXT_TOKENS
        if not self.name:
            chosen = pick_model(await self._endpoint.models())
            if chosen is None:
                raise ModelError(ModelFailure.UNKNOWN_MODEL, "the server lists no chat model")
            self.name = chosen
            logger.info("LLM_MODEL is not set; using {}", chosen)

    def context_tokens(self) -> int:
        """LLM_CONTEXT_TOKENS, else 4,096 for an Ollama server and 16,000 for any other."""
        if self._context_tokens is not None:
            return self._context_tokens
        # Not known yet: an unknown server that cuts prompts silently is the worse surprise.
        return OLLAMA_CONTEXT_TOKENS

    async def generate_reply_bundle(
        self, prompt: Sequence[PromptMessage], notes: TurnNotes | None = None
    ) -> ReplyBundle:
        """One call for reply and reaction. Raises ModelError when there is no usable answer."""
        return await self._ask("reply", prompt, REPLY_SCHEMA, None, parse_reply)

    async def complete(
        self,
        call: str,
        prompt: Sequence[PromptMessage],
        schema: JsonSchema | None = None,
        model: str | None = None,
    ) -> str:
        """The model's text, never blank. `call` names the purpose in usage and metrics.

        LLM_EXTRACTION_MODEL answers, where set, unless `model` names another. With a schema the
        text is probably, not certainly, JSON of that shape. Raises ModelError.
        """
        return await self._ask(call, prompt, schema, model or self._background, _not_blank)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    async def _ask(
        self,
        call: str,
        prompt: Sequence[PromptMessage],
        schema: JsonSchema | None,
        model: str | None,
        parse: Callable[[str], T | None],
    ) -> T:
        if self._context_tokens is None or not self.name:
            await self.start()
        messages = [{"role": message.role, "content": message.content} for message in prompt]
        chars = sum(len(message.content) for message in prompt)
        first: ModelError | None = None
        for name in dict.fromkeys((model or self.name, *self._fallbacks)):
            request = _Request(call, name, messages, chars, schema)
            try:
                return await self._guarded(request, parse)
            except ModelError as error:
                first = first or error
                if not tries_fallback(error.kind):
                    raise
                self._forget_picked(name, error.kind)
        raise first or ModelError(ModelFailure.UNKNOWN_MODEL)

    async def _guarded(self, request: _Request, parse: Callable[[str], T | None]) -> T:
        """One model with its retries, behind its circuit breaker; a probe is not retried."""
        name = request.guard
        admission, breaker = admit(
            self._breakers.get(name, Breaker()), self._breaker_rules, self._clock.monotonic()
        )
        if admission is Admission.REFUSE:
            raise ModelError(ModelFailure.BREAKER_OPEN, request.model)
        self._breakers[name] = breaker
        outcome = Outcome.ABANDONED
        try:
            alone = admission is Admission.PROBE or request.call in ASIDE
            rules = self._single if alone else self._retries
            value = await self._retried(request, parse, rules)
            outcome = Outcome.ANSWERED
            return value
        except ModelError as error:
            outcome = outcome_of(error.kind)
            raise
        finally:
            self._settle(name, admission, outcome)

    def _settle(self, name: str, admission: Admission, outcome: Outcome) -> None:
        before = self._breakers.get(name, Breaker())
        after = settle(before, self._breaker_rules, admission, outcome, self._clock.monotonic())
        self._breakers[name] = after
        if after.opened_at != before.opened_at:
            state = "answers again" if after.opened_at is None else "keeps failing; calls pause"
            logger.warning("model {} {}", name, state)

    async def _retried(
        self, request: _Request, parse: Callable[[str], T | None], rules: RetryRules
    ) -> T:
        name = request.model
        level = self._levels.get(name, FormatLevel.JSON_SCHEMA)
        remembers = request.schema is not None
        attempt, paused = 1, 0.0
        while True:
            try:
                value = await self._once(request, level, attempt, parse)
            except EndpointError as error:
                proven = name in self._levels
                weaker = level.weaker if request.schema else None
                if weaker and error.refuses_format(proven=proven):
                    level, remembers = weaker, not error.mentions("json_validate_failed")
                    continue
                pause = pause_before_retry(
                    error.kind,
                    attempt,
                    rules,
                    jitter=self._rng(),
                    retry_after=error.retry_after,
                    paused=paused,
                )
                if pause is None or self._opened_meanwhile(request.guard, rules):
                    raise ModelError(error.kind, error.detail) from None
                if weaker and error.kind is ModelFailure.EMPTY and not proven:
                    level = weaker
            else:
                if remembers:
                    self._levels[name] = level
                return value
            attempt += 1
            paused += pause
            await self._sleep(pause)

    async def _once(
        self, request: _Request, level: FormatLevel, attempt: int, parse: Callable[[str], T | None]
    ) -> T:
        status = "cancelled"
        answer = ChatAnswer("", 0, 0)
        started = self._clock.monotonic()
        try:
            answer = await self._endpoint.chat(request.body(level), self._timeout)
            value = parse(answer.text)
            if value is None:
                raise EndpointError(ModelFailure.EMPTY, "no text in the answer")
            status = "ok"
            return value
        except EndpointError as error:
            status = error.kind.value
            raise
        finally:
            self._on_usage(
                Usage(
                    call=request.call,
                    model=request.model,
                    status=status,
                    latency_ms=round((self._clock.monotonic() - started) * 1000),
                    prompt_tokens=answer.prompt_tokens,
                    completion_tokens=answer.completion_tokens,
                    prompt_chars=request.chars,
                    attempts=attempt,
                )
            )

    def _opened_meanwhile(self, name: str, rules: RetryRules) -> bool:
        """Whether others' failures opened the breaker while this call was being retried."""
        return rules is self._retries and self._breakers[name].opened_at is not None

    def _forget_picked(self, name: str, kind: ModelFailure) -> None:
        """Pick again next time when the server no longer has the model picked from its list."""
        if self._picks and kind is ModelFailure.UNKNOWN_MODEL and name == self.name:
            self.name = ""


class _Request:
    """What stays the same over all attempts of one call to one model."""

    __slots__ = ("_body", "call", "chars", "model", "schema")

    def __init__(
        self,
        call: str,
        model: str,
        messages: list[dict[str, str]],
        chars: int,
        schema: JsonSchema | None,
    ) -> None:
        self.call = call
        self.model = model
        self.chars = chars
        self.schema = schema
        self._body: dict[str, Any] = {"model": model, "messages": messages}

    @property
    def guard(self) -> str:
        """Which circuit breaker the request passes."""
        return f"{self.model} for {self.call}" if self.call in ASIDE else self.model

    def body(self, level: FormatLevel) -> dict[str, Any]:
        """The request's body with the structured output of `level`, where there is a schema."""
        wanted = self.schema.formats.get(level) if self.schema else None
        return {**self._body, "response_format": wanted} if wanted else self._body


def _not_blank(raw: str) -> str | None:
    return strip_thinking(raw) or None
