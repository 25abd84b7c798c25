"""What the model is asked and what it answers."""

from __future__ import annotations

from typing import Literal

from app.domain.conversation import Frozen
from app.domain.record import FactCategory


class PromptMessage(Frozen):
    """One message of a prompt, in the OpenAI chat format."""

    role: Literal["system", "user", "assistant"]
    content: str


class MemoryOp(Frozen):
    """What the model understood the person to ask of memory, in this very turn.

    `text`: what to remember, in the person's voice, or the words that say what to forget; `id`:
    the record to forget; `quote`: the person's words that ask for it.
    """

    op: Literal["remember", "forget"]
    text: str = ""
    category: FactCategory | None = None
    id: str | None = None
    quote: str = ""


class ReplyBundle(Frozen):
    """The one call's answer: the reply's Markdown, perhaps a reaction (an emoji), requests."""

    reply: str
    reaction: str | None = None
    memory_ops: tuple[MemoryOp, ...] = ()


class Usage(Frozen):
    """What one model call cost: lengths and times, never text."""

    call: str
    model: str
    status: str
    latency_ms: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_chars: int = 0
    attempts: int = 1
