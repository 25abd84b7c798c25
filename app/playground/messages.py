"""A message as the world keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.playground.entities import Entity

if TYPE_CHECKING:
    from app.playground.accounts import BotAccount
    from app.playground.chats import Chat
    from app.playground.person import Person

Button = dict[str, Any]


@dataclass(eq=False)
class Message:
    """Text, or a caption under `media`; `service` holds the fields of a service message.

    `reactions` is emoji by the id of who reacted. Dates are Unix seconds.
    """

    chat: Chat
    message_id: int
    sender: Person | BotAccount
    date: int
    text: str = ""
    entities: list[Entity] = field(default_factory=list)
    media: dict[str, Any] = field(default_factory=dict)
    service: dict[str, Any] = field(default_factory=dict)
    reply_to: Message | None = None
    thread_id: int | None = None
    forwarded_from: str = ""
    media_group_id: str = ""
    buttons: list[list[Button]] = field(default_factory=list)
    edit_date: int | None = None
    reactions: dict[int, str] = field(default_factory=dict)

    @property
    def is_command(self) -> bool:
        """Whether it begins with a command."""
        first = self.entities[0] if self.entities else {}
        return first.get("type") == "bot_command" and first.get("offset") == 0


@dataclass(eq=False)
class ButtonPress:
    """A pressed inline button, until the bot answers it."""

    id: str
    person: Person
    message: Message
    data: str
    at: float
    answered: bool = False
    answer: str = ""
