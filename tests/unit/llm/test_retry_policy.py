"""What a failure means, whether it is tried again, and after how long."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import ModelFailure
from app.memory.breaker import Outcome
from app.memory.retry_policy import (
    RetryRules,
    failure_of,
    outcome_of,
    pause_before_retry,
    refuses_format,
    retry_after_secs,
    tries_fallback,
)

RULES = RetryRules(max_retries=2)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
F = ModelFailure

TABLE = [
    # kind, tried again, fallback, counts for the breaker
    (F.TIMEOUT, True, True, True),
    (F.CONNECTION, True, True, True),
    (F.RATE_LIMIT, True, True, True),
    (F.SERVER, True, True, True),
    (F.EMPTY, True, True, False),
    (F.NO_CREDIT, False, True, False),
    (F.UNKNOWN_MODEL, False, True, False),
    (F.BAD_REQUEST, False, True, False),
    (F.NO_MODEL, False, True, False),
    (F.AUTH, False, False, False),
    (F.BREAKER_OPEN, False, True, False),
]


def test_the_table_is_complete() -> None:
    assert {row[0] for row in TABLE} == set(ModelFailure)


@pytest.mark.parametrize(("kind", "again", "fallback", "outage"), TABLE)
def test_the_table(kind: ModelFailure, again: bool, fallback: bool, outage: bool) -> None:
    assert (pause_before_retry(kind, 1, RULES, jitter=0.5) is not None) is again
    assert tries_fallback(kind) is fallback
    assert (outcome_of(kind) is Outcome.FAILED) is outage


@pytest.mark.parametrize(
    ("attempt", "retry_after", "paused", "pause"),
    [
        (1, None, 0.0, 0.5),
        (2, None, 0.0, 1.0),
        (3, None, 0.0, None),  # two retries are all
        (1, 0.0, 0.0, 0.5),
        (1, 7.0, 0.0, 7.25),
        (1, 30.0, 0.0, 30.25),
        (1, 30.1, 0.0, None),  # too long: failed now
        (2, 20.0, 30.0, None),  # the budget of all pauses is used up
    ],
)
def test_pauses(
    attempt: int, retry_after: float | None, paused: float, pause: float | None
) -> None:
    assert pause == pause_before_retry(
        F.RATE_LIMIT, attempt, RULES, jitter=1.0, retry_after=retry_after, paused=paused
    )


def test_an_empty_answer_is_tried_again_once_and_at_once() -> None:
    assert pause_before_retry(F.EMPTY, 1, RULES, jitter=1.0) == 0.0
    assert pause_before_retry(F.EMPTY, 2, RULES, jitter=1.0) is None
    assert pause_before_retry(F.EMPTY, 1, RetryRules(max_retries=0), jitter=1.0) is None


@given(
    attempt=st.integers(1, 1000),
    jitter=st.floats(0, 1),
    retry_after=st.none() | st.floats(0, 1e9),
    paused=st.floats(0, 100),
)
def test_pauses_stay_in_bounds(
    attempt: int, jitter: float, retry_after: float | None, paused: float
) -> None:
    rules = RetryRules(max_retries=10)
    pause = pause_before_retry(
        F.SERVER, attempt, rules, jitter=jitter, retry_after=retry_after, paused=paused
    )
    if pause is not None:
        assert attempt <= 10
        assert pause >= (retry_after or 0.0)
        assert pause + paused <= rules.pause_budget


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (401, "invalid_api_key", F.AUTH),
        (403, "", F.AUTH),
        (402, "", F.NO_CREDIT),
        (429, "insufficient_quota You exceeded your current quota", F.NO_CREDIT),
        (429, "rate_limit_exceeded", F.RATE_LIMIT),
        (400, "Insufficient Balance", F.NO_CREDIT),
        (404, "", F.UNKNOWN_MODEL),
        (400, "foo is not a valid model ID", F.UNKNOWN_MODEL),
        (400, "model_not_found", F.UNKNOWN_MODEL),
        (400, "something else", F.BAD_REQUEST),
        (413, "", F.BAD_REQUEST),
        (422, "", F.BAD_REQUEST),
        (408, "", F.TIMEOUT),
        (409, "", F.SERVER),
        (500, "insufficient_quota is not looked for here", F.SERVER),
        (503, "", F.SERVER),
        (529, "", F.SERVER),
    ],
)
def test_failures_by_status(status: int, text: str, kind: ModelFailure) -> None:
    assert failure_of(status, text) is kind


@pytest.mark.parametrize(
    ("status", "text", "proven", "refuses"),
    [
        (400, "Invalid parameter: 'response_format'", True, True),
        (400, "This model does not support JSON mode", True, True),
        (500, "failed to parse grammar", True, True),
        (422, "json_schema: extra fields not permitted", True, True),
        (400, "bad request", False, True),  # unexplained, and it never worked
        (400, "bad request", True, False),
        (400, "context_length_exceeded", False, False),
        (400, "foo is not a valid model ID", False, False),
        (401, "response_format", False, False),
        (429, "response_format", False, False),
        (500, "boom", False, False),
        (0, "", False, False),
    ],
)
def test_refused_formats(status: int, text: str, proven: bool, refuses: bool) -> None:
    assert refuses_format(status, text, proven=proven) is refuses


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "?", "retry-after": "9"}, 9.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:20 GMT"}, 20.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_secs(headers, NOW) == seconds
