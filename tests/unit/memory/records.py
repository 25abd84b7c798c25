"""Records for tests: each with evidence, everything else as asked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.domain.conversation import Message
from app.domain.record import Record, RecordKind
from app.memory.evidence import make_span

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_record(
    record_id: str,
    text: str = "I like tea",
    kind: str = "fact",
    *,
    said: datetime = NOW,
    seq: int = 1,
    **fields: Any,
) -> Record:
    """A record said at a time in a message of its own."""
    message = Message(seq=seq, role="user", content=text, created_at=said)
    return Record(
        **{
            "id": record_id,
            "kind": RecordKind(kind),
            "text": text,
            "evidence": (make_span(message, "1", 0, len(text)),),
            "created_at": said,
            "updated_at": said,
            "last_confirmed_at": said,
            **fields,
        }
    )
