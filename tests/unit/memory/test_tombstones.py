"""What was forgotten stays so in any words, and keeps nothing else from being remembered."""

from __future__ import annotations

import pytest

from app.domain.outcome import OutcomeKind, Reason
from tests.unit.memory.talk import Talk

SAID = "My dog is called Rex"


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("I have a dog named Rex", SAID),
        ("Rex is my dog", "dog is called Rex"),
        ("I have a dog named Rex", f"{SAID}. I live in Leeds"),
    ],
)
def test_what_was_forgotten_does_not_come_back_in_other_words(
    talk: Talk, text: str, quote: str
) -> None:
    talk.say(f"{SAID}. I live in Leeds")
    talk.forget("my dog's name")
    outcome = talk.claim(text, quote, seq=1)
    assert (outcome.reasons, talk.texts) == ((Reason.FORGOTTEN_BEFORE,), [])


def test_the_rest_of_the_message_can_still_be_remembered(talk: Talk) -> None:
    talk.say(f"{SAID}. I live in Leeds")
    talk.forget("my dog's name")
    for quote in ("I live in Leeds", f"{SAID}. I live in Leeds"):
        outcome = talk.claim("I live in Leeds", quote, seq=1)
        assert outcome.kind in (OutcomeKind.ADD, OutcomeKind.NOOP)
    assert talk.texts == ["I live in Leeds"]


def test_the_request_to_forget_brings_nothing_back(talk: Talk) -> None:
    talk.say("Please remember that I like jazz")
    asked = talk.say("forget that I like jazz")
    assert asked[0].reasons == (Reason.FORGET_REQUESTED,)
    outcome = talk.claim("I am fond of jazz", "I like jazz", seq=2)
    assert (outcome.reasons, talk.texts) == ((Reason.FORGOTTEN_BEFORE,), [])


def test_a_record_that_was_refined_is_forgotten_with_all_it_rests_on(talk: Talk) -> None:
    for said in ("Trains make me calm", "Trains make me calm and patient"):
        talk.write(said)
        talk.claim(said, said)
    record = talk.profile.facts[0]
    talk.forget(record=record.id)
    outcome = talk.claim("Trains make me calm", "Trains make me calm", seq=1)
    assert (outcome.reasons, talk.texts) == ((Reason.FORGOTTEN_BEFORE,), [])


def test_an_older_message_that_says_the_same_brings_nothing_back(talk: Talk) -> None:
    talk.write("I like jazz")
    talk.say("Please remember that I like jazz")
    talk.forget("jazz")
    outcome = talk.claim("I am fond of jazz", "I like jazz", seq=1)
    assert (outcome.reasons, talk.texts) == ((Reason.FORGOTTEN_BEFORE,), [])


def test_said_anew_it_is_remembered_in_any_words(talk: Talk) -> None:
    talk.say(SAID)
    talk.forget("my dog's name")
    talk.write("Did I say that I have a dog named Rex? I have a dog named Rex")
    talk.claim("I have a dog named Rex", "I have a dog named Rex")
    assert talk.texts == ["I have a dog named Rex"]


def test_a_message_rewritten_since_says_something_new(talk: Talk) -> None:
    talk.say(SAID)
    talk.forget("my dog's name")
    talk.write("How are you?")
    talk.edit(1, "My cat is called Tom")
    talk.claim("My cat is called Tom", "My cat is called Tom", seq=1)
    assert talk.texts == ["My cat is called Tom"]
