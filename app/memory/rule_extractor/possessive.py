"""Possessive: "my X is Y" and "X's Y is Z": what the person says of their own people and things."""

from __future__ import annotations

import re
from datetime import date

from app.domain.record import RecordKind
from app.memory.rule_extractor.clauses import Clause
from app.memory.rule_extractor.dates import DateHit, date_at, day_and_month
from app.memory.rule_extractor.described import described
from app.memory.rule_extractor.finding import Finding
from app.memory.rule_extractor.owned import Owned, owned
from app.memory.rule_extractor.values import (
    before_and,
    is_name,
    is_specific,
    is_thing,
    place_span,
    value_span,
)
from app.memory.rule_extractor.vocabulary import (
    ATTRIBUTES,
    BEINGS,
    CODED,
    COLOURS,
    NOT_THINGS,
    NOT_VALUES,
    PETS,
    POSSESSIONS,
    word_set,
)

_WORD = r"[^\W\d_][\w'&+-]*"
_SUBJECT = rf"(?P<s>{_WORD}(?:\s+{_WORD}){{0,5}}?)"
_HEDGE = r"(?:\s+(?:now|also|just|actually|still|currently|officially|usually))?"
_CALLED = re.compile(
    rf"(?:(?P<my>my|our)\s+|(?P<the>the)\s+)?{_SUBJECT}"
    rf"(?P<verb>(?:\s+(?:is|are|was|were)|'s|'re|s)?{_HEDGE}\s+(?:called|named|nicknamed)"
    r"|(?:'s|s)?\s+names?(?:\s+(?:is|are|was)|'s|s)?|\s+goes\s+by)\s+(?P<o>\S)",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"(?:(?P<my>my|our)\s+|(?P<the>the)\s+)?{_SUBJECT}(?P<verb>\s+(?:is|are|r|=){_HEDGE}|'re"
    rf"|:)\s+(?P<o>\S)",
    re.IGNORECASE,
)
_S_IS = re.compile(
    rf"(?P<my>my|our)\s+(?P<the>(?!))?{_SUBJECT}(?P<verb>'s{_HEDGE})\s+(?P<o>\S)", re.IGNORECASE
)
_WAS = re.compile(
    rf"(?P<my>my|our)\s+(?P<the>(?!))?{_SUBJECT}(?P<verb>\s+was)\s+(?P<o>\S)", re.IGNORECASE
)
_NAME_OF = re.compile(
    rf"the\s+names?\s+of\s+(?:my|our)\s+{_SUBJECT}\s+(?:is|are)\s+(?P<o>\S)", re.IGNORECASE
)
_DUE = re.compile(
    rf"(?P<my>my|our)\s+{_SUBJECT}\s+(?:(?:is|are)\s+(?:due|scheduled|booked|planned"
    rf"|set)(?:\s+for)?|leaves"
    r"|starts?|begins?|ends?|takes\s+place|departs|arrives)\s+(?P<o>(?:on|in|at|next|this"
    r"|tomorrow|today|the)\b|\d|[A-Z])",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:not|never|no)\b", re.IGNORECASE)
_IDLE_NAMES = word_set(
    """me him her us you them it tonight today yesterday earlier again back in out off up for on
    by after the a an that this just and when to from his"""
)
_PLACES = re.compile(r"(?:in|at|near|on)\s+(?=[A-Z])")
_POSSESSED = re.compile(r"(?P<s>[A-Z][\w-]*)'s\s+(?P<y>[a-z]+)(?:\s+is|'s)\s+(?P<o>\S)")
_COMMON_OWNERS = word_set("""it he she that what there here who let today tomorrow where how""")


def possessive(clause: Clause, today: date, *, lenient: bool = False) -> list[Finding]:
    """What a clause says of the person's own people and things; firm.

    `lenient`: the person asked for it, so that a value may be any few words.
    """
    text = clause.text
    of = _NAME_OF.match(text)
    if of:
        return _name_of(clause, of)
    called = _CALLED.match(text)
    if called:
        return _called(clause, called)
    due = _DUE.match(text)
    if due:
        return _due(clause, due, today)
    for pattern in (_IS, _S_IS, _WAS):
        found = pattern.match(text)
        if found and found.group("my"):
            subject = owned(found.group("s"))
            if subject is None and pattern is not _WAS:
                continue
            if subject is not None:
                said = _is(clause, found, subject, today, lenient, past=pattern is _WAS)
                if said or pattern is not _IS:
                    return said
        if found and (found.group("the") or lenient) and pattern is _IS:
            return _the(clause, found, lenient)
    own = _POSSESSED.match(text)
    if own and own.group("s").casefold() not in _COMMON_OWNERS:
        return _possessed(clause, own)
    return described(clause, today)


