"""Support: whether the quoted words can carry a claim, as far as that can be seen without reading.

Names and numbers are what a model invents and what hurts when it is wrong. Each one in a claim
must stand in the messages it cites, or be known already; and a claim has to share some of its
words with them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from app.domain.candidate import Candidate
from app.memory.normalise import words

_DATE_NAMES = (
    "january february march april may june july august september october november december monday "
    "tuesday wednesday thursday friday saturday sunday i english"
)
SHARED_AT_LEAST = 0.2
"""The share of a claim's letter runs that must stand in what it cites."""
_SHORTEST_STEM = 4
_LONGEST_ENDING = 2
_DATE_WORDS = frozenset(_DATE_NAMES.split(" "))


def unsupported(
    candidate: Candidate,
    cited: Iterable[str],
    known: Iterable[str],
    *,
    said: Iterable[str] = (),
    translated: bool = False,
) -> str | None:
    """The first name or number of a claim that no source has; None when all are accounted for.

    `cited` are the whole messages it quotes, with the question answered; `known` are texts that
    are memory already and names of the people who write; `said`, what they wrote shortly before:
    it lends names, so that "he" can be told by his, and no numbers. In `translated` claims names
    may be spelt another way, so numbers alone are looked at.
    """
    sources = [*cited, *known]
    have = {word for text in sources for word in words(text)}
    named = {word for text in said for word in words(text) if not _is_number(word)}
    joined = " ".join(" ".join(words(text)) for text in sources)
    for claimed, in_value in ((candidate.text, False), (f"- {candidate.value or ''}", True)):
        for word in _specifics(claimed, translated=translated):
            if word in have or word in joined or _stem(word) in have:
                continue
            if word in named or _stem(word) in named:
                continue
            if candidate.event_date and (word in _DATE_WORDS or _is_number(word)):
                continue
            if (in_value or _declines(word)) and _declined(word, have):
                continue
            return word
    return None


def unrelated(text: str, cited: Iterable[str]) -> bool:
    """Whether a claim shares next to nothing with the words it cites, in any script."""
    claim = _grams(text)
    return not claim or shared(text, cited) < SHARED_AT_LEAST * len(claim)


def shared(text: str, sources: Iterable[str]) -> int:
    """How many different runs of letters of a text stand in some words."""
    return len(_grams(text) & set().union(*map(_grams, sources)))


def _grams(text: str) -> set[str]:
    """Runs of three letters within words, of one where words aren't parted by spaces."""
    grams: set[str] = set()
    for word in words(text):
        size = 1 if word[0] >= "\u2e80" else min(3, len(word))
        grams.update(word[start : start + size] for start in range(len(word) - size + 1))
    return grams


def _specifics(text: str, *, translated: bool) -> Iterable[str]:
    first = True
    for raw in text.split():
        core = raw.strip("\"'“”‘’.,;:!?()[]…")
        for word in words(core):
            if _is_number(word) or (not translated and not first and _is_name(core)):
                yield word
        first = raw.endswith((".", "!", "?", ":"))


def _is_number(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _is_name(word: str) -> bool:
    """Begins with a capital letter, in a script that has them, and isn't a month or the like."""
    return (
        bool(word)
        and unicodedata.category(word[0]) in ("Lu", "Lt")
        and word.casefold() not in _DATE_WORDS
        and not word.casefold().startswith(("i'", "i’"))
    )


def _declines(word: str) -> bool:
    """Whether a word is of a script whose languages change the ends of names."""
    return unicodedata.name(word[0], "").startswith(("CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN"))


def _declined(word: str, have: Iterable[str]) -> bool:
    """Whether a name stands in a source with another ending: "Казань" is in "в Казани"."""
    if _is_number(word):
        return False
    shared = max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING)
    return any(
        other[:shared] == word[:shared] and abs(len(other) - len(word)) <= _LONGEST_ENDING
        for other in have
    )


def _stem(word: str) -> str:
    """Without the endings that a sentence in the same language adds or drops."""
    for ending in ("'s", "s"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word
