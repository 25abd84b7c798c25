"""A fault counts as caught only when a test noticed it, by its own judgement."""

from __future__ import annotations

import pytest

from tests.mutants.verdict import Failure, GuardRun, judge

GUARD = ("tests/a.py::test_one", "tests/a.py::test_two")
BOTH = ("tests/a.py::test_one[x]", "tests/a.py::test_two")


def failed(error: str = "AssertionError", phase: str = "call") -> GuardRun:
    return GuardRun(1, BOTH[:1], (Failure(BOTH[1], phase, error),))


@pytest.mark.parametrize(
    ("run", "word"),
    [
        (failed(), "caught"),
        (failed("Failed"), "caught"),
        (failed("TimeoutError"), "caught"),
        (failed("LeaseLost"), "caught"),
        (GuardRun(0, BOTH), "survived"),
        (failed("NameError"), "broken"),
        (failed("TypeError"), "broken"),
        (failed(phase="setup"), "broken"),
        (failed(phase="teardown"), "broken"),
        (GuardRun(0, ()), "broken"),
        (GuardRun(0, BOTH[:1]), "broken"),
        (GuardRun(1), "broken"),
        (GuardRun(2), "broken"),
        (GuardRun(4), "broken"),
        (GuardRun(5), "broken"),
        (GuardRun(-9), "broken"),
        (GuardRun(None), "broken"),
    ],
)
def test_what_a_run_of_the_guard_says(run: GuardRun, word: str) -> None:
    assert judge(run, GUARD).word == word


def test_who_noticed_is_named() -> None:
    assert judge(failed(), GUARD).why == BOTH[1]


@pytest.mark.parametrize(
    ("run", "green"),
    [
        (GuardRun(0, BOTH), True),
        (GuardRun(1, BOTH, (Failure("tests/b.py::test_other", "call", "AssertionError"),)), True),
        (GuardRun(1, BOTH, (Failure("tests/a.py::test_one[y]", "call", "AssertionError"),)), False),
        (GuardRun(1, BOTH, (Failure(BOTH[1], "teardown", "AssertionError"),)), False),
        (GuardRun(0, ("tests/a.py::test_one_and_more", BOTH[1])), False),
        (GuardRun(2), False),
    ],
)
def test_a_guard_is_green_when_all_of_its_tests_ran_and_passed(run: GuardRun, green: bool) -> None:
    assert run.is_green(GUARD) is green
