"""The faults of scripts/mutants fit the code as it is, and their guards exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.mutants.fault import Fault, FaultDoesNotFit
from tests.mutants.faults import FAULTS
from tests.unit.packaging import ROOT

ALL = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text()


@cache
def functions_of(file: str) -> frozenset[str]:
    """The names of the test functions of a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    body = ast.parse(text_of(file)).body
    return frozenset(node.name for node in body if isinstance(node, functions))


def test_each_has_a_name_of_its_own() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names))
    assert len(names) > 20


@ALL
def test_it_stands_in_one_place_of_the_product_and_leaves_a_program(fault: Fault) -> None:
    assert Path(fault.file).parts[0] == "app"
    broken = fault.applied(text_of(fault.file))
    assert broken != text_of(fault.file)
    compile(broken, fault.file, "exec")


@ALL
def test_it_says_what_it_breaks_and_names_tests_that_exist(fault: Fault) -> None:
    assert fault.breaks.endswith(".")
    assert fault.guard
    for guard in fault.guard:
        file, _, test = guard.partition("::")
        assert test in functions_of(file), guard


@pytest.mark.parametrize(("text", "places"), [("a = 1\n", 0), ("b = 2\nb = 2\n", 2)])
def test_one_that_has_no_single_place_is_not_applied(text: str, places: int) -> None:
    fault = Fault(name="f", file="app/x.py", old="b = 2", new="b = 3", guard=(), breaks="")
    with pytest.raises(FaultDoesNotFit, match=f"{places} times in app/x.py"):
        fault.applied(text)
