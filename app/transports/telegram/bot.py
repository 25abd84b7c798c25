"""The bot's connection: who it is, its command menu, its webhook."""

from __future__ import annotations

import asyncio

from loguru import logger
from pydantic import SecretStr
from telegram import Bot
from telegram.error import InvalidToken, NetworkError, TelegramError
from telegram.request import HTTPXRequest

from app.domain.conversation import Frozen
from app.errors import ConfigError
from app.services.texts import COMMANDS
from app.transports.telegram.polling import ALLOWED_UPDATES, RawUpdates

CONNECTIONS = 64


class Me(Frozen):
    """The bot as Telegram knows it."""

    id: int
    username: str
    sees_group_messages: bool


class TelegramBot:
    """Owns PTB's Bot and its HTTP connections."""

    def __init__(self, token: SecretStr, api_base_url: str) -> None:
        self.updates = RawUpdates(connection_pool_size=1)
        self.bot = Bot(
            token.get_secret_value(),
            base_url=f"{api_base_url}/bot",
            base_file_url=f"{api_base_url}/file/bot",
            request=HTTPXRequest(connection_pool_size=CONNECTIONS, read_timeout=15.0),
            get_updates_request=self.updates,
        )

    async def start(self, *, wait: bool = True) -> Me:
        """Connect and ask who we are; waits for an unreachable Telegram when asked to.

        Raises ConfigError when the token is refused.
        """
        pause = 1.0
        while True:
            try:
                await self.bot.initialize()
                break
            except InvalidToken:
                raise ConfigError(
                    "TELEGRAM_BOT_TOKEN: Telegram refuses this token. Get one from @BotFather."
                ) from None
            except NetworkError as error:
                if not wait:
                    raise ConfigError(
                        "TELEGRAM_API_BASE_URL: Telegram can't be reached. Check the network."
                    ) from error
                logger.warning("Telegram can't be reached, next try in {:g} s", pause)
                await asyncio.sleep(pause)
                pause = min(60.0, pause * 2)
        user = self.bot.bot
        return Me(
            id=user.id,
            username=user.username or "",
            sees_group_messages=bool(user.can_read_all_group_messages),
        )

    async def publish_commands(self) -> None:
        """Put our commands in Telegram's menu; a failure is only logged."""
        try:
            await self.bot.set_my_commands(COMMANDS)
        except TelegramError as error:
            logger.warning("command menu not set: {}", type(error).__name__)

    async def set_webhook(self, url: str, secret: SecretStr) -> None:
        """Let Telegram push updates to us. Raises ConfigError when it refuses the address."""
        try:
            await self.bot.set_webhook(
                url,
                secret_token=secret.get_secret_value(),
                allowed_updates=list(ALLOWED_UPDATES),
                max_connections=40,
            )
        except TelegramError as error:
            raise ConfigError(f"WEBHOOK_URL: Telegram refuses it ({error.message})") from error

    async def stop(self) -> None:
        """Close the connections."""
        await self.bot.shutdown()
