"""The ground a decision stands on: the conversation, the time, the policy; nothing else counts."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from app.domain.conversation import Frozen, Message
from app.domain.evidence import Span
from app.domain.record import PRIVATE
from app.memory.review_policy import ReviewPolicy


class Ground(Frozen):
    """What the laws of memory may look at besides the records.

    `messages` holds what may be cited, by number; `known` the names of those who write.
    `translated`: memory is kept in another language than the person's.
    """

    subject: int
    epoch: int = 0
    conversation: str
    messages: dict[int, Message]
    now: datetime
    scope: str = PRIVATE
    policy: ReviewPolicy = Field(default_factory=ReviewPolicy)
    known: tuple[str, ...] = ()
    translated: bool = False
    fallback_reason: str | None = None

    def window_before(self, seq: int) -> list[Message]:
        """The messages before one, oldest first."""
        return [self.messages[n] for n in sorted(self.messages) if n < seq]

    def cited(self, spans: tuple[Span, ...]) -> list[str]:
        """The whole texts of the messages that spans cite, and of the questions they answer."""
        numbers = [span.seq for span in spans]
        numbers += [span.answers for span in spans if span.answers is not None]
        return [self.messages[n].content for n in numbers if n in self.messages]
