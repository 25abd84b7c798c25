from datetime import datetime, timedelta

import pytest

from app.clock import EPOCH
from app.config import Settings
from app.memory.triggers import (
    TriggerRules,
    compress_due,
    consolidate_due,
    consolidation_due_at,
    extract_due,
)
from tests.unit.memory.records import NOW

RULES = TriggerRules(
    buffer_max_chars=4_000,
    new_user_chars=1_000,
    new_user_threshold=10,
    silence_secs=120,
    session_end_secs=21_600,
)
LAST = NOW - timedelta(seconds=30)
DAY = timedelta(days=1)


def secs(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.mark.parametrize(
    ("chars", "items", "why", "at"),
    [
        (0, 0, None, None),
        (1, 0, "silence", LAST + secs(120)),
        (999, 9, "silence", LAST + secs(120)),
        (1_000, 9, "size", NOW),
        (1_000, 10, "session_end", LAST + secs(21_600)),
        (3_999, 10, "session_end", LAST + secs(21_600)),
        (4_000, 10, "size", NOW),
    ],
)
def test_when_a_conversation_is_extracted(
    chars: int, items: int, why: str | None, at: datetime | None
) -> None:
    due = extract_due(
        unextracted_chars=chars, items=items, last_message_at=LAST, now=NOW, rules=RULES
    )
    assert (due.why if due else None, due.at if due else None) == (why, at)


def test_a_new_persons_size_is_never_above_the_usual_one() -> None:
    rules = RULES.model_copy(update={"buffer_max_chars": 500})
    due = extract_due(unextracted_chars=500, items=0, last_message_at=LAST, now=NOW, rules=rules)
    assert due is not None
    assert due.why == "size"


def test_the_rules_without_settings_are_those_of_the_settings() -> None:
    fields = Settings.model_fields
    assert TriggerRules() == TriggerRules(
        buffer_max_chars=fields["chat_buffer_max_chars"].default,
        new_user_chars=fields["new_user_extraction_chars"].default,
        new_user_threshold=fields["new_user_memory_threshold"].default,
        silence_secs=fields["extraction_silence_secs"].default,
        session_end_secs=fields["session_end_secs"].default,
    )


@pytest.mark.parametrize(
    ("over", "last", "due"),
    [
        (False, None, False),
        (True, None, True),
        (True, NOW - secs(299), False),
        (True, NOW - secs(300), True),
        (False, NOW - secs(900), False),
    ],
)
def test_when_a_profile_is_compressed(over: bool, last: datetime | None, due: bool) -> None:
    assert compress_due(over, last, NOW, secs(300)) is due


@pytest.mark.parametrize(
    ("last", "items", "interval", "at"),
    [
        (None, 8, DAY, EPOCH),
        (None, 7, DAY, None),
        (NOW, 8, DAY, NOW + DAY),
        (NOW, 8, timedelta(0), None),
        (None, 8, -DAY, None),
    ],
)
def test_when_a_profile_becomes_due_for_consolidation(
    last: datetime | None, items: int, interval: timedelta, at: datetime | None
) -> None:
    assert consolidation_due_at(last, items, interval=interval, min_items=8) == at


@pytest.mark.parametrize(
    ("last", "items", "interval", "due"),
    [
        (None, 8, DAY, True),
        (None, 7, DAY, False),
        (NOW - DAY, 8, DAY, True),
        (NOW - DAY + secs(1), 8, DAY, False),
        (NOW - DAY, 8, timedelta(0), False),
    ],
)
def test_when_a_profile_is_consolidated(
    last: datetime | None, items: int, interval: timedelta, due: bool
) -> None:
    assert consolidate_due(last, items, interval=interval, min_items=8, now=NOW) is due
