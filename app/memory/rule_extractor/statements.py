"""Statements: what the person says of themself with "I"; mostly hints."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from app.memory.rule_extractor import objects
from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.conditions import condition, job_in
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.possessions import possessions
from app.memory.rule_extractor.values import is_short, is_specific, is_thing, place_span, value_span
from app.memory.rule_extractor.vocabulary import word_set

_I = r"(?:i|we)"
_HOW = (
    r"(?:\s+(?:really|absolutely|just|also|still|totally|kinda|truly|actually|only|mostly"
    r"|usually|always|secretly|rly|generally|currently|now|especially|do|fucking|freaking))*"
)


class Rule(NamedTuple):
    """A shape "I <verb> …", its predicate, how the value ends and which values it takes."""

    pattern: re.Pattern[str]
    predicate: str
    span: Callable[[str, int], tuple[int, int]] = value_span
    takes: Callable[[str], bool] = is_thing
    firm: bool = False
    multi: bool | None = None


def _many(text: str, start: int) -> tuple[int, int]:
    return value_span(text, start, many=True)


def _rule(
    verb: str,
    predicate: str,
    *,
    span: Callable[[str, int], tuple[int, int]] = value_span,
    takes: Callable[[str], bool] = is_thing,
    firm: bool = False,
    multi: bool | None = None,
) -> Rule:
    pattern = re.compile(rf"{_I}{_HOW}\s+(?:{verb})\s+(?P<o>\S)", re.IGNORECASE)
    return Rule(pattern, predicate, span, takes, firm, multi)


_RULES = (
    _rule(
        r"(?:now\s+live|live\s+now)\s+in",
        "lives_in",
        span=place_span,
        takes=objects.place,
        firm=True,
    ),
    _rule(
        r"(?:now\s+work|work\s+now)\s+(?:at|for)",
        "works_at",
        span=place_span,
        takes=objects.employer,
        firm=True,
    ),
    _rule(r"live\s+in|reside\s+in", "lives_in", span=place_span, takes=objects.place),
    _rule(r"live\s+near", "lives_near", span=place_span, takes=objects.place, multi=False),
    _rule(r"live\s+at", "address", takes=lambda v: v[0].isdigit() and is_short(v, 6)),
    _rule(
        r"(?:was|were|am|got|have\s+been|been)\s+diagnosed\s+with",
        "condition",
        takes=lambda v: is_thing(v, 4),
    ),
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
        r"(?:just\s+|recently\s+|have\s+|finally\s+)*moved\s+(?:back\s+)?(?:to"
        r"|here\s+to)(?!\s+\S+\s+\d)",
        "lives_in",
        span=place_span,
        takes=objects.new_home,
        firm=True,
    ),
    _rule(
        r"work\s+(?:at|for)|am\s+working\s+(?:at|for)",
        "works_at",
        span=place_span,
        takes=objects.employer,
    ),
    _rule(r"work\s+in", "works_in", takes=objects.field),
    _rule(r"work\s+from(?=\s+home)", "works_from", takes=lambda v: v.casefold() == "home"),
    _rule(r"work\s+as", "job", takes=objects.job_title),
    _rule(
        r"(?:just\s+|recently\s+|have\s+)*(?:got|started|landed)\s+(?:(?:a|my)\s+)?(?:new\s+)?"
        r"(?:job|work|position|working)\s+(?:at|with)",
        "works_at",
        span=place_span,
        takes=objects.employer,
        firm=True,
    ),
    _rule(r"grew\s+up\s+(?:in|near)", "grew_up_in", span=place_span, takes=objects.place),
    _rule(r"come\s+from", "from", span=place_span, takes=lambda v: is_specific(v) and is_thing(v)),
    _rule(r"lo+ve|lu+v|adore", "loves", takes=objects.liked),
    _rule(r"like|enjoy", "likes", takes=objects.liked),
    _rule(
        r"hate|despise|loathe|detest|can'?t\s+stand|cannot\s+stand", "hates", takes=objects.liked
    ),
    _rule(r"dislike|don'?t\s+like|do\s+not\s+like|don'?t\s+enjoy", "dislikes", takes=objects.liked),
    _rule(r"prefer", "prefers", takes=objects.liked, multi=True),
    _rule(
        r"(?:don'?t|do\s+not|never|can'?t|cannot)\s+(?:eat|drink)",
        "avoids",
        takes=objects.food,
        multi=True,
    ),
    _rule(r"play", "plays", takes=objects.played),
    _rule(r"speak", "speaks", span=_many, takes=objects.language),
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
    r"(?:i'm|im|i\s+am|i'?ve\s+been|i\s+have\s+been)(?P<no>\s+not)?(?:\s+(?:also|actually|really"
    r"|still|both|just|now))?\s+(?P<o>\S)",
    re.IGNORECASE,
)
_LIVING = re.compile(
    r"(?:i'm|im|i\s+am)\s+(?:currently\s+|now\s+)?(?P<verb>living|based|working)\s+(?P<at>in|at"
    r"|for|as)\s+(?P<o>\S)",
    re.IGNORECASE,
)


SPEAKING = word_set("i i'm im i've ive we we're we've i'd")
"""What a clause in which somebody speaks of themself begins with."""


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
        fine, predicate = how == "in" and objects.place(value), "lives_in"
    elif how == "as":
        fine, predicate = objects.job_title(value), "job"
        value = _bare(value)
    else:
        fine, predicate = how != "in" and objects.employer(value), "works_at"
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
