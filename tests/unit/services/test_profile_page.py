"""The page of /profile: what people read about themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.inbox import Incoming, UpdateKind
from app.domain.profile import Profile
from app.domain.record import Insight, Mood, Record, SummarySentence, Trait
from app.services.profile_page import ADDRESSING, NOTHING, profile_rows
from tests.unit.memory.records import NOW, a_record

INCOMING = Incoming(update_id=5, kind=UpdateKind.COMMAND, conversation="7", chat_id=7, sender_id=7)


def page(profile: Profile | None, zone: str = "UTC", now: datetime = NOW) -> str:
    """The page's text."""
    (row,) = profile_rows(INCOMING, profile, now, zone)
    return "\n".join(part.text for part in row.parts)


def of(*records: Record, **fields: Any) -> Profile:
    """A profile with records, each in its list."""
    lists = {
        name: tuple(r for r in records if r.kind == kind)
        for name, kind in (("facts", "fact"), ("beliefs", "belief"), ("events", "event"))
    }
    return Profile(subject=7, **{**lists, **fields})


def trait(value: str) -> Trait:
    return Trait(value=value, evidence=a_record("m").evidence, updated_at=NOW)


def mood(word: str, hour: int) -> Mood:
    at = NOW.replace(hour=hour)
    return Mood(mood=word, intensity=0.5, detected_at=at, evidence=a_record("m").evidence)


@pytest.mark.parametrize("profile", [None, of()])
def test_who_is_not_known_reads_how_to_begin(profile: Profile | None) -> None:
    assert page(profile) == f"{NOTHING}\n\n{ADDRESSING}"


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (a_record("a", "I like tea"), "• I like tea (you said so 1 Mar)"),
        (a_record("a", pinned=True), "• 📌 I like tea (you said so 1 Mar)"),
        (
            a_record("a", said=datetime(2024, 12, 31, tzinfo=UTC)),
            "• I like tea (you said so 31 Dec 2024)",
        ),
        (
            a_record("a", "I like quiet", epistemic="inferred"),
            "• I like quiet (my conclusion, 1 Mar)",
        ),
        (
            a_record("a", "I moved", "event", event_date="2025-06"),
            "• I moved (2025-06, you said so 1 Mar)",
        ),
        (
            a_record("a", "I am ill", expires_at=NOW + timedelta(days=2)),
            "• I am ill (you said so 1 Mar, until 3 Mar)",
        ),
        (a_record("a", "I like\n  tea"), "• I like tea (you said so 1 Mar)"),
    ],
)
def test_a_line_says_where_it_comes_from(record: Record, line: str) -> None:
    assert line in page(of(record)).splitlines()


def test_days_are_the_person_s_own() -> None:
    late = a_record("a", said=datetime(2026, 3, 1, 23, tzinfo=UTC))
    assert "1 Mar" in page(of(late), "UTC")
    assert "2 Mar" in page(of(late), "Asia/Tokyo")
    assert "1 Mar" in page(of(late, timezone=trait("America/Lima")), "Asia/Tokyo")


def test_what_is_over_is_not_shown() -> None:
    over = a_record("a", "I am ill", expires_at=NOW)
    assert page(of(over)) == f"{NOTHING}\n\n{ADDRESSING}"
    assert "I am ill" in page(of(over), now=NOW - timedelta(seconds=1))


def test_sections_stand_in_order_and_empty_ones_are_left_out() -> None:
    profile = of(
        a_record("a", "I moved", "event", event_date="2025-06"),
        a_record("b", "I was born", "event", event_date="1990"),
        a_record("c", "I once fell", "event"),
        a_record("d", "I like tea"),
        summary=(SummarySentence(text="Ana likes tea.", sources=("d",)),),
        style=trait("short and warm"),
        gender=trait("female"),
        timezone=trait("Europe/Berlin"),
        insights=(Insight(id="i1", text="Routine calms Ana", sources=("a", "d"), created_at=NOW),),
        emotional_state=mood("calm", 9),
        mood_history=(mood("tense", 8), mood("calm", 9)),
    )
    lines = page(profile).splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        "What I remember about you",
        "",
        "Ana likes tea.",
        "How you like to talk: short and warm",
        "Gender: female",
        "Time zone: Europe/Berlin",
        "",
        "Facts",
        "• I like tea",
        "",
        "Events",
        "• I was born",
        "• I moved",
        "• I once fell",
        "",
        "Mood: calm",
        "",
        "My guesses",
        "• Routine calms Ana",
        "",
        ADDRESSING,
    ]
    assert "Mood: calm (tense → calm)" in lines


@pytest.mark.parametrize(
    ("gender", "ticked"),
    [(None, "Don't assume ✓"), ("female", "She ✓"), ("male", "He ✓"), ("non-binary", "They ✓")],
)
def test_the_buttons_tick_how_one_is_addressed(gender: str | None, ticked: str) -> None:
    profile = of(gender=trait(gender) if gender else None)
    (row,) = profile_rows(INCOMING, profile, NOW, "UTC")
    buttons = [button for line in row.buttons for button in line]
    assert len(buttons) == 4
    assert [label for label, _ in buttons if "✓" in label] == [ticked]
    assert all(len(data.encode()) <= 64 for _, data in buttons)


def test_a_long_memory_comes_in_parts_and_nothing_is_left_out() -> None:
    records = [a_record(f"m{n}", f"I own kite number {n} " + "and more " * 9) for n in range(200)]
    (row,) = profile_rows(INCOMING, of(*records), NOW, "UTC")
    assert len(row.parts) > 1
    assert all(len(part.text.encode("utf-16-le")) // 2 <= 4_096 for part in row.parts)
    whole = "\n".join(part.text for part in row.parts)
    assert all(f"kite number {number} " in whole for number in range(200))


def test_the_same_command_makes_the_same_row() -> None:
    assert profile_rows(INCOMING, None, NOW, "UTC") == profile_rows(INCOMING, None, NOW, "UTC")
    (row,) = profile_rows(INCOMING, None, NOW, "UTC")
    assert row.id == "note:5"
