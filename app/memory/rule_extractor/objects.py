"""Objects: what may follow "I love", "I live in", "I play" for the words to tell something."""

from __future__ import annotations

import re

from app.memory.rule_extractor.values import is_short, is_specific, is_thing
from app.memory.rule_extractor.vocabulary import word_set

_POINTING = re.compile(
    r"\b(?:you|u|ya|your|ur|yours|this|that|it|its|him|her|them|me|us|here|now|today|tonight|how"
    r"|when|what|where|why|who|if|everyone|everybody|everything|people|myself|life|lol|both|all"
    r"|either|neither|one|ones|so|i|we|he|she|they|my|his|their|our|too|not|anymore|more|less"
    r"|same|idea|way|part|fact|sound|look|feeling|most|these|those|such|being\s+able)\b",
    re.IGNORECASE,
)
_KNOWN_TO_ALL = word_set(
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
_TELLING = word_set(
    """hot cold old dark spicy sweet big long fast dry red small true young short playing running
    driving living sunny rainy quiet loud strong late early private"""
)
"""Words that pass for a state elsewhere and begin a taste here: "hot chocolate"."""
_NO_FOOD = word_set(
    """much anything enough well lunch dinner breakfast out properly alone yet late early at before
    after more any right today until like solid everything or and a while"""
)
_NO_PLACE = word_set(
    """fear hope peace hell constant harmony denial sin style interesting poverty luxury chaos pain
    misery exile your time uncertain dreams shame"""
)
_NO_PLACES = frozenset(
    {
        *("a dream", "the moment", "the past", "the future", "a nightmare", "my head"),
        *("a bubble", "a simulation", "a society", "a world", "the present"),
    }
)
_NO_HOME = word_set(
    """next another level bed page something part step first second sofa couch a an my our it
    different plan phase other"""
)
_NO_EMPLOYER = word_set(
    """night nights home least it all first free myself times money weekends once present me half
    full two peace odd living hours days now moment"""
)
_NO_FIELD = word_set(
    """progress silence theory shifts general bed teams pairs peace the my a an this that person
    groups reverse"""
)
_NOT_PLAYED = word_set(
    """it along around with dead nice a dumb hard dirty fair for in games fool stupid devil's second
    tricks my on pretend favourites favorites god and too by this at as every some no against alone
    together here there"""
)
_NOT_THE = word_set("role part game fool victim field villain hero long song")
_LANGUAGES = word_set(
    """english french german italian spanish portuguese polish russian ukrainian turkish greek
    dutch swedish norwegian danish finnish hindi urdu chinese mandarin cantonese japanese
    korean vietnamese thai arabic hebrew persian farsi romanian hungarian czech slovak
    croatian serbian bulgarian catalan basque welsh irish gaelic swahili tagalog indonesian
    malay bengali tamil punjabi esperanto latin bosnian albanian georgian armenian"""
)


def liked(value: str) -> bool:
    """A taste: a thing, a kind of thing or a pastime, and nothing that the talk is about."""
    words = value.casefold().split()
    if not words or not is_short(value, 6) or _POINTING.search(value):
        return False
    first = words[0]
    if first == "to":
        return len(words) > 1 and words[1] not in _IDLE_INFINITIVES
    if first in _JUST_TALK:
        return False
    if first == "the":
        rest = value.split()[1:]
        return bool(rest) and (rest[0][0].isupper() or rest[0].casefold() in _KNOWN_TO_ALL)
    if first in ("a", "an"):
        return "good" in words[1:2] and len(words) > 2
    if first in ("some", "any", "no", "another"):
        return False
    if first in _TELLING:
        return is_short(value, 5) and (len(words) > 1 or first.endswith("ing"))
    return first.endswith("ing") or is_thing(value, 6)


def food(value: str) -> bool:
    """Something to eat or to drink."""
    words = value.casefold().split()
    idle = not words or words[0] in _NO_FOOD or _POINTING.search(value) is not None
    return not idle and is_thing(value)


def place(value: str) -> bool:
    """A place to live in, not a state of mind."""
    words = value.casefold().split()
    if not words or words[0] in _NO_PLACE or " ".join(words[:2]) in _NO_PLACES:
        return False
    if words[0] in ("a", "an"):
        return is_short(value, 7)
    if words[0] in ("the", "my", "our"):
        return words[0] == "the" and is_short(value, 6) and "same" not in words
    return is_thing(value, 6)


def new_home(value: str) -> bool:
    """A place one moves to: not a room, a seat or a level."""
    words = value.casefold().split()
    if not words or words[0] in _NO_HOME:
        return False
    return is_specific(value) or (words[0] != "the" and is_thing(value, 3))


def employer(value: str) -> bool:
    """Somebody or some place to work for, not a time or a manner."""
    words = value.casefold().split()
    if not words or words[0] in _NO_EMPLOYER:
        return False
    if words[0] in ("a", "an", "the"):
        return is_short(value, 6) and _NO_EMPLOYER.isdisjoint(words[1:2])
    return is_thing(value, 5)


def field(value: str) -> bool:
    """A line of work: "finance"."""
    words = value.casefold().split()
    return bool(words) and words[0] not in _NO_FIELD and is_thing(value, 3)


def job_title(value: str) -> bool:
    """A job with its article."""
    return value[:2].casefold() in ("a ", "an") and is_short(value, 5)


def played(value: str) -> bool:
    """An instrument, a sport or a game."""
    words = value.casefold().split()
    if words[:1] == ["the"]:
        return len(words) == 2 and words[1] not in _NOT_THE
    return bool(words) and words[0] not in _NOT_PLAYED and is_thing(value, 4)


def language(value: str) -> bool:
    """One or several languages."""
    return any(word.strip(",") in _LANGUAGES for word in value.casefold().split())
