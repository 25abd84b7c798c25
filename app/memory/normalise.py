"""Text made comparable: the same words in the same order compare equal in every script."""

from __future__ import annotations

import hashlib
import unicodedata

_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "＇": "'"})


def words(text: str) -> tuple[str, ...]:
    """The text's words: NFKC, casefolded, marks of combining scripts kept, punctuation gone."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)
    folded = "".join(_kept(char) for char in folded)
    return tuple(word.strip("'") for word in folded.split() if word.strip("'"))


def normalise(text: str) -> str:
    """The words joined by one space."""
    return " ".join(words(text))


def content_hash(subject: int, text: str) -> str:
    """Identifies what is said about a subject, however it is spelt; 64 hex digits."""
    return hashlib.sha256(f"{subject}::{normalise(text)}".encode()).hexdigest()


def digest(text: str) -> str:
    """SHA-256 of a text's UTF-8, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _kept(char: str) -> str:
    """Letters, marks, digits and the apostrophe inside a word stay; all else parts words."""
    category = unicodedata.category(char)
    if category[0] in "LMN" or char in "'_+#":
        return char
    return " "
