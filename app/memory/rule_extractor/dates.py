"""Dates in English words: absolute where the words and the day they were said make them so."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_SHORT_DAYS = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3,
               "thurs": 3, "fri": 4, "sat": 5, "sun": 6}  # fmt: skip
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
           "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip

_MONTH = rf"(?:{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_WEEKDAY = rf"(?:{'|'.join(_DAYS)}|tues?|weds?|thurs?|thu|mon|fri|sat|sun)"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_COUNTS)})"
_DATE = re.compile(
    rf"""(?:on\s+|in\s+|at\s+|by\s+|for\s+)?(?:{_WEEKDAY},?\s+(?:the\s+)?(?=\d|{_MONTH}\s+\d))?(?:
      (?P<iso>{_YEAR}-\d\d(?:-\d\d)?)
    | (?P<nums>\d{{1,2}}[./-]\d{{1,2}}[./-](?:{_YEAR}|\d\d))
    | (?:the\s+)?(?P<d1>{_DAY})(?:\s+of)?\s+(?P<m1>{_MONTH})(?:,?\s+(?P<y1>{_YEAR}))?
    | (?P<m2>{_MONTH})\s+(?:the\s+)?(?P<d2>{_DAY})(?!\d)(?:,?\s+(?P<y2>{_YEAR}))?
    | (?P<m3>{_MONTH})(?:,?\s+(?P<y3>{_YEAR}))?
    | the\s+(?P<d4>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th))
    | (?P<rel>(?:this|next|last)(?:\s+coming)?\s+)?(?P<wd>{_WEEKDAY})
    | (?P<near>(?:the\s+)?day\s+after\s+tomorrow|today|tonight|tomorrow|tmrw|tmr|tomorow|yesterday)
    | (?P<unit>(?:this|next|last)\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter))
    | (?<=in\s)(?P<count>{_COUNT})\s+(?P<of>day|week|month|year)s?
    | (?P<ago>{_COUNT})\s+(?P<ago_of>day|week|month|year)s?\s+ago
    | (?P<y>{_YEAR})
    )(?![\w-])""",
    re.IGNORECASE | re.VERBOSE,
)
_TIME = re.compile(
    r"(?:,?\s+(?:at|@|from|around)\s+(?:\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm|h|o'clock)?|noon|midnight)"
    r"|,?\s+\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm)|\s+(?:morning|afternoon|evening|night))(?!\w)",
    re.IGNORECASE,
)
_TIME_FIRST = re.compile(
    r"(?:at\s+)?\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm|h|o'clock)?\s+(?=on\s|today|tomorrow|tmrw|this\s"
    r"|next\s|the\s)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"(?:on|in|at|by|for)\s+", re.IGNORECASE)


class DateHit(NamedTuple):
    """A date expression: `start` after any preposition, `end` before any time of day.

    `after` is the end with the time of day. `iso` is YYYY, YYYY-MM or YYYY-MM-DD, or None where
    the words don't settle it. `day` is the day itself, if known. `dated` tells that a year was
    said; `relative` that the words mean nothing without the day they were said on.
    """

    start: int
    end: int
    after: int
    iso: str | None
    day: date | None = None
    dated: bool = False
    relative: bool = False


def local_day(at: datetime, zone: str) -> date:
    """The date somewhere; UTC where the zone isn't known."""
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    try:
        return aware.astimezone(ZoneInfo(zone)).date()
    except (ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        return aware.date()


def date_at(text: str, start: int, today: date, *, past: bool = False) -> DateHit | None:
    """The date expression that begins at an offset; without a year the next such day.

    `past`: the last such day instead.
    """
    early = _TIME_FIRST.match(text, start)
    if early:
        start = early.end()
    found = _DATE.match(text, start)
    if found is None:
        return None
    lead = _PREPOSITION.match(text, start)
    first = lead.end() if lead and lead.end() < found.end() else start
    time = _TIME.match(text, found.end())
    after = time.end() if time else found.end()
    try:
        iso, day, dated, relative = _resolve(found, today, past)
    except (ValueError, OverflowError):
        iso, day, dated, relative = None, None, False, False
    return DateHit(first, found.end(), after, iso, day, dated, relative)


def day_and_month(day: date) -> str:
    """A day as people write it without its year: "3 May"."""
    return f"{day.day} {_MONTHS[day.month - 1].capitalize()}"


_Resolved = tuple[str | None, date | None, bool, bool]


def _resolve(found: re.Match[str], today: date, past: bool) -> _Resolved:
    got = found.groupdict()
    if got["iso"]:
        whole = len(got["iso"]) == 10
        day = date.fromisoformat(got["iso"] if whole else got["iso"] + "-01")
        return got["iso"], day if whole else None, True, False
    if got["nums"]:
        return _numbers(got["nums"])
    for d, m, y in (("d1", "m1", "y1"), ("d2", "m2", "y2")):
        if got[d]:
            return _day_of_month(_number(got[d]), _month(got[m]), got[y], today, past)
    if got["m3"]:
        month = _month(got["m3"])
        year = int(got["y3"]) if got["y3"] else _year_of(month, today, past)
        return f"{year}-{month:02}", None, bool(got["y3"]), False
    if got["d4"]:
        return _next_numbered(_number(got["d4"]), today, past)
    if got["wd"]:
        return _weekday(got["wd"], (got["rel"] or "").split()[:1], today, past)
    if got["near"]:
        return _near(got["near"].casefold(), today)
    if got["unit"]:
        return _unit(got["unit"].casefold().split(), today)
    if got["count"]:
        return _counted(got["count"], got["of"], today, 1)
    if got["ago"]:
        return _counted(got["ago"], got["ago_of"], today, -1)
    return got["y"], None, True, False


def _exact(day: date, *, dated: bool = False, relative: bool = True) -> _Resolved:
    return day.isoformat(), day, dated, relative


def _number(text: str) -> int:
    return int(text.rstrip("stndrhSTNDRH"))


def _month(name: str) -> int:
    low = name.casefold().rstrip(".")
    return _SHORT.get(low) or _SHORT[low[:3]]


def _numbers(text: str) -> _Resolved:
    """Digits alone: day first with dots, whichever part exceeds twelve, else not settled."""
    one, two, year = re.split(r"[./-]", text)
    full = int(year) if len(year) == 4 else (2000 if int(year) < 50 else 1900) + int(year)
    first, second = int(one), int(two)
    if "." in text or first > 12 or first == second:
        return _exact(date(full, second, first), dated=True, relative=False)
    if second > 12:
        return _exact(date(full, first, second), dated=True, relative=False)
    return None, None, True, False


def _day_of_month(number: int, month: int, year: str | None, today: date, past: bool) -> _Resolved:
    if year:
        return _exact(date(int(year), month, number), dated=True, relative=False)
    step = -1 if past else 1
    for offset in range(9):
        try:
            day = date(today.year + step * offset, month, number)
        except ValueError:
            continue
        if (day <= today) if past else (day >= today):
            return _exact(day, relative=False)
    return None, None, False, False


def _year_of(month: int, today: date, past: bool) -> int:
    if past:
        return today.year if month <= today.month else today.year - 1
    return today.year if month >= today.month else today.year + 1


def _next_numbered(number: int, today: date, past: bool) -> _Resolved:
    step = -1 if past else 1
    day = today
    for _ in range(62):
        if day.day == number:
            return _exact(day)
        day += timedelta(days=step)
    return None, None, False, True


def _weekday(name: str, rel: list[str], today: date, past: bool) -> _Resolved:
    low = name.casefold()
    wanted = _SHORT_DAYS[low] if low in _SHORT_DAYS else _DAYS.index(low)
    word = rel[0].casefold() if rel else ""
    if word == "next":
        monday = today + timedelta(days=7 - today.weekday())
        return _exact(monday + timedelta(days=wanted))
    if word == "last" or (past and word != "this"):
        return _exact(today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1))
    return _exact(today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1))


