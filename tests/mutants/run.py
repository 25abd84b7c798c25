"""One run: the guards without a fault, then each fault in a copy of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.checkout import copy_checkout, copy_with
from tests.mutants.fault import Fault, FaultDoesNotFit
from tests.mutants.guard import PATIENCE_SECS, SLOW_PATIENCE_SECS, run_guard
from tests.mutants.verdict import GuardRun, Verdict, judge


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
        guards = list(dict.fromkeys(name for fault in faults for name in fault.guard))
        slow = any(fault.slow for fault in faults)
        say(f"{len(guards)} guards without a fault")
        before = run_guard(
            pristine, guards, patience_secs=_patience(slow), first_failure_only=False
        )
        for fault in faults:
            began = time.monotonic()
            verdict = _verdict(fault, before, pristine, Path(folder) / fault.name)
            yield Result(fault, verdict, time.monotonic() - began)


def _verdict(fault: Fault, before: GuardRun, pristine: Path, target: Path) -> Verdict:
    if not before.is_green(fault.guard):
        return Verdict("broken", "its guard isn't green without it")
    try:
        copy_with(fault, pristine, target)
    except FaultDoesNotFit as problem:
        return Verdict("broken", str(problem))
    after = run_guard(
        target, fault.guard, patience_secs=_patience(fault.slow), first_failure_only=True
    )
    return judge(after, fault.guard)


def _patience(slow: bool) -> float:
    return SLOW_PATIENCE_SECS if slow else PATIENCE_SECS
