"""The budget: what leaves, in which order, when the records don't fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.domain.decision import Ended
from app.domain.record import LineageKind, Record, RecordEnd, RecordKind
from app.memory.memory_block import record_line
from app.memory.ranking import weight

_KINDS = [RecordKind.EVENT, RecordKind.BELIEF, RecordKind.FACT]
_FLOOR_SHARE = 4
"""Unpinned records may fill a quarter of the budget, however much the rest takes: what is too
large then is not theirs to make good."""


def enforce(
    records: Sequence[Record],
    *,
    budget: int,
    size: Callable[[Sequence[Record]], int],
    line: Callable[[Record], int],
) -> tuple[tuple[Record, ...], tuple[Ended, ...]]:
    """The records that may stay, in their order, and those evicted until `size` is in `budget`.

    Events go before beliefs before facts; routine before minor before major; the longest
    unchanged first; pinned ones never. `size` measures everything in characters, given the
    records; `line` what one of them adds to it. What is left is left again on a second run.
    """
    pinned = [record for record in records if record.pinned]
    allowed = max(budget, size(pinned) + budget // _FLOOR_SHARE)
    queue = sorted((record for record in records if not record.pinned), key=_first_to_go)
    gone: dict[str, Record] = {}
    kept = list(records)
    total = size(kept)
    while total > allowed and len(gone) < len(queue):
        for record in queue[len(gone) :]:
            if total <= allowed:
                break
            total -= max(1, line(record))
            gone[record.id] = record
        kept = [record for record in records if record.id not in gone]
        total = size(kept)
    ended = (
        Ended(record=record, end=RecordEnd.EVICTED, lineage=LineageKind.EVICTED)
        for record in gone.values()
    )
    return tuple(kept), tuple(ended)


def evicted(records: Sequence[Record], budget: int) -> tuple[Ended, ...]:
    """The records to evict until the lines of the rest fit `budget` characters."""
    return enforce(records, budget=budget, size=lambda rest: sum(map(size_of, rest)), line=size_of)[
        1
    ]


def text_room(records: Sequence[Record], budget: int) -> int:
    """How many characters the texts of records come down to when their lines fit `budget`.

    What else is in a line (its id, when it was said) takes its share of the room.
    """
    lines = sum(map(size_of, records))
    texts = sum(len(record.text) for record in records)
    return texts if lines <= budget else texts * budget // lines


def size_of(record: Record) -> int:
    """The characters of the record's line in a prompt."""
    return len(record_line(record)) + 1


def _first_to_go(record: Record) -> tuple[object, ...]:
    return (_KINDS.index(record.kind), weight(record), record.updated_at, record.id)
