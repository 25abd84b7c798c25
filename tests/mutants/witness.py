"""A pytest plugin: notes which code was tested and what came of each test.

It is loaded by name in the process that runs a guard and writes JSON where WITNESS_FILE says.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import app

WITNESS_FILE = "MUTANTS_WITNESS_FILE"
_passed: list[str] = []
_failed: list[dict[str, str]] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what a verdict needs to know of one phase of a test."""
    report = yield
    if report.failed:
        error = call.excinfo.typename if call.excinfo else ""
        _failed.append({"test": item.nodeid, "phase": report.when or "", "error": error})
    elif report.passed and report.when == "call":
        _passed.append(item.nodeid)
    return report


def pytest_sessionfinish() -> None:
    """Write everything down."""
    found: dict[str, Any] = {"app": app.__file__, "passed": _passed, "failed": _failed}
    Path(os.environ[WITNESS_FILE]).write_text(json.dumps(found))
