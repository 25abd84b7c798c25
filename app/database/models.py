"""Documents to domain values and back; older documents are read defensively."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from app.domain.conversation import Conversation, Lease, Message, OutboxRow, Part
from app.domain.inbox import InboxRow
from app.domain.profile import Profile

Document = dict[str, Any]
_WINDOW = TypeAdapter(tuple[Message, ...])


def message_document(message: Message) -> Document:
    """A message as stored: its number follows from its place, so it isn't written."""
    return message.model_dump(exclude={"seq"}, exclude_none=True)


def outbox_document(row: OutboxRow) -> Document:
    """An outbox row as stored."""
    document = row.model_dump(exclude_none=True, exclude={"parts"})
    document["parts"] = [{"text": part.text, "entities": list(part.entities)} for part in row.parts]
    return document


def conversation_from(document: Mapping[str, Any]) -> Conversation:
    """The aggregate from its document."""
    first_seq = int(document.get("first_seq", 1))
    lease = document.get("lease")
    return Conversation(
        key=document["_id"],
        version=document.get("version", 0),
        first_seq=first_seq,
        messages=_WINDOW.validate_python(
            [
                {**fields, "seq": first_seq + index}
                for index, fields in enumerate(document.get("messages") or ())
            ]
        ),
        answered_through=document.get("answered_through", 0),
        extracted_through=document.get("extracted_through", 0),
        outbox=tuple(outbox_from(row) for row in document.get("outbox") or ()),
        lease=Lease(**lease) if lease else None,
        handled=tuple(document.get("handled") or ()),
        notices=document.get("notices") or {},
        blocked=bool(document.get("blocked")),
        next_delivery_at=document.get("next_delivery_at"),
        moved_to=document.get("moved_to"),
    )


def outbox_from(document: Mapping[str, Any]) -> OutboxRow:
    """An outbox row from its document."""
    parts = tuple(
        Part(text=part["text"], entities=tuple(part.get("entities") or ()))
        for part in document.get("parts") or ()
    )
    return OutboxRow(**{**document, "parts": parts})


def inbox_document(row: InboxRow) -> Document:
    """An inbox row as stored, under its own id."""
    document = row.model_dump(exclude={"id"}, exclude_none=True)
    document["_id"] = row.id
    document["status"] = row.status.value
    return document


def inbox_from(document: Mapping[str, Any]) -> InboxRow:
    """An inbox row from its document."""
    return InboxRow(id=document["_id"], **{k: v for k, v in document.items() if k != "_id"})


def profile_from(document: Mapping[str, Any]) -> Profile:
    """A profile from its document."""
    return Profile(subject=document["_id"], **{k: v for k, v in document.items() if k != "_id"})
