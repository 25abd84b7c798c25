"""Tombstones: what was forgotten stays forgotten, however late an older message is read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from app.domain.candidate import Candidate
from app.domain.evidence import Span
from app.domain.profile import Tombstone
from app.domain.record import Record, Slot
from app.memory.ground import Ground
from app.memory.normalise import content_hash, normalise

MAX_TOMBSTONES = 500


def bury(record: Record, ground: Ground, through: int) -> Tombstone:
    """The stone for a record: hashes only, good for what was said up to message `through`."""
    return Tombstone(
        content_hash=content_hash(ground.subject, record.text),
        slot_hash=_slot_hash(ground.subject, record.slot, record.value),
        conversation=ground.conversation,
        through=through,
        at=ground.now,
    )


def is_buried(
    candidate: Candidate, spans: tuple[Span, ...], stones: Sequence[Tombstone], ground: Ground
) -> bool:
    """Whether a claim was forgotten after the last of its words was said."""
    if not stones:
        return False
    text = content_hash(ground.subject, candidate.text)
    slot = _slot_hash(ground.subject, candidate.slot, candidate.value)
    last = max(span.seq for span in spans)
    said_at = max(span.said_at for span in spans)
    return any(
        (stone.content_hash == text or (slot is not None and stone.slot_hash == slot))
        and (
            last <= stone.through
            if stone.conversation == ground.conversation
            else said_at <= stone.at
        )
        for stone in stones
    )


def _slot_hash(subject: int, slot: Slot | None, value: str | None) -> str | None:
    """A single-valued slot as such; of a multi-valued one, the value in it."""
    if slot is None:
        return None
    name = f"{subject}::{slot.subject}::{slot.predicate}"
    if slot.multi:
        name += f"::{normalise(value or '')}"
    return hashlib.sha256(name.encode()).hexdigest()
