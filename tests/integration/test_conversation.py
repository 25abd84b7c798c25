"""A conversation in a private chat, over real HTTP on both sides."""

from __future__ import annotations

import pytest

from app.errors import ModelFailure
from app.services import texts
from app.services.rendering import render
from tests.doubles.model_behaviours import (
    Behaviour,
    bundle,
    empty,
    garbage,
    hang,
    last_user_message,
    null_content,
    rate_limited,
    server_error,
    text,
)
from tests.integration.stage import Stage

DOWN = texts.model_failed(ModelFailure.SERVER)


async def test_a_message_gets_one_reply_from_one_call(stage: Stage) -> None:
    await stage.start()
    stage.model.script(bundle("Hello Ana!"))
    stage.ana.send("Hi there")
    assert await stage.replies(1) == ["Hello Ana!"]
    await stage.settled()
    assert stage.texts() == ["Hello Ana!"]
    assert len(stage.model.requests) == 1
    assert "Hi there" in last_user_message(stage.model.requests[0].body)


async def test_a_burst_of_six_is_one_call_and_one_reply(stage: Stage) -> None:
    await stage.start(message_batch_delay_secs=0.3, max_batch_delay_secs=2.0)
    stage.model.script(bundle("All six read."))
    for number in range(6):
        stage.ana.send(f"part {number}")
    assert await stage.replies(1) == ["All six read."]
    await stage.settled()
    assert len(stage.model.requests) == 1
    prompt = last_user_message(stage.model.requests[0].body)
    assert [line for line in prompt.splitlines() if line.startswith("part")] == [
        f"part {number}" for number in range(6)
    ]


async def test_what_arrives_during_a_reply_is_the_next_turn(stage: Stage) -> None:
    await stage.start(llm_timeout_secs=30.0)
    stage.model.script(hang(), bundle("second"))
    stage.ana.send("first")
    await stage.model.wait_for_requests(1)
    stage.ana.send("and then")
    stage.model.release()
    await stage.settled()
    assert len(stage.texts()) == 2
    assert stage.texts()[1] == "second"


async def test_a_reaction_comes_with_the_reply(stage: Stage) -> None:
    await stage.start()
    stage.model.script(bundle("Lovely", "❤️"))
    message = stage.ana.send("I got the job")
    await stage.replies(1)
    assert list(message.reactions.values()) == ["❤"]


@pytest.mark.parametrize("reaction", ["none", "🪗", "", "not an emoji", None])
async def test_a_bad_reaction_never_touches_the_reply(stage: Stage, reaction: str | None) -> None:
    await stage.start()
    stage.model.script(bundle("Fine", reaction))
    message = stage.ana.send("Hello")
    assert await stage.replies(1) == ["Fine"]
    assert not message.reactions


