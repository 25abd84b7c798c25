"""Identity: what the person is called, how old they are, when and where they were born."""

from __future__ import annotations

import re
from datetime import date

from app.domain.record import RecordKind
from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.dates import date_at, day_and_month
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.values import before_and, is_name, place_span, value_span
from app.memory.rule_extractor.vocabulary import BEINGS, NOT_VALUES, POSSESSIONS, word_set

_NAME = re.compile(
    r"(?P<lead>(?:my|(?P<bare>the|))\s*(?:(?P<kind>full|first|last|middle|maiden|real"
    r"|given)\s+)?name(?:\s+is|'s|s|\s+iz)"
    r"(?:\s+(?:also|actually))?|i'?m\s+(?:called|named)|i\s+am\s+(?:called|named)|i\s+go\s+by)"
    r"(?:\s+(?:now|just))?\s+(?P<o>\S)",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"(?:(?:you|u)\s+(?:can|may|should)\s+|just\s+|i(?:'d)?\s+(?:prefer|like|want"
    r"|would\s+like)\s+(?:you\s+"
    r"to|to\s+be\s+called)\s*|(?:my\s+friends|everyone|everybody|people|friends|ppl|they\s+all|most"
    r"\s+people|my\s+family)\s+(?:just\s+)?)*(?P<verb>calls?\s+me)\s+(?:just\s+)?(?P<o>\S)",
    re.IGNORECASE,
)
_NOT_CALLED = word_set(
    """back later tomorrow today tonight when if at on in after before again maybe crazy
    old-fashioned old a an the ishmael soon whenever anytime any asap now names paranoid
    cynical lazy stupid weird biased spoiled what whatever anything by out up sometime every
    once first to that this and or but please pls sir-lancelot insane selfish mad dumb naive
    picky everyday daily so sweetie honey baby over cheesy skeptical sceptical superstitious
    romantic sentimental it because he she they never for with from during right ok okay"""
)
_INTRO = re.compile(r"(?:i'm|im|i\s+am|this\s+is)\s+(?P<o>[^\W\d_]\S*)", re.IGNORECASE)
_BORN = re.compile(r"(?:i\s+was|i\s+were|was)\s+born\s+(?P<o>\S)", re.IGNORECASE)
_BORN_IN = re.compile(
    r"(?:and\s+(?:raised|grew\s+up)\s+)?(?:in|near)\s+(?P<o>[^\W\d_])", re.IGNORECASE
)
_BIRTHDAY = re.compile(
    r"(?:(?:it's|its|it\s+is|today\s+is|today's|tomorrow\s+is"
    r"|tomorrow's)\s+my\s+(?:\d+\w*\s+)?b(?:irth)?-?day"
    r"|i\s+have\s+(?:my\s+)?b(?:irth)?-?day)(?P<rest>(?:\s+(?:today|tomorrow|on\s+\S.*))?)\s*$",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"(?:i'm|im|i\s+am|i\s+(?:just\s+)?turned|i\s+just\s+became)\s+(?:(?:only|now|just"
    r"|already)\s+)?"
    r"(?P<n>[1-9]\d?)(?P<old>\s*-?(?:years?|yrs?|y)[\s/-]*(?:old|o)\b|\s*yo\b)?"
    r"(?P<after>\s*(?:$|[,.!;)]|(?:and|but|now|today|btw|yesterday|from|this|last)\b"
    r"|[^\w\s:°%'\"/+-]))",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?:i|we)(?:'ve|\s+have|ve)(?:\s+got)?\s+(?P<a>an?|my|our|the)\s+"
    r"(?P<x>[^\W\d_][\w'-]*(?:\s+[^\W\d_][\w'-]*){0,3}?)\s+(?P<o>(?:on|in|this|next|tomorrow|tmrw"
    r"|today|"
    r"tonight|at)\b)",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"(?:i'm|im|i\s+am|we're|we\s+are|i)\s+(?P<x>getting\s+married|getting\s+divorced"
    r"|moving\s+to\s+[^\W\d_]"
    r"[\w ]{1,30}?|moving(?:\s+house)?|flying\s+to\s+[^\W\d_][\w ]{1,30}?"
    r"|going\s+to\s+(?-i:[A-Z])[\w ]{1,30}?"
    r"|travell?ing\s+to\s+[^\W\d_][\w ]{1,30}?|having\s+(?:surgery|a\s+baby|an\s+operation)"
    r"|starting\s+(?:a\s+|my\s+)?new\s+job|graduating|retiring|start(?:ing)?\s+(?:a\s+"
    r"|my\s+)?(?:new\s+)?(?:job|school|uni|university|college|work))\s+(?P<o>(?:on|in|this|next"
    r"|tomorrow)\b)",
    re.IGNORECASE,
)


IDENTIFYING = word_set(
    """name names name's i i'm im we we're we've i've ive call you u just everyone everybody people
    friends ppl they most it's its it today today's tomorrow tomorrow's was this"""
)
"""What a clause about the person's identity begins with, besides "my"."""


def identity(clause: Clause, today: date) -> list[Finding]:
    """Names, ages, birthdays and dated plans of the person; names and birthdays are firm."""
    for shape in (_name, _call, _born, _birthday, _event, _planned, _age, _intro):
        found = shape(clause, today)
        if found:
            return found
    return []


