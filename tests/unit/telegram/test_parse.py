"""Telegram's JSON becomes what the program needs to know, or is left aside."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Bot

from app.domain.inbox import UpdateKind
from app.transports.telegram.parse import UpdateParser

ANA: dict[str, Any] = {"id": 7, "is_bot": False, "first_name": "Ana", "language_code": "de"}
DM = {"id": 7, "type": "private", "first_name": "Ana"}
GROUP = {"id": -50, "type": "supergroup", "title": "Garden", "is_forum": True}
ROBOT = {"id": 8, "is_bot": True, "first_name": "Robot"}
OURS = {"id": 99, "is_bot": True, "first_name": "Mate", "username": "mate_bot"}


@pytest.fixture
def parse() -> UpdateParser:
    return UpdateParser(Bot("99:token"), 99, "Mate_Bot")


def message(chat: dict[str, Any] = DM, **fields: Any) -> dict[str, Any]:
    body = {"message_id": 5, "date": 1_770_000_000, "chat": chat, "from": ANA, **fields}
    return {"update_id": 1, "message": body}


def entity(kind: str, offset: int, length: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


def test_a_plain_message(parse: UpdateParser) -> None:
    incoming = parse(message(text="Hello"))
    assert incoming.kind is UpdateKind.MESSAGE
    assert (incoming.conversation, incoming.chat_kind, incoming.text) == ("7", "private", "Hello")
    assert (incoming.sender_id, incoming.sender_name, incoming.language_code) == (7, "Ana", "de")
    assert (incoming.origin, incoming.addressed, incoming.telegram_message_id) == ("typed", True, 5)
    assert incoming.sent_at is not None
    assert incoming.sent_at.timestamp() == 1_770_000_000


def test_half_an_emoji_does_not_get_in(parse: UpdateParser) -> None:
    assert parse(message(text="hi \ud83d")).text == "hi "


@pytest.mark.parametrize(
    ("fields", "media", "text"),
    [
        ({"photo": [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}],
          "caption": "My cat"}, "none", "My cat"),
        ({"photo": [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]},
         "other", ""),
        ({"sticker": {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1,
                      "type": "regular", "is_animated": False, "is_video": False, "emoji": "❤️"}},
         "sticker", "❤️"),
        ({"voice": {"file_id": "a", "file_unique_id": "b", "duration": 2}}, "other", ""),
    ],
)  # fmt: skip
def test_media(parse: UpdateParser, fields: dict[str, Any], media: str, text: str) -> None:
    incoming = parse(message(**fields))
    assert (incoming.kind, incoming.media, incoming.text) == (UpdateKind.MESSAGE, media, text)


def test_forwarded_words_are_not_typed_words(parse: UpdateParser) -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Somebody", "date": 1_770_000_000}
    assert parse(message(text="News", forward_origin=origin)).origin == "forwarded"


@pytest.mark.parametrize(
    ("text", "command", "args"),
    [
        ("/start", "start", ""),
        ("/Start claim_abc", "start", "claim_abc"),
        ("/help@Mate_Bot  now ", "help", "now"),
    ],
)
def test_commands(parse: UpdateParser, text: str, command: str, args: str) -> None:
    length = len(text.split()[0])
    incoming = parse(message(text=text, entities=[entity("bot_command", 0, length)]))
    assert (incoming.kind, incoming.command, incoming.args) == (UpdateKind.COMMAND, command, args)


def test_a_command_for_another_bot_is_left_aside(parse: UpdateParser) -> None:
    raw = message(GROUP, text="/help@other_bot", entities=[entity("bot_command", 0, 15)])
    assert parse(raw).kind is UpdateKind.IGNORED


def test_a_slash_in_the_middle_is_no_command(parse: UpdateParser) -> None:
    raw = message(text="try /help", entities=[entity("bot_command", 4, 5)])
    assert parse(raw).kind is UpdateKind.MESSAGE


@pytest.mark.parametrize(
    ("fields", "addressed"),
    [
        ({"text": "hello all"}, False),
        ({"text": "@mate_bot hi", "entities": [entity("mention", 0, 9)]}, True),
        ({"text": "@else_bot hi", "entities": [entity("mention", 0, 9)]}, False),
        ({"text": "Mate hi", "entities": [entity("text_mention", 0, 4, user=OURS)]}, True),
    ],
)
def test_in_a_group_the_bot_is_addressed_by_name(
    parse: UpdateParser, fields: dict[str, Any], addressed: bool
) -> None:
    incoming = parse(message(GROUP, **fields))
    assert (incoming.chat_kind, incoming.addressed) == ("group", addressed)


@pytest.mark.parametrize(("author", "addressed"), [(OURS, True), (ANA, False)])
def test_a_reply_to_the_bot_addresses_it(
    parse: UpdateParser, author: dict[str, Any], addressed: bool
) -> None:
    replied = {"message_id": 4, "date": 1, "chat": GROUP, "from": author, "text": "so?"}
    assert parse(message(GROUP, text="yes", reply_to_message=replied)).addressed is addressed


def test_a_topic_is_a_conversation_of_its_own(parse: UpdateParser) -> None:
    raw = message(GROUP, text="hi", message_thread_id=12, is_topic_message=True)
    assert (parse(raw).conversation, parse(raw).thread_id) == ("-50:12", 12)
    general = message(GROUP, text="hi", message_thread_id=3)
    assert parse(general).conversation == "-50"


def test_an_edit(parse: UpdateParser) -> None:
    body = {**message(text="better")["message"], "edit_date": 1_770_000_060}
    incoming = parse({"update_id": 2, "edited_message": body})
    assert (incoming.kind, incoming.text) == (UpdateKind.EDIT, "better")


def test_a_button(parse: UpdateParser) -> None:
    query = {
        "id": "q1",
        "from": ANA,
        "chat_instance": "c",
        "data": "yes",
        "message": {"message_id": 5, "date": 1, "chat": DM, "from": OURS, "text": "Well?"},
    }
    incoming = parse({"update_id": 2, "callback_query": query})
    assert (incoming.kind, incoming.button_id, incoming.button_data) == (
        UpdateKind.BUTTON,
        "q1",
        "yes",
    )


@pytest.mark.parametrize(("status", "can_write"), [("kicked", False), ("member", True)])
def test_block_and_unblock(parse: UpdateParser, status: str, can_write: bool) -> None:
    member: dict[str, Any] = {"user": OURS, "status": status}
    if status == "kicked":
        member["until_date"] = 0
    change = {
        "chat": DM,
        "from": ANA,
        "date": 1,
        "old_chat_member": {"user": OURS, "status": "member"},
        "new_chat_member": member,
    }
    incoming = parse({"update_id": 2, "my_chat_member": change})
    assert (incoming.kind, incoming.can_write) == (UpdateKind.MEMBERSHIP, can_write)


def test_a_migration_names_the_new_id(parse: UpdateParser) -> None:
    incoming = parse(message({"id": -5, "type": "group", "title": "G"}, migrate_to_chat_id=-1005))
    assert (incoming.kind, incoming.conversation, incoming.new_chat_id) == (
        UpdateKind.MIGRATION,
        "-5",
        -1005,
    )


@pytest.mark.parametrize(
    "raw",
    [
        message(**{"from": ROBOT}, text="beep"),
        message(GROUP, text="as the channel", sender_chat={"id": -9, "type": "channel"}),
        message(GROUP, new_chat_members=[ANA]),
        message(GROUP, pinned_message={"message_id": 1, "date": 1, "chat": GROUP, "text": "x"}),
        {"update_id": 3, "channel_post": {"message_id": 1, "date": 1, "text": "x",
                                          "chat": {"id": -9, "type": "channel", "title": "C"}}},
        {"update_id": 4, "something_new": {"a": 1}},
    ],
)  # fmt: skip
def test_what_is_not_for_us_is_left_aside(parse: UpdateParser, raw: dict[str, Any]) -> None:
    assert parse(raw).kind is UpdateKind.IGNORED
