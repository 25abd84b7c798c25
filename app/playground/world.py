"""The playground's world: everybody, every chat, every update, in memory."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from app.clock import Clock
from app.playground import formats
from app.playground.accounts import BotAccount
from app.playground.changes import Changes
from app.playground.chats import Chat, ChatType, Status
from app.playground.feed import Feed
from app.playground.ledger import Ledger
from app.playground.messages import ButtonPress, Message
from app.playground.person import Person
from app.playground.views import chat_view, message_view

FIRST_BOT_ID = 7_000_000_001
FIRST_PERSON_ID = 5_000_001
FIRST_GROUP_ID = -4_000_001
FIRST_SUPERGROUP_ID = -1_001_000_000_001


class World:
    """People, bots, chats and what they said. Lives in one event loop; `changes` rings on each
    change. Update ids and message ids count from the given numbers."""

    def __init__(
        self,
        clock: Clock | None = None,
        *,
        ledger_file: Path | None = None,
        first_update_id: int = 1,
        first_message_id: int = 1,
    ) -> None:
        self._clock = clock or Clock()
        self._first_update_id = first_update_id
        self._first_message_id = first_message_id
        self._private: dict[tuple[int, int], Chat] = {}
        self.groups: dict[int, Chat] = {}
        self.bots: dict[int, BotAccount] = {}
        self.people: dict[int, Person] = {}
        self.presses: dict[str, ButtonPress] = {}
        self.files: dict[str, bytes] = {}
        self.changes = Changes()
        self.ledger = Ledger(self.now, ledger_file)
        self.feed = Feed(self.changes)

    def now(self) -> float:
        """Unix seconds."""
        return self._clock.now().timestamp()

    # Who and where

    @property
    def bot(self) -> BotAccount:
        """The first bot."""
        return next(iter(self.bots.values()))

    def add_bot(
        self,
        username: str = "thinkmate_bot",
        name: str = "ThinkMate",
        *,
        secret: str = "",
        reads_all: bool = True,
    ) -> BotAccount:
        """A new bot; its token is its id and `secret`, a random one by default."""
        account = BotAccount(
            FIRST_BOT_ID + len(self.bots),
            secret or secrets.token_hex(18),
            name,
            username,
            reads_all,
        )
        account.updates.next_id = self._first_update_id
        self.bots[account.id] = account
        return account

    def add_person(
        self,
        first_name: str,
        last_name: str = "",
        *,
        username: str = "",
        language_code: str = "en",
        person_id: int | None = None,
    ) -> Person:
        """A new person, whom no bot knows until they write."""
        number = person_id if person_id is not None else FIRST_PERSON_ID + len(self.people)
        if number in self.people:
            raise ValueError(f"person {number} exists")
        person = Person(self, number, first_name, last_name, username, language_code)
        self.people[number] = person
        self.feed.publish("people")
        return person

    def add_group(
        self,
        title: str,
        people: Sequence[Person],
        *,
        bots: Sequence[BotAccount] | None = None,
        supergroup: bool = False,
        topics: Sequence[str] = (),
    ) -> Chat:
        """A group made by the first of `people`, with all bots unless told otherwise.

        With `topics` it is a forum, and so a supergroup.
        """
        if not people:
            raise ValueError("a group needs a person who makes it")
        forum = bool(topics)
        chat = self.new_group_chat(title, supergroup=supergroup or forum)
        chat.is_forum = forum
        chat.members = {person.id: "member" for person in people}
        chat.members[people[0].id] = "creator"
        for name in topics:
            chat.topics[chat.next_message_id] = name
            self.post(chat, people[0], service={"forum_topic_created": _topic(name)})
        for bot in self.bots.values() if bots is None else bots:
            self.set_bot_status(chat, bot, "member", by=people[0])
        self.publish_chat(chat)
        return chat

    def new_group_chat(self, title: str, *, supergroup: bool) -> Chat:
        """An empty group chat with a fresh id."""
        same = [group for group in self.groups.values() if (group.type == "group") != supergroup]
        number = (FIRST_SUPERGROUP_ID if supergroup else FIRST_GROUP_ID) - len(same)
        kind: ChatType = "supergroup" if supergroup else "group"
        chat = Chat(number, kind, self._first_message_id, title=title)
        self.groups[number] = chat
        return chat

    def private_chat(self, bot: BotAccount, person: Person) -> Chat:
        """The private chat of the two, which begins with this."""
        key = (bot.id, person.id)
        if key not in self._private:
            chat = Chat(person.id, "private", self._first_message_id, person=person, bot_id=bot.id)
            chat.members = {person.id: "member", bot.id: "member"}
            self._private[key] = chat
            self.publish_chat(chat)
        return self._private[key]

    def find_chat(self, bot: BotAccount, chat_id: int) -> Chat | None:
        """The chat that `bot` means by `chat_id`, whatever its standing there."""
        return self._private.get((bot.id, chat_id)) or self.groups.get(chat_id)

    def chats_of(self, bot: BotAccount) -> Iterator[Chat]:
        """Every private chat of the bot, then every group."""
        yield from (chat for chat in self._private.values() if chat.bot_id == bot.id)
        yield from self.groups.values()

    # What happens

    def post(
        self, chat: Chat, sender: Person | BotAccount, text: str = "", **fields: Any
    ) -> Message:
        """Put a message into a chat. Tells the page, and no bot."""
        message = Message(chat, chat.next_message_id, sender, int(self.now()), text, **fields)
        chat.add(message)
        self.feed.publish("message", message=message_view(message))
        return message

    def queue(self, bot: BotAccount, kind: str, chat: Chat, body: dict[str, Any]) -> None:
        """Give `bot` an update, if it asked for the kind."""
        update = bot.updates.put(kind, body)
        if update is None:
            return
        message_id = body.get("message_id")
        self.ledger.append(
            "update_created",
            bot_id=bot.id,
            update_id=update.update_id,
            update_kind=kind,
            chat_id=chat.id,
            message_id=message_id,
        )
        self.changes.ring()

    def tell_bots(self, kind: str, message: Message) -> None:
        """Give every bot that may see `message` an update about it."""
        body = formats.message_json(message)
        for bot in self.bots.values():
            if self._may_see(bot, message):
                self.queue(bot, kind, message.chat, body)

    def refresh(self, message: Message) -> None:
        """Show the page a changed message."""
        self.feed.publish("changed", message=message_view(message))

    def publish_chat(self, chat: Chat) -> None:
        """Show the page a new or changed chat."""
        self.feed.publish("chat", chat=chat_view(chat, self.people))

    def set_bot_status(self, chat: Chat, bot: BotAccount, status: Status, *, by: Person) -> None:
        """Change a bot's standing in a chat, which it is told of."""
        old = chat.status(bot.id)
        if old == status:
            return
        chat.members[bot.id] = status
        body = formats.member_update_json(chat, by, bot, old, status, int(self.now()))
        self.queue(bot, "my_chat_member", chat, body)
        self.publish_chat(chat)

    def migrate(self, chat: Chat, *, by: Person) -> Chat:
        """Upgrade a group to a supergroup with a new id; both chats get a service message."""
        if chat.type != "group" or chat.migrated_to is not None:
            raise ValueError("only a group that is still alive can be upgraded")
        new = self.new_group_chat(chat.title, supergroup=True)
        new.members = dict(chat.members)
        chat.migrated_to = new.id
        for place, field, other in (
            (chat, "migrate_to_chat_id", new),
            (new, "migrate_from_chat_id", chat),
        ):
            self.tell_bots("message", self.post(place, by, service={field: other.id}))
            self.publish_chat(place)
        return new

    def _may_see(self, bot: BotAccount, message: Message) -> bool:
        chat = message.chat
        if chat.type == "private":
            return chat.bot_id == bot.id and chat.has(bot.id)
        if not chat.has(bot.id) or isinstance(message.sender, BotAccount):
            return False
        if bot.reads_all or chat.status(bot.id) == "administrator" or message.service:
            return True
        answered = message.reply_to.sender if message.reply_to else None
        return answered is bot or _addresses(bot, message)


def _addresses(bot: BotAccount, message: Message) -> bool:
    """Whether a message holds a command for this bot or for any, or mentions it."""
    handle = f"@{bot.username}".casefold()
    raw = message.text.encode("utf-16-le")
    for entity in message.entities:
        start = entity["offset"] * 2
        word = raw[start : start + entity["length"] * 2].decode("utf-16-le").casefold()
        if entity["type"] == "bot_command" and ("@" not in word or word.endswith(handle)):
            return True
        if entity["type"] == "mention" and word == handle:
            return True
    return False


def _topic(name: str) -> dict[str, Any]:
    return {"name": name, "icon_color": 7322096}
