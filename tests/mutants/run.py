"""One run: the guards without a fault, then each fault in a copy of its own."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.checkout import copy_checkout, copy_with
from tests.mutants.fault import Fault, FaultDoesNotFit
from tests.mutants.guard import PATIENCE_SECS, SLOW_PATIENCE_SECS, run_guard
from tests.mutants.verdict import GREEN, RED, GuardRun, Verdict, judge


@dataclass(frozen=True, slots=True)
class Result:
    """A fault, what became of it, and how long that took."""

    fault: Fault
    verdict: Verdict
    secs: float


def run(
    faults: Sequence[Fault], root: Path, say: Callable[[str], None] = lambda _: None
) -> Iterator[Result]:
    """Try each fault. One whose guard isn't green without it is broken and is not tried."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        pristine = Path(folder) / "pristine"
        copy_checkout(root, pristine)
        say("first the guards without any fault")
        before = _without(faults, pristine)
        for fault in faults:
            began = time.monotonic()
            verdict = _verdict(fault, before[fault.name], pristine, Path(folder) / fault.name)
            yield Result(fault, verdict, time.monotonic() - began)


def _without(faults: Sequence[Fault], pristine: Path) -> dict[str, GuardRun]:
    """The guards on the code as it is, by fault: in one run, or each alone if one can't be run."""
    guards = dict.fromkeys(name for fault in faults for name in fault.guard)
    together = run_guard(
        pristine, list(guards), patience_secs=SLOW_PATIENCE_SECS, first_failure_only=False
    )
    if together.exit_code in (GREEN, RED):
        return {fault.name: together for fault in faults}
    return {
        fault.name: run_guard(
            pristine, fault.guard, patience_secs=_patience(fault), first_failure_only=False
        )
        for fault in faults
    }


def _verdict(fault: Fault, before: GuardRun, pristine: Path, target: Path) -> Verdict:
    if not before.is_green(fault.guard):
        return Verdict("broken", "its guard isn't green without it")
    try:
        copy_with(fault, pristine, target)
    except FaultDoesNotFit as problem:
        return Verdict("broken", str(problem))
    after = run_guard(target, fault.guard, patience_secs=_patience(fault), first_failure_only=True)
    shutil.rmtree(target)
    return judge(after, fault.guard)


def _patience(fault: Fault) -> float:
    return SLOW_PATIENCE_SECS if fault.slow else PATIENCE_SECS
