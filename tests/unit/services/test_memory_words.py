"""What the bot says by itself about requests to memory, read as a person reads it."""

from __future__ import annotations

from typing import Any

import pytest

from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.services.memory_words import JUST_DONE, MAX_CHOICES, PENDING, just_done, noted, second_line
from tests.unit.memory.records import NOW, a_record


def outcome(kind: OutcomeKind, reason: Reason, **fields: Any) -> Outcome:
    """The outcome of something the person asked for."""
    return Outcome(kind=kind, reasons=(reason,), at=NOW, **{"asked": True, **fields})


KEPT = outcome(OutcomeKind.ADD, Reason.NEW_FACT_FOR_SLOT, record="m1")
KNOWN = outcome(OutcomeKind.NOOP, Reason.DUPLICATE_OF_ACTIVE_RECORD, record="m1")
WAITS = outcome(OutcomeKind.ADD, Reason.SENSITIVE_CONTENT_REQUIRES_REVIEW, proposal="p1")
FORGOTTEN = outcome(OutcomeKind.SUPERSEDE, Reason.FORGET_REQUESTED, replaced=("m1",))


def refused(reason: Reason, **fields: Any) -> Outcome:
    return outcome(OutcomeKind.REJECT, reason, **fields)


@pytest.mark.parametrize("fine", [KEPT, KNOWN, FORGOTTEN])
def test_nothing_is_said_where_all_is_well(fine: Outcome) -> None:
    assert second_line([fine], []) is None


def test_nothing_is_said_of_what_was_not_asked_for() -> None:
    assert second_line([refused(Reason.LOW_CONFIDENCE, asked=False)], []) is None
    assert second_line([], []) is None


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason.UNSUPPORTED_BY_SOURCE, "don't find it in what you wrote"),
        (Reason.AMBIGUOUS_REFERENT, "not sure what it is about"),
        (Reason.ALREADY_EXPIRED, "its time is over"),
        (Reason.NOTHING_TO_FORGET, "nothing to forget"),
        (Reason.UNKNOWN_TARGET, "nothing to forget"),
        (Reason.NO_SPECIFIC_TARGET, "what exactly to forget"),
        (Reason.NO_EXTRACTABLE_CLAIM, "nothing in it that I could keep"),
        (Reason.SECRET_MATERIAL_DETECTED, "I couldn't keep that."),
        (Reason.INSTRUCTION_SHAPED_CONTENT, "I couldn't keep that."),
    ],
)
def test_what_was_asked_for_and_is_not_so_is_admitted(reason: Reason, words: str) -> None:
    line = second_line([refused(reason)], [])
    assert line is not None
    assert words in line
    assert reason.value not in line


@pytest.mark.parametrize("reason", list(Reason))
def test_every_refusal_has_words_and_never_those_of_success(reason: Reason) -> None:
    if reason is Reason.DUPLICATE_OF_ACTIVE_RECORD:
        return
    line = second_line([refused(reason)], [])
    assert line
    assert "_" not in line


def test_what_waits_is_said_to_wait() -> None:
    assert second_line([WAITS], []) == PENDING


def test_the_same_is_said_once_and_different_things_line_by_line() -> None:
    nothing = refused(Reason.NOTHING_TO_FORGET)
    line = second_line([nothing, KEPT, WAITS, nothing], [])
    assert line is not None
    assert line.splitlines() == [
        "I have no note of that, so there is nothing to forget.",
        PENDING,
    ]


def test_notes_to_choose_from_are_shown_in_the_person_s_words() -> None:
    records = [a_record(f"m{number}", f"I own kite {number}") for number in range(9)]
    several = refused(Reason.SEVERAL_MATCHES, choices=("gone", *(record.id for record in records)))
    line = second_line([several], records)
    assert line is not None
    first, *choices = line.splitlines()
    assert first.endswith("Which one shall I forget?")
    assert choices == [f"- I own kite {number}" for number in range(MAX_CHOICES)]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (KEPT, True),
        (KEPT.model_copy(update={"asked": False}), False),
        (KNOWN, False),
        (WAITS, False),
        (FORGOTTEN, False),
        (refused(Reason.UNSUPPORTED_BY_SOURCE), False),
    ],
)
def test_noted_is_what_was_asked_for_and_kept(result: Outcome, expected: bool) -> None:
    assert noted([result]) is expected


def test_the_model_is_told_what_is_done_already() -> None:
    several = refused(Reason.SEVERAL_MATCHES, choices=("m1", "m2"))
    kept = KEPT.model_copy(update={"text": 'My dog\nis called "Rex"'})
    told = just_done([kept, kept, KNOWN, FORGOTTEN, several, WAITS, refused(Reason.LOW_CONFIDENCE)])
    assert told.removeprefix(JUST_DONE).strip().splitlines() == [
        """- Kept: "My dog is called 'Rex'\"""",
        "- Forgotten, as they asked.",
        "- Several notes fit what they want forgotten: they are shown the list. Don't ask.",
        "- Not kept yet: they will be asked first.",
    ]


def test_the_model_is_told_nothing_where_nothing_was_done() -> None:
    assert just_done([]) == ""
    assert just_done([KNOWN, refused(Reason.LOW_CONFIDENCE, asked=False)]) == ""
