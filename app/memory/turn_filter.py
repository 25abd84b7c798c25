"""The filter before the model: whether a message may state something about its person.

It errs on the side of reading: what it lets through by mistake costs a call, and what it keeps
back is read later with the rest of the conversation.
"""

from __future__ import annotations

import re
import unicodedata

from app.memory.first_person import ENDINGS, IN_SPACELESS, PRONOUNED, UNPRONOUNED, WORDS
from app.memory.rule_extractor.clauses import Sentence, plain, sentences
from app.memory.rule_extractor.vocabulary import word_set
from app.memory.speech_acts import QUESTION, REQUEST, SMALL_TALK, SMALL_TALK_SPACELESS

_FEWEST_WORDS = 3
_SHORTEST = 3
_SHORTEST_SPACELESS = 7
"""Letters of a sentence in a script without spaces that may leave out who speaks."""
_LINK = re.compile(r"(?:https?://|www\.|t\.me/)\S+|\S+@\S+\.\w+|(?<!\w)@\w+")
_COMMAND = re.compile(r"\s*/[A-Za-z]")
_APART = re.compile(r"[,;，、،；]|\s[-–—]\s")
_GREEK_QUESTION = re.compile(r"[\u0370-\u03ff]\s*[;\u037e]\s*$")
_BINDING = word_set(
    """must never always only deadline allergic vegan vegetarian prefer because muss nie immer nur
    allergisch weil jamais toujours nooit altijd aldrig alltid всегда никогда нельзя только завжди
    ніколи birthday geburtstag anniversaire"""
)
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def may_state(text: str) -> bool:
    """Whether a message may state something worth keeping; links, emoji and commands don't count.

    Never raises on any text.
    """
    if _COMMAND.match(text):
        return False
    return any(_states(sentence) for sentence in sentences(_LINK.sub(" ", plain(text))))


def _states(sentence: Sentence) -> bool:
    said = _unasked(sentence).strip().casefold()
    if _letters(said) < _SHORTEST:
        return False
    words = _words(said)
    if _SPACELESS.search(said):
        return _states_spaceless(said)
    if not words or SMALL_TALK.issuperset(words):
        return False
    if QUESTION.search(said) or REQUEST.search(said):
        return False
    if not WORDS.isdisjoint(words) and len(words) > 1:
        return True
    return _states_unspoken(said, words)


def _states_spaceless(said: str) -> bool:
    bare = "".join(char for char in said if unicodedata.category(char)[0] in "LM")
    if SMALL_TALK_SPACELESS.fullmatch(bare) or QUESTION.search(said) or REQUEST.search(said):
        return False
    return IN_SPACELESS.search(said) is not None or _letters(bare) >= _SHORTEST_SPACELESS


def _states_unspoken(said: str, words: list[str]) -> bool:
    """A sentence without "I": a rule or a number, or in a language that can leave it out."""
    long_enough = len(words) >= _FEWEST_WORDS
    if not long_enough:
        return _hits(words, PRONOUNED) == 0 and ENDINGS.search(words[-1]) is not None
    if not _BINDING.isdisjoint(words) or any(char.isdigit() for char in said):
        return True
    return _hits(words, PRONOUNED) <= _hits(words, UNPRONOUNED)


def _unasked(sentence: Sentence) -> str:
    """The sentence without the question it ends in: "Me llamo Ana, ¿y tú?"."""
    if not sentence.asks and not _GREEK_QUESTION.search(sentence.text):
        return sentence.text
    parts = _APART.split(sentence.text.rstrip(" ;\u037e"))
    return ", ".join(parts[:-1])


def _words(text: str) -> list[str]:
    found = re.split(r"[^\w'\u0300-\u036f\u0900-\u0dff\u200c-]+", text)
    parts = [part.strip("'-_") for word in found for part in (word, *_elided(word))]
    return [part for part in parts if part and not part.isdigit()]


def _elided(word: str) -> tuple[str, ...]:
    """ "j'habite" is also "j"."""
    head, mark, _ = word.partition("'")
    return (head,) if mark and len(head) <= 1 else ()


def _letters(text: str) -> int:
    return sum(unicodedata.category(char)[0] == "L" for char in text)


def _hits(words: list[str], languages: tuple[frozenset[str], ...]) -> int:
    return max(sum(word in language for word in words) for language in languages)
