"""Forgetting, taking back, judging again, traits and moods: what a draft makes of a profile."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.candidate import Extracted, Forget
from app.domain.conversation import Message
from app.domain.evidence import Quote
from app.domain.outcome import Reason
from app.domain.record import Insight, Record, SummarySentence
from app.memory.ground import Ground
from app.memory.rule_extractor import extract
from tests.unit.memory.talk import START, SUBJECT, Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_forgetting_takes_one_record_and_everything_drawn_from_it(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    talk.say("My favorite color is green")
    dog, color = talk.profile.facts
    talk.profile = talk.profile.model_copy(
        update={
            "summary": (
                SummarySentence(text="Has a dog", sources=(dog.id,)),
                SummarySentence(text="Likes green", sources=(color.id,)),
            ),
            "insights": (
                Insight(id="i1", text="Seems kind", sources=(dog.id, color.id), created_at=START),
            ),
        }
    )
    outcome = talk.forget("my dog's name")
    assert outcome.reasons == (Reason.FORGET_REQUESTED,)
    assert talk.texts == ["My favorite color is green"]
    assert [sentence.text for sentence in talk.profile.summary] == ["Likes green"]
    assert talk.profile.insights == ()
    assert "Rex" not in str([o.model_dump() for o in talk.profile.recent_outcomes])
    assert talk.archived == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("it", Reason.NO_SPECIFIC_TARGET),
        ("everything about me", Reason.NO_SPECIFIC_TARGET),
        ("my address", Reason.NOTHING_TO_FORGET),
        ("my dog", Reason.SEVERAL_MATCHES),
    ],
)
def test_what_does_not_mean_exactly_one_record_forgets_none(
    talk: Talk, words: str, reason: Reason
) -> None:
    talk.say("My dog is called Rex")
    talk.write("my dog likes cheese")
    talk.claim("My dog likes cheese", "my dog likes cheese", slot=("dog", "likes"), value="cheese")
    outcome = talk.forget(words)
    assert (outcome.reasons, outcome.verification) == ((reason,), "failed_verification")
    assert len(talk.texts) == 2
    assert len(outcome.choices) == (2 if reason is Reason.SEVERAL_MATCHES else 0)


def test_only_words_of_the_person_can_ask_to_forget(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    message = talk.write("forget my dog's name", role="assistant")
    quote = Quote(seq=message.seq, text=message.content)
    wish = Forget(record_id=talk.profile.facts[0].id, quote=quote)
    (outcome,) = talk.commit(Extracted(forgets=(wish,)))
    assert outcome.reasons == (Reason.UNSUPPORTED_BY_SOURCE,)
    assert talk.texts == ["My dog is called Rex"]


def test_what_was_forgotten_stays_so_until_it_is_said_anew(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    talk.forget("my dog's name")
    late = talk.claim(
        "My dog is called Rex",
        "My dog is called Rex",
        seq=1,
        slot=("dog", "name"),
        value="Rex",
    )
    assert late.reasons == (Reason.FORGOTTEN_BEFORE,)
    talk.say("My dog is called Rex")
    assert talk.texts == ["My dog is called Rex"]


@pytest.mark.parametrize(("minutes", "kept"), [(-5, False), (5, True)])
def test_what_was_forgotten_may_be_told_anew_in_another_conversation(
    talk: Talk, minutes: int, kept: bool
) -> None:
    talk.say("My dog is called Rex")
    talk.forget("my dog's name")
    said_at = talk.now + timedelta(minutes=minutes)
    message = Message(seq=1, role="user", content="My dog is called Rex", created_at=said_at)
    draft = talk.draft()
    elsewhere = Ground(
        subject=SUBJECT, conversation="-5", messages={1: message}, now=talk.now + timedelta(hours=1)
    )
    draft.take(extract(message, now=elsewhere.now), elsewhere)
    assert len(draft.records) == kept


def test_taking_back_an_addition_keeps_it_away(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    added = talk.profile.recent_outcomes[-1]
    assert talk.undo(added) is not None
    assert talk.texts == []
    again = talk.claim(
        "My dog is called Rex", "My dog is called Rex", slot=("dog", "name"), value="Rex"
    )
    assert again.reasons == (Reason.FORGOTTEN_BEFORE,)
    assert talk.undo(added) is None


def test_taking_back_a_correction_brings_the_old_record_back(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    (rex,) = talk.profile.facts
    talk.say("Actually, it's Max, not Rex")
    corrected = talk.profile.recent_outcomes[-1]
    restored = talk.undo(corrected, _archived(talk, rex.id))
    assert restored is not None
    assert [(r.id, r.text) for r in talk.profile.facts] == [(rex.id, "My dog is called Rex")]
    assert talk.lineage == ["corrects", "restored"]
    assert talk.archived[-1] == ("My dog is called Max", "superseded")


def test_taking_back_a_correction_keeps_it_away(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    (rex,) = talk.profile.facts
    talk.say("Actually, it's Max, not Rex")
    talk.undo(talk.profile.recent_outcomes[-1], _archived(talk, rex.id))
    again = talk.claim(
        "My dog is called Max", "it's Max, not Rex", slot=("dog", "name"), value="Max"
    )
    assert again.reasons == (Reason.FORGOTTEN_BEFORE,)
    assert talk.texts == ["My dog is called Rex"]


def test_only_the_latest_change_of_a_record_can_be_taken_back(talk: Talk) -> None:
    talk.say("My favorite color is green")
    first = talk.profile.recent_outcomes[-1]
    talk.say("My favorite color is blue")
    assert talk.undo(first) is None
    assert talk.texts == ["My favorite color is blue"]


def test_an_edit_that_keeps_the_words_keeps_the_record_at_their_new_place(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    talk.edit(1, "Oh by the way: My dog is called Rex")
    (record,) = talk.profile.facts
    (span,) = record.evidence
    assert talk.messages[1].content.encode()[span.start : span.end].decode() == span.quote


@pytest.mark.parametrize("text", ["My dog is called Rexy", "Never mind", ""])
def test_an_edit_that_takes_the_words_away_ends_the_record(talk: Talk, text: str) -> None:
    talk.say("My dog is called Rex")
    talk.edit(1, text)
    assert talk.texts == []
    assert talk.archived == [("My dog is called Rex", "unsupported")]


def test_gender_is_what_one_says_of_oneself(talk: Talk) -> None:
    talk.write("as a guy, I like it")
    assert talk.trait("gender", "male", "as a guy").changed
    assert talk.profile.gender is not None
    assert talk.profile.gender.value == "male"


def test_a_partner_says_nothing_about_gender(talk: Talk) -> None:
    talk.write("my wife is great")
    assert talk.trait("gender", "male", "my wife is great").reasons == (
        Reason.UNSUPPORTED_BY_SOURCE,
    )


def test_an_uncertain_run_never_changes_gender(talk: Talk) -> None:
    talk.write("I'm a woman")
    talk.trait("gender", "female", "I'm a woman")
    talk.write("I am the man!")
    assert talk.trait("gender", "male", "I am the man", 0.5).reasons == (Reason.LOW_CONFIDENCE,)
    assert talk.profile.gender is not None
    assert talk.profile.gender.value == "female"


@pytest.mark.parametrize(("zone", "taken"), [("Europe/Berlin", True), ("Berlin time", False)])
def test_a_time_zone_is_an_iana_name(talk: Talk, zone: str, taken: bool) -> None:
    talk.write("I'm in Berlin")
    talk.trait("timezone", zone, "I'm in Berlin")
    assert (talk.profile.timezone is not None) is taken


def test_moods_are_kept_in_order_on_evidence(talk: Talk) -> None:
    talk.write("I'm so happy today")
    talk.mood("happy", "I'm so happy")
    talk.write("that was a sad call")
    talk.mood("sad", "a sad call")
    assert talk.mood("angry", "not there").reasons == (Reason.UNSUPPORTED_BY_SOURCE,)
    assert [mood.mood for mood in talk.profile.mood_history] == ["happy", "sad"]
    assert talk.profile.emotional_state is not None
    assert talk.profile.emotional_state.mood == "sad"


def _archived(talk: Talk, record: str) -> Record:
    rows = [e.row for e in talk.profile.pending_effects if e.collection == "archive"]
    return next(Record(**row["record"]) for row in rows if row["record"]["id"] == record)
