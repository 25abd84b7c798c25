"""What there is to extract: messages from archive and window, in portions a model can read."""

from __future__ import annotations

from collections.abc import Sequence

from app.database.segments import SegmentStore
from app.domain.conversation import Conversation, Frozen, Message
from app.memory.evidence import is_evidence

PORTION_CHARS = 8_000
CONTEXT_MESSAGES = 8


class Portion(Frozen):
    """A run of messages to extract from, and those before it that say what it is about."""

    context: tuple[Message, ...] = ()
    messages: tuple[Message, ...]

    @property
    def first(self) -> int:
        """The number of the first message to extract from."""
        return self.messages[0].seq

    @property
    def last(self) -> int:
        """The number of the last."""
        return self.messages[-1].seq

    @property
    def numbered(self) -> dict[int, Message]:
        """All messages, context included, by number."""
        return {message.seq: message for message in (*self.context, *self.messages)}

    @property
    def has_evidence(self) -> bool:
        """Whether the person typed anything in it."""
        return any(is_evidence(message) for message in self.messages)


class MemorySource:
    """Reads a conversation's messages wherever they are by now."""

    def __init__(self, segments: SegmentStore) -> None:
        self._segments = segments

    async def portion(self, conversation: Conversation, after: int, through: int) -> Portion | None:
        """The next messages after a number, up to `through`, as many as fit; None without any.

        One round trip, none when the window holds them all.
        """
        start = max(0, after - CONTEXT_MESSAGES)
        messages = [m for m in conversation.messages if start < m.seq <= through]
        if after + 1 < conversation.first_seq:
            held = {m.seq for m in messages}
            archived = await self._segments.messages(conversation.key, start, through)
            messages = [*(m for m in archived if m.seq not in held), *messages]
            messages.sort(key=lambda message: message.seq)
        fresh = _fitting([message for message in messages if message.seq > after])
        if not fresh:
            return None
        context = tuple(message for message in messages if message.seq <= after)
        return Portion(context=context, messages=tuple(fresh))


def _fitting(messages: Sequence[Message]) -> list[Message]:
    """The first messages that together are not too long; always at least one."""
    taken: list[Message] = []
    size = 0
    for message in messages:
        size += len(message.content)
        if taken and size > PORTION_CHARS:
            break
        taken.append(message)
    return taken