def _near(word: str, today: date) -> _Resolved:
    days = 2 if "after" in word else -1 if word == "yesterday" else 0
    if days == 0 and word not in ("today", "tonight"):
        days = 1
    return _exact(today + timedelta(days=days))


def _unit(parts: list[str], today: date) -> _Resolved:
    step = {"this": 0, "next": 1, "last": -1}[parts[0]]
    if parts[1] == "year":
        return str(today.year + step), None, False, True
    if parts[1] == "month":
        return _months_on(today, step), None, False, True
    if parts[1] in ("week", "weekend"):
        monday = today + timedelta(days=7 * step - today.weekday())
        day = monday + timedelta(days=5 if parts[1] == "weekend" else 0)
        return f"{day:%Y-%m}", None, False, True
    return str(today.year + step), None, False, True


def _counted(count: str, unit: str, today: date, sign: int) -> _Resolved:
    number = sign * (_COUNTS.get(count.casefold()) or int(count))
    low = unit.casefold()
    if low == "year":
        return str(today.year + number), None, False, True
    if low == "month":
        return _months_on(today, number), None, False, True
    return _exact(today + timedelta(days=number * (7 if low == "week" else 1)))


def _months_on(today: date, number: int) -> str:
    total = today.year * 12 + today.month - 1 + number
    return f"{total // 12:04}-{total % 12 + 1:02}"
