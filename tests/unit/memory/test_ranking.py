from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.record import Record, Significance
from app.memory.ranking import ranked, weight
from tests.unit.memory.records import NOW, a_record


def order(*records: Record, today: date | None = None) -> str:
    return "".join(record.id for record in ranked(records, NOW, today))


def test_pinned_then_due_then_significance_then_recency_then_use() -> None:
    old = NOW - timedelta(days=60)
    records = [
        a_record("g", kind="event", significance=Significance.ROUTINE, uses=99),
        a_record("f", said=old, uses=1),
        a_record("e", said=old, uses=2),
        a_record("d"),
        a_record("c", kind="event", said=old, significance=Significance.MAJOR),
        a_record("b", kind="event", said=old, event_date="2026-03-09"),
        a_record("a", said=old, pinned=True),
    ]
    assert order(*records) == "abcdefg"


def test_what_is_due_comes_soonest_first_and_what_is_just_over_after_it() -> None:
    dates = {
        "a": "2026-03-01",
        "b": "2026-03-02",
        "c": "2026-03-15",
        "d": "2026-02-28",
        "e": "2026-02-26",
    }
    records = [a_record(i, kind="event", event_date=at) for i, at in dates.items()]
    assert order(a_record("0"), *reversed(records)) == "abcde0"


@pytest.mark.parametrize(
    "event_date", ["2026-03-16", "2026-02-25", "2026-03", "2026", "2026-02-31", "2026-03-0x", None]
)
def test_other_dates_are_not_due(event_date: str | None) -> None:
    plain = a_record("a", kind="event")
    dated = a_record("b", kind="event", event_date=event_date)
    assert order(dated, plain) == "ab"


def test_the_day_is_the_persons_own() -> None:
    plain, dated = a_record("a"), a_record("b", event_date="2026-03-16")
    assert order(dated, plain) == "ab"
    assert order(dated, plain, today=date(2026, 3, 2)) == "ba"


def test_expired_records_are_left_out() -> None:
    records = [a_record("a", expires_at=NOW), a_record("b", expires_at=NOW + timedelta(seconds=1))]
    assert order(*records) == "b"


@pytest.mark.parametrize(
    ("kind", "significance", "expected"),
    [
        ("fact", None, 1),
        ("belief", None, 1),
        ("event", None, 0),
        ("event", Significance.ROUTINE, 0),
        ("event", Significance.MINOR, 1),
        ("fact", Significance.MAJOR, 2),
    ],
)
def test_how_much_a_record_matters(
    kind: str, significance: Significance | None, expected: int
) -> None:
    assert weight(a_record("a", kind=kind, significance=significance)) == expected


some_records = st.lists(
    st.builds(
        a_record,
        st.text("abcdef", min_size=1, max_size=3),
        kind=st.sampled_from(["fact", "belief", "event"]),
        pinned=st.booleans(),
        significance=st.sampled_from([None, *Significance]),
        event_date=st.sampled_from([None, "2026-03-01", "2026-03-09", "1999"]),
        said=st.integers(0, 3).map(lambda days: NOW - timedelta(days=days)),
        uses=st.integers(0, 3),
    ),
    max_size=8,
    unique_by=lambda record: record.id,
)


@given(some_records, st.data())
def test_the_order_depends_neither_on_the_order_given_nor_on_confidence(
    records: list[Record], data: st.DataObject
) -> None:
    before = [record.id for record in ranked(records, NOW)]
    doubted = [
        record.model_copy(update={"confidence": data.draw(st.floats(0, 1))})
        for record in data.draw(st.permutations(records))
    ]
    assert [record.id for record in ranked(doubted, NOW)] == before
