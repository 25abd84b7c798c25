"""The small print of a turn: strangers, unreadable media, a flood; each said seldom. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import Field

from app.domain.conversation import Frozen, OutboxRow
from app.domain.inbox import Incoming
from app.domain.reactions import normalise_reaction
from app.services import texts
from app.services.rendering import plain

DAILY = timedelta(days=1)
FLOOD_SPACING = timedelta(minutes=10)


class Notice(Frozen):
    """Rows to send, and when which kind of notice was last given."""

    rows: tuple[OutboxRow, ...] = ()
    given: dict[str, datetime] = Field(default_factory=dict)


def for_stranger(given: Mapping[str, datetime], incoming: Incoming, now: datetime) -> Notice:
    """One polite line a day in a private chat, silence in a group."""
    if incoming.chat_kind != "private" or not _due(given, "stranger", DAILY, now):
        return Notice()
    return Notice(rows=(text_row(incoming, texts.STRANGER, now),), given={"stranger": now})


def for_flood(given: Mapping[str, datetime], incoming: Incoming, now: datetime) -> Notice:
    """Once an episode: everything was read, and answered together."""
    if not _due(given, "flood", FLOOD_SPACING, now):
        return Notice()
    row = text_row(incoming, texts.FLOOD, now, name="flood")
    return Notice(rows=(row,), given={"flood": now})


def for_media(given: Mapping[str, datetime], served: Sequence[Incoming], now: datetime) -> Notice:
    """A sticker gets its own emoji back where Telegram allows it; other media one line a day."""
    last = served[-1]
    if not last.addressed:
        return Notice()
    if last.media == "sticker":
        emoji = normalise_reaction(last.text)
        return Notice(rows=(reaction_row(last, emoji, now),)) if emoji else Notice()
    if last.media == "other" and not last.text and _due(given, "media", DAILY, now):
        return Notice(rows=(text_row(last, texts.TEXT_ONLY, now),), given={"media": now})
    return Notice()


def text_row(incoming: Incoming, text: str, now: datetime, name: str = "note") -> OutboxRow:
    """A line of our own, owed to the conversation of an update."""
    return OutboxRow(
        id=f"{name}:{incoming.update_id}",
        chat_id=incoming.chat_id,
        thread_id=incoming.thread_id,
        parts=plain(text),
        reply_to=incoming.telegram_message_id if incoming.chat_kind == "group" else None,
        created_at=now,
    )


def reaction_row(incoming: Incoming, emoji: str, now: datetime) -> OutboxRow:
    """A reaction owed to a person's message."""
    return OutboxRow(
        id=f"reaction:{incoming.update_id}",
        kind="reaction",
        chat_id=incoming.chat_id,
        reply_to=incoming.telegram_message_id,
        reaction=emoji,
        created_at=now,
    )


def _due(given: Mapping[str, datetime], name: str, spacing: timedelta, now: datetime) -> bool:
    last = given.get(name)
    return last is None or now - last >= spacing
