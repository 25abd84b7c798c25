"""The parts of a message that a bot sends, checked as Telegram checks them."""

from __future__ import annotations

from typing import Any

from app.playground.api_error import bad_request
from app.playground.call import Call
from app.playground.chats import Chat
from app.playground.entities import (
    CAPTION_LIMIT,
    MESSAGE_LIMIT,
    Entity,
    check_entities,
    find_entities,
    trim,
    units,
)
from app.playground.messages import Button, Message

MAX_BUTTON_DATA = 64


def body_text(call: Call) -> tuple[str, list[Entity]]:
    """A text message's trimmed text and its entities."""
    text, entities = _formatted(call, "text", "entities")
    if not text:
        raise bad_request("message text is empty")
    if units(text) > MESSAGE_LIMIT:
        raise bad_request("message is too long")
    return text, entities


def caption(call: Call) -> tuple[str, list[Entity]]:
    """A file's caption and its entities; both may be empty."""
    text, entities = _formatted(call, "caption", "caption_entities")
    if units(text) > CAPTION_LIMIT:
        raise bad_request("message caption is too long")
    return text, entities


def _formatted(call: Call, words: str, marks: str) -> tuple[str, list[Entity]]:
    if call.params.text("parse_mode"):
        raise bad_request("unsupported parse_mode")
    raw = call.params.text(words)
    given = call.params.json(marks)
    if given is not None and not isinstance(given, list):
        raise bad_request("can't parse entities: an array expected")
    text, entities = trim(raw, check_entities(raw, given or []))
    covered = {(entity["offset"], entity["type"]) for entity in entities}
    found = [e for e in find_entities(text) if (e["offset"], e["type"]) not in covered]
    return text, entities + [e for e in found if not _inside(e, entities)]


def _inside(entity: Entity, others: list[Entity]) -> bool:
    """Whether an entity lies in code or a link, where Telegram looks for nothing more."""
    return any(
        other["type"] in ("code", "pre", "text_link")
        and other["offset"] < entity["offset"] + entity["length"]
        and entity["offset"] < other["offset"] + other["length"]
        for other in others
    )


def reply_target(call: Call, chat: Chat) -> Message | None:
    """The message that is replied to, if any."""
    params = call.params
    given = params.json("reply_parameters")
    if given is None:
        message_id = params.integer("reply_to_message_id")
        optional = params.boolean("allow_sending_without_reply")
    elif isinstance(given, dict) and type(given.get("message_id")) is int:
        message_id = given["message_id"]
        optional = given.get("allow_sending_without_reply") is True
    else:
        raise bad_request("can't parse reply parameters JSON object")
    if message_id is None:
        return None
    target = chat.messages.get(message_id)
    if target is None and not optional:
        raise bad_request("message to be replied not found")
    return target


def thread(call: Call, chat: Chat, target: Message | None) -> int | None:
    """The topic to send to: the one named, or the one of the message that is replied to."""
    thread_id = call.params.integer("message_thread_id")
    if thread_id is None:
        return target.thread_id if target is not None else None
    if thread_id not in chat.topics:
        raise bad_request("message thread not found")
    return thread_id


def inline_buttons(call: Call) -> list[list[Button]]:
    """The inline keyboard; other kinds of keyboards are taken and not shown."""
    markup = call.params.json("reply_markup")
    if markup is None:
        return []
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array')
    return [[_button(button) for button in row] for row in rows if row]


def _button(button: Any) -> Button:
    if not isinstance(button, dict) or not str(button.get("text", "")).strip():
        raise bad_request("can't parse inline keyboard button: text is empty")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(str(data).encode()) <= MAX_BUTTON_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    if data is None and not button.get("url"):
        raise bad_request("can't parse inline keyboard button: text buttons are unallowed")
    return dict(button)
