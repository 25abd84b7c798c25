"""Merging: when two records can be one, and what the one then holds."""

from __future__ import annotations

from app.domain.record import Record, Significance
from app.memory.normalise import words
from app.memory.record_making import joined_evidence


def alike(record: Record, target: Record) -> bool:
    """Whether two records can be one: same sort and place, no other date, and no other value.

    Records of different slots stay apart, or a later value would find only one of them.
    """
    if record.kind is not target.kind or record.scope != target.scope:
        return False
    if (record.expires_at is None) != (target.expires_at is None):
        return False
    if record.event_date and target.event_date and record.event_date != target.event_date:
        return False
    if record.slot is None or target.slot is None:
        return True
    if record.slot.key != target.slot.key:
        return False
    return target.slot.multi or words(record.value or "") == words(target.value or "")


def merged(target: Record, gone: Record) -> Record:
    """The target with all that another record has besides its text."""
    order = list(Significance)
    known = [s for s in (target.significance, gone.significance) if s is not None]
    sensitive = "sensitive" in (target.sensitivity, gone.sensitivity)
    ends = [end for end in (target.expires_at, gone.expires_at) if end is not None]
    slotted = target if target.slot is not None or gone.slot is None else gone
    return target.model_copy(
        update={
            "category": target.category or gone.category,
            "durable_category": target.durable_category or gone.durable_category,
            "slot": slotted.slot,
            "value": _both(target, gone) if slotted is target else gone.value,
            "qualifiers": {**gone.qualifiers, **target.qualifiers},
            "evidence": joined_evidence(target.evidence, gone.evidence),
            "event_date": target.event_date or gone.event_date,
            "significance": max(known, key=order.index) if known else None,
            "expires_at": max(ends) if ends else None,
            "pinned": target.pinned or gone.pinned,
            "sensitivity": "sensitive" if sensitive else "normal",
            "uses": target.uses + gone.uses,
            "confidence": max(target.confidence, gone.confidence),
            "created_at": min(target.created_at, gone.created_at),
            "last_confirmed_at": max(target.last_confirmed_at, gone.last_confirmed_at),
        }
    )


def _both(target: Record, gone: Record) -> str | None:
    """The values of a slot that holds many, each once."""
    if gone.slot is None or not gone.value or target.value is None:
        return target.value
    if set(words(gone.value)) <= set(words(target.value)):
        return target.value
    return f"{target.value}, {gone.value}"
