"""`thinkmate start`: the bot on Telegram when there is a token, else the playground around it."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from typing import Annotated

import typer
from rich.console import Console

from app.cli.playground import run_playground
from app.cli.prepared import prepared_settings
from app.config import Settings, env_file, load_settings
from app.memory.model_choice import pick_model
from app.services.env_file import update_env
from app.services.model_discovery import discover

console = Console(highlight=False, soft_wrap=True)


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
        os.execv(sys.executable, [sys.executable, "-m", "app", "run"])
    asyncio.run(run_playground(settings, lambda url: _show_page(url, open_it=browser)))


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
