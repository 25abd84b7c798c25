"""The world's nouns as the page wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.playground.accounts import BotAccount
from app.playground.chats import Chat
from app.playground.messages import Message

if TYPE_CHECKING:
    from app.playground.person import Person

Json = dict[str, Any]


def message_view(message: Message) -> Json:
    """A message; `reactions` is a list of emoji, who, and whether it was the bot."""
    sender, quoted = message.sender, message.reply_to
    return {
        "chat": message.chat.id,
        "id": message.message_id,
        "from": sender.id,
        "name": sender_name(sender),
        "bot": isinstance(sender, BotAccount),
        "date": message.date,
        "text": message.text,
        "entities": message.entities,
        "media": next(iter(message.media), ""),
        "file": message.media.get("document", {}).get("file_name", ""),
        "file_id": message.media.get("document", {}).get("file_id", ""),
        "emoji": message.media.get("sticker", {}).get("emoji", ""),
        "service": next(iter(message.service), ""),
        "edited": message.edit_date is not None,
        "forwarded": message.forwarded_from,
        "thread": message.thread_id,
        "reply": {
            "id": quoted.message_id,
            "name": sender_name(quoted.sender),
            "text": quoted.text[:120],
        }
        if quoted
        else None,
        "buttons": message.buttons,
        "reactions": [
            {"from": account, "emoji": emoji} for account, emoji in message.reactions.items()
        ],
    }


def chat_view(chat: Chat, people: dict[int, Person]) -> Json:
    """A chat with its messages."""
    members = [people[account] for account in chat.members if account in people]
    speakers = [chat.person] if chat.person else members
    return {
        "id": chat.id,
        "type": chat.type,
        "title": chat.person.full_name if chat.person else chat.title,
        "people": [{"id": person.id, "name": person.full_name} for person in speakers],
        "blocked": chat.bot_id is not None and not chat.has(chat.bot_id),
        "gone": chat.migrated_to,
        "messages": [message_view(message) for message in chat.messages.values()],
    }


def sender_name(sender: Person | BotAccount) -> str:
    """How the sender is called in a chat."""
    return sender.name if isinstance(sender, BotAccount) else sender.full_name
