"""The memory card: what stands on it, what is struck through, and what can be undone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.domain.outcome import Outcome, Reason
from app.domain.profile import Profile
from app.memory.effects import owed_archive
from app.services.memory_card import card, compared
from app.services.profile_page import NOTHING
from tests.unit.memory.records import NOW, a_record
from tests.unit.memory.talk import Talk

REX, MAX = "My dog is called Rex", "Actually, it's Max, not Rex"
UTC = ZoneInfo("UTC")


@pytest.fixture
def talk() -> Talk:
    return Talk()


def made(talk: Talk) -> dict[str, Any]:
    return card(talk.profile, owed_archive(talk.profile), talk.now, UTC)


def words(parts: list[dict[str, str]]) -> str:
    """Parts as one line: ~old~ and +new+."""
    marks = {"old": "~", "new": "+", "same": ""}
    return " ".join(f"{marks[p['mark']]}{p['text']}{marks[p['mark']]}" for p in parts)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (REX, REX, REX),
        (REX, "My dog is called Max", "My dog is called ~Rex~ +Max+"),
        ("I live in Rome now", "I live in Oslo now", "I live in ~Rome~ +Oslo+ now"),
        ("I like tea", "Coffee for me", "~I like tea~ +Coffee for me+"),
        ("a a", "a a a", "a a +a+"),
        ("My dog", "My old dog", "My +old+ dog"),
        ("gone", "", "~gone~"),
        ("", "", ""),
    ],
)
def test_two_texts_as_one(old: str, new: str, shown: str) -> None:
    assert words(compared(old, new)) == shown


def test_nothing_known_is_a_friendly_line() -> None:
    assert card(Profile(subject=7), (), NOW, UTC) == {"empty": NOTHING, "groups": [], "recent": []}


def test_what_was_said_is_there_with_its_words_time_and_undo(talk: Talk) -> None:
    talk.say(REX)
    shown = card(talk.profile, (), talk.now, ZoneInfo("Asia/Kolkata"))
    ((group),) = shown["groups"]
    assert (group["title"], words(group["items"][0]["parts"])) == ("Facts", REX)
    (event,) = shown["recent"]
    assert (event["what"], event["quote"], event["at"]) == ("Saved", REX, "17:31")
    assert event["undo"] == f"undo:{talk.profile.recent_outcomes[-1].id}"


def test_what_was_replaced_is_struck_through_and_the_last_change_can_be_undone(
    talk: Talk,
) -> None:
    talk.say(REX)
    talk.say(MAX)
    shown = made(talk)
    assert words(shown["groups"][0]["items"][0]["parts"]) == "My dog is called ~Rex~ +Max+"
    assert [(e["what"], words(e["parts"]), bool(e["undo"])) for e in shown["recent"]] == [
        ("Replaced", "My dog is called ~Rex~ +Max+", True),
        ("Saved", REX, False),
    ]


def test_what_was_taken_back_is_not_struck_through_in_the_list(talk: Talk) -> None:
    talk.say(REX)
    (rex,) = talk.profile.facts
    talk.say(MAX)
    talk.now += timedelta(minutes=1)
    assert talk.undo(talk.profile.recent_outcomes[-1], rex)
    shown = made(talk)
    assert words(shown["groups"][0]["items"][0]["parts"]) == REX
    newest = shown["recent"][0]
    assert (newest["what"], words(newest["parts"])) == (
        "Taken back",
        "My dog is called ~Max~ +Rex+",
    )


def test_what_was_forgotten_is_told_without_its_words(talk: Talk) -> None:
    talk.say(REX)
    talk.forget("my dog's name")
    shown = made(talk)
    assert shown["groups"] == []
    assert [(e["what"], e["undo"]) for e in shown["recent"]] == [
        ("Forgotten", None),
        ("Saved", None),
    ]
    assert "Rex" not in str(shown["recent"])


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"kind": "ADD", "reasons": (Reason.NEW_FACT_FOR_SLOT,)}, "Saved"),
        ({"kind": "UPDATE", "reasons": (Reason.REFINES_CURRENT_VALUE,)}, "Updated"),
        (
            {"kind": "NOOP", "reasons": (Reason.DUPLICATE_OF_ACTIVE_RECORD,)},
            "Nothing new: I knew that already",
        ),
        (
            {"kind": "REJECT", "reasons": (Reason.SECRET_MATERIAL_DETECTED,)},
            "Not saved: it looks like a secret",
        ),
        ({"kind": "REJECT", "reasons": (Reason.NOT_SAMPLED,)}, "Not saved"),
        (
            {"kind": "REJECT", "reasons": (Reason.NOTHING_TO_FORGET,)},
            "Not forgotten: there is no note of that",
        ),
        (
            {"kind": "ADD", "reasons": (Reason.LOW_CONFIDENCE,), "proposal": "p1"},
            "I'll ask you before I keep this",
        ),
    ],
)
def test_outcomes_are_told_in_plain_words(fields: dict[str, Any], what: str) -> None:
    profile = Profile(subject=7, recent_outcomes=(Outcome(id="o1", at=NOW, **fields),))
    (event,) = card(profile, (), NOW, UTC)["recent"]
    assert (event["what"], event["undo"]) == (what, None)


def test_what_is_over_is_not_shown() -> None:
    profile = Profile(subject=7, facts=(a_record("m1", "I'm tired", expires_at=NOW),))
    assert card(profile, (), NOW, UTC)["groups"] == []
