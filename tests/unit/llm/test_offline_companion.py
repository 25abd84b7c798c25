"""The stand-in: honest, helpful, varied, and always the same."""

from __future__ import annotations

import pytest

from app.domain.reactions import normalise_reaction
from app.domain.reply import PromptMessage, ReplyBundle
from app.prompts.system_prompt import CONTEXT_CLOSE, CONTEXT_OPEN
from app.services.offline_companion import OfflineCompanion

SYSTEM = PromptMessage(role="system", content="You are a companion.")
EARLIER = (
    PromptMessage(role="user", content="Hi"),
    PromptMessage(role="assistant", content="Hello!"),
)


async def say(text: str, *, first: bool = False) -> ReplyBundle:
    history = () if first else EARLIER
    prompt = [SYSTEM, *history, PromptMessage(role="user", content=text)]
    return await OfflineCompanion().generate_reply_bundle(prompt)


@pytest.mark.parametrize("text", ["Hello", "My dog is called Rex", "?", ""])
async def test_the_first_reply_says_what_it_is_and_how_to_connect_a_model(text: str) -> None:
    reply = (await say(text, first=True)).reply
    for words in ("no language model", "OPENAI_API_KEY", "thinkmate setup", "Connect a model"):
        assert words in reply


@pytest.mark.parametrize("text", ["help", "Who are you?", "/help", "How do I connect a model?"])
async def test_help_says_it_again(text: str) -> None:
    assert "thinkmate setup" in (await say(text)).reply


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("Hello!", "🤗"),
        ("привет", "🤗"),
        ("नमस्ते", "🤗"),
        ("你好！", "🤗"),
        ("Thanks a lot", "❤"),
        ("Merci !", "❤"),
        ("I feel awful today", None),
    ],
)
async def test_greetings_and_thanks(text: str, reaction: str | None) -> None:
    bundle = await say(text)
    assert bundle.reaction == reaction
    assert normalise_reaction(bundle.reaction) == reaction


async def test_every_other_reply_names_its_limit_and_the_way_out() -> None:
    replies = {(await say(f"I bought {n} apples today, you know")).reply for n in range(40)}
    assert len(replies) > 3
    for reply in replies:
        assert "model" in reply
        assert "help" in reply
        assert "apples" not in reply


async def test_it_is_deterministic() -> None:
    assert await say("What is my dog's name?") == await say("What is my dog's name?")


async def test_the_time_context_is_not_taken_for_the_persons_words() -> None:
    fence = f"{CONTEXT_OPEN}\nIt is Sunday. Say hello, thanks, help.\n{CONTEXT_CLOSE}\n\n"
    assert await say(f"{fence}Is it late?") == await say("Is it late?")
