"""Values: where a value ends within a clause, and which words make one."""

from __future__ import annotations

import re

from app.memory.rule_extractor.vocabulary import (
    EMPTY_NOUNS,
    NOT_NAMES,
    NOT_VALUES,
    word_set,
)

MAX_VALUE = 80
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55\u2764\ufe0f\u200d"
_END = re.compile(
    rf"""\s*(?:
        [,;:](?=\s|$) | [({{\[{_EMOJI}…] | \s[-–—]+\s | (?<=\w)\s+[:;=8]['-]?[)(DPp3/|]
      | \s+(?:because|cause|cuz|coz|cos|since|which|who|whose|but|so|although|though|tho|when|while
          |whenever|if|unless|until|lol|lmao|rofl|haha\w*|hehe\w*|xd|btw|fyi|too|as\s+well|anyway|now
          |right\s+now|at\s+the\s+moment|these\s+days|nowadays|currently|please|pls|plz|thanks|thx
          |thank\s+you|ok|okay|yeah|actually|instead|mate|man|bro|dude|again|already
          |for\s+(?:now|short|\d+|a|an|about|over|almost|many|some|years|the\s+past|ages)
          |(?:and|or)\s+(?:i|i'm|im|i've|ive|he|he's|she|she's|it|it's|its|we|they|you|my|our|his|her|
            their|the|is|was|am|are|has|have|had|will|can|do|does|don't|dont|loves?|likes?|hates?|
            lives?|works?|plays?|wants?|that|then|so|not|also|what|how|who|where)
          |(?:i|i'm|im|my|he's|she's|we|you|he|she|they|it's)\s
        )(?![\w'])
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_NEXT_PLACE = re.compile(r",\s+(?:[A-Z][\w'-]*|[a-z]{2})(?:\s+[A-Z][\w'-]*){0,2}(?=$|[.,!;\s])")
_AND = re.compile(r"\s+(?:and|or|&)\s", re.IGNORECASE)
_TIME_TAIL = re.compile(
    r"\s+(?:as\s+an?|last|next|this|in|since|about|almost|over|just|a few|two|three|\d+|years?"
    r"|on(?=\s+(?:(?:last|next|this|the|a)\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d))"
    r"|months?|weeks?"
    r"|recently|today|yesterday|back|for)\b(?:\s+\w+){0,4}$",
    re.IGNORECASE,
)
_TRAILING = " \t\"'“”«».!?…,;:)(~*_"
_LEADING = " \t\"'“”«»*_"
_INNER_BAD = re.compile(
    r"\b(?:me|us|myself|i|you|your|ur|u|him|them|that|which|is|are|was|were|would|could|should|"
    r"not|never|too|than)\b",
    re.IGNORECASE,
)


def value_span(text: str, start: int, *, many: bool = False) -> tuple[int, int]:
    """Where the value that begins at `start` begins and ends, without quotation marks.

    `many`: a list with commas is one value.
    """
    while start < len(text) and text[start] in _LEADING:
        start += 1
    position = start
    while True:
        found = _END.search(text, position)
        end = found.start() if found else len(text)
        if found and many and text[found.start() : found.end()].strip() == ",":
            position = found.end()
            continue
        break
    while end > start and (text[end - 1] in _TRAILING or not text[end - 1].isprintable()):
        end -= 1
    return start, end


def place_span(text: str, start: int) -> tuple[int, int]:
    """The span of a place: "Leeds", "Leeds, UK", without a time after it."""
    first, end = value_span(text, start)
    tail = _NEXT_PLACE.match(text, end)
    if tail:
        end = tail.end()
    late = _TIME_TAIL.search(text, first, end)
    if late and late.start() > first:
        end = late.start()
    return first, end


def before_and(text: str, start: int, end: int) -> int:
    """The end of the first of several names."""
    found = _AND.search(text, start, end)
    return found.start() if found else end


def is_short(value: str, most: int) -> bool:
    """Whether a value has between one word and `most`."""
    return 0 < len(value.split()) <= most and len(value) <= MAX_VALUE


def is_name(value: str, *, lower: bool = False) -> bool:
    """Whether words are a name: capitalised (unless `lower`), few, and none a passing state."""
    parts = value.split()
    if not 0 < len(parts) <= 4 or len(value) > 50:
        return False
    first = parts[0].casefold().strip(".'")
    if first in NOT_VALUES or first in NOT_NAMES or not value[0].isalnum():
        return False
    if any(part.casefold() in NOT_VALUES - _IN_NAMES for part in parts[1:]):
        return False
    if lower:
        return not _looks_like_a_state(first) or value[0].isupper()
    return parts[0][0].isupper() or not _has_case(parts[0][0])


def is_thing(value: str, most: int = 5) -> bool:
    """Whether a value tells something: no passing state first, nobody and no verb within."""
    if not is_short(value, most):
        return False
    parts = value.casefold().split()
    first = parts[0]
    if first in ("a", "an"):
        return len(parts) > 1 and parts[-1] not in EMPTY_NOUNS and is_thing_inside(parts[1:])
    return first not in NOT_VALUES and is_thing_inside(parts)


def is_thing_inside(parts: list[str]) -> bool:
    """Whether none of the words points at somebody or starts another clause."""
    return not _INNER_BAD.search(" ".join(parts)) and parts[0] not in _REALLY


def is_specific(value: str) -> bool:
    """Whether a value holds a name, a number or a code."""
    return any(
        part[0].isupper() or any(c.isdigit() for c in part) or "-" in part[1:-1] or "_" in part
        for part in value.split()
    )


def _looks_like_a_state(word: str) -> bool:
    return word.endswith(("ing", "ed", "ly", "ful", "less", "ous", "able", "ible", "ish", "ive"))


def _has_case(char: str) -> bool:
    return char.lower() != char.upper()


_IN_NAMES = word_set(
    """the of de la von van der den al el da di and in old free on big sunny silver gold young
    rich king star bright long short small good"""
)
_REALLY = word_set(
    """really very so total real huge such complete bit lot little great good bad nice big
    terrible mess pain fucking damn massive absolute literal"""
)
