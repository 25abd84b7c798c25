"""Answers: a few bare words that answer the bot's plain question just before."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.domain.conversation import Message
from app.memory.rule_extractor.clauses import Sentence, plain, sentences
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.owned import owned
from app.memory.rule_extractor.values import is_name, is_thing
from app.memory.rule_extractor.vocabulary import BEINGS, word_set

MAX_WORDS = 4
_TAIL = 400


class Question(NamedTuple):
    """A shape of question: what its answer says. `x` in a pattern names the thing asked about."""

    pattern: re.Pattern[str]
    predicate: str
    text: str


def _question(pattern: str, predicate: str, text: str) -> Question:
    return Question(re.compile(pattern, re.IGNORECASE), predicate, text)


_QUESTIONS = (
    _question(
        r"what(?:'s|s|\s+is)\s+your\s+name$|what\s+are\s+you\s+called$", "name", "My name is {v}"
    ),
    _question(r"what\s+(?:should|can|may|shall|do)\s+i\s+call\s+you$", "nickname", "Call me {v}"),
    _question(r"where\s+do\s+you\s+live(?:\s+now)?$", "lives_in", "I live in {v}"),
    _question(r"when(?:'s|\s+is)\s+your\s+birthday$", "birthday", "My birthday is {v}"),
    _question(
        r"what(?:'s|s|\s+is|\s+are)\s+your\s+(?P<x>[\w' -]{2,40}?)(?:'s\s+names?|\s+(?:called"
        r"|named))$",
        "name",
        "My {x} is called {v}",
    ),
    _question(
        r"what(?:'s|\s+is)\s+the\s+name\s+of\s+your\s+(?P<x>[\w' -]{2,40})$",
        "name",
        "My {x} is called {v}",
    ),
    _question(r"¿?(?:y\s+)?cómo\s+te\s+llamas$", "name", "Me llamo {v}"),
    _question(r"¿?(?:y\s+)?cómo\s+se\s+llama\s+tu\s+(?P<x>\w+)$", "name", "Mi {x} se llama {v}"),
    _question(r"¿?dónde\s+vives$", "lives_in", "Vivo en {v}"),
    _question(
        r"comment\s+(?:tu\s+t'appelles|t'appelles-tu|vous\s+appelez-vous)$",
        "name",
        "Je m'appelle {v}",
    ),
    _question(r"comment\s+s'appelle\s+(?:ton|ta|votre)\s+(?P<x>\w+)$", "name", "{x} : {v}"),
    _question(
        r"où\s+(?:habites-tu|est-ce\s+que\s+tu\s+habites|tu\s+habites)$",
        "lives_in",
        "J'habite à {v}",
    ),
    _question(r"wie\s+hei(?:ß|ss)t\s+du$", "name", "Ich heiße {v}"),
    _question(r"wie\s+hei(?:ß|ss)t\s+(?:dein|deine|ihr)\s+(?P<x>\w+)$", "name", "{x}: {v}"),
    _question(r"wo\s+wohnst\s+du$", "lives_in", "Ich wohne in {v}"),
    _question(r"(?:а\s+)?как\s+(?:тебя|вас)\s+зовут$", "name", "Меня зовут {v}"),
    _question(
        r"(?:а\s+)?где\s+ты\s+живёшь$|где\s+ты\s+живешь$", "lives_in", "Место, где я живу: {v}"
    ),
)
_NO_ANSWER = word_set(
    """yes no yeah yep nope nah idk dunno nothing none what why who ok okay sure maybe guess
    secret lol haha hm hmm well stop skip later never hi hello hey thanks thank nice cool
    great good sorry pass sí oui non ja nein да нет не you same here there somewhere anywhere
    nowhere depends tomorrow whatever anything everything unknown private mine wait help
    cancel next"""
)
_LEAD = re.compile(r"(?:it's|its|he's|she's|in|on|at)\s+", re.IGNORECASE)


def answer(sentence: Sentence, previous: Message) -> list[Finding]:
    """The finding of a message that is one bare answer to the bot's last sentence."""
    text = sentence.text.strip(" \t\"'“”«».!,😀😃😄😊🙂😂❤️")
    begin = sentence.text.find(text)
    lead = _LEAD.match(text)
    if lead:
        begin, text = begin + lead.end(), text[lead.end() :]
    words = text.split()
    if (
        sentence.asks
        or not 0 < len(words) <= MAX_WORDS
        or words[0].casefold().strip(",") in _NO_ANSWER
    ):
        return []
    asked = [said for said in sentences(plain(previous.content[-_TAIL:])) if said.text.strip()]
    if not asked or not asked[-1].asks:
        return []
    for question in _QUESTIONS:
        found = question.pattern.search(asked[-1].text.strip())
        if found:
            return _answer(question, found, text, sentence.start + begin, previous.seq)
    return []


def _answer(
    question: Question, found: re.Match[str], value: str, start: int, seq: int
) -> list[Finding]:
    thing = found.groupdict().get("x")
    subject = "self"
    if thing is not None:
        named = owned(thing)
        if named is None or (
            thing.isascii() and named.words[-1] not in BEINGS and len(named.words) > 2
        ):
            return []
        subject = "/".join(named.path)
    if question.predicate in ("name", "nickname"):
        fine = is_name(value, lower=len(value.split()) <= 2)
    elif question.predicate == "birthday":
        fine = any(char.isdigit() for char in value)
    else:
        fine = is_thing(value)
    if not fine:
        return []
    text = question.text.format(x=thing or "", v=value)
    return [
        Finding(
            start, start + len(value), subject, question.predicate, value, text=text, answers=seq
        )
    ]