def _at(clause: Clause, end: int, predicate: str, value: str, subject: str = "self") -> Finding:
    return Finding(clause.start, clause.start + end, subject, predicate, value)


def _name(clause: Clause, today: date) -> list[Finding]:
    found = _NAME.match(clause.text)
    if found is None:
        return []
    start, end = value_span(clause.text, found.start("o"))
    end = before_and(clause.text, start, end)
    value = clause.text[start:end]
    bare = found.group("bare") is not None and "name" in found.group("lead").casefold()
    if not is_name(value, lower=not bare) or _ill_formed(value):
        return []
    kind = found.group("kind")
    named = kind.casefold() in ("last", "middle", "maiden", "full", "first") if kind else False
    predicate = f"{kind.casefold()}_name" if kind and named else "name"
    return [_at(clause, end, predicate, value)]


def _call(clause: Clause, today: date) -> list[Finding]:
    found = _CALL.match(clause.text)
    if found is None:
        return []
    start, end = value_span(clause.text, found.start("o"))
    end = before_and(clause.text, start, end)
    value = clause.text[start:end]
    words = value.casefold().split()
    if not words or len(words) > 3 or words[0] in _NOT_CALLED or words[-1] in _NOT_CALLED:
        return []
    if not is_name(value, lower=True) or _ill_formed(value):
        return []
    return [_at(clause, end, "nickname", value)]


def _born(clause: Clause, today: date) -> list[Finding]:
    text = clause.text
    found = _BORN.match(text)
    if found is None:
        return []
    dated = date_at(text, found.start("o"), today, past=True)
    if dated is not None and not dated.relative:
        value = text[dated.start : dated.end]
        if value.isdigit():
            fine = 1900 <= int(value) <= today.year
            born = _at(clause, dated.end, "birth_year", value)
            return [born._replace(event_date=value)] if fine else []
        late = dated.day is not None and dated.dated and dated.day > today
        born = _at(clause, dated.end, "birthday", value)
        return [] if late else [born._replace(event_date=dated.iso if dated.dated else None)]
    place = _BORN_IN.match(text, found.start("o"))
    if place is None:
        return []
    start, end = place_span(text, place.start("o"))
    value = text[start:end]
    if value.casefold().split()[:1] in ([], ["the"], ["a"]) and not value[4:5].isupper():
        return []
    return [_at(clause, end, "birthplace", value)]


def _birthday(clause: Clause, today: date) -> list[Finding]:
    found = _BIRTHDAY.match(clause.text)
    if found is None:
        return []
    rest = found.group("rest").strip()
    word = rest or ("tomorrow" if clause.text.casefold().startswith("tomorrow") else "today")
    dated = date_at(word, 0, today)
    if dated is None or dated.day is None:
        return []
    value = day_and_month(dated.day) if dated.relative else word[dated.start : dated.end]
    return [_at(clause, len(clause.text.rstrip()), "birthday", value)]


def _event(clause: Clause, today: date) -> list[Finding]:
    """Something with a day of its own that one "has"."""
    found = _EVENT.match(clause.text)
    if found is None:
        return []
    dated = date_at(clause.text, found.start("o"), today)
    words = found.group("x").casefold().split()
    if dated is None or dated.iso is None or words[-1] in BEINGS | POSSESSIONS | NOT_VALUES:
        return []
    if words[-1] in ("lot", "bit", "time", "day", "feeling", "idea", "question", "problem", "plan"):
        return []
    value = clause.text[dated.start : dated.end]
    subject = "_".join(word for word in words if word not in ("big", "huge", "really", "important"))
    event = _at(clause, dated.after, "date", value, subject or "event")
    return [event._replace(kind=RecordKind.EVENT, event_date=dated.iso)]


def _planned(clause: Clause, today: date) -> list[Finding]:
    found = _PLANNED.match(clause.text)
    if found is None:
        return []
    dated = date_at(clause.text, found.start("o"), today)
    if dated is None or dated.iso is None:
        return []
    plan = Finding(clause.start, clause.start + dated.after, firm=False)
    return [plan._replace(kind=RecordKind.EVENT, event_date=dated.iso)]


def _age(clause: Clause, today: date) -> list[Finding]:
    found = _AGE.match(clause.text)
    if found is None:
        return []
    end = found.end("old") if found.group("old") else found.end("n")
    return [_at(clause, end, "age", found.group("n"))._replace(firm=False)]


def _intro(clause: Clause, today: date) -> list[Finding]:
    """ "Hi, I'm Ana": firm after a greeting, a hint without."""
    found = _INTRO.match(clause.text)
    if found is None:
        return []
    start, end = value_span(clause.text, found.start("o"))
    end = before_and(clause.text, start, end)
    value = clause.text[start:end]
    if clause.text[:4].casefold() == "this" and not clause.greets:
        return []
    alone = len(value.split()) == 1
    if not alone and not (len(value.split()) == 2 and value.istitle()):
        return []
    if not value[0].isupper() or value.isupper() or not is_name(value) or _ill_formed(value):
        return []
    return [_at(clause, end, "name", value)._replace(firm=clause.greets)]


def _ill_formed(value: str) -> bool:
    """Whether the words can't be anybody's name."""
    return any(char in value for char in "@#/\\<>=*") or value.isdigit()
