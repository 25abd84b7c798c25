from datetime import UTC, datetime, timedelta

import pytest

from app.memory.batching import BatchRules, closes_at, is_flood

RULES = BatchRules(delay=2.0, max_delay=6.0)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("first", "last", "flood", "expected"),
    [
        (0.0, 0.0, False, 2.0),
        (0.0, 1.5, False, 3.5),
        (0.0, 5.5, False, 6.0),
        (0.0, 5.5, True, 7.5),
        (0.0, 29.5, True, 30.0),
    ],
)
def test_a_batch_closes(first: float, last: float, flood: bool, expected: float) -> None:
    assert closes_at(first, last, flood, RULES) == expected


def test_a_delay_longer_than_the_ceiling_is_kept() -> None:
    rules = BatchRules(delay=3.0, max_delay=1.0)
    assert closes_at(0.0, 0.0, False, rules) == 3.0


@pytest.mark.parametrize(
    ("messages", "over_seconds", "expected"),
    [(10, 0, False), (11, 0, True), (11, 4, True), (11, 5, False), (30, 20, False)],
)
def test_a_flood_is_more_than_ten_in_five_seconds(
    messages: int, over_seconds: int, expected: bool
) -> None:
    step = timedelta(seconds=over_seconds) / (messages - 1)
    assert is_flood([START + step * n for n in range(messages)], RULES) is expected
