"""Exactly one outcome for each claim, on evidence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.candidate import Candidate, Extracted
from app.domain.evidence import Quote
from app.domain.outcome import OutcomeKind, Reason
from app.domain.record import MemoryClass
from app.memory.merge import merged
from app.memory.ranking import ranked
from tests.unit.memory.talk import Talk


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_a_new_fact_is_added_with_its_receipt(talk: Talk) -> None:
    (outcome,) = talk.say("Hi! My dog is called Rex.")
    assert (outcome.kind, outcome.reasons) == (OutcomeKind.ADD, (Reason.NEW_FACT_FOR_SLOT,))
    (record,) = talk.profile.facts
    (span,) = record.evidence
    source = talk.messages[1].content.encode()
    assert source[span.start : span.end].decode() == span.quote == "My dog is called Rex"
    assert outcome.evidence == record.evidence
    assert (record.generation, talk.profile.generation) == (1, 1)


def test_reading_the_same_message_again_changes_nothing(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    before = talk.profile
    outcome = talk.claim("My dog is called Rex", "My dog is called Rex", slot=("dog", "name"))
    assert (outcome.kind, outcome.reasons[0]) == (OutcomeKind.NOOP, Reason.ALREADY_APPLIED)
    assert talk.profile == before


def test_saying_it_again_confirms_it(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    (outcome,) = talk.say("my dog is called rex!")
    assert outcome.reasons == (Reason.DUPLICATE_OF_ACTIVE_RECORD,)
    (record,) = talk.profile.facts
    assert len(record.evidence) == 2
    assert record.last_confirmed_at == talk.messages[2].created_at


def test_a_use_is_counted_each_time_the_person_comes_back_to_it_and_once_a_message(
    talk: Talk,
) -> None:
    def uses() -> int:
        (record,) = talk.profile.facts
        return record.uses

    talk.say("My dog is called Rex")
    assert uses() == 0
    talk.say("my dog is called rex!")
    assert uses() == 1
    talk.claim("My dog is called Rex", "my dog is called rex", slot=("dog", "name"), value="Rex")
    assert uses() == 1
    talk.say("My dog is called Rex Junior")
    assert uses() == 2
    talk.say("Actually, it's Max, not Rex Junior")
    assert (talk.texts, uses()) == (["My dog is called Max"], 3)
    talk.say("What a day")
    assert uses() == 3


def test_of_what_was_said_last_together_the_more_used_comes_first(talk: Talk) -> None:
    both = "My dog is called Rex. My cat is called Tom."
    for cat_or_both in (both, "My cat is called Tom", both):
        talk.say(cat_or_both)
    assert [record.uses for record in talk.profile.facts] == [1, 2]
    order = ranked(talk.profile.records, talk.now)
    assert [record.value for record in order] == ["Tom", "Rex"]


def test_a_much_surer_restatement_takes_its_place_and_a_little_surer_one_is_blended(
    talk: Talk,
) -> None:
    talk.write("I think I like jazz")
    talk.claim("I like jazz", "I like jazz", confidence=0.6)
    talk.write("I like jazz")
    assert talk.claim("I like jazz", "I like jazz", confidence=0.7).kind is OutcomeKind.NOOP
    assert talk.profile.facts[0].confidence == pytest.approx(0.63)
    talk.write("Really, I like jazz")
    surer = talk.claim("I like jazz", "I like jazz", confidence=0.95)
    assert (surer.kind, surer.reasons[0]) == (
        OutcomeKind.SUPERSEDE,
        Reason.MORE_CONFIDENT_RESTATEMENT,
    )
    assert talk.profile.facts[0].confidence == 0.95


def test_a_slot_with_one_value_is_replaced_and_the_old_value_archived(talk: Talk) -> None:
    talk.say("My favorite color is green")
    (outcome,) = talk.say("My favorite color is blue")
    assert outcome.kind is OutcomeKind.SUPERSEDE
    assert talk.texts == ["My favorite color is blue"]
    assert talk.archived == [("My favorite color is green", "superseded")]
    assert talk.lineage == ["supersedes"]


def test_of_two_dates_of_one_thing_only_the_later_said_stands(talk: Talk) -> None:
    for day in ("14 March", "15 March"):
        talk.write(f"The launch is on {day}")
        talk.claim(
            f"The launch is on {day}",
            f"The launch is on {day}",
            kind="event",
            slot=("launch", "date"),
            value=day,
        )
    assert talk.texts == ["The launch is on 15 March"]
    assert talk.archived == [("The launch is on 14 March", "superseded")]


def test_values_of_a_slot_with_many_stand_side_by_side(talk: Talk) -> None:
    for guitar in ("a Telecaster", "a Jazzmaster"):
        talk.write(f"I own {guitar}")
        outcome = talk.claim(
            f"I own {guitar}", f"I own {guitar}", slot=("self", "owns"), value=guitar
        )
        assert outcome.kind is OutcomeKind.ADD
    assert len(talk.profile.facts) == 2


@pytest.mark.parametrize(
    ("first", "correction", "then"),
    [
        ("My dog is called Rex", "Actually, it's Max, not Rex", "My dog is called Max"),
        ("My bike color is cherry", "It's TV yellow, not cherry", "My bike color is TV yellow"),
    ],
)
def test_a_correction_finds_what_it_corrects(
    talk: Talk, first: str, correction: str, then: str
) -> None:
    talk.write(first)
    value = first.split(" ")[-1]
    slot = ("dog", "name") if "dog" in first else ("bike", "color")
    talk.claim(first, first, slot=slot, value=value)
    (outcome,) = talk.say(correction)
    assert outcome.reasons[0] is Reason.EXPLICIT_CORRECTION
    assert talk.texts == [then]
    assert talk.lineage == ["corrects"]


def test_a_correction_that_could_mean_two_things_waits(talk: Talk) -> None:
    talk.say("My dog is called Rex")
    talk.say("My cat is called Rex")
    (outcome,) = talk.say("Actually, it's Max, not Rex")
    assert outcome.reasons == (Reason.AMBIGUOUS_REFERENT,)
    assert outcome.proposal is not None
    assert outcome.verification == "unverified"
    assert talk.texts == ["My dog is called Rex", "My cat is called Rex"]
    assert [e.collection for e in talk.profile.pending_effects] == ["proposals"]


def test_more_words_refine_the_same_record(talk: Talk) -> None:
    talk.write("I live in Leeds")
    talk.claim("I live in Leeds", "I live in Leeds", slot=("self", "lives_in"), value="Leeds")
    before = talk.profile.facts[0].id
    talk.write("I live in Leeds, near the canal")
    outcome = talk.claim(
        "I live in Leeds near the canal",
        "I live in Leeds, near the canal",
        slot=("self", "lives_in"),
        value="Leeds near the canal",
    )
    assert (outcome.kind, outcome.reasons[0]) == (
        OutcomeKind.UPDATE,
        Reason.REFINES_CURRENT_VALUE,
    )
    assert [record.id for record in talk.profile.facts] == [before]


def test_what_was_said_earlier_never_replaces_what_was_said_later(talk: Talk) -> None:
    early = talk.write("My favorite color is green")
    talk.say("My favorite color is blue")
    outcome = talk.claim(
        "My favorite color is green",
        "My favorite color is green",
        seq=early.seq,
        slot=("self", "favorite_color"),
        value="green",
    )
    assert outcome.reasons == (Reason.OLDER_THAN_CURRENT_VALUE,)
    assert talk.texts == ["My favorite color is blue"]


@pytest.mark.parametrize(
    ("said", "fields", "quote", "text"),
    [
        ("I like tea", {}, "I like coffee", "I like coffee"),
        ("I like tea", {}, "I like te", "I like te"),
        ("I dislike tea", {}, "like tea", "I like tea"),
        ("I like tea", {"role": "assistant"}, "I like tea", "I like tea"),
        ("I like tea", {"origin": "forwarded"}, "I like tea", "I like tea"),
        ("I met someone", {}, "I met someone", "I met Olivia"),
        ("I have a few cats", {}, "I have a few cats", "I have 3 cats"),
        ("hi there", {}, "hi there", "I collect stamps"),
    ],
)
def test_what_the_person_did_not_write_is_refused(
    talk: Talk, said: str, fields: dict[str, str], quote: str, text: str
) -> None:
    talk.write(said, **fields)
    outcome = talk.claim(text, quote)
    assert (outcome.kind, outcome.reasons[0]) == (
        OutcomeKind.REJECT,
        Reason.UNSUPPORTED_BY_SOURCE,
    )
    assert talk.texts == []


def test_each_quotation_of_a_claim_must_be_found(talk: Talk) -> None:
    message = talk.write("I like tea")
    quotes = tuple(Quote(seq=message.seq, text=text) for text in ("I like tea", "every day"))
    claim = Candidate(text="I like tea", quotes=quotes, source="model")
    (outcome,) = talk.commit(Extracted(candidates=(claim,)))
    assert outcome.reasons == (Reason.UNSUPPORTED_BY_SOURCE,)
    assert talk.texts == []


def test_a_temporary_state_is_admitted_with_an_expiry_and_leaves_when_it_is_over(
    talk: Talk,
) -> None:
    talk.write("I have a cold this week")
    outcome = talk.claim(
        "I have a cold",
        "I have a cold",
        memory_class=MemoryClass.TEMPORARY_STATE,
        expires_at=talk.now + timedelta(days=4),
    )
    assert Reason.ADMITTED_WITH_EXPIRY in outcome.reasons
    talk.now += timedelta(days=5)
    talk.say("My dog is called Rex")
    assert talk.texts == ["My dog is called Rex"]
    assert talk.archived == [("I have a cold", "expired")]


@pytest.mark.parametrize(("source", "days"), [("rules", 1), ("model", 3)])
def test_a_temporary_state_without_an_end_has_one(talk: Talk, source: str, days: int) -> None:
    talk.write("I'm so tired")
    state = MemoryClass.TEMPORARY_STATE
    talk.claim("I'm so tired", "I'm so tired", memory_class=state, source=source)
    talk.now += timedelta(days=days, minutes=-2)
    talk.say("My dog is called Rex")
    assert talk.texts == ["I'm so tired", "My dog is called Rex"]
    talk.now += timedelta(minutes=2)
    talk.say("My cat is called Tom")
    assert talk.texts == ["My dog is called Rex", "My cat is called Tom"]


def test_sensitive_things_are_kept_when_stated_and_wait_when_inferred(talk: Talk) -> None:
    talk.write("I have asthma")
    stated = talk.claim("I have asthma", "I have asthma", sensitivity="sensitive")
    assert stated.changed
    assert talk.profile.facts[0].sensitivity == "sensitive"
    talk.write("the inhaler was empty again")
    inferred = talk.claim(
        "The inhaler means I am ill", "the inhaler", sensitivity="sensitive", epistemic="inferred"
    )
    assert inferred.reasons[0] is Reason.SENSITIVE_CONTENT_REQUIRES_REVIEW
    assert inferred.proposal is not None


def test_an_inference_never_replaces_what_was_stated(talk: Talk) -> None:
    talk.say("My favorite color is green")
    talk.write("that blue lamp is nice")
    outcome = talk.claim(
        "My favorite color is blue",
        "that blue lamp is nice",
        slot=("self", "favorite_color"),
        value="blue",
        epistemic="inferred",
    )
    assert outcome.kind is OutcomeKind.REJECT
    assert talk.texts == ["My favorite color is green"]


def test_a_doubtful_claim_is_refused(talk: Talk) -> None:
    talk.write("I may like tea")
    assert talk.claim("I like tea", "like tea", confidence=0.5).reasons == (Reason.LOW_CONFIDENCE,)


def test_two_alphabets_do_not_look_alike(talk: Talk) -> None:
    for said in ("मुझे चाय पसंद है", "Я люблю чай", "Я люблю кофе"):
        talk.write(said)
        assert talk.claim(said, said).kind is OutcomeKind.ADD
    assert len(talk.texts) == 3


def test_a_correction_of_a_part_leaves_the_rest_what_it_rests_on(talk: Talk) -> None:
    for said in ("I like plums", "I like rice"):
        talk.write(said)
        talk.claim(said, said)
    one, other = talk.profile.facts
    both = merged(one, other).model_copy(update={"text": "I like plums and rice"})
    talk.profile = talk.profile.model_copy(update={"facts": (both,)})
    talk.say("Actually, it's beans, not rice")
    (record,) = talk.profile.facts
    assert record.text == "I like plums and beans"
    assert [span.seq for span in record.evidence] == [1, 3]


def test_a_name_may_come_from_what_the_person_said_before_and_not_from_the_bot(talk: Talk) -> None:
    talk.write("You remember Rex?")
    talk.write("He had an operation on his hip")
    talk.write("Poor Bello!", role="assistant", origin="bot")
    talk.write("He runs again")
    told = talk.claim("Rex had an operation on his hip", "He had an operation on his hip", seq=2)
    assert told.kind is OutcomeKind.ADD
    invented = talk.claim("My dog Bello runs again", "He runs again", seq=4)
    assert invented.reasons[0] is Reason.UNSUPPORTED_BY_SOURCE
