"""What must hold after each turn, whatever the model says."""

from __future__ import annotations

from app.database.conversations import ConversationStore
from app.database.profiles import ProfileStore
from app.database.segments import SegmentStore
from app.domain.conversation import Message
from app.domain.profile import Profile
from app.memory.evidence import is_evidence, mismatch


class Checks:
    """Reads one person's memory and conversation, and finds what must not be."""

    def __init__(
        self,
        profiles: ProfileStore,
        conversations: ConversationStore,
        segments: SegmentStore,
        subject: int,
    ) -> None:
        self._profiles = profiles
        self._conversations = conversations
        self._segments = segments
        self._subject = subject
        self.emptied = 0
        self._records = 0

    def take_over(self, earlier: Checks) -> None:
        """Go on where the checks of an earlier connection ended."""
        self.emptied, self._records = earlier.emptied, earlier._records

    async def profile(self) -> Profile:
        """The memory as it stands; notes when it went from something to nothing."""
        profile = await self._profiles.read(self._subject)
        profile = profile or Profile(subject=self._subject)
        if self._records and not profile.item_count:
            self.emptied += 1
        self._records = profile.item_count
        return profile

    async def unsupported(self, profile: Profile) -> list[str]:
        """Active records with evidence that can't be found again in the stored messages."""
        messages = await self._messages()
        return [
            record.text
            for record in profile.records
            for span in record.evidence
            if not is_evidence(found := messages.get(span.seq))
            or found is None
            or span.conversation != str(self._subject)
            or mismatch(span, found.content) is not None
        ]

    async def _messages(self) -> dict[int, Message]:
        key = str(self._subject)
        conversation = await self._conversations.read(key)
        if conversation is None:
            return {}
        archived = await self._segments.messages(key, 0, conversation.next_seq)
        return {m.seq: m for m in (*archived, *conversation.messages)}
