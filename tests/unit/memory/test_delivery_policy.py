from datetime import UTC, datetime, timedelta

import pytest

from app.domain.conversation import OutboxRow, Part
from app.errors import (
    ChatBlocked,
    RetryLater,
    SendAmbiguous,
    SendError,
    SendRejected,
    SendUnavailable,
)
from app.memory.delivery_policy import Step, after_error, confirmed, is_finished

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BOLD = {"type": "bold", "offset": 0, "length": 2}
TEXT = OutboxRow(id="r", chat_id=1, parts=(Part(text="hi"), Part(text="ho")), created_at=NOW)
REACTION = OutboxRow(id="e", kind="reaction", chat_id=1, reaction="❤", created_at=NOW)


@pytest.mark.parametrize(
    ("row", "error", "step", "wait"),
    [
        (TEXT, RetryLater(7), Step.RETRY, 7),
        (REACTION, RetryLater(7), Step.DROP, None),
        (REACTION, ChatBlocked(), Step.DROP, None),
        (TEXT, ChatBlocked(), Step.PARK, None),
        (TEXT, SendRejected("no"), Step.DROP, None),
        (REACTION, SendRejected("REACTION_INVALID"), Step.DROP, None),
        (REACTION, SendUnavailable(), Step.DROP, None),
        (TEXT, SendAmbiguous(), Step.RETRY, 0),
        (TEXT, SendUnavailable(), Step.RETRY, 2),
        (TEXT.model_copy(update={"attempts": 3}), SendUnavailable(), Step.RETRY, 16),
        (TEXT.model_copy(update={"attempts": 50}), SendUnavailable(), Step.RETRY, 300),
    ],
)
def test_what_follows_an_error(
    row: OutboxRow, error: SendError, step: Step, wait: float | None
) -> None:
    decision = after_error(row, error, NOW)
    assert decision.step is step
    assert decision.at == (None if wait is None else NOW + timedelta(seconds=wait))


def test_an_ambiguous_part_is_resent_once_and_then_taken_as_sent() -> None:
    once = after_error(TEXT, SendAmbiguous(), NOW).row
    assert (once.cursor, once.ambiguous) == (0, True)
    twice = after_error(once, SendAmbiguous(), NOW).row
    assert (twice.cursor, twice.ambiguous) == (1, False)


def test_a_refused_format_is_tried_once_without_it() -> None:
    row = TEXT.model_copy(update={"parts": (Part(text="hi", entities=(BOLD,)),)})
    plain = after_error(row, SendRejected("can't parse entities"), NOW)
    assert plain.step is Step.RETRY_PLAIN
    assert plain.row.parts[0].entities == ()
    assert after_error(plain.row, SendRejected("no"), NOW).step is Step.DROP


def test_a_row_is_finished_after_its_last_part() -> None:
    one = confirmed(TEXT, 11)
    assert not is_finished(one)
    two = confirmed(one, 12)
    assert is_finished(two)
    assert two.message_ids == (11, 12)
    assert is_finished(confirmed(REACTION, None))
