"""Corrections: "it's Max, not Rex", "I no longer work at Acme", and what they take back."""

from __future__ import annotations

import re
from datetime import date

from app.memory.rule_extractor.clauses import Clause, Sentence, opened
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.possessive import possessive
from app.memory.rule_extractor.statements import statements
from app.memory.rule_extractor.values import (
    is_name,
    is_short,
    is_specific,
    is_thing,
    place_span,
    value_span,
)
from app.memory.rule_extractor.vocabulary import NOT_NAMES, NOT_VALUES, word_set

UNKNOWN = "?"
_IT = (
    r"(?:(?P<it>it|he|she|they|that|this)(?:'s|\s+is|\s+was|'re|\s+are|s)|(?P<his>his|her|its"
    r"|their|the)\s+"
    r"(?P<attr>name|birthday|age|color|colour|address|number|date|code|breed|job)(?:\s+is|'s|s))"
)
_VALUE = r"(?P<v>[^\s,;][^,;]{0,40}?)"
_WRONG = r"(?P<r>[^\s,;][^,;.!?]{0,40})"
_IT_IS_NOT = re.compile(
    rf"{_IT}\s+(?:actually\s+|now\s+|really\s+)?(?:called\s+|named\s+|spelled\s+"
    rf"|spelt\s+)?{_VALUE}(?:\s*,\s*|\s+-+\s+|\s+)(?:and\s+)?not\s+{_WRONG}$",
    re.IGNORECASE,
)
_NOT_IT = re.compile(
    r"(?:(?P<it>it|he|she|that)(?:'s|\s+is|s)\s+not|(?P<it2>it|he|she|that)\s+isn'?t"
    r"|not)\s+(?:called\s+|named\s+)?"
    r"(?P<r>[^\s,;][^,;.!?]{0,30}?)(?:\s*[,;.]\s*|\s+-+\s+|\s+)(?:but\s+|it'?s\s+|he'?s\s+"
    r"|she'?s\s+|it\s+is\s+)"
    r"(?:actually\s+|called\s+|named\s+)?(?P<v>[^\s,;][^,;]{0,40})$",
    re.IGNORECASE,
)
_IT_IS = re.compile(
    rf"{_IT}\s+(?:actually\s+|now\s+|really\s+)?(?P<called>called\s+|named\s+"
    rf"|spelled\s+)?(?P<v>\S.*)$",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:i\s+(?:meant|mean)|make\s+that|correction:?)\s+(?:to\s+(?:say"
    r"|write)\s+)?(?P<v>\S.*?)(?:(?:\s*,\s*|\s+)not\s+(?P<r>\S.*))?$",
    re.IGNORECASE,
)
_MEANT_WORDS = re.compile(
    r"(?:.*\W)?(?:i\s+(?:meant|mean)|make\s+that|correction:?)\s", re.IGNORECASE
)
_BARE = re.compile(
    r"(?P<v>[^\s,;][^,;]{0,30}?)\s*,?\s+not\s+(?P<r>[^\s,;][^,;.!?]{0,30})$", re.IGNORECASE
)
_NOT_BARE = re.compile(
    r"not\s+(?P<r>[^\s,;][^,;.!?]{0,30}?)\s*,\s*(?P<v>[^\s,;][^,;]{0,30})$", re.IGNORECASE
)
_TRUE_NOT = re.compile(
    r"(?P<all>.{3,120}?)(?:\s*,\s*|\s+-+\s+|\s+)(?:and\s+)?not\s+(?P<r>[^\s,;][^,;.!?]{0,40})$",
    re.IGNORECASE,
)
_ISNT = re.compile(
    r"(?P<head>(?:my|our)\s+[^,;]{2,60}?)\s+(?:isn'?t|is\s+not|aren'?t"
    r"|'s\s+not)\s+(?P<called>called\s+|named\s+)?(?P<r>[^,;]{1,40}?)"
    r"\s*(?:[,;]|\s-+\s)\s*(?:but\s+)?(?:(?:it|he|she)(?:'s|\s+is"
    r"|s)\s+)?(?:actually\s+)?(?:called\s+|named\s+)?(?P<v>[^\s,;][^,;]{0,40})$",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(
    r"(?:i|we)(?:'m|\s+am)?\s+(?:no\s+longer|don'?t|do\s+not|stopped|quit)\s+(?P<verb>live\s+in"
    r"|living\s+in|work\s+(?:at|for)"
    r"|working\s+(?:at|for)|work\s+as|like|love|hate|play|playing|eat|eating|drink|drinking|own"
    r"|have|study|studying|speak|drive"
    r"|collect|collecting)\s+(?P<o>\S)",
    re.IGNORECASE,
)
_NO_LONGER_AM = re.compile(
    r"(?:i'?m|i\s+am|we'?re)\s+(?:no\s+longer|not)\s+(?P<o>\S)", re.IGNORECASE
)
_ANY_MORE = re.compile(r"\s+(?:any\s?more|any\s+longer)\b", re.IGNORECASE)
_QUIT = re.compile(
    r"(?:i|we)(?:'ve|ve|\s+have)?(?:\s+(?:just|finally|recently))?\s+(?:quit|left|lost"
    r"|resigned\s+from|got\s+fired\s+from|was\s+"
    r"laid\s+off\s+from)\s+(?:my\s+(?:old\s+)?(?:job|position|post)(?:\s+(?:at"
    r"|with)\s+(?P<o>\S.*))?|working\s+(?:at|for)\s+"
    r"(?P<o2>\S.*))$",
    re.IGNORECASE,
)
_PREDICATES = {
    "live": "lives_in", "living": "lives_in", "like": "likes", "love": "loves", "hate": "hates",
    "play": "plays", "playing": "plays", "eat": "eats", "eating": "eats", "drink": "drinks",
    "drinking": "drinks", "own": "owns", "have": "has", "study": "studies", "studying": "studies",
    "speak": "speaks", "drive": "car", "collect": "collects", "collecting": "collects",
}  # fmt: skip
_ATTRIBUTES = {"colour": "color"}


def corrections(sentence: Sentence, today: date) -> list[Finding]:
    """What a whole sentence takes back; firm."""
    head = opened(sentence.text, sentence.start)
    text = head.text.rstrip(" .!,;)")
    clause = head._replace(text=text)
    low = text.casefold()
    if " not " in f" {low}" or "isn't" in low or "isnt" in low:
        found = _isnt(clause) or _it_is_not(clause) or _true_not(clause, today)
        if found:
            return found
    if "mean" in low or "make that" in low or "correction" in low:
        found = _meant(clause)
        if found:
            return found
    if clause.corrects:
        return _it_is(clause)
    return []


def ended(clause: Clause, today: date) -> list[Finding]:
    """What a clause says is no longer so; firm, without a value."""
    text = clause.text
    quit_ = _QUIT.match(text)
    if quit_:
        group = "o" if quit_.group("o") else "o2" if quit_.group("o2") else None
        if group is None:
            return [_ended(clause, len(text), "works_at", None)]
        start, end = place_span(text, quit_.start(group))
        return [_ended(clause, end, "works_at", text[start:end])]
    more = _ANY_MORE.search(text)
    found = _NO_LONGER.match(text)
    if found and ("longer" in found.group().casefold() or more):
        verb = found.group("verb").casefold().split()
        predicate = _PREDICATES.get(verb[0]) or ("job" if verb[-1] == "as" else "works_at")
        start, end = value_span(text, found.start("o"))
        stop = more.start() if more and start < more.start() < end else end
        value = text[start:stop]
        if not is_thing(value, 6) and not value.casefold().startswith(("a ", "an ", "the ")):
            return []
        if stop == start:
            return []
        return [_ended(clause, max(end, more.end() if more else end), predicate, value)]
    am = _NO_LONGER_AM.match(text)
    if am and ("longer" in am.group().casefold() or more):
        return _no_longer_am(clause, am, more)
    return []


def _no_longer_am(clause: Clause, am: re.Match[str], more: re.Match[str] | None) -> list[Finding]:
    stop = more.start() if more else len(clause.text)
    said = statements(Clause("i'm " + clause.text[am.start("o") : stop], 0), date.min)
    if len(said) != 1 or said[0].value is None:
        return []
    end = max(stop, more.end() if more else 0)
    return [_ended(clause, end, said[0].predicate, said[0].value)._replace(multi=said[0].multi)]


def _ended(clause: Clause, end: int, predicate: str, was: str | None) -> Finding:
    text = clause.text[:end].rstrip(" .!,;")
    return Finding(
        clause.start,
        clause.start + len(text),
        "self",
        predicate,
        None,
        correction=True,
        replaces=was or None,
    )


def _isnt(clause: Clause) -> list[Finding]:
    """ "My dog isn't Rex, he's Max"."""
    found = _ISNT.match(clause.text)
    if found is None:
        return []
    verb = " is called " if found.group("called") else " is "
    said = possessive(Clause(found.group("head") + verb + found.group("v"), 0), date.min)
    if not said or said[0].value is None:
        return []
    end = clause.start + found.end("v")
    first = said[0]
    return [
        Finding(clause.start, end, first.subject, first.predicate, first.value, correction=True,
                replaces=_clean(found.group("r")),
                text=f"{found.group('head')}{verb}{first.value}")
    ]  # fmt: skip


def _it_is_not(clause: Clause) -> list[Finding]:
    text = clause.text
    for pattern in (_NOT_IT, _IT_IS_NOT):
        found = pattern.match(text)
        if found is None:
            continue
        value, wrong = _clean(found.group("v")), _clean(found.group("r"))
        if not _plausible(value, wrong, clause.corrects):
            return []
        groups = found.groupdict()
        referent = (groups.get("it") or groups.get("it2") or groups.get("his") or "it").casefold()
        called = " called " in f" {text.casefold()} " or " named " in f" {text.casefold()} "
        return [_unknown(clause, found.end(), value, wrong, referent, _attr(groups, called))]
    found = _BARE.match(text) or _NOT_BARE.match(text)
    if found is None or _MEANT_WORDS.match(text):
        return []
    value, wrong = _clean(found.group("v")), _clean(found.group("r"))
    if not _plausible(value, wrong, clause.corrects) or len(value.split()) > 3:
        return []
    if not clause.corrects and not (is_specific(value) or is_specific(wrong)):
        return []
    return [_unknown(clause, found.end(), value, wrong, "it", UNKNOWN)]


def _true_not(clause: Clause, today: date) -> list[Finding]:
    """ "My dog is called Max, not Rex": a full statement with what it replaces."""
    found = _TRUE_NOT.match(clause.text)
    if found is None:
        return []
    inner = Clause(clause.text[: found.end("all")], clause.start)
    said = possessive(inner, today) or statements(inner, today)
    if len(said) != 1 or said[0].value is None or said[0].end < inner.end - 1:
        return []
    return [said[0]._replace(correction=True, replaces=_clean(found.group("r")), firm=True)]


def _meant(clause: Clause) -> list[Finding]:
    lead = _MEANT_WORDS.match(clause.text)
    found = _MEANT.match(clause.text)
    if lead is None or found is None:
        return []
    value = _clean(found.group("v"))
    wrong = _clean(found.group("r")) if found.group("r") else None
    if value.casefold().startswith(("my ", "i ", "it ", "to ", "that ")):
        return []
    fine = _plausible(value, wrong, True) if wrong else is_name(value) or value[:1].isdigit()
    if not fine or len(value.split()) > 3:
        return []
    end = found.end("r") if wrong else found.end("v")
    return [_unknown(clause, end, value, wrong, "it", UNKNOWN)]


def _it_is(clause: Clause) -> list[Finding]:
    """ "No, it's Max": without the wrong value, a name or a number is needed."""
    found = _IT_IS.match(clause.text)
    if found is None:
        return []
    start, end = value_span(clause.text, found.start("v"))
    value = clause.text[start:end]
    groups = found.groupdict()
    known = groups.get("called") or groups.get("attr")
    if not value or len(value.split()) > 3 or value.casefold() in NOT_NAMES:
        return []
    alone = len(value.split()) == 1 and end == len(clause.text)
    fine = is_name(value) or value[0].isdigit() or (is_name(value, lower=True) and (known or (
        alone and value.casefold() not in _SIMPLE and _simple_name(value))))  # fmt: skip
    if not fine:
        return []
    referent = (groups.get("it") or groups.get("his") or "it").casefold()
    called = groups.get("called") is not None
    return [_unknown(clause, end, value, None, referent, _attr(groups, called))]


_SIMPLE = word_set(
    """me you raining snowing late early fun true false monday tuesday wednesday thursday friday
    saturday sunday january february march april may june july august september october
    november december today tomorrow cool weird one two three noon midnight winter summer
    spring autumn love life work home school complicated difficult cheap free nice"""
)


def _simple_name(value: str) -> bool:
    return value.isalpha() and len(value) <= 12


def _plausible(value: str, wrong: str, corrects: bool) -> bool:
    """Whether two short values stand against each other, and no passing states."""
    if not is_short(value, 4) or not is_short(wrong, 4):
        return False
    for side in (value, wrong):
        first = side.split()[0].casefold()
        if first in NOT_VALUES - {"single", "black", "white"} or first in ("i'm", "im", "just"):
            return False
        if first.endswith(("ing", "ly")) and not side[0].isupper():
            return False
    return corrects or is_specific(value) or is_specific(wrong) or len(value.split()) == 1


def _attr(groups: dict[str, str | None], called: bool) -> str:
    attr = (groups.get("attr") or "").casefold()
    if attr:
        return _ATTRIBUTES.get(attr, attr)
    return "name" if called else UNKNOWN


def _unknown(
    clause: Clause, end: int, value: str, wrong: str | None, referent: str, predicate: str
) -> Finding:
    return Finding(
        clause.start,
        clause.start + end,
        UNKNOWN,
        predicate,
        value,
        correction=True,
        replaces=wrong,
        referent=referent,
    )


def _clean(value: str) -> str:
    start, end = value_span(value, 0)
    return value[start:end]
