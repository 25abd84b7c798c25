"""A person, and everything a person can do in a Telegram client."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.playground import formats
from app.playground.accounts import BotAccount
from app.playground.chats import Chat
from app.playground.entities import find_entities, split_paste
from app.playground.messages import ButtonPress, Message
from app.playground.reactions import ALLOWED_REACTIONS

if TYPE_CHECKING:
    from app.playground.world import World


@dataclass(eq=False)
class Person:
    """Acts in the world. Where no chat is given, it is the private one with the first bot.

    Raises ValueError for what a client wouldn't let a person do.
    """

    world: World
    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = "en"

    @property
    def full_name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def chat(self) -> Chat:
        """The private chat with the first bot."""
        return self.world.private_chat(self.world.bot, self)

    def send(
        self,
        text: str,
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        thread_id: int | None = None,
        forwarded_from: str = "",
    ) -> Message:
        """Write; a text over 4096 units goes out in several messages, of which this is the last."""
        return self.paste(
            text, chat, reply_to=reply_to, thread_id=thread_id, forwarded_from=forwarded_from
        )[-1]

    def paste(
        self,
        text: str,
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        thread_id: int | None = None,
        forwarded_from: str = "",
    ) -> list[Message]:
        """Write, and get every message that it took."""
        parts = [part.strip() for part in split_paste(text)]
        if not any(parts):
            raise ValueError("nothing to send")
        return [
            self._say(
                chat,
                part,
                entities=find_entities(part),
                reply_to=reply_to if index == 0 else None,
                thread_id=thread_id,
                forwarded_from=forwarded_from,
            )
            for index, part in enumerate(part for part in parts if part)
        ]

    def send_photo(
        self, caption: str = "", chat: Chat | None = None, *, media_group_id: str = ""
    ) -> Message:
        """Send a picture that nobody can look at."""
        name = secrets.token_hex(8)
        size = {"file_id": name, "file_unique_id": name, "width": 640, "height": 480}
        return self._say(
            chat,
            caption,
            entities=find_entities(caption),
            media={"photo": [size]},
            media_group_id=media_group_id,
        )

    def send_album(self, captions: Sequence[str], chat: Chat | None = None) -> list[Message]:
        """Send pictures that belong together."""
        album = str(secrets.randbits(53))
        return [self.send_photo(caption, chat, media_group_id=album) for caption in captions]

    def send_sticker(self, emoji: str, chat: Chat | None = None) -> Message:
        """Send a sticker."""
        name = secrets.token_hex(8)
        sticker: dict[str, Any] = {
            "file_id": name,
            "file_unique_id": name,
            "type": "regular",
            "width": 512,
            "height": 512,
            "is_animated": False,
            "is_video": False,
            "emoji": emoji,
        }
        return self._say(chat, "", media={"sticker": sticker})

    def edit(self, message: Message, text: str) -> Message:
        """Change one's own message."""
        if message.sender is not self or not text.strip():
            raise ValueError("only an own message can be edited, and not to nothing")
        message.text = text.strip()
        message.entities = find_entities(message.text)
        message.edit_date = int(self.world.now())
        self.world.ledger.append(
            "person_edit",
            chat_id=message.chat.id,
            message_id=message.message_id,
            person_id=self.id,
            text=message.text,
        )
        self.world.refresh(message)
        self.world.tell_bots("edited_message", message)
        return message

    def react(self, message: Message, emoji: str | None) -> None:
        """Put a reaction on a message, or take it away. Group bots hear of it as administrators."""
        if emoji is not None and emoji not in ALLOWED_REACTIONS:
            raise ValueError("no such reaction")
        old = message.reactions.pop(self.id, None)
        if emoji is not None:
            message.reactions[self.id] = emoji
        self.world.refresh(message)
        if old == emoji:
            return
        chat = message.chat
        body = formats.reaction_json(message, self, old, int(self.world.now()))
        for bot in self.world.bots.values():
            listens = (
                chat.bot_id == bot.id and chat.has(bot.id)
                if chat.type == "private"
                else chat.status(bot.id) == "administrator"
            )
            if listens:
                self.world.queue(bot, "message_reaction", chat, body)

    def press(self, message: Message, button: str) -> ButtonPress:
        """Press the inline button with this data or this label."""
        found = next(
            (
                candidate
                for row in message.buttons
                for candidate in row
                if button in (candidate.get("callback_data"), candidate["text"])
                and candidate.get("callback_data")
            ),
            None,
        )
        if found is None or not isinstance(message.sender, BotAccount):
            raise ValueError("no such button")
        return self._press(message, message.sender, found["callback_data"])

    def press_beside(self, data: str) -> ButtonPress:
        """Press a button that stands beside the private chat; it counts as under the bot's last
        message there."""
        self._check_may_write(self.chat, None)
        bot = self.world.bot
        last = next((m for m in reversed(self.chat.messages.values()) if m.sender is bot), None)
        if last is None:
            raise ValueError("the bot has written nothing here yet")
        return self._press(last, bot, data)

    def _press(self, message: Message, bot: BotAccount, data: str) -> ButtonPress:
        press = ButtonPress(str(secrets.randbits(63)), self, message, data, self.world.now())
        self.world.presses[press.id] = press
        self.world.queue(bot, "callback_query", message.chat, formats.press_json(press))
        return press

    def block(self, bot: BotAccount | None = None) -> None:
        """Block a bot; it can't write here until it is unblocked."""
        bot = bot or self.world.bot
        self.world.set_bot_status(self.world.private_chat(bot, self), bot, "kicked", by=self)

    def unblock(self, bot: BotAccount | None = None) -> None:
        """Let a bot back in."""
        bot = bot or self.world.bot
        self.world.set_bot_status(self.world.private_chat(bot, self), bot, "member", by=self)

    def _say(self, chat: Chat | None, text: str, **fields: Any) -> Message:
        chat = chat or self.chat
        self._check_may_write(chat, fields.get("thread_id"))
        message = self.world.post(chat, self, text, **fields)
        self.world.ledger.append(
            "person_message",
            chat_id=chat.id,
            message_id=message.message_id,
            thread_id=message.thread_id,
            person_id=self.id,
            text=text,
            reply_to=message.reply_to.message_id if message.reply_to else None,
        )
        self.world.tell_bots("message", message)
        return message

    def _check_may_write(self, chat: Chat, thread_id: int | None) -> None:
        if chat.migrated_to is not None:
            raise ValueError("the group became a supergroup")
        if not chat.has(self.id):
            raise ValueError("not a member of the chat")
        if chat.bot_id is not None and not chat.has(chat.bot_id):
            raise ValueError("the bot is blocked")
        if thread_id is not None and thread_id not in chat.topics:
            raise ValueError("no such topic")
