"""Answers from memory when there is no language model."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.turn_notes import TurnNotes
from app.memory.rule_answer import answer
from tests.unit.memory.talk import Talk


def ask(talk: Talk, words: str, *, later: timedelta = timedelta(0)) -> str | None:
    said = answer(
        TurnNotes(
            said=words,
            records=tuple(talk.profile.records),
            zone="Europe/Berlin",
            now=talk.now + later,
        )
    )
    return said.text if said else None


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.say("My dog is called Rex")
    talk.say("my name is Bo")
    talk.say("I moved to Leeds")
    return talk


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What is my dog called?", "Rex. You told me at 13:01."),
        ("what's my dog's name", "Rex."),
        ("What’s my dog called", "Rex."),
        ("Do you remember my name?", "Bo."),
        ("what is my name?", "Bo."),
        ("Where do I live?", "Leeds."),
        ("What's my cat called?", "You haven't told me about a cat."),
        ("Who is my uncle?", "You haven't told me about an uncle."),
        ("What is my car?", "You haven't told me your car."),
        ("Where do I work?", "You haven't told me where you work."),
        ("When is my birthday?", "You haven't told me your birthday."),
    ],
)
def test_a_plain_question(talk: Talk, question: str, begins: str) -> None:
    said = ask(talk, question)
    assert said is not None
    assert said.startswith(begins)


@pytest.mark.parametrize(
    "words", ["Tell me a joke", "What's the weather?", "hello", "Is my dog nice?", ""]
)
def test_anything_else_takes_a_model(talk: Talk, words: str) -> None:
    assert ask(talk, words) is None


def test_the_day_is_named_when_it_is_not_today(talk: Talk) -> None:
    assert ask(talk, "What is my dog called?", later=timedelta(days=1)) == (
        "Rex. You told me yesterday at 13:01."
    )
    assert ask(talk, "What is my dog called?", later=timedelta(days=3)) == (
        "Rex. You told me on 1 March."
    )


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("My dog is called Rex", "Rex, noted."),
        ("my phone is an iPhone", "An iPhone, noted."),
        (
            "Remember that I'm allergic to peanuts and my dog is called Rex",
            "Peanuts and Rex, noted.",
        ),
        ("Please remember that I'm allergic to nuts", "Nuts, noted."),
    ],
)
def test_what_was_kept_is_said_with_a_reaction(words: str, reply: str) -> None:
    talk = Talk()
    outcomes = talk.say(words)
    records = tuple(talk.profile.records)
    said = answer(TurnNotes(said=words, outcomes=tuple(outcomes), records=records, now=talk.now))
    assert said is not None
    assert (said.text, said.reaction) == (reply, "✍")
