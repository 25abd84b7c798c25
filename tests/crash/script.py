"""The script of a crash run: who writes what, and what the model answers to it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.doubles.model_behaviours import Behaviour, bundle, last_user_message

TOKEN = re.compile(r"\bm\d+\b")
PEOPLE = 2
Kind = Literal["plain", "burst", "command", "long", "reaction", "edited"]
KINDS: tuple[Kind, ...] = ("long", "edited", "reaction", "burst", "command", "plain")
LONG_WORDS = 1_500


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
        texts = ("/help",) if kind == "command" else tuple(f"{kind} {t}" for t in tokens)
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


def answer(body: Mapping[str, Any]) -> Behaviour:
    """A reply that repeats the tokens of what it answers, so that it can be matched."""
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
    spoken = json.loads(content)["reply"][:4_000]
    replaced = json.loads(behaviour.body)
    replaced["choices"][0]["message"]["content"] = spoken
    return Behaviour(body=json.dumps(replaced).encode())
