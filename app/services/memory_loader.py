"""The memory block of a prompt: what is remembered and may be said in this conversation."""

from __future__ import annotations

from app.domain.conversation import Conversation
from app.domain.profile import Profile


class MemoryLoader:
    """The seam between profile and prompt; nothing is remembered yet, so the block is empty."""

    def block(self, profile: Profile | None, conversation: Conversation) -> str:
        """The text between persona and history; empty when there is nothing to say."""
        return ""
