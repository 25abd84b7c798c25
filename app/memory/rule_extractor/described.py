"""What is said of a person or a pet: a name, where they live, what they do, how old they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.conditions import condition, job_in
from app.memory.rule_extractor.dates import date_at
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.owned import owned
from app.memory.rule_extractor.values import (
    before_and,
    is_name,
    is_short,
    is_thing,
    place_span,
    value_span,
)
from app.memory.rule_extractor.vocabulary import BEINGS, NOT_NAMES, NOT_VALUES, PETS, word_set

_WORD = r"[^\W\d_][\w'-]*"
_BEING = re.compile(
    rf"(?P<my>my|our)\s+(?P<s>{_WORD}(?:\s+{_WORD}){{0,4}}?)(?:,\s+(?P<n>[^\W\d_][\w'-]*),?|,)?\s+"
    r"(?:(?:now|also|currently|just|still|both|actually|really|absolutely)\s+)?"
    r"(?P<verb>lives?\s+(?:in|near)|moved\s+to|works?\s+(?:at|for|as)|(?:is|are)\s+from"
    r"|comes?\s+from"
    r"|loves?|likes?|hates?|plays?|speaks?|studies|study|was\s+born|turned|turns|is"
    r"|are)\s+(?P<o>\S)",
    re.IGNORECASE,
)
_SHORT_IS = re.compile(
    rf"(?P<my>my|our)\s+(?P<s>{_WORD}(?:\s+{_WORD}){{0,3}}?)(?P<verb>'s)\s+(?P<o>\S)", re.IGNORECASE
)
_AGE = re.compile(
    r"(?:(?:about|almost|nearly|now|only)\s+)?(?P<n>\d{1,3}(?:\s+(?:months|weeks))?)"
    r"(?:\s*-?(?:years?|yrs?|y)[\s-]*(?:old|o)\b|\s+(?:months|weeks)\s+old|\s*yo\b)?"
    r"(?=\s*(?:$|[,.!;)]|and\b|now\b|today\b|\W))",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"an?\s+", re.IGNORECASE)
_ADVERBS = word_set(
    """also always really never just still often usually now both and who sometimes only even
    does already currently recently actually absolutely totally probably definitely secretly
    mostly finally all kinda"""
)
_PLURAL = frozenset(
    {"live", "work", "love", "like", "hate", "play", "speak", "study", "are", "come"}
)
_PREDICATES = {
    "live": "lives_in",
    "lives": "lives_in",
    "moved": "lives_in",
    "love": "loves",
    "loves": "loves",
    "like": "likes",
    "likes": "likes",
    "hate": "hates",
    "hates": "hates",
    "play": "plays",
    "plays": "plays",
    "speak": "speaks",
    "speaks": "speaks",
    "study": "studies",
    "studies": "studies",
}
_BREEDS = word_set(
    """labrador lab retriever poodle husky beagle bulldog frenchie dachshund corgi pug terrier
    collie shepherd spaniel chihuahua boxer rottweiler dalmatian mutt mongrel rescue greyhound
    whippet labradoodle cockapoo malamute samoyed siamese persian ragdoll tabby bengal sphynx
    shorthair longhair coon calico schnauzer pomeranian maltese akita shiba inu staffy lurcher
    setter pointer hound"""
)


class Being(NamedTuple):
    """A person or a pet: the path, and the name that was said along with it."""

    path: str
    noun: str
    name: str | None
    name_end: int
    plural: bool


def described(clause: Clause, today: date, *, lenient: bool = False) -> list[Finding]:
    """What a clause says of one of the person's people or pets; firm."""
    found = _BEING.match(clause.text) or _SHORT_IS.match(clause.text)
    if found is None:
        return []
    being = _being(clause.text, found)
    if being is None or (not being.plural and found.group("verb").casefold().split()[0] in _PLURAL):
        return []
    said = _said(clause, found, being, today, lenient)
    if said is None:
        return []
    if being.name is None or said.predicate == "name":
        return [said]
    named = Finding(clause.start, clause.start + being.name_end, being.path, "name", being.name)
    return [said, named]


