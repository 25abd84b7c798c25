"""A chat: private with one bot, or a group of people and bots."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from app.playground.messages import Message
    from app.playground.person import Person

ChatType = Literal["private", "group", "supergroup"]
Status = Literal["creator", "administrator", "member", "left", "kicked"]
PRESENT = frozenset({"creator", "administrator", "member"})


@dataclass(eq=False)
class Chat:
    """`members` is the status by account id; `topics` the names of a forum's threads by id."""

    id: int
    type: ChatType
    next_message_id: int
    title: str = ""
    person: Person | None = None
    bot_id: int | None = None
    members: dict[int, Status] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    is_forum: bool = False
    migrated_to: int | None = None
    messages: dict[int, Message] = field(default_factory=dict)

    def status(self, account_id: int) -> Status:
        """The account's standing here."""
        return self.members.get(account_id, "left")

    def has(self, account_id: int) -> bool:
        """Whether the account is in the chat."""
        return self.status(account_id) in PRESENT

    def add(self, message: Message) -> None:
        """Keep a message under its own id, which must be `next_message_id`."""
        self.messages[message.message_id] = message
        self.next_message_id = message.message_id + 1
