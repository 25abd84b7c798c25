"""What memory rests on: stretches of messages that people typed."""

from __future__ import annotations

from datetime import datetime

from app.domain.conversation import Frozen


class Quote(Frozen):
    """Words somebody claims are in a message; a claim until `memory.evidence` has found them.

    `seq` numbers the message within the conversation at hand. `answers` is the number of the
    bot's question, where the words say nothing without it ("Rex." after "What is he called?").
    """

    seq: int
    text: str
    answers: int | None = None


class Span(Frozen):
    """A stretch of one message, as found: enough to find it again and see whether it changed.

    `start` and `end` are byte offsets into the message's UTF-8; digests are SHA-256 in hex.
    `quote` is the stretch itself, for people to read; `excerpt_digest` vouches for it.
    """

    conversation: str
    seq: int
    message_id: int | None = None
    said_at: datetime
    source_digest: str
    start: int
    end: int
    excerpt_digest: str
    quote: str
    answers: int | None = None
