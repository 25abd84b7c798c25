"""Fitting a prompt into a model's context without touching persona or memory."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.reply import PromptMessage

ANSWER_TOKENS = 1_000
MESSAGE_OVERHEAD_TOKENS = 6
TAIL_SHARE = 0.6


def estimate_tokens(text: str) -> int:
    """A cautious estimate: three UTF-8 bytes a token (English really has about four)."""
    return len(text.encode("utf-8")) // 3 + 1


def cut_middle(text: str, max_chars: int) -> str:
    """Head and tail of a text (the tail gets 60 %), with a note of what was left out between."""
    if len(text) <= max_chars:
        return text
    note = f"\n[… {len(text) - max_chars} characters left out here …]\n"
    room = max(0, max_chars - len(note))
    tail = int(room * TAIL_SHARE)
    head = room - tail
    return text[:head] + note + (text[len(text) - tail :] if tail else "")


def fit(
    system: PromptMessage, history: Sequence[PromptMessage], context_tokens: int
) -> list[PromptMessage]:
    """System message and as much of the newest history as fits, oldest dropped first.

    The system message is never cut. When the last message alone is too long, its middle goes.
    """
    room = context_tokens - ANSWER_TOKENS - _cost(system)
    kept: list[PromptMessage] = []
    for message in reversed(history):
        cost = _cost(message)
        if cost > room:
            if not kept:
                kept.append(_shortened(message, room))
            break
        kept.append(message)
        room -= cost
    kept.reverse()
    while len(kept) > 1 and kept[0].role == "assistant":
        kept.pop(0)
    return [system, *kept]


def _cost(message: PromptMessage) -> int:
    return estimate_tokens(message.content) + MESSAGE_OVERHEAD_TOKENS


def _shortened(message: PromptMessage, tokens: int) -> PromptMessage:
    """The message with as much of its middle gone as it takes to cost at most `tokens`."""
    chars = len(message.content)
    while True:
        shorter = PromptMessage(role=message.role, content=cut_middle(message.content, chars))
        excess = _cost(shorter) - tokens
        if excess <= 0 or chars <= 1:
            return shorter
        chars = max(1, min(chars - excess, int(chars * tokens / (tokens + excess))))
