"""What invented people write: statements, corrections, questions, small talk, without end."""

from __future__ import annotations

import random
from collections.abc import Iterator

RELATIONS = (
    *("sister", "brother", "cousin", "aunt", "uncle", "neighbour", "colleague", "friend"),
    *("mother", "father", "daughter", "son", "grandmother", "boss", "teacher", "landlord"),
)
THINGS = (
    *("dog", "cat", "boat", "horse", "canary", "tortoise", "bicycle", "car", "rabbit", "parrot"),
    *("band", "cafe", "shop", "garden", "choir", "hamster", "goat", "donkey", "village", "team"),
)
NAMES = (
    *("Rex", "Max", "Nora", "Pip", "Ida", "Tobias", "Mira", "Ada", "Otto", "Luna", "Bruno", "Zoe"),
    *("Emil", "Greta", "Juno", "Oskar", "Tilda", "Anton", "Vera", "Hugo", "Selma", "Karl", "Fina"),
)
PLACES = ("Bern", "Oslo", "Porto", "Graz", "Turku", "Leeds", "Lyon", "Gdansk", "Basel", "Cork")
JOBS = ("nurse", "baker", "teacher", "carpenter", "pilot", "gardener", "librarian", "plumber")
MEALS = (
    "leek soup",
    "rice with beans",
    "a potato salad",
    "noodles",
    "an apple cake",
    "an omelette",
)
ELSEWHERE = ("Mein Hund heißt {name}", "Mi gato se llama {name}", "Mon chien s'appelle {name}")
STATEMENTS = (
    "My {relation}'s {thing} is called {name}",
    "My {thing} is called {name}, and everybody laughs about it.",
    "My {relation} {name} lives in {place}",
    "My {relation} works as a {job}",
    "Please remember that the spare key for {place} is with {name}, shelf {number}",
    "It has been quite a week. My {relation}'s {thing} is called {name}. Anyway, how are you?",
    *ELSEWHERE,
)
CHATTER = (
    "Actually, it's {name}, not {other}",
    "I live in {place} now and I hate the rain there",
    "Do you think I should cook {meal} for {number} people on Sunday?",
    "Good morning! I slept well for once, after {number} bad nights.",
    "If I had a {thing}, I'd call it {name}. {other} says that's a silly name.",
    "We went to {place} by train, {number} hours late, and the {thing} had to stay with {name}.",
    "ok",
    "Thanks, that helps a lot! I'll tell {name} about it tomorrow.",
    "What do you know about {place}?",
    "Yesterday was long. First the {thing} was ill, then {name} called, then my {relation} wanted "
    "to know whether I'd come to {place}, and in the end we had {meal} at ten in the evening. I "
    "keep thinking that I should write more letters. Do you ever wonder where the time goes?",
)
ONE_IN = 3
"""Of so many messages, one states something."""


def messages(seed: int) -> Iterator[str]:
    """An endless conversation's messages of one person; the same for the same seed."""
    chance = random.Random(seed)
    while True:
        states = chance.randrange(ONE_IN) == 0
        yield _filled(chance.choice(STATEMENTS if states else CHATTER), chance)


def statements(seed: int) -> Iterator[str]:
    """The same without anything but statements."""
    chance = random.Random(seed)
    while True:
        yield _filled(chance.choice(STATEMENTS), chance)


def _filled(shape: str, chance: random.Random) -> str:
    name, other = chance.sample(NAMES, 2)
    return shape.format(
        name=name,
        other=other,
        relation=chance.choice(RELATIONS),
        thing=chance.choice(THINGS),
        place=chance.choice(PLACES),
        job=chance.choice(JOBS),
        meal=chance.choice(MEALS),
        number=chance.randrange(2, 1_000),
    )
