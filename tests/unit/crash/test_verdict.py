"""The count of a crash run finds what it must find."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.playground.ledger import Entry
from tests.crash.points import Point
from tests.crash.script import script
from tests.crash.verdict import (
    Verdict,
    between_acceptance_and_mark,
    duplicates,
    lost_commands,
    lost_tokens,
    out_of_order,
)

GOOD = Verdict(
    messages=3,
    kills=9,
    database_kills=3,
    points_total=9,
    points_hit=9,
    lost=0,
    duplicate_replies=1,
    ambiguous_sends=1,
    out_of_order=0,
    failures=0,
)


def sent(*texts: str, chat_id: int = 1) -> list[Entry]:
    return [
        Entry(seq=n, at=0.0, kind="bot_message", chat_id=chat_id, text=text)
        for n, text in enumerate(texts, 1)
    ]


def test_a_script_has_as_many_messages_as_asked_and_every_kind() -> None:
    steps = script(30)
    assert sum(len(step.texts) for step in steps) == 30
    assert {step.kind for step in steps} == {
        "edited",
        "reaction",
        "burst",
        "command",
        "long",
        "plain",
    }


def test_a_message_without_an_answer_is_lost() -> None:
    steps = script(3)
    assert lost_tokens(steps, sent("Answer m0", "Answer m1 m2")) == []
    assert lost_tokens(steps, sent("Answer m0", "Answer m2")) == ["m1"]


def test_a_command_without_an_answer_is_lost() -> None:
    steps = script(8)
    assert lost_commands(steps, sent("HELP"), "HELP") == 0
    assert lost_commands(steps, sent("Answer m0"), "HELP") == 1


def test_the_same_words_again_are_a_duplicate() -> None:
    assert duplicates(sent("Answer m0", "Answer m1"), "HELP", 0) == 0
    assert duplicates(sent("Answer m0", "Answer m0", "Answer m0"), "HELP", 0) == 2
    assert duplicates([*sent("Same"), *sent("Same", chat_id=2)], "HELP", 0) == 0
    assert duplicates(sent("HELP", "HELP", "HELP"), "HELP", 2) == 1


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        (("Answer m0", "Answer m1 m2"), 0),
        (("Answer m1", "Answer m0"), 1),
        (("Answer m0", "Answer m1", "Answer m0"), 0),
        (("Answer m2 m1 m0",), 2),
    ],
)
def test_order_is_that_of_first_answers(texts: tuple[str, ...], wrong: int) -> None:
    assert out_of_order(sent(*texts)) == wrong


def test_messages_under_way_at_a_kill_are_counted() -> None:
    points = [
        Point(0, "sendMessage", "before"),
        Point(0, "sendMessage", "after", open_sends=1),
        Point(0, "getUpdates", "before", open_sends=2),
    ]
    assert between_acceptance_and_mark(points) == 3
    assert Point(0, "x", "before", 1) == Point(0, "x", "before")


@pytest.mark.parametrize(
    "change", [{"lost": 1}, {"out_of_order": 1}, {"duplicate_replies": 2}, {"failures": 1}]
)
def test_what_must_not_be_is_a_problem(change: dict[str, int]) -> None:
    assert GOOD.problems() == []
    assert replace(GOOD, **change).problems()
