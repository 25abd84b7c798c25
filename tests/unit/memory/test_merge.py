from datetime import timedelta
from typing import Any

import pytest

from app.domain.record import Significance, Slot
from app.memory.merge import alike, merged
from tests.unit.memory.records import NOW, a_record

DAY = timedelta(days=1)
LIVES = Slot(subject="self", predicate="lives_in")
WORKS = Slot(subject="self", predicate="works_at")
LIKES = Slot(subject="self", predicate="likes", multi=True)


def test_the_one_holds_all_that_both_held() -> None:
    target = a_record(
        "a",
        "I like green tea",
        seq=20,
        confidence=0.6,
        uses=2,
        significance=Significance.ROUTINE,
        qualifiers={"when": "mornings"},
    )
    member = a_record(
        "h",
        "I like tea",
        said=NOW - 9 * DAY,
        seq=2,
        confidence=0.9,
        uses=5,
        pinned=True,
        sensitivity="sensitive",
        significance=Significance.MINOR,
        event_date="2024-01-05",
        qualifiers={"when": "always", "how": "hot"},
    )
    one = merged(target, member)
    assert (one.id, one.text) == ("a", "I like green tea")
    assert [span.seq for span in one.evidence] == [2, 20]
    assert (one.confidence, one.uses, one.pinned, one.sensitivity) == (0.9, 7, True, "sensitive")
    assert (one.significance, one.event_date) == (Significance.MINOR, "2024-01-05")
    assert (one.created_at, one.last_confirmed_at) == (NOW - 9 * DAY, NOW)
    assert one.qualifiers == {"when": "mornings", "how": "hot"}


def test_the_targets_date_and_the_later_end_stand() -> None:
    target = a_record("a", event_date="2024-01", expires_at=NOW + DAY)
    member = a_record("b", expires_at=NOW + 2 * DAY)
    one = merged(target, member)
    assert (one.event_date, one.expires_at) == ("2024-01", NOW + 2 * DAY)


@pytest.mark.parametrize(
    ("target", "member", "slot", "value"),
    [
        ({}, {"slot": LIVES, "value": "Leeds"}, LIVES, "Leeds"),
        ({"slot": LIVES, "value": "Leeds"}, {}, LIVES, "Leeds"),
        ({"slot": LIKES, "value": "tea"}, {"slot": LIKES, "value": "cocoa"}, LIKES, "tea, cocoa"),
        (
            {"slot": LIKES, "value": "green tea"},
            {"slot": LIKES, "value": "tea"},
            LIKES,
            "green tea",
        ),
    ],
)
def test_which_slot_and_value_the_one_has(
    target: dict[str, Any], member: dict[str, Any], slot: Slot, value: str
) -> None:
    one = merged(a_record("a", **target), a_record("b", **member))
    assert (one.slot, one.value) == (slot, value)


@pytest.mark.parametrize(
    ("target", "member", "expected"),
    [
        ({}, {}, True),
        ({"kind": "belief"}, {}, False),
        ({"scope": "-5"}, {}, False),
        ({"event_date": "2024-01"}, {"event_date": "2025-01"}, False),
        ({"event_date": "2024-01"}, {"event_date": "2024-01"}, True),
        ({"event_date": "2024-01"}, {}, True),
        ({"slot": LIVES, "value": "Leeds"}, {"slot": LIVES, "value": "York"}, False),
        ({"slot": LIVES, "value": "Leeds"}, {"slot": LIVES, "value": "leeds"}, True),
        ({"slot": LIVES, "value": "Leeds"}, {"slot": WORKS, "value": "Leeds"}, False),
        ({"slot": LIKES, "value": "tea"}, {"slot": LIKES, "value": "cocoa"}, True),
        ({"slot": LIVES, "value": "Leeds"}, {}, True),
        ({"expires_at": NOW + DAY}, {}, False),
        ({"expires_at": NOW + DAY}, {"expires_at": NOW + 2 * DAY}, True),
    ],
)
def test_which_records_can_be_one(
    target: dict[str, Any], member: dict[str, Any], expected: bool
) -> None:
    assert alike(a_record("b", **member), a_record("a", **target)) is expected