def _called(clause: Clause, found: re.Match[str]) -> list[Finding]:
    verb = found.group("verb").casefold().strip()
    mine = found.group("my") is not None
    subject = owned(_owner(found.group("s"), verb))
    text = clause.text
    start, end = value_span(text, found.start("o"))
    value = text[start:end]
    by_name = verb.replace("'", "").startswith(("name", "s name"))
    if (
        by_name
        and not verb.endswith(("is", "are", "was", "'s", "names"))
        and not value[:1].isupper()
    ):
        return []
    if subject is None or _NOT.match(value) or value.casefold().split()[:1] == []:
        return []
    first = value.casefold().split()[0]
    if first in _IDLE_NAMES or (_phoned(found.group("s"), verb)):
        return []
    if verb.startswith(("s called", "s named")) and subject.path[-1] not in BEINGS:
        return []
    plural = verb.startswith(("are", "'re", "were")) or subject.plural
    if not plural and subject.path[-1:] and subject.path[-1] in BEINGS:
        end = before_and(text, start, end)
        value = text[start:end]
    if not is_name(value, lower=True) and not (is_specific(value) and is_thing(value)):
        return []
    if subject.path[-1:] == ("self",) and not mine:
        return []
    if not mine and not subject.chained and not found.group("the"):
        return []
    if found.group("the") and (subject.words[-1] in BEINGS or not by_name or "was" in verb):
        return []
    if subject.qualifier == "favorite":
        return []
    predicate = "nickname" if "nicknamed" in verb or "goes" in verb else "name"
    if predicate == "name" and subject.path[-1] in _KINDS_OF_NAME and by_name:
        kind = subject.path[-1]
        path = subject.path[:-1]
        predicate = f"{kind}_name"
        return [
            Finding(clause.start, clause.start + end, "/".join(path) or "self", predicate, value)
        ]
    return [Finding(clause.start, clause.start + end, "/".join(subject.path), predicate, value)]


def _phoned(words: str, verb: str) -> bool:
    """Whether "my sister called Tom" tells of a telephone rather than of a name."""
    if verb not in ("called", "named", "nicknamed"):
        return False
    last = words.casefold().split()[-1]
    return not last.endswith("'s") and not (last.endswith("s") and last[:-1] in PETS | _KIN)


_KIN = word_set("sister brother son daughter mum mom dad wife husband girlfriend boyfriend")
_KINDS_OF_NAME = word_set(
    """full first last middle maiden stage user birth real pen given family"""
)


def _owner(words: str, verb: str) -> str:
    """The subject without the "'s" or the "s" that belongs to the verb: "my dogs name is"."""
    if words.endswith("'s"):
        return words[:-2]
    single = words.removesuffix("s")
    near = verb.split()[-1] not in ("are", "were") and not verb.startswith(("is", "are", "was"))
    return single if near and single.casefold().split()[-1:] and (
        single.casefold().split()[-1] in BEINGS) else words  # fmt: skip


def _is(
    clause: Clause, found: re.Match[str], subject: Owned, today: date, lenient: bool, *, past: bool
) -> list[Finding]:
    """What "my X is Y" says, by what X is."""
    text, begin = clause.text, found.start("o")
    if _NOT.match(text, begin):
        return []
    dated = date_at(text, begin, today, past=past)
    noun = subject.path[-1]
    if noun in _BIRTHDAYS:
        return _birthday(clause, subject, dated) if dated else []
    if dated and _ends(text, dated.after) and noun not in ATTRIBUTES - {"anniversary"}:
        return _event(clause, subject, dated)
    if past:
        return []
    start, end = value_span(text, begin, many=subject.plural)
    value = text[start:end]
    if not value or value.casefold().split()[0] in _JOINING:
        return []
    if subject.qualifier == "favorite":
        return _favourite(clause, subject, value, end)
    if subject.words[-1] in BEINGS:
        return described(clause, today, lenient=lenient)
    if noun in NOT_THINGS or (subject.words[0] in NOT_THINGS - {"back"} and noun not in ATTRIBUTES):
        coloured = noun in ("eyes", "hair") and value.casefold() in COLOURS
        return [_at(clause, end, noun, "color", value)] if coloured else []
    if value.casefold() in COLOURS:
        return [_at(clause, end, "/".join(subject.path), "color", value)]
    place = _PLACES.match(text, begin)
    if place and noun not in ATTRIBUTES:
        _, end = place_span(text, place.end())
        return [_at(clause, end, _owner_of(subject), noun, text[begin:end])]
    if not _tells(subject, value, lenient=lenient):
        return []
    return [_at(clause, end, _owner_of(subject), "_".join(subject.words), value)]


_BIRTHDAYS = word_set("birthday bday b-day birthdate")
_JOINING = word_set("to that if how when why")
_PLACED = word_set("address number desk office gym seat room locker")
_IDLE_FAVOURITES = word_set("thing things part parts one ones time moment bit way aspect memory")


