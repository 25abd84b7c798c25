"""Conditions: "vegetarian", "allergic to nuts", "married" and other words that say how one is."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.memory.rule_extractor.values import is_thing, place_span, value_span
from app.memory.rule_extractor.vocabulary import JOBS, NATIONALITIES


class Condition(NamedTuple):
    """What a predicate phrase says; `length` is how many characters of it that takes."""

    predicate: str
    value: str
    length: int
    multi: bool | None = None


def _table(**lines: str) -> dict[str, str]:
    return {word.replace("_", " "): key for key, text in lines.items() for word in text.split()}


_WORDS = _table(
    diet="""vegetarian vegan pescatarian pescetarian veggie plant-based halal kosher gluten-free
    gluten_free dairy-free keto flexitarian""",
    condition="""lactose_intolerant gluten_intolerant celiac coeliac diabetic type_1_diabetic
    type_2_diabetic asthmatic autistic dyslexic epileptic deaf blind colour-blind color-blind
    colorblind colourblind colour_blind color_blind bipolar anemic anaemic neurodivergent
    short-sighted near-sighted hard_of_hearing""",
    marital_status="single married divorced engaged widowed separated",
    handedness="left-handed left_handed lefty right-handed right_handed ambidextrous",
    orientation="gay lesbian bi bisexual straight asexual pansexual queer",
    religion="""christian catholic muslim jewish hindu buddhist sikh atheist agnostic protestant
    orthodox mormon""",
    job="retired self-employed freelance unemployed",
    trait="introverted extroverted introvert extrovert",
)
_LONGEST = max(map(len, _WORDS))
_PHRASE = re.compile(r"[a-z0-9-]+(?:\s+[a-z0-9-]+){0,2}", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:(?:a|an|also|really|actually|now|still|both|very|super|quite|pretty|strictly|a\s+strict"
    r"|mildly|severely|deathly|half)\s+){1,2}",
    re.IGNORECASE,
)
_ALLERGIC = re.compile(r"allergic\s+to\s+(?P<o>\S)", re.IGNORECASE)
_FROM = re.compile(r"(?:originally\s+)?from\s+(?P<o>\S)", re.IGNORECASE)
_MARRIED = re.compile(r"married\s+to\s+(?P<o>[A-Z])")
_AFRAID = re.compile(r"(?:scared|afraid|terrified)\s+of\s+(?P<o>\S)", re.IGNORECASE)
_INTO = re.compile(r"(?:into|interested\s+in)\s+(?P<o>\S)", re.IGNORECASE)
_FAN = re.compile(
    r"an?\s+(?:(?:big|huge|massive|die-?hard|lifelong)\s+)?fan\s+of\s+(?P<o>\S)", re.IGNORECASE
)
_OBSESSED = re.compile(r"obsessed\s+with\s+(?P<o>\S)", re.IGNORECASE)
_LEARNING = re.compile(r"learning\s+(?:to\s+(?:speak|play)\s+)?(?:the\s+)?(?P<o>\S)", re.IGNORECASE)
_STUDYING = re.compile(r"studying\s+(?P<o>\S)", re.IGNORECASE)
_ONLY_AFTER = re.compile(
    r"\s*(?:$|[,.!;:)(]|(?:and|but|now|so|because|since|too|btw|lol|haha|with|by the way|for)\b"
    r"|[^\w\s])",
    re.IGNORECASE,
)
_PHRASES = (
    (_MARRIED, "spouse", False),
    (_AFRAID, "fear", True),
    (_INTO, "interest", True),
    (_FAN, "fan_of", True),
    (_OBSESSED, "fan_of", True),
    (_LEARNING, "learns", True),
    (_STUDYING, "studies", False),
)


def condition(text: str) -> Condition | None:
    """What the words after "I'm" or "she's" say of somebody, where they are known ones."""
    lead = _LEAD.match(text)
    bare = lead.end() if lead else 0
    for offset in dict.fromkeys((0, bare)):
        found = _phrase(text, offset) or _word(text, offset)
        if found is not None:
            return found
    return None


def _phrase(text: str, offset: int) -> Condition | None:
    found = _ALLERGIC.match(text, offset)
    if found:
        start, end = value_span(text, found.start("o"), many=True)
        value = text[start:end]
        return Condition("allergic_to", value, end) if is_thing(value, 8) else None
    found = _FROM.match(text, offset)
    if found:
        start, end = place_span(text, found.start("o"))
        value = text[start:end]
        fine = is_thing(value, 5) and "future" not in value
        return Condition("from", value, end) if fine else None
    for pattern, predicate, multi in _PHRASES:
        found = pattern.match(text, offset)
        if found:
            start, end = value_span(text, found.start("o"))
            value = text[start:end]
            low = value.casefold()
            fine = is_thing(value, 4) or (low.startswith("the ") and value[4:5].isupper())
            return Condition(predicate, value, end, multi) if fine else None
    return None


def _word(text: str, offset: int) -> Condition | None:
    """The longest known word or two, with nothing after it that would change it."""
    found = _PHRASE.match(text, offset)
    if found is None:
        return None
    parts = list(re.finditer(r"\S+", found.group()))
    for count in range(len(parts), 0, -1):
        end = found.start() + parts[count - 1].end()
        phrase = " ".join(text[offset:end].casefold().split())
        predicate = _WORDS.get(phrase)
        if predicate is None and count == 1 and phrase in NATIONALITIES:
            predicate = "nationality"
        if predicate is None or len(phrase) > max(_LONGEST, 12):
            continue
        if not _ONLY_AFTER.match(text, end):
            return None
        return Condition(predicate, text[offset:end], end)
    return None


def job_in(text: str) -> tuple[str, int] | None:
    """The job that "a software engineer at Acme" begins with, without the article, and its end."""
    article = re.match(r"an?\s+", text, re.IGNORECASE)
    if article is None:
        return None
    words = list(re.finditer(r"[^\W\d_][\w-]*", text[article.end() : article.end() + 60]))[:5]
    last = None
    for number, word in enumerate(words):
        if word.group().casefold() in ("at", "in", "for", "and", "but", "who", "of", "from", "by"):
            break
        if word.group().casefold() in JOBS:
            last = number
    if last is None:
        return None
    after = text[article.end() + words[last].end() :]
    if after and not re.match(
        r"\s*(?:$|[,.!;:)(]|(?:at|in|for|from|by|and|but|who|with|now|on|here|there|so)\b|[^\w\s])",
        after,
        re.IGNORECASE,
    ):
        return None
    end = article.end() + words[last].end()
    value = text[article.end() : end]
    first = value.split()[0].casefold()
    bad = first in ("bad", "good", "terrible", "great", "better", "lousy", "real", "natural", "big",
                    "secret", "total", "horrible", "picky")  # fmt: skip
    return None if bad else (value, end)
