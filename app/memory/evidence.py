"""Evidence: finding a quotation in what a person typed, and finding it again later."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.domain.conversation import Message
from app.domain.evidence import Quote, Span
from app.domain.outcome import Reason
from app.memory.normalise import digest

Messages = Mapping[int, Message]
"""The messages of one conversation by number."""

_LIKE = {
    "'": "['’‘ʼ]",
    "’": "['’‘ʼ]",
    "‘": "['’‘ʼ]",
    '"': '["“”„«»]',
    "“": '["“”„«»]',
    "”": '["“”„«»]',
    "-": "[-–—]",
    "–": "[-–—]",
    "—": "[-–—]",
}
_LONGEST_QUOTE = 2_000


def is_evidence(message: Message | None) -> bool:
    """Whether a message can back a memory: typed by a person, not forwarded, not the bot's."""
    return message is not None and message.role == "user" and message.origin == "typed"


def locate(quote: Quote, messages: Messages, conversation: str) -> Span | None:
    """Where a quotation stands in its message, or None when it isn't there.

    Spacing, the case of letters and the shape of quotation marks may differ; the span is of the
    words as they were typed. An `answers` that names no message of the bot's before it is dropped.
    """
    message = messages.get(quote.seq)
    if message is None or not is_evidence(message):
        return None
    place = _find(quote.text, message.content)
    if place is None:
        return None
    asked = messages.get(quote.answers) if quote.answers is not None else None
    answers = asked.seq if asked and asked.role == "assistant" and asked.seq < quote.seq else None
    return make_span(message, conversation, *place, answers=answers)


def make_span(
    message: Message, conversation: str, start: int, end: int, *, answers: int | None = None
) -> Span:
    """The span of characters `start` to `end` of a message."""
    excerpt = message.content[start:end]
    begin = len(message.content[:start].encode())
    return Span(
        conversation=conversation,
        seq=message.seq,
        message_id=message.telegram_message_id,
        said_at=message.created_at,
        source_digest=digest(message.content),
        start=begin,
        end=begin + len(excerpt.encode()),
        excerpt_digest=digest(excerpt),
        quote=excerpt,
        answers=answers,
    )


def mismatch(span: Span, content: str) -> Reason | None:
    """Why a span no longer describes its message's text; None when it does."""
    if digest(content) != span.source_digest:
        return Reason.EVIDENCE_SOURCE_DIGEST_MISMATCH
    source = content.encode()
    if not 0 <= span.start < span.end <= len(source):
        return Reason.EVIDENCE_SPAN_OUT_OF_RANGE
    if digest(source[span.start : span.end].decode("utf-8", "replace")) != span.excerpt_digest:
        return Reason.EVIDENCE_EXCERPT_DIGEST_MISMATCH
    return None


def newest(spans: tuple[Span, ...]) -> tuple[float, int]:
    """A key that orders evidence by when it was said."""
    return max((span.said_at.timestamp(), span.seq) for span in spans)


def _find(wanted: str, content: str) -> tuple[int, int] | None:
    """The first place of whole words, as written or nearly so."""
    wanted = wanted.strip()
    if not wanted or len(wanted) > _LONGEST_QUOTE:
        return None
    start = content.find(wanted)
    while start >= 0:
        if _whole(content, start, start + len(wanted)):
            return start, start + len(wanted)
        start = content.find(wanted, start + 1)
    pattern = r"\s+".join(
        "".join(_LIKE.get(char) or re.escape(char) for char in word) for word in wanted.split()
    )
    for found in re.finditer(pattern, content, re.IGNORECASE):
        if _whole(content, *found.span()):
            return found.span()
    return None


def _whole(content: str, start: int, end: int) -> bool:
    """Whether neither end of a stretch cuts a word in two."""
    return not (
        (start > 0 and _joined(content[start - 1], content[start]))
        or (end < len(content) and _joined(content[end - 1], content[end]))
    )


def _joined(left: str, right: str) -> bool:
    """Whether two characters belong to one word, in scripts that part words by spaces."""
    return left.isalnum() and right.isalnum() and max(left, right) < _FIRST_UNSPACED


_FIRST_UNSPACED = "\u0e00"
"""Thai, and after it most scripts that write without spaces between words."""
