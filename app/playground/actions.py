"""What a person can be made to do over HTTP: the same for the page and for tests elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.playground.chats import Chat
from app.playground.messages import Message
from app.playground.person import Person
from app.playground.views import chat_view, message_view
from app.playground.world import World

Body = dict[str, Any]
Action = Callable[[World, Body], Any]

MAX_TEXT = 200_000
MAX_NAME = 64


def add_person(world: World, body: Body) -> Body:
    """{name} -> a person with an open private chat."""
    first, _, last = _name(body, "name").partition(" ")
    person = world.add_person(first, last.strip(), username=str(body.get("username") or ""))
    return {"person": person.id, "chat": chat_view(person.chat, world.people)}


def add_group(world: World, body: Body) -> Body:
    """{title, people: [ids], supergroup?, topics?} -> a group with all bots in it."""
    people = [_known(world, number) for number in body.get("people") or []]
    topics = [str(topic) for topic in body.get("topics") or []]
    chat = world.add_group(
        _name(body, "title"), people, supergroup=bool(body.get("supergroup")), topics=topics
    )
    return {"chat": chat_view(chat, world.people), "topics": chat.topics}


def send(world: World, body: Body) -> Body:
    """{person, text, chat?, reply_to?, thread?, forwarded_from?} -> the messages it took."""
    text = str(body.get("text") or "")
    if len(text) > MAX_TEXT:
        raise ValueError("that is too much text")
    person, chat = _person(world, body), _chat(world, body)
    thread = body.get("thread")
    messages = person.paste(
        text,
        chat,
        reply_to=_message(chat, body["reply_to"]) if body.get("reply_to") else None,
        thread_id=int(thread) if thread else None,
        forwarded_from=str(body.get("forwarded_from") or ""),
    )
    return {"messages": [message_view(message) for message in messages]}


def send_photo(world: World, body: Body) -> Body:
    """{person, caption?, chat?} -> a picture."""
    caption = str(body.get("caption") or "")
    message = _person(world, body).send_photo(caption, _chat(world, body))
    return {"messages": [message_view(message)]}


def send_album(world: World, body: Body) -> Body:
    """{person, captions: [text], chat?} -> pictures that belong together."""
    captions = [str(caption) for caption in body.get("captions") or []]
    messages = _person(world, body).send_album(captions, _chat(world, body))
    return {"messages": [message_view(message) for message in messages]}


def send_sticker(world: World, body: Body) -> Body:
    """{person, emoji, chat?} -> a sticker."""
    message = _person(world, body).send_sticker(str(body["emoji"]), _chat(world, body))
    return {"messages": [message_view(message)]}


def edit(world: World, body: Body) -> Body:
    """{person, chat?, message, text} -> the edited message."""
    message = _message(_chat(world, body), body["message"])
    edited = _person(world, body).edit(message, str(body.get("text") or ""))
    return {"messages": [message_view(edited)]}


def react(world: World, body: Body) -> Body:
    """{person, chat?, message, emoji or null}."""
    message = _message(_chat(world, body), body["message"])
    emoji = body.get("emoji")
    _person(world, body).react(message, str(emoji) if emoji else None)
    return {}


def press(world: World, body: Body) -> Body:
    """{person, chat?, message, button} -> the press's id."""
    message = _message(_chat(world, body), body["message"])
    return {"press": _person(world, body).press(message, str(body["button"])).id}


def block(world: World, body: Body) -> Body:
    """{person, blocked: true or false}."""
    person = _person(world, body)
    if body.get("blocked", True):
        person.block()
    else:
        person.unblock()
    return {}


def migrate(world: World, body: Body) -> Body:
    """{person, chat} -> the supergroup's chat id."""
    return {"chat": world.migrate(_chat(world, body), by=_person(world, body)).id}


def set_bot_status(world: World, body: Body) -> Body:
    """{person, chat, status}: kicked, left, member or administrator."""
    status = body.get("status")
    if status not in ("kicked", "left", "member", "administrator"):
        raise ValueError("no such status")
    world.set_bot_status(_chat(world, body), world.bot, status, by=_person(world, body))
    return {}


def open_chat(world: World, body: Body) -> Body:
    """{person}: the first opening of a private chat presses its Start button."""
    person = _person(world, body)
    if not person.chat.messages:
        person.send("/start")
    return {}


PAGE_ACTIONS: dict[str, Action] = {
    "add-person": add_person,
    "add-group": add_group,
    "send": send,
    "send-photo": send_photo,
    "send-sticker": send_sticker,
    "edit": edit,
    "react": react,
    "press": press,
    "block": block,
    "open": open_chat,
}
CONTROL_ACTIONS: dict[str, Action] = {
    **PAGE_ACTIONS,
    "send-album": send_album,
    "migrate": migrate,
    "set-bot-status": set_bot_status,
}


def _person(world: World, body: Body) -> Person:
    return _known(world, body["person"])


def _known(world: World, number: Any) -> Person:
    person = world.people.get(int(number))
    if person is None:
        raise ValueError("no such person")
    return person


def _chat(world: World, body: Body) -> Chat:
    given = body.get("chat")
    if given is None:
        return _person(world, body).chat
    chat = world.find_chat(world.bot, int(given))
    if chat is None:
        raise ValueError("no such chat")
    return chat


def _message(chat: Chat, number: Any) -> Message:
    message = chat.messages.get(int(number))
    if message is None:
        raise ValueError("no such message")
    return message


def _name(body: Body, key: str) -> str:
    name = " ".join(str(body.get(key) or "").split())
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"the {key} must have 1 to {MAX_NAME} characters")
    return name
