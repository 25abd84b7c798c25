"""Statements: what the person says of themself with "I"; mostly hints."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.conditions import condition, job_in
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.possessions import possessions
from app.memory.rule_extractor.values import is_short, is_specific, is_thing, place_span, value_span
from app.memory.rule_extractor.vocabulary import word_set

_I = r"(?:i|we)"
_HOW = (
    r"(?:\s+(?:really|absolutely|just|also|still|totally|kinda|truly|actually|only|mostly|usually|always"
    r"|secretly|rly|generally|currently|now|especially|do|fucking|freaking))*"
)


class Rule(NamedTuple):
    """A shape "I <verb> …", its predicate, how the value ends and which values it takes."""

    pattern: re.Pattern[str]
    predicate: str
    span: Callable[[str, int], tuple[int, int]] = value_span
    takes: Callable[[str], bool] = is_thing
    firm: bool = False
    multi: bool | None = None
    correction: bool = False


_NO_LIKING = re.compile(
    r"\b(?:you|u|ya|your|ur|yours|this|that|it|its|him|her|them|me|us|here|now|today|tonight|how|when|"
    r"what|where|why|who|if|everyone|everybody|everything|people|myself|life|lol|both|all|either|"
    r"neither|one|ones|so|i|we|he|she|they|my|his|their|our|too|not|anymore|more|less|same|idea|"
    r"way|part|fact|sound|look|feeling|most|these|those|such|being\s+able)\b",
    re.IGNORECASE,
)
_THE = word_set(
    """sea ocean beach mountains rain cold heat outdoors winter summer autumn fall spring gym
    snow sun dark beatles countryside city desert forest woods rolling water theatre theater
    cinema violin piano guitar opera internet stars moon taste smell smells"""
)
_IDLE_INFINITIVES = word_set(
    """say admit break bother ask think believe be disappoint interrupt hear see know tell
    complain brag imagine leave go get have do hate help sound rain"""
)
_JUST_TALK = word_set(
    """good great nice bad talking chatting having seeing getting hearing going feeling waiting
    knowing making doing saying thinking being working"""
)


def _liked(value: str) -> bool:
    words = value.casefold().split()
    if not words or not is_short(value, 6) or _NO_LIKING.search(value):
        return False
    first = words[0]
    if first == "to":
        return len(words) > 1 and words[1] not in _IDLE_INFINITIVES
    if first in _JUST_TALK:
        return False
    if first == "the":
        rest = value.split()[1:]
        return bool(rest) and (rest[0][0].isupper() or rest[0].casefold() in _THE)
    if first in ("a", "an", "some", "any", "no", "another"):
        return first in ("a", "an") and "good" in words[1:2] and len(words) > 2
    if first in ("hot", "cold", "old", "dark", "spicy", "sweet", "big", "long", "fast", "dry", "red",
                 "small", "true", "young", "short", "playing", "running", "driving", "living",
                 "sunny", "rainy", "quiet", "loud", "strong", "late", "early", "private"):  # fmt: skip
        return is_short(value, 5) and (len(words) > 1 or first.endswith("ing"))
    if first.endswith("ing"):
        return True
    return is_thing(value, 6)


def _food(value: str) -> bool:
    words = value.casefold().split()
    idle = {"much", "anything", "enough", "well", "lunch", "dinner", "breakfast", "out", "properly",
            "alone", "yet", "late", "early", "at", "before", "after", "more", "any", "right",
            "today", "until", "like", "solid", "everything", "or", "and", "a", "while"}  # fmt: skip
    return (
        bool(words)
        and not idle & set(words[:1])
        and not _NO_LIKING.search(value)
        and is_thing(value)
    )


def _place(value: str) -> bool:
    low = value.casefold()
    words = low.split()
    idle = {"fear", "hope", "peace", "hell", "constant", "harmony", "denial", "sin", "style", "a dream",
            "the moment", "the past", "the future", "interesting", "poverty", "luxury", "chaos",
            "a nightmare", "my head", "pain", "misery", "exile", "a bubble", "a simulation",
            "a society", "your", "time", "uncertain", "dreams", "shame", "a world", "the present"}  # fmt: skip
    if not words or words[0] in idle or " ".join(words[:2]) in idle:
        return False
    if words[0] in ("a", "an"):
        return is_short(value, 7)
    if words[0] in ("the", "my", "our"):
        return words[0] == "the" and is_short(value, 6) and "same" not in words
    return is_thing(value, 6)


def _firm_place(value: str) -> bool:
    """A place one moves to: not a room, a seat or a level."""
    words = value.casefold().split()
    idle = {"next", "another", "level", "bed", "page", "something", "part", "step", "first", "second",
            "sofa", "couch", "a", "an", "my", "our", "it", "different", "plan", "phase", "other"}  # fmt: skip
    return bool(words) and words[0] not in idle and (
        is_specific(value) or (words[0] != "the" and is_thing(value, 3)))  # fmt: skip


def _employer(value: str) -> bool:
    words = value.casefold().split()
    idle = {"night", "nights", "home", "least", "it", "all", "first", "free", "myself", "times",
            "money", "weekends", "once", "present", "me", "half", "full", "two", "peace", "odd",
            "living", "hours", "days", "now", "moment"}  # fmt: skip
    if (
        not words
        or words[0] in idle
        or (len(words) > 1 and words[1] in idle and words[0] in ("a", "the"))
    ):
        return False
    if words[0] in ("a", "an", "the"):
        return is_short(value, 6)
    return is_thing(value, 5)


def _field(value: str) -> bool:
    words = value.casefold().split()
    idle = {"progress", "silence", "theory", "shifts", "general", "bed", "teams", "pairs", "peace",
            "the", "my", "a", "an", "this", "that", "person", "groups", "reverse"}  # fmt: skip
    return bool(words) and words[0] not in idle and is_thing(value, 3)


def _job(value: str) -> bool:
    return value[:2].casefold() in ("a ", "an") and is_short(value, 5)


def _played(value: str) -> bool:
    words = value.casefold().split()
    idle = {"it", "along", "around", "with", "dead", "nice", "a", "dumb", "hard", "dirty", "fair",
            "for", "in", "games", "fool", "stupid", "devil's", "second", "tricks", "my", "on",
            "pretend", "favourites", "favorites", "god", "and", "a lot", "too", "by", "this",
            "at", "as", "every", "some", "no", "against", "alone", "together", "here", "there"}  # fmt: skip
    if words[:1] == ["the"]:
        return len(words) == 2 and words[1] not in ("role", "part", "game", "fool", "victim", "field",
                                                    "villain", "hero", "long", "song")  # fmt: skip
    return bool(words) and words[0] not in idle and is_thing(value, 4)


_LANGUAGES = word_set(
    """english french german italian spanish portuguese polish russian ukrainian turkish greek
    dutch swedish norwegian danish finnish hindi urdu chinese mandarin cantonese japanese
    korean vietnamese thai arabic hebrew persian farsi romanian hungarian czech slovak
    croatian serbian bulgarian catalan basque welsh irish gaelic swahili tagalog indonesian
    malay bengali tamil punjabi esperanto latin fluent some basic a sign native bosnian
    albanian georgian armenian"""
)


def _language(value: str) -> bool:
    first = value.casefold().split()[:1]
    return bool(first) and any(word.strip(",") in _LANGUAGES - {"some", "a", "fluent", "basic", "native",
                               "sign"} for word in value.casefold().split())  # fmt: skip


def _many(text: str, start: int) -> tuple[int, int]:
    return value_span(text, start, many=True)


def _rule(verb: str, predicate: str, *, how: bool = True, **more: object) -> Rule:
    pattern = rf"{_I}{_HOW if how else ''}\s+(?:{verb})\s+(?P<o>\S)"
    return Rule(re.compile(pattern, re.IGNORECASE), predicate, **more)  # type: ignore[arg-type]


_RULES = (
    _rule(r"(?:now\s+live|live\s+now)\s+in", "lives_in", span=place_span, takes=_place, firm=True),
    _rule(
        r"(?:now\s+work|work\s+now)\s+(?:at|for)",
        "works_at",
        span=place_span,
        takes=_employer,
        firm=True,
    ),
    _rule(r"live\s+(?:in|near)|reside\s+in", "lives_in", span=place_span, takes=_place),
    _rule(
        r"live\s+with",
        "lives_with",
        takes=lambda v: (
            is_short(v, 5)
            and v.casefold().startswith(
                ("my ", "a ", "two ", "three ", "friends", "roommates", "flatmates")
            )
        ),
        multi=False,
    ),
    _rule(
        r"(?:just\s+|recently\s+|have\s+|finally\s+)*moved\s+(?:back\s+)?(?:to|here\s+to)(?!\s+\S+\s+\d)",
        "lives_in",
        span=place_span,
        takes=_firm_place,
        firm=True,
    ),
    _rule(
        r"work\s+(?:at|for)|am\s+working\s+(?:at|for)", "works_at", span=place_span, takes=_employer
    ),
    _rule(r"work\s+in", "works_in", takes=_field),
    _rule(r"work\s+from(?=\s+home)", "works_from", takes=lambda v: v.casefold() == "home"),
    _rule(r"work\s+as", "job", takes=_job),
    _rule(
        r"(?:just\s+|recently\s+|have\s+)*(?:got|started|landed)\s+(?:(?:a|my)\s+)?(?:new\s+)?"
        r"(?:job|work|position|working)\s+(?:at|with)",
        "works_at",
        span=place_span,
        takes=_employer,
        firm=True,
    ),
    _rule(r"grew\s+up\s+(?:in|near)", "grew_up_in", span=place_span, takes=_place),
    _rule(r"come\s+from", "from", span=place_span, takes=lambda v: is_specific(v) and is_thing(v)),
    _rule(r"love|adore", "loves", takes=_liked),
    _rule(r"like|enjoy", "likes", takes=_liked),
    _rule(r"hate|despise|loathe|detest|can'?t\s+stand|cannot\s+stand", "hates", takes=_liked),
    _rule(r"dislike|don'?t\s+like|do\s+not\s+like|don'?t\s+enjoy", "dislikes", takes=_liked),
    _rule(r"prefer", "prefers", takes=_liked, multi=True),
    _rule(
        r"(?:don'?t|do\s+not|never|can'?t|cannot)\s+(?:eat|drink)",
        "avoids",
        takes=_food,
        multi=True,
    ),
    _rule(r"play", "plays", takes=_played),
    _rule(r"speak", "speaks", span=_many, takes=_language),
    _rule(
        r"collect", "collects", takes=lambda v: is_thing(v, 4) and "my" not in v.casefold().split()
    ),
    _rule(r"drive(?=\s+an?\s)", "car", takes=lambda v: is_short(v, 6) and is_specific(v[2:])),
    _rule(
        r"study",
        "studies",
        takes=lambda v: is_thing(v, 4) and not v.casefold().startswith(("hard", "for")),
    ),
)
_AM = re.compile(
    r"(?:i'm|im|i\s+am)(?P<no>\s+not)?(?:\s+(?:also|actually|really|still|both|just|now))?\s+(?P<o>\S)",
    re.IGNORECASE,
)
_LIVING = re.compile(
    r"(?:i'm|im|i\s+am)\s+(?:currently\s+|now\s+)?(?P<verb>living|based|working)\s+(?P<at>in|at|for|as)\s+(?P<o>\S)",
    re.IGNORECASE,
)


def statements(clause: Clause, today: date) -> list[Finding]:
    """What one "I …" clause says of the person: at most one claim."""
    text = clause.text
    for rule in _RULES:
        found = rule.pattern.match(text)
        if found is None:
            continue
        start, end = rule.span(text, found.start("o"))
        value = text[start:end]
        if not value or not rule.takes(value):
            continue
        return [
            Finding(
                clause.start,
                clause.start + _with_reason(text, end),
                "self",
                rule.predicate,
                _bare(value) if rule.predicate == "job" else value,
                firm=rule.firm,
                multi=rule.multi,
            )
        ]
    return possessions(clause) or _am(clause)


def _am(clause: Clause) -> list[Finding]:
    """ "I'm a nurse", "I'm vegan", "I'm based in Leeds"."""
    text = clause.text
    living = _LIVING.match(text)
    if living:
        return _living(clause, living)
    found = _AM.match(text)
    if found is None or found.group("no"):
        return []
    rest = text[found.start("o") :]
    held = condition(rest)
    if held is not None:
        end = _with_reason(text, found.start("o") + held.length)
        return [
            Finding(clause.start, clause.start + end, "self", held.predicate, held.value,
                    firm=False, multi=held.multi)
        ]  # fmt: skip
    job = job_in(rest)
    if job is None:
        return []
    end = clause.start + found.start("o") + job[1]
    return [Finding(clause.start, end, "self", "job", job[0], firm=False)]


def _living(clause: Clause, found: re.Match[str]) -> list[Finding]:
    text = clause.text
    start, end = place_span(text, found.start("o"))
    value = text[start:end]
    lives = found.group("verb").casefold() != "working"
    how = found.group("at").casefold()
    if lives:
        fine, predicate = how == "in" and _place(value), "lives_in"
    elif how == "as":
        fine, predicate = _job(value), "job"
        value = _bare(value)
    else:
        fine, predicate = how != "in" and _employer(value), "works_at"
    if not fine:
        return []
    return [Finding(clause.start, clause.start + end, "self", predicate, value, firm=False)]


def _bare(value: str) -> str:
    return re.sub(r"^an?\s+", "", value, flags=re.IGNORECASE)


_REASON = re.compile(r"\s+because\s+\S.*$", re.IGNORECASE)


def _with_reason(text: str, end: int) -> int:
    """The end of a statement with the reason given right after it."""
    reason = _REASON.match(text, end)
    return len(text.rstrip(" .!,;)")) if reason else end
