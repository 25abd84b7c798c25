from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.record import LineageKind, Record, RecordEnd, Significance
from app.memory.budget import enforce, evicted, size_of, text_room
from tests.unit.memory.records import NOW, a_record

FRAME = 300


class Measure:
    """The length of a frame and a line for each record; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, records: Sequence[Record]) -> int:
        self.asked += 1
        return FRAME + sum(map(size_of, records))


def days_ago(number: int) -> dict[str, object]:
    return {"updated_at": NOW - timedelta(days=number)}


def test_events_then_beliefs_then_facts_and_the_least_and_oldest_of_each_first() -> None:
    in_order = [
        a_record("a", kind="event", significance=Significance.ROUTINE, **days_ago(5)),
        a_record("b", kind="event", **days_ago(4)),
        a_record("c", kind="event", significance=Significance.MINOR, **days_ago(9)),
        a_record("d", kind="event", significance=Significance.MAJOR, **days_ago(9)),
        a_record("e", kind="belief", **days_ago(9)),
        a_record("f", kind="belief", **days_ago(8)),
        a_record("g", significance=Significance.ROUTINE, **days_ago(1)),
        a_record("h", **days_ago(7)),
        a_record("i", significance=Significance.MINOR, **days_ago(6)),
    ]
    for number in range(len(in_order) + 1):
        left = sum(map(size_of, in_order[number:]))
        gone = evicted(in_order[::-1], left)
        assert [e.record.id for e in gone] == [r.id for r in in_order[:number]]
    assert {(e.end, e.lineage, e.replaced_by) for e in gone} == {
        (RecordEnd.EVICTED, LineageKind.EVICTED, None)
    }


def test_pinned_records_never_go() -> None:
    records = [a_record("a", pinned=True), a_record("b"), a_record("c", kind="event", pinned=True)]
    assert [e.record.id for e in evicted(records, 1)] == ["b"]


def test_what_the_rest_takes_does_not_cost_all_records() -> None:
    def size(records: Sequence[Record]) -> int:
        return 50_000 + sum(map(size_of, records))

    records = [a_record(f"m{n}", "I like tea") for n in range(300)]
    kept, ended = enforce(records, budget=10_000, size=size, line=size_of)
    assert ended
    assert 2_300 < sum(map(size_of, kept)) <= 2_500


def test_a_thousand_records_are_measured_a_few_times_only() -> None:
    records = [a_record(f"m{n}", "I like tea " * (n % 40), "event") for n in range(1_000)]
    measure = Measure()
    kept, ended = enforce(records, budget=10_000, size=measure, line=size_of)
    assert measure.asked <= 4
    assert len(kept) + len(ended) == 1_000
    assert 9_000 < measure(kept) <= 10_000


def test_a_line_told_too_long_is_made_good_by_measuring_again() -> None:
    records = [a_record(f"m{n}", "I like tea") for n in range(20)]
    kept, _ = enforce(records, budget=700, size=Measure(), line=lambda r: 3 * size_of(r))
    assert Measure()(kept) <= 700


some_records = st.lists(
    st.builds(
        a_record,
        st.text("abcdef", min_size=1, max_size=3),
        st.text("xyz ", min_size=1, max_size=200),
        st.sampled_from(["fact", "belief", "event"]),
        pinned=st.booleans(),
        significance=st.sampled_from([None, *Significance]),
        said=st.integers(0, 3).map(lambda days: NOW - timedelta(days=days)),
    ),
    max_size=14,
    unique_by=lambda record: record.id,
)


@given(some_records, st.integers(0, 4_000))
def test_the_rest_fits_keeps_its_order_and_a_second_run_changes_nothing(
    records: list[Record], budget: int
) -> None:
    measure = Measure()
    kept, ended = enforce(records, budget=budget, size=measure, line=size_of)
    pinned = [record for record in records if record.pinned]
    gone = [e.record for e in ended]
    assert [record for record in records if record not in gone] == list(kept)
    assert not [record for record in gone if record.pinned]
    assert measure(kept) <= max(budget, measure(pinned) + budget // 4)
    assert enforce(kept, budget=budget, size=measure, line=size_of) == (kept, ())
    assert {
        e.record.id for e in enforce(records[::-1], budget=budget, size=measure, line=size_of)[1]
    } == {record.id for record in gone}
    if gone:
        assert measure([*kept, gone[-1]]) > budget


def test_texts_are_to_shrink_by_as_much_as_their_lines_are_over_the_budget() -> None:
    records = [a_record(f"m{n}", text="x" * 60) for n in range(10)]
    lines = sum(map(size_of, records))
    assert lines > 600
    assert text_room(records, lines) == 600
    assert text_room(records, lines // 2) == pytest.approx(300, abs=1)
    assert text_room([], 100) == 0
