"""Telegram's JSON to an Incoming, by way of python-telegram-bot's own types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from telegram import Bot, CallbackQuery, Chat, ChatMember, Message, MessageEntity, Update, User

from app.domain.conversation import conversation_key
from app.domain.inbox import ChatKind, Incoming, UpdateKind
from app.domain.text import clean

GONE = frozenset({ChatMember.LEFT, ChatMember.BANNED})


class UpdateParser:
    """Understands updates addressed to one bot."""

    def __init__(self, bot: Bot, bot_id: int, username: str) -> None:
        self._bot = bot
        self._bot_id = bot_id
        self._mention = f"@{username}".casefold()

    def __call__(self, raw: Mapping[str, Any]) -> Incoming:
        """The update in our own words. Raises KeyError, TypeError or ValueError on nonsense."""
        update = Update.de_json(dict(raw), self._bot)
        if update.message is not None:
            return self._message(update.update_id, update.message)
        if update.edited_message is not None:
            edited = self._message(update.update_id, update.edited_message)
            if edited.kind in (UpdateKind.MESSAGE, UpdateKind.COMMAND):
                at = update.edited_message.edit_date or edited.sent_at
                return edited.model_copy(update={"kind": UpdateKind.EDIT, "sent_at": at})
            return _ignored(update.update_id)
        if update.callback_query is not None:
            return self._button(update.update_id, update.callback_query)
        if update.my_chat_member is not None:
            changed = update.my_chat_member
            return Incoming(
                kind=UpdateKind.MEMBERSHIP,
                can_write=changed.new_chat_member.status not in GONE,
                **_where(update.update_id, changed.chat, changed.from_user, None),
            )
        return _ignored(update.update_id)

    def _message(self, update_id: int, message: Message) -> Incoming:
        sender = message.from_user
        if message.migrate_to_chat_id is not None:
            return Incoming(
                update_id=update_id,
                kind=UpdateKind.MIGRATION,
                conversation=conversation_key(message.chat.id, None),
                chat_id=message.chat.id,
                new_chat_id=message.migrate_to_chat_id,
            )
        if sender is None or sender.is_bot or message.sender_chat is not None:
            return _ignored(update_id)
        text = clean(message.text or message.caption or "")
        media = "none"
        if not text:
            if message.sticker is not None:
                media, text = "sticker", message.sticker.emoji or ""
            elif message.effective_attachment is not None:
                media = "other"
            else:
                return _ignored(update_id)
        thread = message.message_thread_id if message.is_topic_message else None
        common = {
            **_where(update_id, message.chat, sender, thread),
            "telegram_message_id": message.message_id,
            "sent_at": message.date,
        }
        command = self._command(message)
        if command is not None:
            name, target, args = command
            if target and target != self._mention:
                return _ignored(update_id)
            return Incoming(kind=UpdateKind.COMMAND, command=name, args=args, text=text, **common)
        return Incoming(
            kind=UpdateKind.MESSAGE,
            text=text,
            media=media,
            origin="forwarded" if message.forward_origin is not None else "typed",
            addressed=message.chat.type == Chat.PRIVATE or self._addressed(message),
            **common,
        )

    def _command(self, message: Message) -> tuple[str, str, str] | None:
        """Name, "@bot" or "", and the rest of a message that begins with a command."""
        if not message.text or not message.entities:
            return None
        first = message.entities[0]
        if first.type != MessageEntity.BOT_COMMAND or first.offset != 0:
            return None
        word = message.parse_entity(first)
        name, at, bot = word[1:].partition("@")
        return name.casefold(), f"{at}{bot}".casefold(), clean(message.text[len(word) :]).strip()

    def _addressed(self, message: Message) -> bool:
        replied = message.reply_to_message
        if replied is not None and replied.from_user and replied.from_user.id == self._bot_id:
            return True
        entities = {**message.parse_entities(), **message.parse_caption_entities()}
        return any(
            (entity.type == MessageEntity.MENTION and text.casefold() == self._mention)
            or (entity.user is not None and entity.user.id == self._bot_id)
            for entity, text in entities.items()
        )

    def _button(self, update_id: int, query: CallbackQuery) -> Incoming:
        if query.message is None:
            return _ignored(update_id)
        return Incoming(
            kind=UpdateKind.BUTTON,
            button_id=query.id,
            button_data=query.data or "",
            telegram_message_id=query.message.message_id,
            **_where(update_id, query.message.chat, query.from_user, None),
        )


def _where(update_id: int, chat: Chat, sender: User, thread: int | None) -> dict[str, Any]:
    kind: ChatKind = "private" if chat.type == Chat.PRIVATE else "group"
    return {
        "update_id": update_id,
        "conversation": conversation_key(chat.id, thread),
        "chat_id": chat.id,
        "thread_id": thread,
        "chat_kind": kind,
        "sender_id": sender.id,
        "sender_name": clean(sender.full_name),
        "language_code": sender.language_code,
    }


def _ignored(update_id: int) -> Incoming:
    return Incoming(update_id=update_id, kind=UpdateKind.IGNORED)
