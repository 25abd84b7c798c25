"""`thinkmate doctor`: is everything the bot needs in order?"""

from __future__ import annotations

import asyncio
import sys

from rich.console import Console

from app.bootstrap import open_database
from app.cli.prepared import prepared_settings
from app.config import Settings
from app.errors import ModelError, ModelFailure
from app.services.doctor import (
    Check,
    Status,
    Verdict,
    database_check,
    model_check,
    persona_check,
    run_doctor,
    telegram_check,
    worst,
)
from app.services.model_check import VerdictKind, check_model
from app.transports.telegram.bot import TelegramBot

console = Console(highlight=False, soft_wrap=True)
MARKS = {Status.OK: "[green]ok  [/]", Status.WARN: "[yellow]warn[/]", Status.FAIL: "[red]FAIL[/]"}
FAILURES = {
    VerdictKind.WRONG_KEY: ModelFailure.AUTH,
    VerdictKind.NO_CREDIT: ModelFailure.NO_CREDIT,
    VerdictKind.UNKNOWN_MODEL: ModelFailure.UNKNOWN_MODEL,
    VerdictKind.UNREACHABLE: ModelFailure.CONNECTION,
    VerdictKind.NOT_OPENAI: ModelFailure.BAD_REQUEST,
    VerdictKind.BUSY: ModelFailure.RATE_LIMIT,
}


def doctor() -> None:
    """Check database, language model, Telegram token and persona, with a hint where one fails.

    The exit status is 1 when something is in the way. Example: `thinkmate doctor`
    """
    settings = prepared_settings()
    verdicts = asyncio.run(run_doctor(_checks(settings)))
    for verdict in verdicts:
        _show(verdict)
    if worst(verdicts) is Status.FAIL:
        sys.exit(1)


def _show(verdict: Verdict) -> None:
    console.print(f"{MARKS[verdict.status]} {verdict.name}: ", end="")
    console.print(verdict.message, markup=False)
    if verdict.hint and verdict.status is not Status.OK:
        console.print(f"       {verdict.hint}", markup=False)


def _checks(settings: Settings) -> list[Check]:
    async def ping() -> str:
        async with open_database(settings, shared=True) as db:
            await db.ping()
        return "the server in MONGODB_URI" if settings.mongodb_uri else "the embedded database"

    async def get_me() -> str:
        assert settings.telegram_bot_token is not None
        telegram = TelegramBot(settings.telegram_bot_token, settings.telegram_api_base_url)
        try:
            return (await telegram.start(wait=False)).username
        finally:
            await telegram.stop()

    async def ask() -> str:
        key = settings.openai_api_key
        verdict = await check_model(
            settings.openai_base_url, key.get_secret_value() if key else None, settings.llm_model
        )
        if not verdict.ok:
            raise ModelError(FAILURES.get(verdict.kind, ModelFailure.SERVER))
        return verdict.model

    connected = settings.openai_api_key is not None or settings.openai_base_url is not None
    return [
        database_check(ping),
        model_check(ask if connected else None),
        telegram_check(get_me if settings.telegram_bot_token is not None else None),
        persona_check(settings.persona_file),
    ]
