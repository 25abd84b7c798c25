"""Traits: gender and time zone where a person states them of themself."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from app.domain.candidate import TraitClaim
from app.domain.evidence import Quote
from app.memory.rule_extractor.clauses import Clause

SURE = 0.95
BY_GRAMMAR = 0.8

_MALE = r"(?:man|guy|male|dude|boy|bloke|trans\s+man|gentleman|dad|father|husband)"
_FEMALE = r"(?:woman|girl|female|lady|gal|trans\s+woman|mum|mom|mother|wife)"
_NB = r"(?:non-?\s?binary|nonbinary|enby|genderqueer|agender)"
_WHO = (
    r"(?:(?:\d+\s*-?\s*(?:year\s*-?\s*old|yo|y/o)|married|single|young|grown|trans|straight|gay"
    r"|adult|middle-aged|old)\s+)*"
)
_I_AM = re.compile(
    rf"(?:i'm|im|i\s+am|i\s+identify\s+as|as)\s+(?:also\s+"
    rf"|actually\s+)?(?:an?\s+)?{_WHO}(?:(?P<m>{_MALE})|(?P<f>{_FEMALE})"
    rf"|(?P<n>{_NB}(?:\s+person)?))"
    r"(?=\s*(?:$|[,.!;)]|(?:and|but|who|so|in|from|btw|lol|haha|too|myself|here|living|working"
    r"|with|by|of)\b|[^\w\s'-]))",
    re.IGNORECASE,
)
_AS = re.compile(r"as\s+an?\s+.*?,?\s+(?:i|i'm|im|my)\b|.*\bas\b.*\bmyself\b", re.IGNORECASE)
_KIN = re.compile(r"(?:dad|father|husband|mum|mom|mother|wife)$", re.IGNORECASE)
_PRONOUNS = re.compile(
    r"(?:my\s+(?:preferred\s+)?pronouns\s*(?:are|r|:|=)|i\s+use|i\s+go\s+by"
    r"|pronouns\s*:?(?:\s+are)?|i'm|im)?\s*"
    r"(?:(?P<m>he\s*/\s*him(?:\s*/\s*his)?)|(?P<f>she\s*/\s*her(?:s|\s*/\s*hers)?)"
    r"|(?P<n>they\s*/\s*them(?:\s*/\s*theirs)?))"
    r"(?P<here>\s+(?:here|pronouns|please|btw))?(?=\s*(?:$|[,.!;)]|and\b|but\b|[^\w\s/]))",
    re.IGNORECASE,
)
_PRONOUNS_WORDS = re.compile(
    r"my\s+(?:preferred\s+)?pronouns\s+are\s+(?:(?P<m>he\s+(?:and\s+)?him)"
    r"|(?P<f>she\s+(?:and\s+)?her)|(?P<n>they\s+(?:and\s+)?them))",
    re.IGNORECASE,
)
_HINDI = re.compile(
    r"^मैं\s.{0,40}?(?:(?P<m>रहता|करता|गया\s+था|जाता|खाता|पीता|सोता|चाहता|पढ़ता|बोलता|खेलता)"
    r"|(?P<f>रहती|करती|गई\s+थी|गयी\s+थी|जाती|खाती|पीती|सोती|चाहती|पढ़ती|बोलती|खेलती))(?:\s+(?:हूँ"
    r"|हूं|था|थी)|$)"
)
_SLAVIC = re.compile(
    r"^я\s+(?:(?:вчера|сегодня|уже|тоже|недавно|раньше|очень|так|вчора|сьогодні|вже|теж"
    r"|нещодавно)\s+){0,2}"
    r"(?:(?P<f>родилась|переехала|работала|жила|устала|купила|пошла|сделала|приехала|вернулась"
    r"|училась|выросла|замужем"
    r"|вышла\s+замуж|была|женщина|девушка|народилася|переїхала|працювала|втомилася|купила|зробила"
    r"|приїхала|заміжня|жінка|дівчина)"
    r"|(?P<m>родился|переехал|работал|жил|устал|купил|пош[её]л|сделал|приехал|вернулся|учился"
    r"|вырос|женат|женился|был|мужчина|парень"
    r"|народився|переїхав|працював|втомився|купив|зробив|приїхав|одружений|чоловік|хлопець))(?=\s"
    r"|$|[.,!])",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^(?:(?P<f>soy\s+(?:una\s+)?(?:mujer|chica)|sou\s+(?:uma\s+)?(?:mulher|menina|garota)"
    r"|je\s+suis\s+une\s+(?:femme|fille)|ich\s+bin\s+eine\s+frau|sono\s+una\s+(?:donna|ragazza)"
    r"|我是女(?:生|的|人|孩)|私は女性です|저는\s+여자(?:예요|입니다)|ben\s+(?:bir\s+)?kadınım|أنا\s+(?:امرأة|بنت|فتاة))"
    r"|(?P<m>soy\s+(?:un\s+)?(?:hombre|chico)|sou\s+(?:um\s+)?(?:homem|menino|garoto)"
    r"|je\s+suis\s+un\s+(?:homme|garçon)|ich\s+bin\s+ein\s+mann|sono\s+un\s+(?:uomo|ragazzo)"
    r"|我是男(?:生|的|人|孩)|私は男性です|저는\s+남자(?:예요|입니다)|ben\s+(?:bir\s+)?erkeğim|أنا\s+(?:رجل|ولد)))(?=\s"
    r"|$|[.,!。，])",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"(?:my\s+(?:time\s?zone|tz)(?:\s+is|'s|s)|i'm\s+(?:in|on)|im\s+(?:in|on)|i\s+am\s+(?:in|on)"
    r"|i\s+live\s+in|set\s+my\s+time\s?zone\s+to|we're\s+(?:in|on))\s+"
    r"(?:the\s+)?(?P<z>[A-Za-z]+(?:[/_ -][A-Za-z_-]+){0,3}?|(?:utc"
    r"|gmt)\s*(?:[+-]\s*\d{1,2}(?::?00)?)?)(?P<tz>\s+time(?:\s?zone)?)?\s*$",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"(?:utc|gmt)\s*(?:(?P<sign>[+-])\s*(?P<n>\d{1,2})(?::?00)?)?", re.IGNORECASE)
_OPENERS = frozenset({"i", "i'm", "im", "as", "my", "he", "she", "they", "we're", "set"})
_GENDERS = (("m", "male"), ("f", "female"), ("n", "non-binary"))


def traits(clause: Clause, seq: int, content: str, after: str = "") -> list[TraitClaim]:
    """What a clause states of the person's gender or time zone; `after` is what follows it."""
    text = clause.text
    first = text.split(maxsplit=1)[0].casefold() if text else ""
    if first not in _OPENERS and not first.startswith(("he/", "she/", "they/", "pronouns")):
        return []
    found = _I_AM.match(text)
    if found and _speaks_of_self(text + after, found):
        return [_gender(found, clause, seq, content, SURE)]
    found = _PRONOUNS.match(text) or _PRONOUNS_WORDS.match(text)
    if found and _of_self(found, text):
        return [_gender(found, clause, seq, content, SURE)]
    found = _ZONE.match(text)
    if found:
        return _zone(found, clause, seq, content)
    return []


