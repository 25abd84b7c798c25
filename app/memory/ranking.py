"""Ranking: which records come first when there is no room for all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from app.domain.record import Record, RecordKind, Significance

DUE_WITHIN_DAYS = 14
DUE_SINCE_DAYS = 3
_WEIGHT = {Significance.MAJOR: 2, Significance.MINOR: 1, Significance.ROUTINE: 0}
_FULL_DATE = len("2026-01-31")


def ranked(records: Iterable[Record], now: datetime, today: date | None = None) -> list[Record]:
    """Active records, what matters most first; how sure they are never counts.

    Pinned ones lead, then what is dated within these days, the soonest first, then by
    significance, recency and use. `today` is the person's own date; without it, that of `now`.
    """
    local = today or now.date()
    alive = [r for r in records if r.expires_at is None or r.expires_at > now]
    return sorted(alive, key=lambda record: _key(record, local))


def weight(record: Record) -> int:
    """How much a record matters, 0 to 2; facts and beliefs of no stated significance are minor."""
    if record.significance is None:
        return 0 if record.kind is RecordKind.EVENT else 1
    return _WEIGHT[record.significance]


def _key(record: Record, today: date) -> tuple[object, ...]:
    return (
        not record.pinned,
        _due_order(record, today),
        -weight(record),
        -record.last_confirmed_at.timestamp(),
        -record.uses,
        record.id,
    )


def _due_order(record: Record, today: date) -> tuple[int, int]:
    """What is coming by its nearness, then what is just over, then all else."""
    if record.event_date is None or len(record.event_date) != _FULL_DATE:
        return (2, 0)
    try:
        days = (date.fromisoformat(record.event_date) - today).days
    except ValueError:
        return (2, 0)
    if 0 <= days <= DUE_WITHIN_DAYS:
        return (0, days)
    return (1, -days) if -DUE_SINCE_DAYS <= days < 0 else (2, 0)
