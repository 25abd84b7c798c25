"""`thinkmate run` and `thinkmate start`: the bot, with Telegram or with the playground."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from typing import Annotated

import segno
import typer
from rich.console import Console

from app.bootstrap import run_bot
from app.cli.playground import run_playground
from app.cli.signals import stop_on_signals
from app.config import Settings, env_file, load_settings
from app.errors import ConfigError
from app.logs import configure, register_secret
from app.memory.model_choice import pick_model
from app.services.env_file import update_env
from app.services.model_discovery import discover

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
    asyncio.run(_until_signal(settings))


def start(
    browser: Annotated[
        bool, typer.Option(help="Open the playground's page in the browser.")
    ] = True,
) -> None:
    """Run the bot: on Telegram when TELEGRAM_BOT_TOKEN is set, else in the local playground.

    With no language model set, it looks for one on this machine and asks before using it.

    Examples: `thinkmate start`, `PLAYGROUND_PORT=9000 thinkmate start --no-browser`
    """
    settings = prepared_settings()
    if settings.openai_api_key is None and settings.openai_base_url is None:
        settings = asyncio.run(_look_for_a_model(settings))
    if settings.telegram_bot_token is not None:
        asyncio.run(_until_signal(settings))
        return
    asyncio.run(run_playground(settings, lambda url: _show_page(url, open_it=browser)))


def prepared_settings() -> Settings:
    """The settings, with logs set up and secrets kept out of them."""
    settings = load_settings()
    configure(settings.log_level, settings.log_json)
    for secret in (
        settings.telegram_bot_token,
        settings.openai_api_key,
        settings.webhook_secret,
        settings.mongodb_uri,
    ):
        register_secret(secret.get_secret_value() if secret else None)
    return settings


async def _until_signal(settings: Settings) -> None:
    stop = asyncio.Event()
    with stop_on_signals(stop):
        await run_bot(settings, stop, _show_claim)


def _show_claim(link: str) -> None:
    console.print("\nThis bot has no owner yet, so it talks to nobody. Open this link in Telegram:")
    console.print(f"  [bold]{link}[/bold]\n")
    segno.make(link, error="l").terminal(out=sys.stdout, compact=True)
    console.print("It works once. Keep it to yourself: whoever opens it owns the bot.\n")


def _show_page(url: str, *, open_it: bool) -> None:
    console.print(f"\nThe playground is open at [bold]{url}[/bold]  (Ctrl-C ends it)\n")
    if open_it and sys.stdout.isatty() and _has_browser():
        webbrowser.open(url)


def _has_browser() -> bool:
    return sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )


async def _look_for_a_model(settings: Settings) -> Settings:
    """Offer a model server found on this machine; without one, say so in one line."""
    for server in await discover():
        model = pick_model(server.models)
        if model is None:
            continue
        console.print(f"Found {server.name} at {server.base_url}; I would use {model}.")
        if not sys.stdin.isatty():
            console.print(f"To use it: OPENAI_BASE_URL={server.base_url} LLM_MODEL={model}")
            break
        if typer.confirm("Use it, and remember that in .env?", default=True):
            update_env(env_file(), {"OPENAI_BASE_URL": server.base_url, "LLM_MODEL": model})
            return load_settings()
        break
    console.print(
        "No language model is connected, so a simple offline stand-in answers. "
        "To connect one: thinkmate setup"
    )
    return settings