async def test_a_refused_reaction_never_touches_the_reply(stage: Stage) -> None:
    await stage.start()
    stage.playground.faults.add("setMessageReaction", "error", description="REACTION_INVALID")
    stage.model.script(bundle("Fine", "👍"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["Fine"]
    await stage.settled()


async def test_a_long_reply_comes_in_parts_without_loss(stage: Stage) -> None:
    await stage.start()
    paragraphs = [f"Paragraph {number}. " + "All is well. " * 40 for number in range(20)]
    stage.model.script(bundle("\n\n".join(paragraphs)))
    stage.ana.send("Tell me everything")
    await stage.until(lambda: "Paragraph 19." in "".join(stage.texts()))
    assert len(stage.said()) > 1
    assert all(len(message.text.encode("utf-16-le")) <= 8192 for message in stage.said())
    joined = "".join(stage.texts())
    assert all(f"Paragraph {number}." in joined for number in range(20))


@pytest.mark.parametrize(
    "markdown",
    [
        "**bold _and *nested",
        "```python\nprint(1)\n```",
        "a [link](https://example.org/a_(b)) and `code*`",
        "_under_score_d * star * [x](y",
        "> quote\n> more\n\n- a\n  - b\n    - c",
        "|a|b|\n|-|-|\n|1|2|",
        "👨‍👩‍👧‍👦 **🇩🇪** ~~gone~~ ||spoiler||",
        "<b>html</b> & <script>",
    ],
)
async def test_markdown_that_breaks_parsers_arrives(stage: Stage, markdown: str) -> None:
    await stage.start()
    stage.model.script(bundle(markdown))
    stage.ana.send("Show me")
    (said,) = await stage.replies(1)
    assert said.strip() == render(markdown)[0].text.strip()


async def test_start_and_help(stage: Stage) -> None:
    await stage.start()
    stage.ana.send("/start")
    stage.ana.send("/help")
    stage.ana.send("/nonsense")
    assert await stage.replies(3) == [texts.START, texts.HELP, texts.UNKNOWN_COMMAND]
    await stage.settled()
    assert stage.model.requests == []


async def test_the_persona_can_be_edited_between_two_turns(stage: Stage) -> None:
    await stage.start()
    stage.ana.send("one")
    await stage.replies(1)
    stage.persona.write_text("You are Bob, a gruff sailor.")
    stage.ana.send("two")
    await stage.replies(2)
    stage.persona.write_text("")
    stage.ana.send("three")
    await stage.replies(3)
    systems = [request.body["messages"][0]["content"] for request in stage.model.requests]
    assert [s.split(",")[0] for s in systems] == ["You are Mate", "You are Bob", "You are Bob"]


async def test_garbage_is_taken_as_the_reply(stage: Stage) -> None:
    await stage.start()
    stage.model.script(text("just words, no JSON"))
    stage.ana.send("Hello")
    assert await stage.replies(1) == ["just words, no JSON"]


@pytest.mark.parametrize(
    "failures",
    [[empty(), empty()], [null_content(), null_content()], [rate_limited(120)], [server_error()]],
    ids=["empty", "null", "429", "500"],
)
async def test_a_failing_model_is_admitted_in_one_line_and_nothing_is_lost(
    stage: Stage, failures: list[Behaviour]
) -> None:
    await stage.start()
    stage.model.script(*failures)
    stage.ana.send("Are you there?")
    assert await stage.replies(1) == [DOWN]
    await stage.settled()
    stage.ana.send("Hello?")
    await stage.replies(2)
    prompt = last_user_message(stage.model.requests[-1].body)
    assert "Are you there?" in prompt
    assert "Hello?" in prompt
    assert DOWN not in str(stage.model.requests[-1].body)


async def test_a_model_that_hangs_is_given_up_at_the_deadline(stage: Stage) -> None:
    await stage.start(llm_timeout_secs=0.3)
    stage.model.script(hang())
    stage.ana.send("Hello")
    assert await stage.replies(1) == [DOWN]


async def test_garbage_without_words_is_no_reply(stage: Stage) -> None:
    await stage.start()
    stage.model.script(garbage())
    stage.ana.send("Hello")
    (said,) = await stage.replies(1)
    assert said.strip()


async def test_typing_shows_while_the_model_thinks_and_stops_before_the_reply(
    stage: Stage,
) -> None:
    await stage.start(llm_timeout_secs=30.0)
    stage.model.script(hang())
    stage.ana.send("Hello")
    await stage.noted("typing", 1)
    stage.model.release()
    await stage.replies(1)
    await stage.settled()
    assert stage.ledger_count("typing") == 1


async def test_an_edit_before_the_answer_is_answered_as_edited(stage: Stage) -> None:
    await stage.start(message_batch_delay_secs=0.3, max_batch_delay_secs=1.0)
    message = stage.ana.send("I like cats")
    stage.ana.edit(message, "I like dogs")
    await stage.replies(1)
    await stage.settled()
    prompt = last_user_message(stage.model.requests[0].body)
    assert "I like dogs" in prompt
    assert "cats" not in prompt
    assert len(stage.model.requests) == 1


async def test_an_edit_after_the_answer_changes_the_window_and_gets_no_answer(
    stage: Stage,
) -> None:
    await stage.start()
    stage.model.script(bundle("Nice."), bundle("Dogs."))
    message = stage.ana.send("I like cats")
    await stage.replies(1)
    await stage.settled()
    stage.ana.edit(message, "I like dogs")
    stage.ana.send("What do I like?")
    await stage.replies(2)
    await stage.settled()
    assert len(stage.said()) == 2
    assert "cats" not in str(stage.model.requests[-1].body)
    assert "I like dogs" in str(stage.model.requests[-1].body)


async def test_a_long_paste_is_one_turn_and_stored_whole(stage: Stage) -> None:
    await stage.start(message_batch_delay_secs=0.3, max_batch_delay_secs=2.0)
    pasted = "".join(f"word{number} " for number in range(1_600))
    parts = stage.ana.paste(pasted)
    assert len(parts) == 4
    await stage.replies(1)
    await stage.settled()
    assert len(stage.model.requests) == 1
    assert stage.db is not None
    stored = await stage.db["chat_buffers"].find_one({})
    words = " ".join(m["content"] for m in stored["messages"] if m["role"] == "user")
    assert "word0 " in words
    assert "word1599" in words


async def test_captions_stickers_and_other_media(stage: Stage) -> None:
    await stage.start()
    stage.ana.send_photo("My garden")
    await stage.replies(1)
    assert "My garden" in last_user_message(stage.model.requests[0].body)
    await stage.settled()
    sticker = stage.ana.send_sticker("👍")
    await stage.until(lambda: sticker.reactions)
    await stage.settled()
    stage.ana.send_photo()
    assert (await stage.replies(2))[1] == texts.TEXT_ONLY
    await stage.settled()
    stage.ana.send_photo()
    await stage.settled()
    assert len(stage.said()) == 2
    assert len(stage.model.requests) == 1


async def test_an_album_is_one_turn(stage: Stage) -> None:
    await stage.start(message_batch_delay_secs=0.3, max_batch_delay_secs=2.0)
    stage.ana.send_album([f"picture {number}" for number in range(12)])
    await stage.replies(1)
    await stage.settled()
    assert len(stage.model.requests) == 1
    assert "picture 11" in last_user_message(stage.model.requests[0].body)