def foreign_traits(clause: Clause, seq: int, content: str) -> list[TraitClaim]:
    """Gender that the grammar of another language shows with the word for "I" in place."""
    for pattern, sure in ((_SLAVIC, BY_GRAMMAR), (_HINDI, BY_GRAMMAR), (_OTHERS, SURE)):
        found = pattern.match(clause.text)
        if found:
            return [_gender(found, clause, seq, content, sure)]
    return []


def _of_self(found: re.Match[str], text: str) -> bool:
    """Whether pronouns are the person's own: said so, or all that is said."""
    low = found.group().casefold()
    alone = found.end() == len(text.rstrip(" .!"))
    return low[:1] == "i" or "pronoun" in low or bool(found.groupdict().get("here")) or alone


def _speaks_of_self(text: str, found: re.Match[str]) -> bool:
    """ "I'm a dad" tells; "I'm mum" or "as a man of the world" does not."""
    said = found.group()
    if said.casefold().startswith("as "):
        return _AS.match(text) is not None
    return " a " in said.casefold() or " an " in said.casefold() or _KIN.search(said) is None


def _gender(
    found: re.Match[str], clause: Clause, seq: int, content: str, sure: float
) -> TraitClaim:
    groups = found.groupdict()
    value = next(value for name, value in _GENDERS if groups.get(name))
    text = content[clause.start : clause.start + found.end()].strip()
    return TraitClaim(
        trait="gender", value=value, quotes=(Quote(seq=seq, text=text),), confidence=sure
    )


def _zone(found: re.Match[str], clause: Clause, seq: int, content: str) -> list[TraitClaim]:
    stated = (
        found.group("tz") is not None
        or "zone" in found.group().casefold()
        or " tz" in found.group().casefold()
    )
    words = found.group("z").strip()
    offset = _OFFSET.fullmatch(words)
    if offset:
        name = _offset_zone(offset)
    elif stated or "/" in words:
        name = _zones().get(words.casefold().replace(" ", "_"))
    else:
        name = None
    if name is None:
        return []
    text = content[clause.start : clause.start + found.end()].rstrip()
    return [
        TraitClaim(
            trait="timezone", value=name, quotes=(Quote(seq=seq, text=text),), confidence=SURE
        )
    ]


def _offset_zone(found: re.Match[str]) -> str | None:
    """The zone of a fixed offset; in its name the sign is turned round."""
    if not found.group("n"):
        return "Etc/UTC"
    hours = int(found.group("n"))
    sign = "-" if found.group("sign") == "+" else "+"
    name = f"Etc/GMT{sign}{hours}" if hours else "Etc/UTC"
    return name if name in available() else None


@cache
def available() -> frozenset[str]:
    """All zone names, read once."""
    return frozenset(available_timezones())


@cache
def _zones() -> dict[str, str]:
    """Zones by their full name and by their city."""
    names = sorted(available())
    cities = {
        name.rsplit("/", 1)[1].casefold(): name
        for name in names
        if name.split("/", 1)[0]
        in ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    }
    return cities | {name.casefold(): name for name in names}
