"""The sliding window: how far it is cut, and what of it becomes a segment."""

from __future__ import annotations

from app.domain.conversation import Conversation, Message


def chars(messages: tuple[Message, ...]) -> int:
    """Characters of content."""
    return sum(len(message.content) for message in messages)


def cut_through(conversation: Conversation, max_chars: int, keep: int) -> int | None:
    """The sequence number up to which the window should be cut now, or None.

    Nothing happens until the window holds more than `max_chars`; then it drops to half in one
    step, so that the prompt's beginning stays the same from turn to turn in between. The last
    `keep` messages stay, and so does whatever is not answered yet.
    """
    messages = conversation.messages
    excess = chars(messages)
    if excess <= max_chars:
        return None
    through: int | None = None
    for message in messages[: max(0, len(messages) - keep)]:
        if excess <= max_chars // 2 or message.seq > conversation.answered_through:
            break
        excess -= len(message.content)
        through = message.seq
    return through


def unanswered(conversation: Conversation) -> tuple[Message, ...]:
    """The person's messages that no reply covers yet."""
    return tuple(
        message
        for message in conversation.messages
        if message.role == "user" and message.seq > conversation.answered_through
    )
