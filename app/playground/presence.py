"""Whether the bot is there, how long it was away, and what became of what waited meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from app.playground.accounts import BotAccount
from app.playground.messages import Message
from app.playground.world import World

State = Literal["starting", "up", "away"]


@dataclass
class Absence:
    """One time away, in Unix seconds. `waiting` counts what people wrote and the bot had not
    answered when it came back; `to_answer` is the last of it in each chat."""

    since: float
    until: float | None = None
    waiting: int = 0
    to_answer: dict[int, int] = field(default_factory=dict)


class Presence:
    """Follows the first bot by its polls: it is up from one poll on until it hangs up or dies."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._absence: Absence | None = None
        self._waiting_per_chat: dict[int, int] = {}
        self.state: State = "starting"

    @property
    def matters(self) -> bool:
        """Whether the bot is or was away."""
        return self._absence is not None

    def heard_from(self, bot: BotAccount) -> None:
        """The bot polled, or took an update."""
        if bot is not self._world.bot or self.state == "up":
            return
        if self._absence is not None and self._absence.until is None:
            self._came_back(self._absence)
        self.state = "up"
        self._world.feed.publish("bot", **self.view())

    def gone(self, bot: BotAccount | None = None) -> None:
        """The bot hung up or died."""
        if bot not in (None, self._world.bot) or self.state != "up":
            return
        self.state = "away"
        self._absence = Absence(self._world.now())
        self._world.ledger.append("bot_away", bot_id=self._world.bot.id)
        self._world.feed.publish("bot", **self.view())

    def view(self) -> dict[str, Any]:
        """For the page. `waiting` and `answered` count messages of the last time away."""
        view: dict[str, Any] = {"state": self.state, "now": self._world.now()}
        absence = self._absence
        if absence is None:
            return view
        answered = sum(
            count
            for chat_id, count in self._waiting_per_chat.items()
            if self._answered(chat_id, absence)
        )
        return {
            **view,
            "away_since": absence.since,
            "away_secs": (absence.until or self._world.now()) - absence.since,
            "waiting": absence.waiting if absence.until else self._count_waiting(),
            "answered": answered,
        }

    def _came_back(self, absence: Absence) -> None:
        absence.until = self._world.now()
        self._waiting_per_chat.clear()
        for chat in self._world.chats_of(self._world.bot):
            unanswered = _unanswered(list(chat.messages.values()), self._world.bot)
            if unanswered:
                self._waiting_per_chat[chat.id] = len(unanswered)
                absence.to_answer[chat.id] = unanswered[-1].message_id
        absence.waiting = sum(self._waiting_per_chat.values())
        self._world.ledger.append("bot_back", bot_id=self._world.bot.id)

    def _count_waiting(self) -> int:
        return sum(
            len(_unanswered(list(chat.messages.values()), self._world.bot))
            for chat in self._world.chats_of(self._world.bot)
        )

    def _answered(self, chat_id: int, absence: Absence) -> bool:
        chat = self._world.find_chat(self._world.bot, chat_id)
        last = absence.to_answer.get(chat_id, 0)
        return chat is not None and any(
            message.message_id > last and message.sender is self._world.bot
            for message in chat.messages.values()
        )


def _unanswered(messages: list[Message], bot: BotAccount) -> list[Message]:
    """What people wrote since the bot's last message; in a group only what it was asked."""
    waiting: list[Message] = []
    for message in reversed(messages):
        if message.sender is bot:
            break
        if message.service or isinstance(message.sender, BotAccount):
            continue
        if message.chat.type == "private" or _asks(message, bot):
            waiting.append(message)
    return waiting[::-1]


def _asks(message: Message, bot: BotAccount) -> bool:
    replied = message.reply_to is not None and message.reply_to.sender is bot
    return replied or f"@{bot.username}".casefold() in message.text.casefold()
