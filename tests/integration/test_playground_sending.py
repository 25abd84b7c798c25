"""A real python-telegram-bot against the playground: what it may send, and what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, Forbidden, InvalidToken

from app.playground import Person, Playground
from app.playground.chats import Status
from app.playground.reactions import ALLOWED_REACTIONS
from tests.doubles.playground import running_playground, telegram_bot


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with running_playground() as running:
        yield running


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    async with telegram_bot(playground) as bot:
        yield bot


@pytest.fixture
def ana(playground: Playground) -> Person:
    person = playground.world.add_person("Ana")
    person.send("hi")
    return person


async def test_get_me_tells_who_the_bot_is(playground: Playground, bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.username, me.can_read_all_group_messages) == ("thinkmate_bot", True)


async def test_a_wrong_token_is_401_and_a_malformed_one_404(playground: Playground) -> None:
    wrong, malformed = "7000000001:" + "x" * 36, "7:short"
    for token in (wrong, malformed):
        with pytest.raises(InvalidToken):
            async with telegram_bot(playground, token=token):
                pass
    async with httpx.AsyncClient() as client:
        answers = [
            (await client.get(f"{playground.base_url}{token}/getMe")).json()
            for token in (wrong, malformed)
        ]
    assert answers == [
        {"ok": False, "error_code": 401, "description": "Unauthorized"},
        {"ok": False, "error_code": 404, "description": "Not Found"},
    ]


async def test_an_unknown_method_is_404(bot: Bot) -> None:
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendTelepathy")


async def test_text_with_entities_arrives_and_is_in_the_ledger(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    question = list(ana.chat.messages)[-1]
    sent = await bot.send_message(
        ana.id,
        "🐳 bold",
        entities=[MessageEntity("bold", 3, 4)],
        reply_parameters=ReplyParameters(question),
    )
    assert sent.parse_entities() == {sent.entities[0]: "bold"}
    assert sent.reply_to_message is not None
    (entry,) = playground.ledger.bot_messages(ana.id)
    assert (entry.method, entry.message_id, entry.text, entry.reply_to, entry.acknowledged) == (
        "sendMessage",
        sent.message_id,
        "🐳 bold",
        question,
        True,
    )


@pytest.mark.parametrize(
    ("text", "entities", "words"),
    [
        ("", [], "message text is empty"),
        ("  \n ", [], "message text is empty"),
        ("a" * 4097, [], "message is too long"),
        ("🐳" * 2049, [], "message is too long"),
        ("🐳", [MessageEntity("bold", 1, 1)], "can't parse entities"),
        ("hi", [MessageEntity("bold", 0, 3)], "can't parse entities"),
    ],
)
async def test_a_text_that_does_not_fit_is_refused(
    playground: Playground,
    bot: Bot,
    ana: Person,
    text: str,
    entities: list[MessageEntity],
    words: str,
) -> None:
    with pytest.raises(BadRequest, match=f"(?i){words}"):
        await bot.send_message(ana.id, text, entities=entities)
    assert playground.ledger.bot_messages() == []


async def test_4096_units_are_taken(bot: Bot, ana: Person) -> None:
    sent = await bot.send_message(ana.id, "🐳" * 2048)
    assert sent.text == "🐳" * 2048


async def test_parse_mode_is_refused(bot: Bot, ana: Person) -> None:
    with pytest.raises(BadRequest, match=r"(?i)parse_mode"):
        await bot.send_message(ana.id, "<b>hi</b>", parse_mode="HTML")


async def test_a_chat_must_exist_and_have_been_begun(playground: Playground, bot: Bot) -> None:
    stranger = playground.world.add_person("Ben")
    with pytest.raises(Forbidden, match=r"(?i)can't initiate conversation"):
        await bot.send_message(stranger.id, "hello?")
    with pytest.raises(BadRequest, match=r"(?i)[Cc]hat not found"):
        await bot.send_message(12, "hello?")


async def test_a_blocked_bot_is_told_so(bot: Bot, ana: Person) -> None:
    ana.block()
    with pytest.raises(Forbidden, match=r"(?i)bot was blocked by the user"):
        await bot.send_message(ana.id, "hello?")
    with pytest.raises(Forbidden):
        await bot.send_chat_action(ana.id, "typing")
    ana.unblock()
    assert (await bot.send_message(ana.id, "hello")).text == "hello"


@pytest.mark.parametrize(("status", "words"), [("kicked", "was kicked"), ("left", "not a member")])
async def test_a_bot_outside_a_group_is_refused(
    playground: Playground, bot: Bot, ana: Person, status: Status, words: str
) -> None:
    group = playground.world.add_group("Garden", [ana])
    playground.world.set_bot_status(group, playground.world.bot, status, by=ana)
    with pytest.raises(Forbidden, match=words):
        await bot.send_message(group.id, "hello?")


async def test_an_upgraded_group_names_its_new_id(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    group = playground.world.add_group("Garden", [ana])
    new = playground.world.migrate(group, by=ana)
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(group.id, "hello?")
    assert caught.value.new_chat_id == new.id
    await bot.send_message(new.id, "hello")


async def test_a_reply_needs_its_message_unless_allowed_without(bot: Bot, ana: Person) -> None:
    with pytest.raises(BadRequest, match=r"(?i)[Mm]essage to be replied not found"):
        await bot.send_message(ana.id, "what?", reply_parameters=ReplyParameters(9_999_999_99))
    sent = await bot.send_message(
        ana.id,
        "anyway",
        reply_parameters=ReplyParameters(9_999_999_99, allow_sending_without_reply=True),
    )
    assert sent.reply_to_message is None


async def test_topics_are_written_to_by_their_thread(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    forum = playground.world.add_group("Club", [ana], topics=["Books"])
    (thread_id,) = forum.topics
    sent = await bot.send_message(forum.id, "a good one", message_thread_id=thread_id)
    assert (sent.message_thread_id, sent.is_topic_message) == (thread_id, True)
    with pytest.raises(BadRequest, match=r"(?i)thread not found"):
        await bot.send_message(forum.id, "where?", message_thread_id=1)


async def test_every_reaction_of_the_list_is_taken(bot: Bot, ana: Person) -> None:
    message = ana.send("react to this")
    for emoji in ALLOWED_REACTIONS:
        await bot.set_message_reaction(ana.id, message.message_id, ReactionTypeEmoji(emoji))
    assert list(message.reactions.values()) == [ALLOWED_REACTIONS[-1]]
    await bot.set_message_reaction(ana.id, message.message_id, [])
    assert message.reactions == {}


@pytest.mark.parametrize("emoji", ["✅", "❤\ufe0f", "nice", ""])
async def test_other_reactions_are_refused(bot: Bot, ana: Person, emoji: str) -> None:
    message = ana.send("react to this")
    with pytest.raises(BadRequest, match=r"(?i)[Rr]eaction_invalid"):
        await bot.set_message_reaction(ana.id, message.message_id, ReactionTypeEmoji(emoji))
    with pytest.raises(BadRequest, match=r"(?i)message to react not found"):
        await bot.set_message_reaction(ana.id, 5, ReactionTypeEmoji("👍"))


async def test_edits_change_and_must_change_something(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])
    sent = await bot.send_message(ana.id, "sure?", reply_markup=keyboard)
    with pytest.raises(BadRequest, match=r"(?i)[Mm]essage is not modified"):
        await bot.edit_message_text("sure?", ana.id, sent.message_id, reply_markup=keyboard)
    await bot.edit_message_text("sure", ana.id, sent.message_id, reply_markup=keyboard)
    await bot.edit_message_reply_markup(ana.id, sent.message_id)
    with pytest.raises(BadRequest, match=r"(?i)[Mm]essage is not modified"):
        await bot.edit_message_reply_markup(ana.id, sent.message_id)
    kept = ana.chat.messages[sent.message_id]
    assert (kept.text, kept.buttons) == ("sure", [])
    with pytest.raises(BadRequest, match=r"(?i)can't be edited"):
        await bot.edit_message_text("mine", ana.id, min(ana.chat.messages))
    with pytest.raises(BadRequest, match=r"(?i)message to edit not found"):
        await bot.edit_message_text("which?", ana.id, 5)
    assert len(playground.ledger.of("bot_edit")) == 2


async def test_messages_are_deleted_once(bot: Bot, ana: Person) -> None:
    sent = await bot.send_message(ana.id, "oops")
    await bot.delete_message(ana.id, sent.message_id)
    with pytest.raises(BadRequest, match=r"(?i)message to delete not found"):
        await bot.delete_message(ana.id, sent.message_id)


async def test_a_button_press_is_answered_once(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])
    sent = await bot.send_message(ana.id, "sure?", reply_markup=keyboard)
    press = ana.press(ana.chat.messages[sent.message_id], "y")
    (*_, update) = await bot.get_updates()
    assert update.callback_query is not None
    await update.callback_query.answer("Thank you")
    assert press.answer == "Thank you"
    for query_id in (press.id, "12345"):
        with pytest.raises(BadRequest, match=r"(?i)query is too old"):
            await bot.answer_callback_query(query_id)


async def test_button_data_has_64_bytes_at_most(bot: Bot, ana: Person) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="x" * 65)]])
    with pytest.raises(BadRequest, match=r"(?i)[Bb]utton_data_invalid"):
        await bot.send_message(ana.id, "sure?", reply_markup=keyboard)


async def test_a_file_is_kept_byte_for_byte(playground: Playground, bot: Bot, ana: Person) -> None:
    content = bytes(range(256)) * 4 + b"\r\n--x"
    sent = await bot.send_document(ana.id, content, filename="notes.json", caption="Here")
    assert sent.document is not None
    assert (sent.document.file_name, sent.document.file_size) == ("notes.json", len(content))
    assert playground.world.files[sent.document.file_id] == content


async def test_commands_are_kept_for_the_menu(playground: Playground, bot: Bot) -> None:
    await bot.set_my_commands([("start", "Begin"), ("help", "What I can do")])
    assert [command.command for command in await bot.get_my_commands()] == ["start", "help"]
    assert len(playground.world.bot.menu()) == 2
    with pytest.raises(BadRequest, match=r"(?i)command_invalid"):
        await bot.set_my_commands([("Shout!", "Loudly")])


async def test_chats_and_members_can_be_looked_up(
    playground: Playground, bot: Bot, ana: Person
) -> None:
    group = playground.world.add_group("Garden", [ana])
    assert (await bot.get_chat(group.id)).title == "Garden"
    assert (await bot.get_chat_member(group.id, ana.id)).status == "creator"
    assert (await bot.get_chat_member(group.id, bot.id)).status == "member"
    assert (await bot.get_chat(ana.id)).first_name == "Ana"


async def test_only_known_actions_are_shown(playground: Playground, bot: Bot, ana: Person) -> None:
    await bot.send_chat_action(ana.id, "typing")
    with pytest.raises(BadRequest, match=r"(?i)wrong parameter action"):
        await bot.send_chat_action(ana.id, "juggling")
    assert [entry.text for entry in playground.ledger.of("typing")] == ["typing"]
