"""Slots: how subjects and predicates are written, and which predicates hold one value at a time."""

from __future__ import annotations

from app.domain.record import SELF, Slot
from app.memory.normalise import words


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SINGLE = _names(
    """name nickname birthday birth_year age pronouns lives_in from works_at job studies school
    native_language timezone marital_status partner spouse height weight phone email address
    shoe_size clothing_size blood_type car color breed species"""
)
"""Predicates with one value: a new one replaces the old."""

MULTI = _names(
    """likes dislikes loves hates owns has plays speaks learns allergic_to eats avoids drinks
    friend child pet sibling hobby fan_of collects watches reads visited interest skill note
    condition medication goal"""
)
"""Predicates whose values stand side by side."""


def is_multi(predicate: str, claimed: bool | None = None) -> bool:
    """Whether a predicate holds many values; `claimed` decides where the vocabulary is silent."""
    if predicate in SINGLE or predicate.startswith("favorite_"):
        return False
    if predicate in MULTI:
        return True
    return bool(claimed)


def slot_word(text: str) -> str:
    """Words as a slot writes them: normalised, joined by underscores."""
    return "_".join(words(text))


def subject_path(*parts: str) -> str:
    """A subject such as `sister/dog` from the owners down to the thing; SELF when empty."""
    return "/".join(part for part in map(slot_word, parts) if part) or SELF


def make_slot(subject: str, predicate: str, claimed_multi: bool | None = None) -> Slot | None:
    """A slot in canonical form, or None when there is no usable predicate.

    `subject` may be a path with "/"; "me", "I", "user" and nothing stand for the person.
    """
    path = subject_path(*subject.split("/"))
    if path in _ME:
        path = SELF
    name = slot_word(predicate).replace("favourite", "favorite").replace("colour", "color")
    name = _ALIASES.get(name, name)
    return Slot(subject=path, predicate=name, multi=is_multi(name, claimed_multi)) if name else None


_ME = frozenset({"me", "i", "user", "myself", "the_user", "person", "speaker", SELF})
_ALIASES = {
    "called": "name",
    "is_called": "name",
    "named": "name",
    "full_name": "name",
    "first_name": "name",
    "birthdate": "birthday",
    "date_of_birth": "birthday",
    "born": "birthday",
    "bday": "birthday",
    "location": "lives_in",
    "home": "lives_in",
    "city": "lives_in",
    "residence": "lives_in",
    "lives": "lives_in",
    "hometown": "from",
    "employer": "works_at",
    "company": "works_at",
    "workplace": "works_at",
    "occupation": "job",
    "profession": "job",
    "job_title": "job",
    "works_as": "job",
    "role": "job",
    "like": "likes",
    "enjoys": "likes",
    "dislike": "dislikes",
    "love": "loves",
    "hate": "hates",
    "own": "owns",
    "have": "has",
    "allergy": "allergic_to",
    "allergies": "allergic_to",
    "allergic": "allergic_to",
    "language": "speaks",
    "languages": "speaks",
    "hobbies": "hobby",
    "husband": "spouse",
    "wife": "spouse",
    "time_zone": "timezone",
}
