"""A small bot for the page's tests: greets, echoes, shows buttons, formatting and typing."""

from __future__ import annotations

import os

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, Update
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

FORMATTED = "bold <b>code</b> link"
MARKS = [
    MessageEntity("bold", 0, 4),
    MessageEntity("code", 5, 11),
    MessageEntity("text_link", 17, 4, url="https://example.com/"),
]


async def start(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.message
    await update.message.reply_text("Hello, I am an echo.")


async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    message = update.effective_message
    assert message
    assert message.text
    if message.text == "formatting":
        await message.reply_text(FORMATTED, entities=MARKS)
    elif message.text == "buttons":
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Press me", callback_data="x")]])
        await message.reply_text("Well?", reply_markup=keyboard)
    elif message.text == "think":
        await context.bot.send_chat_action(message.chat_id, "typing")
    else:
        await message.reply_text(f"Echo: {message.text}", do_quote=True)
        await message.set_reaction("👍")


async def pressed(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    assert update.callback_query
    await update.callback_query.answer("Thank you")
    await update.callback_query.edit_message_text("Pressed")


async def publish(application: Application) -> None:  # type: ignore[type-arg]
    await application.bot.set_my_commands([("start", "Begin"), ("help", "What I can do")])


application = (
    Application.builder()
    .token(os.environ["BOT_TOKEN"])
    .base_url(os.environ["BOT_BASE"])
    .post_init(publish)
    .build()
)
application.add_handler(CommandHandler("start", start))
application.add_handler(CallbackQueryHandler(pressed))
application.add_handler(MessageHandler(filters.TEXT, answer))
application.run_polling()
