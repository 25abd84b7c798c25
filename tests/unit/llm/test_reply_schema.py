"""Reading a model's raw text: everything usable is used, nothing else is shown."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.reactions import REACTIONS, normalise_reaction
from app.domain.reply import ReplyBundle
from app.prompts.reply_schema import (
    REPLY_INSTRUCTIONS,
    REPLY_MAX_CHARS,
    REPLY_SCHEMA,
    FormatLevel,
    parse_reply,
    strip_thinking,
)

GOOD = '{"reply": "Hello!", "reaction": "👍"}'
HELLO = ReplyBundle(reply="Hello!", reaction="👍")


@pytest.mark.parametrize(
    "raw",
    [
        GOOD,
        f"\n  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"Here is my answer:\n```json\n{GOOD}\n```\nI hope it helps.",
        f"Sure. {GOOD}",
        f"{GOOD}{GOOD}",
        f"[{GOOD}]"[1:-1],
        f"<think>They said hi.</think>\n{GOOD}",
        f"<THINKING>\nhm {{}}\n</THINKING>{GOOD}",
        f"They said hi.</think>{GOOD}",
        f"<think>a</think><think>b</think>{GOOD}",
        f"<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>{GOOD}<|return|>",
        f"{GOOD}<|im_end|>",
        '{"reaction": "👍", "reply": "Hello!"}',
        '{"response": "Hello!", "reaction": "👍"}',
        '{"reply": {"text": "Hello!"}, "reaction": "👍"}',
        '{"reply": "Hello!", "reaction": "👍", "mood": "fine"}',
        '{"reply": "Hello!", "reaction": "👍",}',
        "{'reply': 'Hello!', 'reaction': '👍'}",
        '{reply: "Hello!", reaction: "👍"}',
        '{"reply": "Hello!", "reaction": "👍"',
        "{“reply”: “Hello!”, “reaction”: “👍”}",
    ],
)
def test_all_spellings_of_the_same_reply(raw: str) -> None:
    assert parse_reply(raw) == HELLO


@pytest.mark.parametrize(
    ("raw", "reply"),
    [
        ("Just text.", "Just text."),
        ("In Python, {} is a dict.", "In Python, {} is a dict."),
        ("Use {name: value} there.", "Use {name: value} there."),
        ("```python\nprint(1)\n```", "```python\nprint(1)\n```"),
        ("```\nhello\n```", "hello"),
        ("```markdown\n**hi**\n```", "**hi**"),
        ('"Just a string."', "Just a string."),
        ('"Quoted" is how it starts.', '"Quoted" is how it starts.'),
        ("[Link](https://example.org) for you", "[Link](https://example.org) for you"),
        ("42", "42"),
        ('{"reply": 42}', "42"),
        ('{"reply": ["One.", "Two."]}', "One.\n\nTwo."),
        ('{"sentence": "Only this."}', "Only this."),
        ('{"reply": "{\\"reply\\": \\"Inner.\\"}"}', "Inner."),
        ('{"reply": "Line\none"}', "Line\none"),
        ('{"reply": "She said \\"hi\\" to me"}', 'She said "hi" to me'),
        ('{"reply": "She said "hi" to me", "reaction": null}', 'She said "hi" to me'),
        ('{"reply": "Cut off in the midd', "Cut off in the midd"),
        ('{"reply": "A path C:\\\\temp and a tab\\t!', "A path C:\\temp and a tab\t!"),
        ('{"reply": "Cut in an escape \\', "Cut in an escape"),
        ('{"reply": "Cut in an escape \\u00', "Cut in an escape"),
        ('{"reply": "Half a pair \\ud83d', "Half a pair"),
        ('{"reply": "Half a pair \\ud83d"}', "Half a pair"),
        ('{"reply": "A pair \\ud83d\\ude00 cut', "A pair 😀 cut"),
        ('{"reply": "NUL\\u0000 here"}', "NUL here"),
        ('```json\n{"reply": "Fence and cut', "Fence and cut"),
        ('{"reply": "Bad escape \\x here"}', "Bad escape x here"),
        ('{"reply": "The tag <think> is fine"}', "The tag <think> is fine"),
        ('{"reply": "Привет, как дела?"}', "Привет, как дела?"),
        ('{"reply": "नमस्ते"}', "नमस्ते"),
        ('{"reply": "مرحبا يا صديقي"}', "مرحبا يا صديقي"),
        ('{"reply": "你好！今天怎么样？', "你好！今天怎么样？"),
        ('{"reply": "\\u4f60\\u597d"}', "你好"),
    ],
)
def test_replies(raw: str, reply: str) -> None:
    bundle = parse_reply(raw)
    assert bundle is not None
    assert bundle.reply == reply


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "",
        "  \n\t",
        "null",
        "{}",
        "[]",
        "{",
        '""',
        '{"reply": ""}',
        '{"reply": "  "}',
        '{"reply": null, "reaction": "👍"}',
        '{"reaction": "👍"}',
        '{"reply": {}}',
        '{"reply": true}',
        '{"reply": "',
        '{"reply":',
        '{"reply": "\\u0000"}',
        '{"type": "object", "properties": {"reply": {"type": "string"}}}',
        '{"mood": "fine", "plan": "greet',
        "<think>still thinking when it was cut off",
        "<think>done</think>  ",
        "```json\n```",
        "```json\n{}\n```",
        "<|im_end|>",
        "[" * 50_000,
        '{"a":' * 50_000,
    ],
)
def test_nothing_usable(raw: str | None) -> None:
    assert parse_reply(raw) is None


@pytest.mark.parametrize(
    ("reaction", "kept"),
    [
        ('"❤"', "❤"),
        ('"none"', None),
        ('" None "', None),
        ('"null"', None),
        ('""', None),
        ("null", None),
        ("5", None),
        ('["👍"]', None),
        ('"a whole sentence instead of an emoji"', None),
        ('"\\ud83d"', None),
    ],
)
def test_reactions(reaction: str, kept: str | None) -> None:
    bundle = parse_reply(f'{{"reply": "x", "reaction": {reaction}}}')
    assert bundle == ReplyBundle(reply="x", reaction=kept)


def test_a_huge_reply_is_cut_to_a_few_messages() -> None:
    for raw in (json.dumps({"reply": "word " * 400_000}), '{"reply": "' + "word " * 400_000):
        bundle = parse_reply(raw)
        assert bundle is not None
        assert len(bundle.reply) <= REPLY_MAX_CHARS
        assert bundle.reply.endswith(" …")


@given(st.text(), st.none() | st.sampled_from(["👍", "❤"]))
def test_what_is_well_formed_comes_through(reply: str, reaction: str | None) -> None:
    bundle = parse_reply(json.dumps({"reply": f"x{reply}x", "reaction": reaction}))
    assert bundle is not None
    assert bundle == ReplyBundle(reply=f"x{reply}x".replace("\0", ""), reaction=reaction)


@given(st.text().filter(lambda reply: "{" not in reply), st.integers(0, 200))
def test_any_cut_of_a_reply_shows_a_beginning_of_it(reply: str, cut: int) -> None:
    raw = json.dumps({"reply": reply, "reaction": None})[:cut]
    bundle = parse_reply(raw)
    if bundle is not None:
        assert "{" not in bundle.reply


@given(st.text(alphabet=st.sampled_from('{}[]":,\\`<>/nthik reply\nu00d8'), max_size=80))
def test_garbage_never_breaks_it(raw: str) -> None:
    bundle = parse_reply(raw)
    if bundle is not None:
        assert bundle.reply.strip()
        bundle.reply.encode("utf-8")


def test_thinking_alone_leaves_nothing() -> None:
    assert strip_thinking("<think>hm</think>") == ""
    assert strip_thinking("a <think> b") == "a <think> b"


def test_the_schema_is_strict() -> None:
    wanted = REPLY_SCHEMA.formats[FormatLevel.JSON_SCHEMA]
    schema = wanted["json_schema"]["schema"]
    assert wanted["json_schema"]["strict"] is True
    assert schema["additionalProperties"] is False
    assert (
        set(schema["required"])
        == set(schema["properties"])
        == {
            "reply",
            "reaction",
            "memory_ops",
        }
    )
    assert FormatLevel.TEXT not in REPLY_SCHEMA.formats


def test_the_instructions_offer_only_reactions_telegram_takes() -> None:
    offered = re.search(r"one of (.+?) — ", REPLY_INSTRUCTIONS)
    assert offered is not None
    for emoji in offered[1].split():
        assert normalise_reaction(emoji) in REACTIONS
    assert "JSON" in REPLY_INSTRUCTIONS  # json_object mode is refused without the word
