"""Belonging: "Ana is my sister", "blue is my favourite colour"."""

from __future__ import annotations

import re

from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.owned import owned
from app.memory.rule_extractor.values import is_name, is_thing, value_span
from app.memory.rule_extractor.vocabulary import BEINGS, word_set

_BELONGS = re.compile(
    r"(?P<v>[^\W\d_][\w'-]*(?:\s+[\w'-]+){0,3}?)(?:'s|\s+is|\s+are)\s+(?:also\s+)?(?:my"
    r"|our)\s+(?P<x>\S)",
    re.IGNORECASE,
)
_NOBODY = word_set(
    """he she it this that they who there here what mine love life music god today tomorrow
    coffee food pizza sleep work money boredom nature chocolate wine tea beer books reading
    friday monday saturday sunday everything nothing alcohol art math maths you i we one
    chatgpt google internet silence time procrastination cooking dancing running caffeine"""
)


def belonging(clause: Clause) -> list[Finding]:
    """Whose name or what favourite a clause tells, said the other way round; firm."""
    found = _BELONGS.match(clause.text)
    if found is None:
        return []
    value = found.group("v")
    first = value.split()[0].casefold()
    if first in _NOBODY:
        return []
    start, end = value_span(clause.text, found.start("x"))
    thing = owned(clause.text[start:end])
    if thing is None:
        return []
    if thing.qualifier == "favorite":
        fine = is_thing(value, 4)
        owner = "/".join(thing.path[:-1]) or "self"
        made = Finding(clause.start, clause.start + end, owner, f"favorite_{thing.path[-1]}", value)
        return [made] if fine else []
    if thing.words[-1] not in BEINGS or thing.plural or not is_name(value):
        return []
    return [Finding(clause.start, clause.start + end, "/".join(thing.path), "name", value)]
