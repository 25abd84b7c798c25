"""One conversation: the sliding window, what was answered, what is still to be delivered."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Role = Literal["user", "assistant"]
Origin = Literal["typed", "forwarded", "quoted", "bot", "check_in"]


class Frozen(BaseModel):
    """A value: compared by content, never changed in place."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Message(Frozen):
    """One message of the window. `seq` counts up by one within its conversation."""

    seq: int
    role: Role
    content: str
    created_at: datetime
    sender_id: int | None = None
    sender_name: str | None = None
    telegram_message_id: int | None = None
    update_id: int | None = None
    origin: Origin = "typed"
    edited_at: datetime | None = None
    outbox_id: str | None = None


class Part(Frozen):
    """One Telegram message of a reply: text and entities (offsets in UTF-16 units)."""

    text: str
    entities: tuple[dict[str, Any], ...] = ()


class OutboxRow(Frozen):
    """Something owed to the chat. `cursor` counts the parts Telegram has confirmed."""

    id: str
    kind: Literal["text", "reaction"] = "text"
    chat_id: int
    thread_id: int | None = None
    parts: tuple[Part, ...] = ()
    cursor: int = 0
    reply_to: int | None = None
    reaction: str | None = None
    buttons: tuple[tuple[tuple[str, str], ...], ...] = ()
    message_ids: tuple[int, ...] = ()
    attempts: int = 0
    ambiguous: bool = False
    created_at: datetime


class Lease(Frozen):
    """Who may work on the conversation until when; `fence` grows with every grant."""

    owner: str
    expires_at: datetime
    fence: int


class Conversation(Frozen):
    """The aggregate as one write sees it."""

    key: str
    version: int = 0
    first_seq: int = 1
    messages: tuple[Message, ...] = ()
    answered_through: int = 0
    extracted_through: int = 0
    outbox: tuple[OutboxRow, ...] = ()
    lease: Lease | None = None
    handled: tuple[int, ...] = ()
    notices: dict[str, datetime] = Field(default_factory=dict)
    blocked: bool = False
    next_delivery_at: datetime | None = None
    moved_to: str | None = None

    @property
    def next_seq(self) -> int:
        """The number the next message gets."""
        return self.first_seq + len(self.messages)


def conversation_key(chat_id: int, thread_id: int | None) -> str:
    """The id of a conversation: the chat, and the thread in a forum topic."""
    return str(chat_id) if thread_id is None else f"{chat_id}:{thread_id}"
