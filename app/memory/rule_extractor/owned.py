"""What is owned: "sister's dog" as a path, with the words that matter."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.memory.rule_extractor.vocabulary import (
    BEINGS,
    FAMILY,
    IDLE_ADJECTIVES,
    NOT_VALUES,
    PETS,
    word_set,
)

_POSSESSOR = re.compile(r"'s\s+|s'\s+")
_FAVOURITE = re.compile(r"fav(?:e|s|ou?rites?|orate|ourit|orit)?\b", re.IGNORECASE)
_BROKEN = word_set(
    """of that which who whom when where about for from with is are was were has have had called
    named said says thinks and or but not to i you we they he she it than if as"""
)


class Owned(NamedTuple):
    """A thing in the person's life: `path` from its owners down, `words` of the last noun.

    `qualifier` is "favorite" where it was said; `chained` where somebody else owns it.
    """

    path: tuple[str, ...]
    words: tuple[str, ...]
    plural: bool = False
    qualifier: str = ""
    chained: bool = False


def owned(text: str) -> Owned | None:
    """The thing that words after "my" name, or None when they name none."""
    low = text.casefold().strip()
    parts = [part for part in _POSSESSOR.split(low) if part]
    if not parts or len(parts) > 3:
        return None
    path: list[str] = []
    for part in parts[:-1]:
        noun = _noun(part.split())
        if noun is None:
            return None
        path.append("_".join(noun))
    last = parts[-1].removesuffix("'").split()
    if last[-3:] == ["date", "of", "birth"]:
        return Owned((*path, "birthday"), ("date", "of", "birth"), chained=bool(path))
    favourite = next((n for n, word in enumerate(last[:3]) if _FAVOURITE.fullmatch(word)), None)
    if favourite is not None:
        return _favourite(path, last[:favourite], last[favourite + 1 :])
    noun = _noun(last)
    if noun is None:
        return None
    words = list(noun)
    if not path and len(words) > 1 and words[-1] in _ELIDED:
        owner = words[-2].removesuffix("s")
        if owner in FAMILY or owner in PETS:
            path.append("_".join([*words[:-2], owner]))
            words = words[-1:]
    head = "_".join(words) if words[-1] in BEINGS else words[-1]
    plural = words[-1].endswith("s") and not words[-1].endswith(("ss", "us", "is"))
    return Owned((*path, head), tuple(words), plural, "", bool(path))


def _favourite(path: list[str], before: list[str], words: list[str]) -> Owned | None:
    """A favourite: what comes before the word ("all time") tells nothing more."""
    if not words or _BROKEN & {*words, *before}:
        return None
    plural = words[-1].endswith("s") and not words[-1].endswith(("ss", "us"))
    return Owned((*path, "_".join(words)), tuple(words), plural, "favorite", bool(path))


_ELIDED = frozenset(["birthday", "bday", "age", "job"])


def _noun(words: list[str]) -> tuple[str, ...] | None:
    """The words of one noun without adjectives that tell nothing apart."""
    if words[-2:] == ["in", "law"] and len(words) > 2:
        words = [*words[:-3], f"{words[-3]}-in-law"]
    kept = [word for word in words if word not in IDLE_ADJECTIVES] or words[-1:]
    if not kept or len(kept) > 4:
        return None
    broken = _BROKEN & set(kept)
    if broken:
        return None
    if kept[-1] in NOT_VALUES or any(word in ("the", "a", "an", "my") for word in kept):
        return None
    return tuple(kept)
