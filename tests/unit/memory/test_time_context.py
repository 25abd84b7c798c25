from datetime import UTC, datetime, timedelta

import pytest

from app.memory.time_context import build_time_context, gap_words

NOW = datetime(2026, 3, 1, 12, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (timedelta(seconds=20), "less than a minute"),
        (timedelta(seconds=-5), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(minutes=59, seconds=59), "59 minutes"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(hours=47), "47 hours"),
        (timedelta(days=2), "2 days"),
        (timedelta(days=40), "40 days"),
    ],
)
def test_a_gap_is_told_in_coarse_units(gap: timedelta, expected: str) -> None:
    assert gap_words(gap) == expected


def test_a_first_contact_has_no_gap() -> None:
    assert build_time_context(NOW, None) == "Now: Sunday, 2026-03-01, 12:04 (UTC)"


def test_the_zone_decides_day_and_hour() -> None:
    text = build_time_context(NOW.replace(hour=22), None, zone="Asia/Kolkata")
    assert text == "Now: Monday, 2026-03-02, 03:34 (Asia/Kolkata)"


def test_gap_and_lateness_are_told() -> None:
    text = build_time_context(NOW, NOW - timedelta(hours=3), late_by=timedelta(hours=2))
    assert "You last talked 3 hours ago." in text
    assert "sent 2 hours ago" in text
