"""Documents to domain values and back; older documents are read defensively."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from app.clock import EPOCH
from app.domain.conversation import Conversation, Lease, Message, OutboxRow, Part
from app.domain.inbox import InboxRow
from app.domain.profile import LISTS, MEMORY_FIELDS, Profile, SubjectLine
from app.errors import UnreadableProfile

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
    """A profile from its document; raises UnreadableProfile when its memory makes no sense.

    Fields that older documents lack have their defaults.
    """
    fields = {name: value for name, value in document.items() if value is not None}
    zone = fields.get("timezone")
    if isinstance(zone, str):
        set_at = fields.get("created_at") or EPOCH
        fields["timezone"] = {"value": zone, "updated_at": set_at}
    try:
        return Profile(subject=fields.pop("_id"), **fields)
    except ValidationError as error:
        raise UnreadableProfile(error.error_count()) from None


def subject_line(document: Mapping[str, Any]) -> SubjectLine:
    """A line of the list of subjects, from the parts of a profile's document that it needs."""
    records = [record for name in LISTS.values() for record in document.get(name) or ()]
    changes = [record.get("updated_at") for record in records]
    changes += [outcome.get("at") for outcome in document.get("recent_outcomes") or ()]
    return SubjectLine(
        subject=document["_id"],
        generation=document.get("generation") or 0,
        expiries=tuple(record.get("expires_at") for record in records),
        updated_at=max((at for at in changes if at is not None), default=None),
        last_interaction_at=document.get("last_interaction_at"),
    )


def memory_document(before: Profile, after: Profile) -> Document:
    """The memory fields that differ, as stored, without what is owed."""
    return {
        name: plain(getattr(after, name))
        for name in sorted(MEMORY_FIELDS - {"pending_effects"})
        if getattr(after, name) != getattr(before, name)
    }


def plain(value: Any) -> Any:
    """Models, enums and tuples as documents, strings and lists."""
    if isinstance(value, BaseModel):
        return {
            name: plain(item)
            for name, item in value
            if item is not None and item != () and item != {}
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
