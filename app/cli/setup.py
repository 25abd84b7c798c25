"""`thinkmate setup`: asks for a model and a Telegram token, tries both, writes .env."""

from __future__ import annotations

import asyncio

import typer
from pydantic import SecretStr
from rich.console import Console

from app.config import Settings, env_file, load_settings
from app.errors import ConfigError
from app.logs import configure
from app.services.env_file import update_env
from app.services.llm_service import DEFAULT_OPENAI_MODEL
from app.services.model_check import check_model
from app.services.model_discovery import discover
from app.transports.telegram.bot import TelegramBot

console = Console(highlight=False, soft_wrap=True)
PROVIDERS = {
    "1": ("OpenAI", None, DEFAULT_OPENAI_MODEL),
    "2": ("OpenRouter", "https://openrouter.ai/api/v1", f"openai/{DEFAULT_OPENAI_MODEL}"),
    "3": ("Ollama on this machine", "http://127.0.0.1:11434/v1", ""),
    "4": ("another OpenAI-compatible server", "", ""),
}

Values = dict[str, str | None]


def setup() -> None:
    """Connect a language model and Telegram: asks, makes one test call and getMe, writes .env.

    Nothing is written that was not tried, unless you say so. Example: `thinkmate setup`
    """
    configure("WARNING")
    settings = load_settings()
    values: Values = {}
    if typer.confirm("Connect a language model?", default=True):
        values.update(_ask_for_model())
    if typer.confirm("Connect a Telegram bot?", default=settings.telegram_bot_token is None):
        values.update(_ask_for_token(settings))
    if not values:
        console.print("Nothing changed.")
        return
    update_env(env_file(), values)
    console.print(f"Written to {env_file()} (only you can read it). Now run: ./scripts/start")


def _ask_for_model() -> Values:
    for found in asyncio.run(discover()):
        console.print(f"On this machine: {found.name} at {found.base_url}")
    for number, (name, _, _) in PROVIDERS.items():
        console.print(f"  {number}  {name}")
    while True:
        choice = typer.prompt("Which provider?", default="1").strip()
        if choice not in PROVIDERS:
            console.print("Please answer with one of the numbers.")
            continue
        name, base_url, model = PROVIDERS[choice]
        if base_url == "":
            base_url = typer.prompt("Base URL (ends in /v1 for most servers)").strip()
        key = typer.prompt("API key (empty for none)", default="", hide_input=True).strip()
        model = typer.prompt("Model (empty: choose for me)", default=model).strip()
        console.print(f"Trying {name} …")
        verdict = asyncio.run(check_model(base_url, key or None, model or None))
        console.print(verdict.message, markup=False)
        if verdict.ok:
            model = verdict.model or model
        elif not typer.confirm("Keep it all the same?", default=False):
            continue
        return {
            "OPENAI_BASE_URL": base_url,
            "OPENAI_API_KEY": key or None,
            "LLM_MODEL": model or None,
        }


def _ask_for_token(settings: Settings) -> Values:
    console.print("Talk to @BotFather on Telegram, send /newbot, and paste the token it gives you.")
    while True:
        token = typer.prompt("Token (empty: not now)", default="", hide_input=True).strip()
        if not token:
            return {}
        try:
            username = asyncio.run(_get_me(token, settings.telegram_api_base_url))
        except ConfigError as error:
            console.print(str(error), markup=False)
            if not typer.confirm("Keep it all the same?", default=False):
                continue
        else:
            console.print(f"That is @{username}.")
        return {"TELEGRAM_BOT_TOKEN": token}


async def _get_me(token: str, api_base_url: str) -> str:
    telegram = TelegramBot(SecretStr(token), api_base_url)
    try:
        return (await telegram.start(wait=False)).username
    finally:
        await telegram.stop()
