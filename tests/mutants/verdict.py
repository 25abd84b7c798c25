"""What a run of a guard says about a fault. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

GREEN, RED = 0, 1
"""pytest's exit codes for "all passed" and "some failed"; any other means that it can't tell."""
SLIPS = frozenset(
    {
        "AttributeError",
        "ImportError",
        "ModuleNotFoundError",
        "NameError",
        "SyntaxError",
        "TypeError",
        "UnboundLocalError",
    }
)
"""What code raises that is nonsense rather than wrong: a fault that does that proves nothing."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One phase of a test that failed, and the class of the error."""

    test: str
    phase: str
    error: str


@dataclass(frozen=True, slots=True)
class GuardRun:
    """How pytest ended (None when it had to be stopped), and what a witness saw inside it."""

    exit_code: int | None
    passed: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()

    def is_green(self, guard: Sequence[str]) -> bool:
        """Whether tests of each name ran, and all of them passed."""
        failed = {failure.test for failure in self.failed}
        return all(
            any(_names(name, test) for test in self.passed)
            and not any(_names(name, test) for test in failed)
            for name in guard
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """`why` names the test that noticed, or what was wrong."""

    word: Literal["caught", "survived", "broken"]
    why: str = ""


def judge(run: GuardRun, guard: Sequence[str]) -> Verdict:
    """A fault is caught when a test that ran to its end says no, and by nothing else."""
    if run.exit_code is None:
        return Verdict("broken", "its guard came to no end")
    if run.exit_code == GREEN:
        if run.is_green(guard):
            return Verdict("survived")
        return Verdict("broken", "its guard didn't run")
    if run.exit_code != RED or not run.failed:
        return Verdict("broken", f"pytest ended with {run.exit_code}")
    first = run.failed[0]
    if first.phase != "call":
        return Verdict("broken", f"{first.error} in the {first.phase} of {first.test}")
    if first.error in SLIPS:
        return Verdict("broken", f"{first.error} in {first.test}")
    return Verdict("caught", first.test)


def _names(name: str, test: str) -> bool:
    """Whether a test is the one named, or one of its parameters."""
    return test == name or test.startswith((f"{name}[", f"{name}::"))
