"""What the model is asked and what it answers."""

from __future__ import annotations

from typing import Literal

from app.domain.conversation import Frozen


class PromptMessage(Frozen):
    """One message of a prompt, in the OpenAI chat format."""

    role: Literal["system", "user", "assistant"]
    content: str


class ReplyBundle(Frozen):
    """The one call's answer: the reply's Markdown and perhaps a reaction (an emoji)."""

    reply: str
    reaction: str | None = None


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
