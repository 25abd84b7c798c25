"""What people do, and what the bot is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from app.playground import Person, World


@pytest.fixture
def world() -> World:
    world = World()
    world.add_bot("mate_bot", "Mate")
    return world


@pytest.fixture
def ana(world: World) -> Person:
    return world.add_person("Ana", "Silva", username="ana_s")


def told(world: World, kind: str = "message") -> list[dict[str, Any]]:
    """What the bot would be given."""
    return [update.body for update in world.bot.updates.pending if update.kind == kind]


def test_a_text_becomes_an_update_and_two_ledger_entries(world: World, ana: Person) -> None:
    message = ana.send("/start hello")
    (body,) = told(world)
    assert body["text"] == "/start hello"
    assert body["from"]["first_name"] == "Ana"
    assert body["chat"] == {
        "id": ana.id,
        "type": "private",
        "first_name": "Ana",
        "last_name": "Silva",
        "username": "ana_s",
    }
    assert body["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]
    assert message.is_command
    assert [entry.kind for entry in world.ledger] == ["person_message", "update_created"]


def test_message_ids_count_per_chat_and_update_ids_per_bot(world: World, ana: Person) -> None:
    second = world.add_bot("other_bot", "Other")
    ben = world.add_person("Ben")
    ana.send("one")
    ana.send("two")
    ben.send("three")
    ben.send("to the other", world.private_chat(second, ben))
    assert [m.message_id for m in ana.chat.messages.values()] == [1, 2]
    assert [m.message_id for m in ben.chat.messages.values()] == [1]
    assert [update.update_id for update in world.bot.updates.pending] == [1, 2, 3]
    assert [update.update_id for update in second.updates.pending] == [1]


def test_a_long_paste_goes_out_in_several_messages(world: World, ana: Person) -> None:
    messages = ana.paste("word " * 2000)
    assert len(messages) == 3
    assert all(len(message.text) <= 4096 for message in messages)
    assert "".join(message.text.replace(" ", "") for message in messages) == "word" * 2000
    assert len(told(world)) == 3


def test_nothing_can_not_be_sent(ana: Person) -> None:
    with pytest.raises(ValueError, match="nothing"):
        ana.send("  \n ")


def test_replies_forwards_captions_stickers_and_albums(world: World, ana: Person) -> None:
    first = ana.send("one")
    ana.send("two", reply_to=first)
    ana.send("passed on", forwarded_from="Carol")
    ana.send_photo("look @mate_bot")
    ana.send_sticker("🐳")
    ana.send_album(["a", ""])
    bodies = told(world)
    assert bodies[1]["reply_to_message"]["text"] == "one"
    assert bodies[2]["forward_origin"]["sender_user_name"] == "Carol"
    assert bodies[3]["caption"] == "look @mate_bot"
    assert bodies[3]["caption_entities"][0]["type"] == "mention"
    assert bodies[4]["sticker"]["emoji"] == "🐳"
    assert bodies[5]["media_group_id"] == bodies[6]["media_group_id"]
    assert "caption" not in bodies[6]


def test_an_edit_is_told_and_only_own_messages_can_be_edited(world: World, ana: Person) -> None:
    message = ana.send("helo")
    ana.edit(message, "hello")
    (body,) = told(world, "edited_message")
    assert (body["text"], body["message_id"]) == ("hello", message.message_id)
    assert body["edit_date"] >= body["date"]
    with pytest.raises(ValueError, match="own message"):
        world.add_person("Ben").edit(message, "mine")


def test_reactions_are_told_when_asked_for(world: World, ana: Person) -> None:
    message = ana.send("hi")
    ana.react(message, "👍")
    assert told(world, "message_reaction") == []
    world.bot.updates.remember(["message", "message_reaction"])
    ana.react(message, "🔥")
    ana.react(message, None)
    changed, removed = told(world, "message_reaction")
    assert changed["old_reaction"] == [{"type": "emoji", "emoji": "👍"}]
    assert changed["new_reaction"] == [{"type": "emoji", "emoji": "🔥"}]
    assert removed["new_reaction"] == []
    with pytest.raises(ValueError, match="no such reaction"):
        ana.react(message, "✅")


def test_blocking_is_told_and_closes_the_chat(world: World, ana: Person) -> None:
    ana.send("hi")
    ana.block()
    with pytest.raises(ValueError, match="blocked"):
        ana.send("still there?")
    ana.unblock()
    blocked, unblocked = told(world, "my_chat_member")
    assert blocked["old_chat_member"]["status"] == "member"
    assert blocked["new_chat_member"]["status"] == "kicked"
    assert unblocked["new_chat_member"]["status"] == "member"


def test_privacy_mode_shows_commands_mentions_and_replies_only(world: World, ana: Person) -> None:
    world.bot.reads_all = False
    group = world.add_group("Garden", [ana])
    bot_message = world.post(group, world.bot, "hello all")
    ana.send("just talking", group)
    ana.send("/help", group)
    ana.send("/help@other_bot", group)
    ana.send("well @mate_bot?", group)
    ana.send("well @mate_bot2?", group)
    ana.send("yes", group, reply_to=bot_message)
    assert [body["text"] for body in told(world)] == ["/help", "well @mate_bot?", "yes"]


def test_without_privacy_mode_everything_is_shown(world: World, ana: Person) -> None:
    group = world.add_group("Garden", [ana])
    ana.send("just talking", group)
    assert [body["text"] for body in told(world)] == ["just talking"]


def test_a_group_that_is_upgraded_gets_a_new_id(world: World, ana: Person) -> None:
    group = world.add_group("Garden", [ana])
    new = world.migrate(group, by=ana)
    there, here = told(world)
    assert there["chat"]["type"] == "group"
    assert there["migrate_to_chat_id"] == new.id
    assert here["chat"]["type"] == "supergroup"
    assert here["migrate_from_chat_id"] == group.id
    assert str(new.id).startswith("-100")
    with pytest.raises(ValueError, match="supergroup"):
        ana.send("too late", group)
    ana.send("here", new)


def test_topics_are_threads(world: World, ana: Person) -> None:
    forum = world.add_group("Club", [ana], topics=["Books"])
    (thread_id,) = forum.topics
    ana.send("a good one", forum, thread_id=thread_id)
    body = told(world)[-1]
    assert body["chat"]["is_forum"] is True
    assert (body["message_thread_id"], body["is_topic_message"]) == (thread_id, True)
    with pytest.raises(ValueError, match="topic"):
        ana.send("where?", forum, thread_id=999)


def test_a_pressed_button_is_told(world: World, ana: Person) -> None:
    message = world.post(
        ana.chat, world.bot, "sure?", buttons=[[{"text": "Yes", "callback_data": "y"}]]
    )
    press = ana.press(message, "Yes")
    (body,) = told(world, "callback_query")
    assert (body["id"], body["data"], body["message"]["text"]) == (press.id, "y", "sure?")
    with pytest.raises(ValueError, match="no such button"):
        ana.press(message, "No")


def test_an_outsider_can_not_write_into_a_group(world: World, ana: Person) -> None:
    group = world.add_group("Garden", [ana])
    with pytest.raises(ValueError, match="not a member"):
        world.add_person("Ben").send("hi", group)
