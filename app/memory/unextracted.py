"""How much of a conversation extraction hasn't read yet."""

from __future__ import annotations

from app.domain.conversation import Conversation
from app.domain.profile import Profile, Watermark


def extracted_through(conversation: Conversation, profile: Profile | None) -> int:
    """The last number that extraction has read, by whichever of the two aggregates knows more."""
    marks = profile.watermarks if profile else {}
    mark = marks.get(conversation.key, Watermark())
    return max(conversation.extracted_through, mark.extracted)


def unextracted_chars(conversation: Conversation, profile: Profile | None) -> int:
    """Characters in the window that extraction hasn't read."""
    through = extracted_through(conversation, profile)
    return sum(len(m.content) for m in conversation.messages if m.seq > through)
