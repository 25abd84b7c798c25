"""The budget: what leaves, in which order, when the records don't fit."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.decision import Ended
from app.domain.record import LineageKind, Record, RecordEnd, RecordKind, Significance

LINE_OVERHEAD = 60
_KINDS = [RecordKind.EVENT, RecordKind.BELIEF, RecordKind.FACT]
_ORDER = {Significance.ROUTINE: 0, Significance.MINOR: 1, None: 1, Significance.MAJOR: 2}


def evicted(records: Sequence[Record], budget: int) -> tuple[Ended, ...]:
    """The records to evict until the rest fits `budget` characters; pinned ones never go.

    Events before beliefs before facts; routine before minor before major; oldest first.
    """
    size = sum(map(size_of, records))
    gone: list[Ended] = []
    for record in sorted((r for r in records if not r.pinned), key=_first_to_go):
        if size <= budget:
            break
        size -= size_of(record)
        gone.append(Ended(record=record, end=RecordEnd.EVICTED, lineage=LineageKind.EVICTED))
    return tuple(gone)


def size_of(record: Record) -> int:
    """About as many characters as the record's line in a prompt has."""
    return len(record.text) + LINE_OVERHEAD


def _first_to_go(record: Record) -> tuple[object, ...]:
    kind = _KINDS.index(record.kind)
    return (kind, _ORDER[record.significance], record.updated_at, record.id)
