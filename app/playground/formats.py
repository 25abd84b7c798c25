"""The world's nouns as the Bot API's JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.playground.accounts import BotAccount
from app.playground.chats import Chat
from app.playground.messages import ButtonPress, Message

if TYPE_CHECKING:
    from app.playground.person import Person

Json = dict[str, Any]


def user_json(account: Person | BotAccount) -> Json:
    """A User."""
    if isinstance(account, BotAccount):
        return {
            "id": account.id,
            "is_bot": True,
            "first_name": account.name,
            "username": account.username,
        }
    user: Json = {"id": account.id, "is_bot": False, "first_name": account.first_name}
    for key in ("last_name", "username", "language_code"):
        if value := getattr(account, key):
            user[key] = value
    return user


def me_json(bot: BotAccount) -> Json:
    """The User that getMe gives, with what only a bot is told about itself."""
    return {
        **user_json(bot),
        "can_join_groups": True,
        "can_read_all_group_messages": bot.reads_all,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


def chat_json(chat: Chat) -> Json:
    """A Chat."""
    body: Json = {"id": chat.id, "type": chat.type}
    if chat.person is not None:
        body["first_name"] = chat.person.first_name
        for key in ("last_name", "username"):
            if value := getattr(chat.person, key):
                body[key] = value
    else:
        body["title"] = chat.title
    if chat.is_forum:
        body["is_forum"] = True
    return body


def message_json(message: Message, *, nested: bool = False) -> Json:
    """A Message; a nested one (what is replied to) doesn't carry its own reply."""
    body: Json = {
        "message_id": message.message_id,
        "from": user_json(message.sender),
        "chat": chat_json(message.chat),
        "date": message.date,
        **message.media,
        **message.service,
    }
    words, marks = ("caption", "caption_entities") if message.media else ("text", "entities")
    if message.text:
        body[words] = message.text
    if message.entities:
        body[marks] = [dict(entity) for entity in message.entities]
    if message.edit_date is not None:
        body["edit_date"] = message.edit_date
    if message.thread_id is not None:
        body["message_thread_id"] = message.thread_id
        body["is_topic_message"] = True
    if message.forwarded_from:
        body["forward_origin"] = {
            "type": "hidden_user",
            "date": message.date,
            "sender_user_name": message.forwarded_from,
        }
    if message.media_group_id:
        body["media_group_id"] = message.media_group_id
    if message.buttons:
        body["reply_markup"] = {"inline_keyboard": message.buttons}
    if message.reply_to is not None and not nested:
        body["reply_to_message"] = message_json(message.reply_to, nested=True)
    return body


def press_json(press: ButtonPress) -> Json:
    """A CallbackQuery."""
    return {
        "id": press.id,
        "from": user_json(press.person),
        "message": message_json(press.message),
        "chat_instance": str(press.message.chat.id),
        "data": press.data,
    }


def member_json(account: Person | BotAccount, status: str) -> Json:
    """A ChatMember."""
    body: Json = {"user": user_json(account), "status": status}
    if status == "kicked":
        body["until_date"] = 0
    elif status == "creator":
        body["is_anonymous"] = False
    elif status == "administrator":
        rights = (
            "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members "
            "can_promote_members can_change_info can_invite_users can_post_stories "
            "can_edit_stories can_delete_stories"
        )
        body |= dict.fromkeys(rights.split(), True)
        body |= {"can_be_edited": False, "is_anonymous": False}
    return body


def member_update_json(
    chat: Chat, by: Person, account: Person | BotAccount, old: str, new: str, date: int
) -> Json:
    """A ChatMemberUpdated."""
    return {
        "chat": chat_json(chat),
        "from": user_json(by),
        "date": date,
        "old_chat_member": member_json(account, old),
        "new_chat_member": member_json(account, new),
    }


def reaction_json(message: Message, by: Person, old: str | None, date: int) -> Json:
    """A MessageReactionUpdated; `old` is what `by` had set before."""
    new = message.reactions.get(by.id)
    return {
        "chat": chat_json(message.chat),
        "message_id": message.message_id,
        "user": user_json(by),
        "date": date,
        "old_reaction": [{"type": "emoji", "emoji": old}] if old else [],
        "new_reaction": [{"type": "emoji", "emoji": new}] if new else [],
    }
