"""A group that became a supergroup keeps everything under its new id."""

from __future__ import annotations

from app.clock import Clock
from app.database.conversations import ConversationStore
from app.database.inbox import InboxStore
from app.database.segments import SegmentStore
from app.domain.conversation import conversation_key


class Rekey:
    """Moves every row of a chat. Each step may be repeated without harm."""

    def __init__(
        self,
        conversations: ConversationStore,
        segments: SegmentStore,
        inbox: InboxStore,
        owner: str,
        clock: Clock,
    ) -> None:
        self._owner = owner
        self._clock = clock
        self._conversations = conversations
        self._segments = segments
        self._inbox = inbox

    async def move(self, old: str, new_chat_id: int) -> str:
        """Move a conversation to the chat's new id; returns the new key."""
        new = conversation_key(new_chat_id, None)
        if new == old:
            return new
        await self._segments.rekey(old, new)
        await self._inbox.rekey(old, new)
        await self._conversations.rekey(old, new, new_chat_id, self._owner, self._clock.now())
        return new