def _birthday(clause: Clause, subject: Owned, dated: DateHit) -> list[Finding]:
    """A birthday keeps its words; "tomorrow" becomes the day it is."""
    value = clause.text[dated.start : dated.end]
    if dated.relative and dated.day is None:
        return []
    if dated.relative and dated.day:
        value = day_and_month(dated.day)
    iso = dated.iso if dated.dated else None
    return [_at(clause, dated.after, _owner_of(subject), "birthday", value, event_date=iso)]


def _favourite(clause: Clause, subject: Owned, value: str, end: int) -> list[Finding]:
    noun = subject.path[-1]
    fine = is_thing(value, 12 if subject.plural else 7) or value[0].isupper() or _article(value)
    if not fine or noun in _IDLE_FAVOURITES:
        return []
    return [_at(clause, end, _owner_of(subject), f"favorite_{noun}", value)]


def _tells(subject: Owned, value: str, *, lenient: bool) -> bool:
    """Whether a value says something of a thing that isn't a person, a date or a colour."""
    noun = subject.path[-1]
    if any(word in BEINGS for word in subject.words[:-1]) and noun not in CODED | ATTRIBUTES:
        return False
    if noun in POSSESSIONS:
        return is_thing(value, 6) and (is_specific(value) or _article(value) or lenient)
    if noun in _PLACED and is_specific(value) and len(value.split()) <= 8:
        return True
    if not is_thing(value, 6):
        return False
    if noun == "job" and not lenient:
        return value.casefold() == "teaching" or not value.casefold().endswith("ing")
    known = noun in ATTRIBUTES or noun in CODED
    return known or lenient or is_specific(value) or _article(value)


def _the(clause: Clause, found: re.Match[str], lenient: bool) -> list[Finding]:
    """A thing with a value of its own: "the command name is deploy-all"."""
    words = found.group("s").casefold().split()
    text = clause.text
    start, end = value_span(text, found.start("o"))
    value = text[start:end]
    if len(words) < 2 or words[-1] not in CODED or not is_thing(value):
        return []
    if any(word in NOT_VALUES for word in words):
        return []
    if not lenient and not is_specific(value):
        return []
    subject = "_".join(words[:-1])
    return [_at(clause, end, subject, words[-1], value)]


def _possessed(clause: Clause, found: re.Match[str]) -> list[Finding]:
    """What belongs to somebody with a name: "Rex's vet is Dr Lam"."""
    text = clause.text
    start, end = value_span(text, found.start("o"))
    value = text[start:end]
    owner, noun = found.group("s").casefold(), found.group("y").casefold()
    if noun in NOT_THINGS or noun in NOT_VALUES or not is_name(value):
        return []
    if noun in BEINGS or noun in ATTRIBUTES or noun in CODED:
        return [_at(clause, end, owner, noun, value)]
    return []


def _event(clause: Clause, subject: Owned, dated: DateHit) -> list[Finding]:
    """A thing that has its day: "my exam is on 14 March"."""
    noun = subject.words[-1]
    if noun in NOT_THINGS or noun in BEINGS or (dated.relative and dated.iso is None):
        return []
    value = clause.text[dated.start : dated.end]
    path = "/".join((*subject.path[:-1], "_".join(subject.words)))
    if noun == "anniversary":
        return [_at(clause, dated.after, path, "date", value)]
    event = _at(clause, dated.after, path, "date", value, event_date=dated.iso)
    return [event._replace(kind=RecordKind.EVENT)]


def _name_of(clause: Clause, found: re.Match[str]) -> list[Finding]:
    """The name of a thing, said the long way: "the name of my dog is Rex"."""
    subject = owned(found.group("s"))
    start, end = value_span(clause.text, found.start("o"))
    value = clause.text[start:end]
    if subject is None or not is_name(value, lower=True):
        return []
    return [_at(clause, end, "/".join(subject.path), "name", value)]


def _due(clause: Clause, found: re.Match[str], today: date) -> list[Finding]:
    """A thing that is due, leaves or begins on a day."""
    subject = owned(found.group("s"))
    dated = date_at(clause.text, found.start("o"), today)
    return _event(clause, subject, dated) if subject and dated else []


def _owner_of(subject: Owned) -> str:
    return "/".join(subject.path[:-1]) or "self"


def _article(value: str) -> bool:
    return value.casefold().startswith(("a ", "an ")) and is_thing(value, 6)


def _ends(text: str, position: int) -> bool:
    """Whether a value that ends here is followed by nothing that belongs to it."""
    start, end = value_span("x" + text[position:], 0)
    return end - start <= 1


def _at(
    clause: Clause,
    end: int,
    subject: str,
    predicate: str,
    value: str,
    *,
    event_date: str | None = None,
) -> Finding:
    return Finding(
        clause.start, clause.start + end, subject, predicate, value, event_date=event_date
    )
