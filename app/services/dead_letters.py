"""The dead letter list: what was given up, and a second chance for it."""

from __future__ import annotations

from app.database.conversations import ConversationStore
from app.database.inbox import InboxStore
from app.domain.inbox import InboxRow


class DeadLetters:
    """Updates that were given up after too many attempts."""

    def __init__(self, inbox: InboxStore, conversations: ConversationStore) -> None:
        self._inbox = inbox
        self._conversations = conversations

    async def all(self) -> list[InboxRow]:
        """The list, oldest first."""
        return await self._inbox.dead_letters()

    async def retry(self, row_id: str) -> bool:
        """Let an update be handled anew; False when no dead one with a payload has this id."""
        row = next((r for r in await self.all() if r.id == row_id), None)
        if row is None:
            return False
        await self._conversations.forget_handled(row.conversation, row.update_id)
        return await self._inbox.retry(row_id)
