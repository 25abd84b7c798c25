"""What two people say: statements that each hold one word which no other statement holds."""

from __future__ import annotations

from typing import NamedTuple

from app.memory.normalise import words


class Fact(NamedTuple):
    """A statement. `firm`: the rules read it without a model; `again`: the same in other words."""

    topic: str
    word: str
    said: str
    again: str
    slot: tuple[str, str] | None
    firm: bool
    forget: str

    @property
    def asked(self) -> str:
        """A request to remember it."""
        return f"Please remember that {self.said}"


def _dog(name: str) -> Fact:
    return Fact(
        "dog",
        name,
        f"My dog is called {name}",
        f"I have a dog named {name}",
        ("dog", "name"),
        True,
        "forget my dog's name",
    )


def _color(color: str) -> Fact:
    return Fact(
        "color",
        color,
        f"My favorite color is {color}",
        f"The color I like best is {color}",
        ("self", "favorite_color"),
        True,
        "forget my favorite color",
    )


def _sister(city: str) -> Fact:
    return Fact(
        "sister",
        city,
        f"My sister lives in {city}",
        f"I have a sister in {city}",
        ("sister", "lives_in"),
        True,
        "forget about my sister",
    )


def _home(city: str) -> Fact:
    return Fact(
        "home",
        city,
        f"I live in {city}",
        f"The city where I live is {city}",
        ("self", "lives_in"),
        False,
        f"forget that I live in {city}",
    )


def _liking(thing: str) -> Fact:
    return Fact(
        "likes",
        thing,
        f"I like {thing}",
        f"I am fond of {thing}",
        ("self", "likes"),
        False,
        f"forget that I like {thing}",
    )


TAIL = " when the evening is long and nobody has written to me"


def _habit(thing: str, feeling: str) -> Fact:
    return Fact(
        "habits",
        thing,
        f"Old {thing} make me {feeling}{TAIL}",
        f"I feel {feeling} with old {thing}",
        None,
        False,
        f"forget my {thing}",
    )


FACTS = (
    *map(_dog, ("Rex", "Max", "Luna")),
    *map(_color, ("teal", "amber")),
    *map(_sister, ("Bath", "York")),
    *map(_home, ("Leeds", "Hull")),
    *map(_liking, ("jazz", "chess", "plums")),
    *(_habit(*pair) for pair in (("trains", "calm"), ("gulls", "laugh"), ("bells", "sing"))),
)
WORDS = {word for fact in FACTS for word in words(fact.word)}
CHATTER = "How was your day? Mine was fine"


def tell_tale(*texts: str | None) -> set[str]:
    """The words in some texts that tell one statement from all others."""
    return WORDS.intersection(*[{word for text in texts if text for word in words(text)}])


def stated_in(content: str) -> list[Fact]:
    """The facts that a message states in so many words."""
    low = content.casefold()
    return [fact for fact in FACTS if fact.said.casefold() in low]


def corrected(right: Fact, wrong: Fact) -> str:
    """A correction that names both values."""
    return f"Actually, it's {right.word}, not {wrong.word}"
