"""Every test that tests/README.md names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NODE = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
NAMED = NODE.findall((ROOT / "tests/README.md").read_text())


def exists(file: str, name: str) -> bool:
    """Whether a file defines a test of that name."""
    path = ROOT / file
    defined = ast.parse(path.read_text()).body if path.is_file() else []
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
        for node in defined
    )


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_named_test_exists(file: str, name: str) -> None:
    assert exists(file, name)


def test_every_row_names_a_test_and_a_missing_one_would_be_found() -> None:
    rows = [line for line in (ROOT / "tests/README.md").read_text().splitlines() if "::" in line]
    assert len(rows) == len(NAMED) >= 30
    assert not exists("tests/README.md.py", "test_x")
    assert not exists("tests/unit/packaging/test_named_tests.py", "test_that_is_not_there")
