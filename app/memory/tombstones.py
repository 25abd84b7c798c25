"""Tombstones: what was forgotten stays forgotten, however late an older message is read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from app.domain.candidate import Candidate
from app.domain.evidence import Span
from app.domain.profile import Place, Tombstone
from app.domain.record import Record, Slot
from app.memory.ground import Ground
from app.memory.normalise import content_hash, normalise, words
from app.memory.support import shared

MAX_TOMBSTONES = 500


def bury(record: Record, ground: Ground, through: int, request: Span | None = None) -> Tombstone:
    """The stone for a record: hashes and places, good for what was said up to message `through`.

    The words of the `request` to forget it say it once more, and are covered as well.
    """
    spans = (*record.evidence, request) if request else record.evidence
    return Tombstone(
        content_hash=content_hash(ground.subject, record.text),
        slot_hash=_slot_hash(ground.subject, record.slot, record.value),
        conversation=ground.conversation,
        through=through,
        at=ground.now,
        places=tuple(
            Place(conversation=s.conversation, seq=s.seq, start=s.start, end=s.end) for s in spans
        ),
    )


def is_buried(
    candidate: Candidate, spans: tuple[Span, ...], stones: Sequence[Tombstone], ground: Ground
) -> bool:
    """Whether a claim was forgotten after the last of its words was said."""
    if not stones:
        return False
    quotes = [span.quote for span in spans]
    said = {content_hash(ground.subject, text) for text in (candidate.text, *quotes)}
    slot = _slot_hash(ground.subject, candidate.slot, candidate.value)
    last = max(span.seq for span in spans)
    said_at = max(span.said_at for span in spans)
    return _in_other_words(candidate, spans, stones, ground) or any(
        (stone.content_hash in said or (slot is not None and stone.slot_hash == slot))
        and (
            last <= stone.through
            if stone.conversation == ground.conversation
            else said_at <= stone.at
        )
        for stone in stones
    )


def _in_other_words(
    candidate: Candidate, spans: tuple[Span, ...], stones: Sequence[Tombstone], ground: Ground
) -> bool:
    """Whether a claim rests on forgotten words at least as much as on the rest of its quotes."""
    gone: list[str] = []
    rest: list[str] = []
    for span in spans:
        message = ground.messages[span.seq]
        source = message.content.encode()
        since = message.edited_at or message.created_at
        kept = bytearray(source)
        for stone in stones:
            for place in stone.places if since <= stone.at else ():
                if (place.conversation, place.seq) == (span.conversation, span.seq):
                    gone.append(source[place.start : place.end].decode("utf-8", "replace"))
                    kept[place.start : place.end] = b" " * len(source[place.start : place.end])
        rest.append(kept[span.start : span.end].decode("utf-8", "replace"))
    if not gone:
        return False
    if not any(words(text) for text in rest):
        return True
    forgotten = shared(candidate.text, gone)
    return 0 < forgotten >= shared(candidate.text, rest)


def _slot_hash(subject: int, slot: Slot | None, value: str | None) -> str | None:
    """A single-valued slot as such; of a multi-valued one, the value in it."""
    if slot is None:
        return None
    name = f"{subject}::{slot.subject}::{slot.predicate}"
    if slot.multi:
        name += f"::{normalise(value or '')}"
    return hashlib.sha256(name.encode()).hexdigest()
