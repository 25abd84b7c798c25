"""The yardstick: a stock python-telegram-bot handler with one model call and a reply.

It keeps nothing. Used by the crash run, where it must lose messages, and by the benchmark.
"""

from __future__ import annotations

import asyncio

from openai import AsyncOpenAI
from telegram import Update
from telegram.ext import ApplicationBuilder, ContextTypes, MessageHandler, filters

from app.config import Settings


async def run_bare(settings: Settings, stop: asyncio.Event) -> None:
    """Run the stock bot until `stop` is set."""
    assert settings.telegram_bot_token is not None
    model = AsyncOpenAI(
        api_key=settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none",
        base_url=settings.openai_base_url,
        max_retries=0,
    )

    async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        completion = await model.chat.completions.create(
            model=settings.llm_model or "model",
            messages=[
                {"role": "system", "content": "You are a friendly companion."},
                {"role": "user", "content": update.message.text or ""},
            ],
        )
        await update.message.reply_text(completion.choices[0].message.content or "")

    application = (
        ApplicationBuilder()
        .token(settings.telegram_bot_token.get_secret_value())
        .base_url(f"{settings.telegram_api_base_url}/bot")
        .concurrent_updates(True)
        .build()
    )
    application.add_handler(MessageHandler(filters.TEXT, answer))
    async with application:
        assert application.updater is not None
        await application.updater.start_polling()
        await application.start()
        await stop.wait()
        await application.updater.stop()
        await application.stop()
    await model.close()
