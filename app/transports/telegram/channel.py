"""The Channel to Telegram: text with entities, reactions, typing, button answers."""

from __future__ import annotations

from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.constants import ChatAction
from telegram.error import TelegramError

from app.domain.conversation import OutboxRow
from app.transports.telegram.failures import send_error

REACTION_PATIENCE_SECS = 2.0


class TelegramChannel:
    """Sends through one bot; every TelegramError comes out as a SendError."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def send_part(self, row: OutboxRow, index: int) -> int:
        """Send a part; the first part of a group reply is threaded, the last carries buttons."""
        part = row.parts[index]
        last = index == len(row.parts) - 1
        try:
            message = await self._bot.send_message(
                row.chat_id,
                part.text,
                entities=[MessageEntity.de_json(dict(e), self._bot) for e in part.entities] or None,
                message_thread_id=row.thread_id,
                reply_parameters=ReplyParameters(row.reply_to, allow_sending_without_reply=True)
                if row.reply_to is not None and index == 0
                else None,
                reply_markup=_keyboard(row) if last and row.buttons else None,
            )
        except TelegramError as error:
            raise send_error(error) from error
        return message.message_id

    async def react(self, row: OutboxRow) -> None:
        """Set the row's reaction."""
        if row.reply_to is None or row.reaction is None:
            return
        try:
            await self._bot.set_message_reaction(
                row.chat_id,
                row.reply_to,
                ReactionTypeEmoji(row.reaction),
                read_timeout=REACTION_PATIENCE_SECS,
            )
        except TelegramError as error:
            raise send_error(error) from error

    async def typing(self, chat_id: int, thread_id: int | None) -> None:
        """Show typing for about five seconds."""
        try:
            await self._bot.send_chat_action(
                chat_id, ChatAction.TYPING, message_thread_id=thread_id
            )
        except TelegramError as error:
            raise send_error(error) from error

    async def answer_button(self, button_id: str, text: str = "") -> None:
        """Stop a button's spinner."""
        try:
            await self._bot.answer_callback_query(button_id, text or None)
        except TelegramError as error:
            raise send_error(error) from error


def _keyboard(row: OutboxRow) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup(
        [
            [InlineKeyboardButton(label, callback_data=data) for label, data in line]
            for line in row.buttons
        ]
    )
