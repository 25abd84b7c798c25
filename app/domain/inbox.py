"""What arrived from Telegram: the durable row, and what it says once it is understood."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from app.domain.conversation import Frozen, Origin

ChatKind = Literal["private", "group"]


class UpdateKind(StrEnum):
    """What an update asks of us."""

    MESSAGE = "message"
    COMMAND = "command"
    EDIT = "edit"
    BUTTON = "button"
    MEMBERSHIP = "membership"
    MIGRATION = "migration"
    IGNORED = "ignored"


class InboxStatus(StrEnum):
    """Where an update stands; there is no fourth."""

    WAITING = "waiting"
    DONE = "done"
    DEAD = "dead"


class Incoming(Frozen):
    """An update in our own words."""

    update_id: int
    kind: UpdateKind
    conversation: str = ""
    chat_id: int = 0
    thread_id: int | None = None
    chat_kind: ChatKind = "private"
    sender_id: int = 0
    sender_name: str = ""
    language_code: str | None = None
    text: str = ""
    telegram_message_id: int | None = None
    sent_at: datetime | None = None
    origin: Origin = "typed"
    media: Literal["none", "sticker", "other"] = "none"
    addressed: bool = True
    command: str = ""
    args: str = ""
    button_data: str = ""
    button_id: str = ""
    can_write: bool = True
    new_chat_id: int | None = None


class InboxRow(Frozen):
    """One stored update. `payload` is Telegram's JSON as text, dropped once the row is done.

    As text, since JSON may hold what a document can't: numbers over 64 bits, half an emoji.
    """

    id: str
    bot_id: int
    update_id: int
    conversation: str
    status: InboxStatus = InboxStatus.WAITING
    payload: str | None = None
    received_at: datetime
    order: int
    attempts: int = 0
    error: str | None = None
    expires_at: datetime | None = None


def inbox_id(bot_id: int, update_id: int) -> str:
    """The row's id, which makes a redelivered update the same row."""
    return f"{bot_id}:{update_id}"
