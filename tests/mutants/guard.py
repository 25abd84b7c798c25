"""Running guards in a copy of the checkout, in a process of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.verdict import Failure, GuardRun
from tests.mutants.witness import WITNESS_FILE

PATIENCE_SECS = 120.0
SLOW_PATIENCE_SECS = 1_200.0
END_SECS = 30.0
_OURS = ("PYTHONPATH", "PYTHONSAFEPATH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "HYPOTHESIS_PROFILE")
"""What would let the guard run other code, or otherwise than it does in ./scripts/test."""


class WrongCode(Exception):
    """The tests ran against another checkout than the copy, so they say nothing about it."""


def run_guard(
    root: Path, tests: Sequence[str], *, patience_secs: float, first_failure_only: bool
) -> GuardRun:
    """Run tests in a checkout. Raises WrongCode when it wasn't that checkout's code they tested."""
    with tempfile.TemporaryDirectory(prefix="witness-") as folder:
        notes = Path(folder) / "notes.json"
        environment = {k: v for k, v in os.environ.items() if k not in _OURS}
        process = subprocess.Popen(
            _command(tests, first_failure_only=first_failure_only),
            cwd=root,
            # Before the editable install of the checkout we ourselves are running from.
            env={**environment, "PYTHONPATH": str(root), WITNESS_FILE: str(notes)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        exit_code = _ended(process, patience_secs)
        if not notes.exists():
            return GuardRun(exit_code)
        found = json.loads(notes.read_text())
    if not Path(found["app"]).resolve().is_relative_to(root.resolve()):
        raise WrongCode(f"the tests in {root} imported {found['app']}")
    failed = tuple(Failure(**failure) for failure in found["failed"])
    return GuardRun(exit_code, tuple(found["passed"]), failed)


def _command(tests: Sequence[str], *, first_failure_only: bool) -> list[str]:
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.mutants.witness", "--hypothesis-seed=0"]
    options += ["-x"] if first_failure_only else []
    return [sys.executable, "-m", "pytest", *options, *tests]


def _ended(process: subprocess.Popen[bytes], patience_secs: float) -> int | None:
    """Its exit code; None when it had to be ended, which gives it the time to clean up."""
    try:
        return process.wait(patience_secs)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(END_SECS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
