"""`scripts/bench memory --quick` ends with one JSON line that has what its readers rely on."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

PATIENCE_SECS = 240
BY_NUMBER = (
    *("extract_us_p50", "extract_us_p95", "commit_ms_p50", "load_ms_p50", "read_ms_p50"),
    *("block_us_p50", "due_scan_ms", "due_consolidation_ms", "due_extraction_ms", "prompt_chars"),
)


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    """The line of one small run."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.bench", "memory", "--quick"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("name", BY_NUMBER)
def test_figures_are_numbers_by_size(line: dict[str, Any], name: str) -> None:
    assert len(line[name]) > 1
    for size, figure in line[name].items():
        assert size.isdigit()
        assert isinstance(figure, int | float)
        assert figure > 0


def test_round_trips_are_told_of_both_kinds_of_turns(line: dict[str, Any]) -> None:
    for name in ("round_trips_per_turn", "job_round_trips_per_turn"):
        assert line[name].keys() == {"plain", "memory"}
        assert all(isinstance(trips, int | float) for trips in line[name].values())


def test_the_line_says_what_it_was_measured_with(line: dict[str, Any]) -> None:
    assert isinstance(line["aims_missed"], list)
    assert isinstance(line["prompt_chars_largest"], int)
    assert isinstance(line["database"], str)
