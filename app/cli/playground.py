"""The bot without Telegram: a playground around the same bot, which runs as a child process."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping

from app.bootstrap.onlooker import Onlooker
from app.cli.signals import stop_on_signals
from app.config import Settings, env_file, load_settings
from app.errors import ConfigError
from app.playground import BotProcess, ModelChoice, ModelVerdict, Playground
from app.playground.server import fresh_world
from app.services.env_file import update_env
from app.services.model_check import check_model

MODEL_KEYS = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "LLM_MODEL")


async def run_playground(settings: Settings, show: Callable[[str], None]) -> None:
    """Serve the page, run the bot as a child against it, and keep both until a signal.

    `show` gets the page's address once it can be opened. Raises ConfigError when the port is taken.
    """
    world = fresh_world(None)
    world.add_bot()
    port = settings.playground_port
    playground: Playground | None = None

    def environment() -> Mapping[str, str]:
        assert playground is not None
        return {
            **os.environ,
            "TELEGRAM_BOT_TOKEN": world.bot.token,
            "TELEGRAM_API_BASE_URL": playground.address,
            "ACCESS": "open",
            "ALLOWED_USER_IDS": "",
            "WEBHOOK_URL": "",
        }

    process = BotProcess([sys.executable, "-m", "app", "run"], environment)
    onlooker = Onlooker(settings)
    playground = Playground(
        world=world,
        bot=process,
        connect_model=connect_model,
        model_status=model_status,
        memory=onlooker.card,
    )
    stop = asyncio.Event()
    with stop_on_signals(stop):
        await playground.start(port)
        try:
            show(playground.page_url)
            await stop.wait()
        finally:
            await playground.stop()
            await onlooker.aclose()


async def connect_model(choice: ModelChoice) -> ModelVerdict:
    """Try a model; when it answers, write it to the settings file, which the bot follows."""
    fixed = [key for key in MODEL_KEYS if os.environ.get(key)]
    if fixed:
        return ModelVerdict(
            ok=False,
            message=f"{', '.join(fixed)} is set in the environment the playground was started "
            "from, which comes before .env. Unset it and start again to choose here.",
        )
    verdict = await check_model(choice.base_url or None, choice.key or None, choice.model or None)
    if not verdict.ok:
        return ModelVerdict(ok=False, message=verdict.message)
    values = {
        "OPENAI_BASE_URL": choice.base_url or None,
        "OPENAI_API_KEY": choice.key or None,
        "LLM_MODEL": verdict.model or choice.model or None,
    }
    try:
        await asyncio.to_thread(update_env, env_file(), values)
    except (ConfigError, OSError) as error:
        return ModelVerdict(ok=False, message=f"It works, but could not be saved: {error}")
    return ModelVerdict(ok=True, message=verdict.message)


def model_status() -> str:
    """The model in use, for the page's status line."""
    try:
        settings = load_settings()
    except ConfigError:
        return "settings can't be read"
    if settings.openai_api_key is None and settings.openai_base_url is None:
        return "no language model (offline stand-in)"
    return settings.llm_model or "the server's own choice"
