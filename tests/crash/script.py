"""The script of a crash run: who writes what, and what the model answers to it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.prompts.memory import extraction
from tests.doubles.model_behaviours import Behaviour, bundle, last_user_message
from tests.doubles.model_behaviours import text as spoken

TOKEN = re.compile(r"\bm\d+\b")
PEOPLE = 2
Kind = Literal["plain", "burst", "command", "long", "reaction", "edited"]
KINDS: tuple[Kind, ...] = ("long", "edited", "reaction", "burst", "command", "plain")
LONG_WORDS = 1_500
PETS = ("dog", "cat", "parrot", "horse", "rabbit", "hamster", "goat", "pony")
NAMES = ("Rex", "Tom", "Polly", "Bella", "Milo", "Luna", "Oscar", "Daisy", "Max")
HOBBIES = ("stamps", "coins", "shells", "maps", "records", "postcards", "teapots", "kites")
LINE = re.compile(r"^#(\d+) \[[^]]*\] person: (.*)$", re.MULTILINE)
FRESH = re.compile(r"^Extract from line #(\d+) on", re.MULTILINE)
COLLECTS = re.compile(r"I collect (\w+)")
PADDING = (
    "It was one of those quiet afternoons on which nothing much happens and time goes by slowly."
)


@dataclass(frozen=True)
class Step:
    """One thing a person does: texts sent at once; `tokens` mark what must be answered.

    "edited" is changed by its author once it is answered.
    """

    index: int
    person: int
    kind: Kind
    texts: tuple[str, ...]
    tokens: tuple[str, ...]


def script(messages: int) -> list[Step]:
    """Steps with `messages` messages in all, over all kinds in turn."""
    steps: list[Step] = []
    number = 0
    while number < messages:
        kind = KINDS[len(steps) % len(KINDS)]
        count = min(3 if kind == "burst" else 1, messages - number)
        tokens = tuple(f"m{number + n}" for n in range(count))
        round_ = len(steps) // len(KINDS)
        texts = ("/help",) if kind == "command" else tuple(f"{kind} {t}. " for t in tokens)
        if kind != "command":
            texts = tuple(text + said(kind, round_, n) for n, text in enumerate(texts))
        steps.append(
            Step(
                index=len(steps),
                person=1 if kind == "plain" else 0,
                kind=kind,
                texts=texts,
                tokens=() if kind == "command" else tokens,
            )
        )
        number += count
    return steps


def said(kind: Kind, turn: int, part: int = 0) -> str:
    """Something to remember: by the rules at once, or ("I collect") for the model to find."""
    pet, name = PETS[turn % len(PETS)], NAMES[turn % len(NAMES)]
    if kind == "long":
        return f"My {pet} is called {name}. {PADDING}"
    if kind == "edited":
        return f"My {pet}'s collar is {('red', 'blue', 'green')[turn % 3]}. {PADDING}"
    if kind == "reaction":
        return f"Actually, my {pet} is called {NAMES[(turn + 1) % len(NAMES)]}, not {name}."
    if kind == "burst" and part == 1:
        return "Please forget my parrot's collar." if turn % 3 == 2 else PADDING
    return f"I collect {HOBBIES[(2 * turn + part) % len(HOBBIES)]}. {PADDING}"


def edited(text: str) -> str:
    """What a message is changed to: another collar."""
    return re.sub(r"collar is \w+", "collar is yellow", text) + " (edited)"


def extracted(body: Mapping[str, Any]) -> Behaviour | None:
    """A row for each new line that says what the person collects; None when not asked for that."""
    messages = body["messages"]
    if messages[0]["content"] != extraction.RULES:
        return None
    prompt = messages[-1]["content"]
    fresh = FRESH.search(prompt)
    assert fresh is not None
    rows = [
        {
            "kind": "fact",
            "text": f"I collect {found[1]}",
            "message": int(line[1]),
            "quote": found[0],
            "category": "hobby",
            "subject": "self",
            "predicate": "collects",
            "value": found[1],
            "multi": True,
            "confidence": 0.9,
        }
        for line in LINE.finditer(prompt)
        for found in COLLECTS.finditer(line[2])
        if int(line[1]) >= int(fresh[1])
    ]
    return spoken(json.dumps({"rows": rows, "traits": [], "moods": []}))


def answer(body: Mapping[str, Any]) -> Behaviour:
    """A reply that repeats the tokens of what it answers, so that it can be matched."""
    read = extracted(body)
    if read is not None:
        return read
    asked = last_user_message(body)
    words = " ".join(TOKEN.findall(asked))
    if "long" in asked:
        mark = words.replace(" ", "")
        return bundle(f"Answer {words}: " + " ".join(f"{n}{mark}" for n in range(LONG_WORDS)))
    return bundle(f"**Answer** {words}", "👍" if "reaction" in asked else None)


def plain_answer(body: Mapping[str, Any]) -> Behaviour:
    """The same for a subject that asks for plain text."""
    behaviour = answer(body)
    content = json.loads(behaviour.body)["choices"][0]["message"]["content"]
    reply = json.loads(content)["reply"][:4_000]
    replaced = json.loads(behaviour.body)
    replaced["choices"][0]["message"]["content"] = reply
    return Behaviour(body=json.dumps(replaced).encode())
