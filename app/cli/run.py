"""`thinkmate run`: the bot on Telegram."""

from __future__ import annotations

import asyncio
import sys

import segno
from rich.console import Console

from app.bootstrap import run_bot
from app.cli.prepared import prepared_settings
from app.cli.signals import stop_on_signals
from app.config import Settings
from app.errors import ConfigError

console = Console(highlight=False, soft_wrap=True)


def run() -> None:
    """Run the bot on Telegram until Ctrl-C.

    Needs TELEGRAM_BOT_TOKEN. Without MONGODB_URI the embedded database runs as a child.

    Example: `TELEGRAM_BOT_TOKEN=123:abc thinkmate run`
    """
    settings = prepared_settings()
    if settings.telegram_bot_token is None:
        raise ConfigError(
            "TELEGRAM_BOT_TOKEN: not set. Get one from @BotFather and run: thinkmate setup. "
            "To try without Telegram: thinkmate start"
        )
    asyncio.run(run_until_signal(settings))


async def run_until_signal(settings: Settings) -> None:
    """Run the bot until Ctrl-C or SIGTERM."""
    stop = asyncio.Event()
    with stop_on_signals(stop):
        await run_bot(settings, stop, _show_claim)


def _show_claim(link: str) -> None:
    console.print("\nThis bot has no owner yet, so it talks to nobody. Open this link in Telegram:")
    console.print(f"  [bold]{link}[/bold]\n")
    segno.make(link, error="l").terminal(out=sys.stdout, compact=True)
    console.print("It works once. Keep it to yourself: whoever opens it owns the bot.\n")