def _said(
    clause: Clause, found: re.Match[str], being: Being, today: date, lenient: bool
) -> Finding | None:
    text, begin = clause.text, found.start("o")
    verb = found.group("verb").casefold().split()

    def at(end: int, predicate: str, value: str) -> Finding:
        return Finding(clause.start, clause.start + end, being.path, predicate, value)

    if verb[0] in ("is", "are", "'s") and verb[-1] != "from":
        return _is(text, begin, being, at, lenient)
    if verb == ["was", "born"]:
        dated = date_at(text, begin, today, past=True)
        if dated is None or dated.relative:
            return None
        whole = at(dated.after, "birthday", text[dated.start : dated.end])
        return whole._replace(event_date=dated.iso if dated.dated else None)
    if verb[0] in ("turned", "turns"):
        age = _AGE.match(text, begin)
        return at(age.end("n"), "age", age.group("n")) if age else None
    if verb[0] in ("work", "works"):
        return _works(text, begin, verb[-1], at)
    if verb[0] in ("live", "lives", "moved") or verb[-1] == "from":
        start, end = place_span(text, begin)
        value = text[start:end]
        predicate = "from" if verb[-1] == "from" else "lives_in"
        return at(end, predicate, value) if is_thing(value, 6) else None
    start, end = value_span(text, begin)
    value = text[start:end]
    if not is_thing(value, 4) or value.casefold().startswith("the "):
        return None
    return at(end, _PREDICATES[verb[0]], value)


_At = Callable[[int, str, str], Finding]
"""Builds the finding about one being: its end within the clause, predicate, value."""


def _is(text: str, begin: int, being: Being, at: _At, lenient: bool) -> Finding | None:
    age = _AGE.match(text, begin)
    if age:
        return at(age.end(), "age", age.group("n"))
    start, end = value_span(text, begin)
    value = text[start:end]
    if not value:
        return None
    held = condition(value)
    if held is not None and held.predicate != "job":
        return at(start + held.length, held.predicate, held.value)
    article = _ARTICLE.match(value)
    if article:
        return _kind(value[article.end() :], end, being, at)
    if being.noun in PETS and value.split()[-1].casefold() in _BREEDS and is_short(value, 3):
        return at(end, "breed", value)
    if not being.plural:
        end = before_and(text, start, end)
        value = text[start:end]
    if (
        value[0].isalpha()
        and is_name(value, lower=lenient)
        and being.name is None
        and not _is_title(value)
    ):
        return at(end, "name", value)
    return None


def _kind(value: str, end: int, being: Being, at: _At) -> Finding | None:
    """What sort of being it is: "a nurse", "a golden retriever"."""
    last = value.split()[-1].casefold() if value.split() else ""
    if being.noun in PETS:
        return at(end, "breed", value) if last in _BREEDS and is_short(value, 4) else None
    job = job_in("a " + value)
    return at(end - len(value) + len(job[0]), "job", job[0]) if job else None


def _works(text: str, begin: int, how: str, at: _At) -> Finding | None:
    start, end = value_span(text, begin)
    value = text[start:end]
    if how == "as":
        article = _ARTICLE.match(value)
        value = value[article.end() :] if article else value
        return at(end, "job", value) if is_thing(value, 4) else None
    start, end = place_span(text, begin)
    value = text[start:end]
    return (
        at(end, "works_at", value)
        if is_thing(value, 5) or value.startswith(("a ", "the "))
        else None
    )


def _is_title(value: str) -> bool:
    return value.split()[0].casefold() in NOT_NAMES


def _being(text: str, found: re.Match[str]) -> Being | None:
    """The being that words after "my" name, with the name after the noun: "sister Ana"."""
    said = found.group("s").rstrip(",")
    words = said.split()
    last = next((n for n in range(len(words) - 1, -1, -1) if _bare(words[n]) in BEINGS), None)
    if last is None:
        return None
    # "my best friend Tom" has one noun; in "my friend mum" nothing can be told.
    rest = words[last + 1 :]
    subject = owned(" ".join(words[: last + 1]))
    if subject is None or len(rest) > 2:
        return None
    name = " ".join(rest) or found.groupdict().get("n")
    if name is not None:
        first = name.split()[0].casefold()
        if first in _ADVERBS or first in NOT_VALUES or not is_name(name, lower=True):
            return None
    if subject.path[-1] not in BEINGS and subject.words[-1] not in BEINGS:
        return None
    noun = subject.words[-1]
    name_end = found.end("n") if found.groupdict().get("n") else found.end("s")
    while name_end > found.start("s") and text[name_end - 1] == ",":
        name_end -= 1
    return Being("/".join(subject.path), noun, name, name_end, subject.plural or noun == "children")


def _bare(word: str) -> str:
    return word.casefold().strip(",")
