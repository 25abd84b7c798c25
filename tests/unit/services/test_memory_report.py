"""Reports of memory: what they tell, in which order, and what they keep to themselves."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from app.cli import memory_lines
from app.domain.profile import Profile, SubjectLine
from app.domain.record import Insight, SummarySentence, Trait
from app.memory.effects import owed_archive, owed_lineage
from app.services.memory_report import (
    active_report,
    history_report,
    lineage_report,
    subject_report,
)
from tests.unit.memory.records import NOW, a_record
from tests.unit.memory.talk import Talk

REX, MAX = "My dog is called Rex", "Actually, it's Max, not Rex"


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_a_line_of_the_list_counts_what_is_active() -> None:
    line = SubjectLine(
        subject=7, generation=3, expiries=(None, NOW, NOW + timedelta(hours=1)), updated_at=NOW
    )
    assert subject_report(line, NOW) == {
        "subject": 7,
        "active": 2,
        "generation": 3,
        "updated_at": "2026-03-01T12:00:00.000+00:00",
        "last_interaction_at": None,
    }


def test_what_is_active_comes_with_the_words_it_rests_on() -> None:
    profile = Profile(
        subject=7,
        facts=(a_record("m1", REX, value="Rex"), a_record("m2", "I'm tired", expires_at=NOW)),
        events=(a_record("m3", "I moved", "event", event_date="2026-02"),),
        insights=(Insight(id="i1", text="Likes dogs", sources=("m1", "m3"), created_at=NOW),),
        summary=(SummarySentence(text="Has a dog.", sources=("m1",)),),
        gender=Trait(value="female", updated_at=NOW),
    )
    report = active_report(profile, NOW)
    assert [r["id"] for r in report["facts"]] == ["m1"]
    assert report["facts"][0]["evidence"][0]["quote"] == REX
    assert json.loads(json.dumps(report)) == report
    shown = "\n".join(memory_lines.active(report))
    for words in ("m1  " + REX, f"“{REX}”", "2026-02", "Likes dogs (m1, m3)", "Has a dog. (m1)"):
        assert words in shown
    assert "gender: female" in shown
    assert "tired" not in shown


def test_an_empty_profile_says_so() -> None:
    assert memory_lines.active(active_report(Profile(subject=7), NOW))[-1] == (
        "Nothing is remembered."
    )


def test_what_steers_a_terminal_is_not_printed() -> None:
    profile = Profile(subject=7, facts=(a_record("m1", "I like \x1b[31mtea\u202e\n too"),))
    shown = "".join(memory_lines.active(active_report(profile, NOW)))
    assert "m1  I like [31mtea too" in shown
    assert not {"\x1b", "\u202e", "\n"} & set(shown)


def test_history_and_lineage_of_a_correction_whose_rows_are_still_owed(talk: Talk) -> None:
    talk.say(REX)
    talk.say(MAX)
    (current,) = talk.profile.facts
    (entry,) = history_report(talk.profile, ())
    assert (entry["end"], entry["record"]["value"]) == ("superseded", "Rex")
    assert entry["replaced_by"] == current.id
    (step,) = lineage_report(talk.profile, ())
    assert (step["kind"], step["record"]) == ("corrects", current.id)
    assert step["predecessor"] == entry["record"]["id"]
    assert len(step["predecessor_digest"]) == 64
    assert f"{current.id} corrects" in memory_lines.lineage([step])[0]
    assert f"superseded by {current.id}" in memory_lines.history([entry])[0]


def test_rows_that_are_stored_and_owed_count_once(talk: Talk) -> None:
    talk.say(REX)
    talk.say(MAX)
    assert len(history_report(talk.profile, owed_archive(talk.profile))) == 1
    assert len(lineage_report(talk.profile, owed_lineage(talk.profile))) == 1


def test_the_chain_of_a_record_goes_both_ways_and_leaves_others_out(talk: Talk) -> None:
    for words in (
        REX,
        MAX,
        "Actually, it's Bo, not Max",
        "My cat is called Tom",
        "Actually, my cat is called Bob, not Tom",
    ):
        talk.say(words)
    steps = lineage_report(talk.profile, ())
    bo = next(r for r in talk.profile.facts if r.value == "Bo")
    chain = lineage_report(talk.profile, (), bo.id)
    assert len(steps) == 3
    assert chain == lineage_report(talk.profile, (), chain[0]["predecessor"]) == steps[:2]
    assert lineage_report(talk.profile, (), "m-unknown") == []


def test_of_what_was_forgotten_only_the_time_is_told(talk: Talk) -> None:
    talk.say(REX)
    talk.forget("my dog's name")
    (entry,) = history_report(talk.profile, ())
    assert (entry["end"], entry["record"]) == ("forgotten", None)
    assert "Rex" not in json.dumps(entry) + "".join(memory_lines.history([entry]))


def test_what_was_taken_back_is_told_once_and_newest_first(talk: Talk) -> None:
    talk.say(REX)
    (rex,) = talk.profile.facts
    talk.say(MAX)
    talk.now += timedelta(minutes=1)
    assert talk.undo(talk.profile.recent_outcomes[-1], rex)
    history = history_report(talk.profile, ())
    assert [(e["end"], e["record"]["value"]) for e in history] == [
        ("superseded", "Max"),
        ("superseded", "Rex"),
    ]
