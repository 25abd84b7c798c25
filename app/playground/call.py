"""One call of a Bot API method, and how a method is looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from app.playground.accounts import BotAccount
from app.playground.api_error import bad_request, forbidden
from app.playground.chats import Chat
from app.playground.connection import Connection
from app.playground.ledger import Kind
from app.playground.messages import Message
from app.playground.params import Params
from app.playground.polls import Polls
from app.playground.webhook_push import WebhookPush
from app.playground.world import World

Method = Callable[["Call"], Awaitable[Any]]


@dataclass(frozen=True)
class Call:
    """What a method may use. `acknowledged` is False when the answer will be lost on purpose."""

    method: str
    world: World
    bot: BotAccount
    params: Params
    connection: Connection
    polls: Polls
    webhooks: WebhookPush
    acknowledged: bool = True

    def record(self, kind: Kind, **fields: Any) -> None:
        """Write down that the call was accepted."""
        self.world.ledger.append(
            kind,
            bot_id=self.bot.id,
            method=self.method,
            acknowledged=self.acknowledged,
            **fields,
        )

    def known_chat(self) -> Chat:
        """The chat of `chat_id`, whether the bot may write there or not."""
        given = self.params.text("chat_id")
        if not given:
            raise bad_request("chat_id is empty")
        try:
            chat_id = int(given)
        except ValueError:
            raise bad_request("chat not found") from None
        chat = self.world.find_chat(self.bot, chat_id)
        if chat is None:
            if chat_id in self.world.people:
                raise forbidden("bot can't initiate conversation with a user")
            raise bad_request("chat not found")
        return chat

    def open_chat(self) -> Chat:
        """The chat of `chat_id`, to write to. ApiError 400 or 403 as Telegram gives them."""
        chat = self.known_chat()
        if chat.migrated_to is not None:
            raise bad_request(
                "group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to
            )
        if chat.has(self.bot.id):
            return chat
        if chat.type == "private":
            raise forbidden("bot was blocked by the user")
        if chat.status(self.bot.id) == "kicked":
            raise forbidden(f"bot was kicked from the {chat.type} chat")
        raise forbidden(f"bot is not a member of the {chat.type} chat")

    def message(self, chat: Chat, missing: str) -> Message:
        """The message of `message_id` in `chat`; a 400 that says `missing` without one."""
        message = chat.messages.get(self.params.integer("message_id") or 0)
        if message is None:
            raise bad_request(missing)
        return message
