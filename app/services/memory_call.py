"""One background call of the model: an answer that could be read, or the kind of failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from app.domain.conversation import Frozen
from app.domain.reply import PromptMessage
from app.errors import JobFailed, ModelError, ModelFailure
from app.prompts.memory.shape import masked
from app.prompts.reply_schema import JsonSchema
from app.services.ports import MemoryModel

T = TypeVar("T")
FINAL = frozenset(
    {
        ModelFailure.BREAKER_OPEN,
        ModelFailure.NO_MODEL,
        ModelFailure.AUTH,
        ModelFailure.NO_CREDIT,
        ModelFailure.UNKNOWN_MODEL,
    }
)
"""Failures that asking again at once can't mend."""


class Failed(Frozen):
    """Why there is no usable answer: parse_error, llm_error, timeout or dropped.

    `cause` says of an llm_error which; `raw` is the answer with its content masked; `final`:
    asking again at once can't help.
    """

    kind: str
    cause: ModelFailure | None = None
    raw: str | None = None
    final: bool = False

    def of_job(self) -> JobFailed:
        """The failure of the job that asked, under the name `job_policy` knows it by."""
        return JobFailed(self.cause.value if self.cause else self.kind, raw=self.raw)


class MemoryCall:
    """Asks the model that memory work uses."""

    def __init__(self, model: MemoryModel) -> None:
        self._model = model

    def is_offline(self) -> bool:
        """Whether there is no model to ask."""
        return self._model.is_offline

    async def ask(
        self,
        call: str,
        prompt: Sequence[PromptMessage],
        schema: JsonSchema,
        parse: Callable[[str | None], T | None],
        *,
        deadline_secs: float | None = None,
    ) -> T | Failed:
        """The parsed answer, or why there is none; never raises a ModelError."""
        try:
            async with asyncio.timeout(deadline_secs):
                raw = await self._model.complete(call, prompt, schema)
        except TimeoutError:
            return Failed(kind="timeout")
        except ModelError as error:
            if error.kind is ModelFailure.TIMEOUT:
                return Failed(kind="timeout")
            if error.kind is ModelFailure.EMPTY:
                return Failed(kind="parse_error", raw="")
            return Failed(kind="llm_error", cause=error.kind, final=error.kind in FINAL)
        value = parse(raw)
        return Failed(kind="parse_error", raw=masked(raw)) if value is None else value
