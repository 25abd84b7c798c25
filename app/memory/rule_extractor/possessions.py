"""Possessions: what "I have …" says, where the thing had is one that lasts."""

from __future__ import annotations

import re

from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.owned import owned
from app.memory.rule_extractor.values import before_and, is_name, is_short, value_span
from app.memory.rule_extractor.vocabulary import BEINGS, FAMILY, PETS, POSSESSIONS, ROLES, word_set

_HAVE = re.compile(
    r"(?:i|we)(?:'ve|\s+have|ve)?(?:\s+(?:also|just|only|now|recently|already))?"
    r"(?:\s+(?:got|gotten|adopted|bought|own|named))?\s+(?P<o>\S)",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"(?:i|we)(?:'ve|\s+have|ve|\s+(?:\w+\s+)?(?:got|adopted|bought|own))\b", re.IGNORECASE
)
_WITH_NAME = re.compile(
    r"(?P<a>an?|one|two|three|four|five|\d)\s+(?P<x>[^\W\d_][\w'-]*(?:\s+[^\W\d_][\w'-]*){0,3}?)"
    r"(?P<how>(?:\s+(?:who\s+is|who's|that\s+is|and\s+(?:its|his|her)\s+name\s+is))?\s+"
    r"(?:called|named)\s+|\s*,\s*|\s+(?:whose|and\s+(?:its|his|her|their))\s+names?\s+(?:is"
    r"|are)\s+)(?P<o>\S)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?P<a>an?|one|two|three|four|five|six|seven|\d{1,2}|some)\s+(?P<x>\S.*)", re.IGNORECASE
)
_HEADS = (
    (BEINGS - {"fish", "mouse", "agent", "client", "assistant", "manager"})
    | POSSESSIONS
    | word_set(
        """pianos guitars cars bikes allotment garden degree phd masters tattoo tattoos piercing
    scar stepkids stepchildren hamsters rabbits birds horses snakes turtles budgies parrots
    guinea-pigs pigs tank aquarium blog podcast channel shop bakery restaurant cabin cottage
    farm phobia birthmark licence license pilot's"""
    )
)
_CONDITIONS = re.compile(
    r"(?:an?\s+)?(?:(?:type\s+[12]\s+|chronic\s+|mild\s+|severe\s+|bad\s+|slight\s+)*"
    r"(?:diabetes|asthma|adhd|add|autism|epilepsy|anxiety|depression|ptsd|ocd|arthritis|eczema|"
    r"psoriasis|celiac(?:\s+disease)?|coeliac(?:\s+disease)?|insomnia|migraines|tinnitus|scoliosis|"
    r"crohn'?s(?:\s+disease)?|ibs|pcos|endometriosis|dyslexia|hypertension|high\s+blood\s+pressure|"
    r"lupus|fibromyalgia|vitiligo)|(?:\w+\s+){0,2}\w+\s+(?:allergy|intolerance))(?![\w-])",
    re.IGNORECASE,
)
_FEATURES = re.compile(
    r"(?:(?:naturally|very|long|short|dark|light|curly|straight|wavy|big)\s+){0,3}(?:brown|blue"
    r"|green|"
    r"hazel|grey|gray|red|blonde?|black|ginger|curly|straight|wavy)\s+(?:eyes|hair)(?![\w-])",
    re.IGNORECASE,
)
_JOINS = word_set("with of from in at for that who which to on by")
_MOST_NAMED = 4
_AND = re.compile(r"\s*,?\s+and\s+|\s*,\s*", re.IGNORECASE)
_LATE = re.compile(
    r"\s+(?:last|this|yesterday|today|recently|from|when|who|at|in|on|two|three|a\s+(?:few"
    r"|couple))\b",
    re.IGNORECASE,
)
_IDLE_AFTER = re.compile(
    r"\s+(?:to|that|who|which|problem|problems|question|idea|coming|visiting|here|over|issue|issues"
    r"|at|on|in\s+my\s+head|attack|attacks|appointment|show|food)\b",
    re.IGNORECASE,
)


def possessions(clause: Clause) -> list[Finding]:
    """A firm finding where the thing had is named, else a hint."""
    text = clause.text
    if not _HAS.match(text):
        return []
    have = _HAVE.match(text)
    if have is None:
        return []
    begin = have.start("o")
    named = _WITH_NAME.match(text, begin)
    if named:
        found = _named(clause, named)
        if found:
            return found
    return _had(clause, begin)


def _named(clause: Clause, found: re.Match[str]) -> list[Finding]:
    """Beings or things with their names: "a son named Leo and a daughter named Mia"."""
    made: list[Finding] = []
    more: re.Match[str] | None = found
    while more is not None and len(made) < _MOST_NAMED:
        one = _one_named(clause, more)
        if one is None:
            break
        made.append(one)
        joined = _AND.match(clause.text, one.end - clause.start)
        more = _WITH_NAME.match(clause.text, joined.end()) if joined else None
    return made


def _one_named(clause: Clause, found: re.Match[str]) -> Finding | None:
    text = clause.text
    subject = owned(found.group("x"))
    if subject is None or subject.words[-1] not in _HEADS:
        return None
    several = found.group("a").casefold() not in ("a", "an", "one")
    start, end = value_span(text, found.start("o"), many=several)
    late = _LATE.search(text, start, end)
    end = late.start() if late else end
    end = end if several else before_and(text, start, end)
    value = text[start:end]
    if "," in found.group("how") and not (value[:1].isupper() and is_name(value)):
        return None
    if not is_name(value.replace(",", ""), lower=True):
        return None
    return Finding(clause.start, clause.start + end, "/".join(subject.path), "name", value)


def _had(clause: Clause, begin: int) -> list[Finding]:
    text = clause.text
    for pattern, predicate in ((_CONDITIONS, "condition"), (_FEATURES, "has")):
        found = pattern.match(text, begin)
        if found:
            value = text[begin : found.end()]
            if predicate == "condition" and value.casefold().endswith(("allergy", "intolerance")):
                value = re.sub(r"^an?\s+", "", value, flags=re.IGNORECASE)
            return [_hint(clause, found.end(), predicate, value)]
    counted = _COUNTED.match(text, begin)
    if counted is None:
        return []
    start, end = value_span(text, begin)
    idle = _IDLE_AFTER.search(text, start, end)
    value = text[start:end]
    words = [word.casefold() for word in value.split()]
    if not is_short(value, 8) or len(words) < 2:
        return []
    stop = next((n for n, word in enumerate(words) if word in _JOINS), len(words))
    head = next((n for n in range(1, min(stop, 6)) if words[n] in _HEADS), None)
    after = words[head + 1] if head is not None and head + 1 < len(words) else "and"
    if after not in _JOINS and after not in ("and", "or", "too", "now") and after not in _HEADS:
        return []
    if words[1] in ("few", "couple", "lot", "bit", "bunch"):
        return []
    if head is None or (idle and idle.start() <= start + len(" ".join(words[: head + 2]))):
        return []
    if words[head] in ROLES and words[head] not in ("mentor", "therapist", "tutor", "nanny"):
        return []
    if (
        any(word in ("better", "great", "good", "bad", "new") for word in words[1:2])
        and words[head] not in FAMILY | PETS | POSSESSIONS
    ):
        return []
    return [_hint(clause, end, "has", value)]


def _hint(clause: Clause, end: int, predicate: str, value: str) -> Finding:
    return Finding(
        clause.start, clause.start + end, "self", predicate, value, firm=False, multi=True
    )
