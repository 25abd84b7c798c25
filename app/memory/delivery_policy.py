"""What to do after Telegram's answer to a send: pure decisions over an outbox row."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.conversation import Frozen, OutboxRow
from app.errors import (
    ChatBlocked,
    RetryLater,
    SendAmbiguous,
    SendError,
    SendRejected,
)

MAX_BACKOFF_SECS = 300.0


class Step(StrEnum):
    """What happens to the row next."""

    RETRY = "retry"
    RETRY_PLAIN = "retry_plain"
    DROP = "drop"
    PARK = "park"


class Decision(Frozen):
    """The step, when, and how the row looks afterwards."""

    step: Step
    row: OutboxRow
    at: datetime | None = None


def after_error(row: OutboxRow, error: SendError, now: datetime) -> Decision:
    """What follows a failed send of the row's current part (or of its reaction).

    429 waits exactly as long as asked. 403 parks. A missing answer is ambiguous: one resend,
    then the part counts as sent. A permanent refusal drops the part, after one try without
    formatting when it had any.
    A reaction that fails in any way is dropped. Everything else is retried with growing pauses.
    """
    tried = row.model_copy(update={"attempts": row.attempts + 1})
    if row.kind == "reaction":
        return Decision(step=Step.DROP, row=confirmed(tried, None))
    if isinstance(error, ChatBlocked):
        return Decision(step=Step.PARK, row=row)
    if isinstance(error, RetryLater):
        return Decision(step=Step.RETRY, row=row, at=now + timedelta(seconds=error.seconds))
    if isinstance(error, SendRejected):
        if row.cursor < len(row.parts) and row.parts[row.cursor].entities:
            return Decision(step=Step.RETRY_PLAIN, row=_without_entities(tried), at=now)
        return Decision(step=Step.DROP, row=confirmed(tried, None))
    if isinstance(error, SendAmbiguous):
        if row.ambiguous:
            return Decision(step=Step.RETRY, row=confirmed(row, None), at=now)
        return Decision(step=Step.RETRY, row=tried.model_copy(update={"ambiguous": True}), at=now)
    pause = min(MAX_BACKOFF_SECS, 2.0 ** min(tried.attempts, 9))
    return Decision(step=Step.RETRY, row=tried, at=now + timedelta(seconds=pause))


def confirmed(row: OutboxRow, message_id: int | None) -> OutboxRow:
    """The row after its current part was delivered (or must be taken as delivered)."""
    ids = row.message_ids if message_id is None else (*row.message_ids, message_id)
    return row.model_copy(
        update={"cursor": row.cursor + 1, "message_ids": ids, "ambiguous": False, "attempts": 0}
    )


def is_finished(row: OutboxRow) -> bool:
    """Whether nothing of the row is owed any more."""
    return row.cursor >= (1 if row.kind == "reaction" else len(row.parts))


def _without_entities(row: OutboxRow) -> OutboxRow:
    parts = list(row.parts)
    parts[row.cursor] = parts[row.cursor].model_copy(update={"entities": ()})
    return row.model_copy(update={"parts": tuple(parts)})
