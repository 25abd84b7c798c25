"""scripts/mutants itself can say no: to a fault nobody notices, and to one that proves nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import __main__ as program
from tests.mutants.checkout import copy_checkout
from tests.mutants.fault import Fault
from tests.mutants.guard import WrongCode, run_guard
from tests.unit.packaging import ROOT

GUARD = "tests/unit/memory/test_repeats.py::test_other_words_and_other_people_are_not_meant"


def fault(name: str, new: str, old: str = "import hashlib\n", guard: str = GUARD) -> Fault:
    file = "app/memory/normalise.py"
    return Fault(name=name, file=file, old=old, new=new, guard=(guard,), breaks="A test.")


FAULTS = (
    fault("noticed", "return ''", old='return " ".join(words(text))'),
    fault("harmless", "import hashlib  # and nothing else\n"),
    fault("no-program", "import hashlib !\n"),
    fault("nonsense", "return absent(text)", old='return " ".join(words(text))'),
    fault("outdated", "", old="import nothing\n"),
    fault("unguarded", "", guard="tests/unit/memory/test_repeats.py::test_that_is_not_there"),
)


def test_each_fault_gets_the_verdict_it_deserves_and_the_run_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (ROOT / FAULTS[0].file).read_bytes()
    monkeypatch.setattr(program, "FAULTS", FAULTS)
    monkeypatch.setattr(sys, "argv", ["mutants"])
    assert program.main() == 1
    assert (ROOT / FAULTS[0].file).read_bytes() == before
    said = capsys.readouterr()
    last = json.loads(said.out.splitlines()[-1])
    assert last.pop("secs") > 0
    assert last == {
        "faults": 6,
        "caught": 1,
        "survived": ["harmless"],
        "broken": ["no-program", "nonsense", "outdated", "unguarded"],
    }
    lines = [line.split() for line in said.err.splitlines()[1:]]
    assert [line[2] for line in lines] == [fault.name for fault in FAULTS]
    assert lines[0][:3] == ["1/6", "caught", "noticed"]


def test_a_run_against_other_code_than_the_copy_says_nothing(tmp_path: Path) -> None:
    copy_checkout(ROOT, tmp_path / "copy")
    app = tmp_path / "copy" / "app"
    app.rename(tmp_path / "app")
    app.symlink_to(tmp_path / "app")
    with pytest.raises(WrongCode):
        run_guard(tmp_path / "copy", [GUARD], patience_secs=60, first_failure_only=True)


def test_the_copy_is_the_working_tree_without_what_is_ignored(tmp_path: Path) -> None:
    project, copy = tmp_path / "project", tmp_path / "copy"
    (project / "kept").mkdir(parents=True)
    names = ("committed", "deleted", "kept/ü new", "ignored", ".gitignore")
    for name in names:
        (project / name).write_text("ignored\n" if name == ".gitignore" else "before")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for command in ("init", "add committed deleted .gitignore"):
        subprocess.run(["git", *command.split()], cwd=project, env=environment, check=True)
    (project / "committed").write_text("changed")
    (project / "deleted").unlink()
    copy_checkout(project, copy)
    found = {str(p.relative_to(copy)): p.read_text() for p in copy.rglob("*") if p.is_file()}
    assert found == {"committed": "changed", "kept/ü new": "before", ".gitignore": "ignored\n"}
