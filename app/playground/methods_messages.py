"""Bot API: what a bot says, changes and takes back."""

from __future__ import annotations

import secrets
from typing import Any

from app.playground.api_error import bad_request
from app.playground.call import Call, Method
from app.playground.formats import message_json
from app.playground.messages import Message
from app.playground.outgoing import body_text, caption, inline_buttons, reply_target, thread
from app.playground.reactions import ALLOWED_REACTIONS

PRESS_LIFE_SECS = 60.0
MAX_FILE_BYTES = 5_000_000
ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


async def send_message(call: Call) -> dict[str, Any]:
    """sendMessage."""
    chat = call.open_chat()
    text, entities = body_text(call)
    return _send(call, chat, text, entities=entities)


async def send_document(call: Call) -> dict[str, Any]:
    """sendDocument: an uploaded file, or a file_id that was given before."""
    chat = call.open_chat()
    text, entities = caption(call)
    given = call.params.text("document")
    upload = call.params.files.get(given.removeprefix("attach://") or "document")
    if upload is None:
        raise bad_request("there is no document in the request")
    if not upload.content:
        raise bad_request("file must be non-empty")
    if len(upload.content) > MAX_FILE_BYTES:
        raise bad_request("file is too big")
    file_id = secrets.token_hex(12)
    call.world.files[file_id] = upload.content
    document = {
        "file_id": file_id,
        "file_unique_id": file_id,
        "file_name": upload.name,
        "file_size": len(upload.content),
    }
    return _send(call, chat, text, entities=entities, media={"document": document})


def _send(call: Call, chat: Any, text: str, **fields: Any) -> dict[str, Any]:
    target = reply_target(call, chat)
    message = call.world.post(
        chat,
        call.bot,
        text,
        reply_to=target,
        thread_id=thread(call, chat, target),
        buttons=inline_buttons(call),
        **fields,
    )
    call.record("bot_message", reply_to=target.message_id if target else None, **_facts(message))
    return message_json(message)


async def edit_message_text(call: Call) -> dict[str, Any]:
    """editMessageText."""
    message = _own_message(call)
    text, entities = body_text(call)
    buttons = inline_buttons(call)
    if (text, entities, buttons) == (message.text, message.entities, message.buttons):
        raise bad_request(NOT_MODIFIED)
    message.text, message.entities, message.buttons = text, entities, buttons
    return _edited(call, message)


async def edit_message_reply_markup(call: Call) -> dict[str, Any]:
    """editMessageReplyMarkup."""
    message = _own_message(call)
    buttons = inline_buttons(call)
    if buttons == message.buttons:
        raise bad_request(NOT_MODIFIED)
    message.buttons = buttons
    return _edited(call, message)


def _own_message(call: Call) -> Message:
    message = call.message(call.open_chat(), "message to edit not found")
    if message.sender is not call.bot:
        raise bad_request("message can't be edited")
    return message


def _edited(call: Call, message: Message) -> dict[str, Any]:
    message.edit_date = int(call.world.now())
    call.record("bot_edit", **_facts(message))
    call.world.refresh(message)
    return message_json(message)


async def delete_message(call: Call) -> bool:
    """deleteMessage: anything in a private chat, in groups only the bot's own."""
    chat = call.open_chat()
    message = call.message(chat, "message to delete not found")
    if message.sender is not call.bot and chat.type != "private":
        raise bad_request("message can't be deleted")
    del chat.messages[message.message_id]
    call.record("bot_delete", **_facts(message))
    call.world.feed.publish("deleted", chat=chat.id, id=message.message_id)
    return True


async def set_message_reaction(call: Call) -> bool:
    """setMessageReaction: one emoji of the fixed list, or none."""
    chat = call.open_chat()
    message = call.message(chat, "message to react not found")
    given = call.params.json("reaction") or []
    if not isinstance(given, list):
        raise bad_request("can't parse reaction types JSON object")
    if len(given) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    emoji = given[0].get("emoji") if given and isinstance(given[0], dict) else None
    if given and (given[0].get("type") != "emoji" or emoji not in ALLOWED_REACTIONS):
        raise bad_request("REACTION_INVALID")
    message.reactions.pop(call.bot.id, None)
    if emoji:
        message.reactions[call.bot.id] = emoji
    call.record("bot_reaction", chat_id=chat.id, message_id=message.message_id, text=emoji or "")
    call.world.refresh(message)
    return True


async def send_chat_action(call: Call) -> bool:
    """sendChatAction."""
    chat = call.open_chat()
    action = call.params.text("action")
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    thread_id = thread(call, chat, None)
    call.record("typing", chat_id=chat.id, thread_id=thread_id, text=action)
    call.world.feed.publish("typing", chat=chat.id, thread=thread_id)
    return True


async def answer_callback_query(call: Call) -> bool:
    """answerCallbackQuery: once a press, within a minute."""
    press = call.world.presses.get(call.params.text("callback_query_id"))
    late = press is not None and call.world.now() - press.at > PRESS_LIFE_SECS
    if press is None or press.answered or late:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    text = call.params.text("text")
    if len(text) > 200:
        raise bad_request("MESSAGE_TOO_LONG")
    press.answered, press.answer = True, text
    message = press.message
    call.record(
        "bot_button_answer", chat_id=message.chat.id, message_id=message.message_id, text=text
    )
    call.world.feed.publish(
        "answered", chat=message.chat.id, id=message.message_id, data=press.data, text=text
    )
    return True


def _facts(message: Message) -> dict[str, Any]:
    return {
        "chat_id": message.chat.id,
        "message_id": message.message_id,
        "thread_id": message.thread_id,
        "text": message.text,
    }


METHODS: dict[str, Method] = {
    "sendMessage": send_message,
    "sendDocument": send_document,
    "editMessageText": edit_message_text,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "setMessageReaction": set_message_reaction,
    "sendChatAction": send_chat_action,
    "answerCallbackQuery": answer_callback_query,
}
