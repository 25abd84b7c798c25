"""A language besides English: the shapes of its sentences, as a table.

In a shape `v` is the value, `x` the thing or person it is about, `w` the words to remember or
to forget, `r` the value taken back. A shape is tried at the start of a clause.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from app.memory.rule_extractor.vocabulary import word_set


class Shape(NamedTuple):
    """One shape: what it says (`kind`) and how it reads."""

    kind: str
    pattern: re.Pattern[str]


class Language(NamedTuple):
    """A language: words that give it away, or letters; its shapes in the order they are tried."""

    code: str
    words: frozenset[str]
    letters: re.Pattern[str]
    shapes: tuple[Shape, ...]


_NO_LETTERS = re.compile(r"(?!)")


def language(code: str, clue: str, **shapes: str | tuple[str, ...]) -> Language:
    """A language from its code, its clue (words, or a class of letters) and its shapes by kind."""
    made = [
        Shape(kind, re.compile(pattern, re.IGNORECASE))
        for kind, patterns in shapes.items()
        for pattern in ((patterns,) if isinstance(patterns, str) else patterns)
    ]
    if not clue.startswith("["):
        return Language(code, word_set(clue), _NO_LETTERS, tuple(made))
    return Language(code, frozenset(), re.compile(clue, re.IGNORECASE), tuple(made))


# The pieces of which the tables are made: see the module's docstring for the groups.
VALUE = r"(?P<v>\S.*)"
THING = r"(?P<x>[^\W\d_]+(?:\s[^\W\d_]+)?)"
VALUE_NOT = r"(?P<v>[^\s,].{0,40}?)\s*,?\s+"
WRONG = r"(?P<r>\S.{0,40})"
