"""The set-up scripts do what is needed, no more, and mend what was interrupted.

They run for real against a stand-in for Python that records what it is asked to install; the real
thing is what ./scripts/test itself goes through in a fresh clone.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.unit.packaging import ROOT

STAND_IN = r"""#!/bin/bash
case "$1 $2" in
  "-c import sys; print"*) echo "${STAND_IN_VERSION:-3.12.1}" ;;
  "-c import ensurepip"*) exit "${STAND_IN_VENV_EXIT:-0}" ;;
  "-c "*) ;;
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && cp "$0" "$3/bin/python3" &&
    echo "venv" >>"$STAND_IN_LOG" ;;
  "-m pytest") shift 2; echo "pytest[$*]"; exit "${STAND_IN_PYTEST_EXIT:-0}" ;;
  "-m pip")
    bin="$(dirname "$0")"
    echo "${@: -1}" >>"$STAND_IN_LOG"
    if [ "${STAND_IN_PIP_FAILS_AT:-}" = "${@: -1}" ]; then exit 1; fi
    case "${@: -1}" in
      .) printf '#!/bin/bash\necho "thinkmate[$*]"\n' >"$bin/thinkmate" ;;
      requirements-dev.lock)
        for tool in ruff mypy lint-imports; do
          printf '#!/bin/bash\necho "%s[$*]"\n[ "$STAND_IN_BAD" != %s ]\n' $tool $tool >"$bin/$tool"
        done ;;
    esac
    chmod +x "$bin"/* ;;
  *) echo "unexpected: $*" >&2; exit 99 ;;
esac
"""

FRESH = ["venv", "requirements.lock", "."]
DEV = "requirements-dev.lock"


@dataclass
class Project:
    """A copy of the scripts beside lock files of no content, with a stand-in Python."""

    root: Path
    python: Path
    log: Path

    def run(self, *command: str, **extra: str) -> subprocess.CompletedProcess[str]:
        self.log.write_text("")
        program, *args = command
        return subprocess.run(
            [self.root / "scripts" / program, *args],
            cwd="/",
            env={
                "PATH": os.defpath,
                "STAND_IN_LOG": str(self.log),
                "THINKMATE_PYTHON": str(self.python),
                **extra,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def installed(self) -> list[str]:
        """What the last run built and installed, in order."""
        return self.log.read_text().split()

    def change(self, file: str) -> None:
        with (self.root / file).open("a") as opened:
            opened.write("# changed\n")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "a project"
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("__*"))
    for file in ("requirements.lock", DEV, "pyproject.toml"):
        (root / file).write_text("some==1\n")
    python = tmp_path / "python"
    python.write_text(STAND_IN)
    python.chmod(0o755)
    return Project(root, python, tmp_path / "log")


def test_the_first_start_sets_up_and_later_ones_start_at_once(project: Project):
    first = project.run("start", "--port", "a b")
    assert first.returncode == 0, first.stderr
    assert project.installed() == FRESH
    assert "==> Set up in " in first.stdout
    assert " MB on disk" in first.stdout
    assert first.stdout.endswith("thinkmate[start --port a b]\n")

    second = project.run("start")
    assert project.installed() == []
    assert second.stdout == "thinkmate[start]\n"


def test_only_what_changed_is_done_again(project: Project):
    project.run("start")
    project.change("pyproject.toml")
    project.run("start")
    assert project.installed() == ["."]
    project.change("requirements.lock")
    project.run("start")
    assert project.installed() == FRESH


def test_another_python_or_another_place_means_another_environment(project: Project):
    project.run("start")
    project.run("start", STAND_IN_VERSION="3.13.0")
    assert project.installed() == FRESH
    project.root = project.root.rename(project.root.with_name("moved"))
    project.run("start", STAND_IN_VERSION="3.13.0")
    assert project.installed() == FRESH


def test_an_activated_environment_is_not_built_from_itself(project: Project):
    project.run("start")
    project.change("requirements.lock")
    elsewhere = project.root / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "python3").symlink_to(project.python)
    path = f"{project.root}/.venv/bin:{elsewhere}:{os.defpath}"
    result = project.run("start", THINKMATE_PYTHON="", PATH=path)
    assert result.returncode == 0, result.stderr
    assert project.installed() == FRESH


@pytest.mark.parametrize("where", ["requirements.lock", "."])
def test_a_set_up_that_stopped_halfway_is_done_over(project: Project, where: str):
    broken = project.run("start", STAND_IN_PIP_FAILS_AT=where)
    assert broken.returncode == 1
    assert "Set-up stopped" in broken.stderr
    assert "thinkmate[" not in broken.stdout
    mended = project.run("start")
    assert project.installed() == FRESH
    assert mended.stdout.endswith("thinkmate[start]\n")


def test_tools_that_were_installed_halfway_are_done_over(project: Project):
    project.run("start")
    assert project.run("test", STAND_IN_PIP_FAILS_AT=DEV).returncode == 1
    project.run("test")
    assert project.installed() == [*FRESH, DEV]


def test_the_tests_add_their_tools_to_the_same_environment(project: Project):
    project.run("start")
    project.run("test")
    assert project.installed() == [DEV]
    project.run("start")
    assert project.installed() == []
    project.change(DEV)
    project.run("test")
    assert project.installed() == [*FRESH, DEV]


def test_an_unsuitable_python_is_named(project: Project):
    result = project.run("start", STAND_IN_VERSION="3.9.18")
    assert result.returncode == 1
    assert "needs Python 3.11, 3.12 or 3.13" in result.stderr
    assert "is 3.9.18" in result.stderr
    assert project.installed() == []


def test_a_missing_venv_module_comes_with_the_mend(project: Project):
    result = project.run("start", STAND_IN_VERSION="3.11.2", STAND_IN_VENV_EXIT="1")
    assert result.returncode == 1
    assert "apt install python3.11-venv" in result.stderr


def test_all_checks_come_before_the_tests_whose_line_is_last(project: Project):
    result = project.run("test")
    assert result.returncode == 0, result.stderr
    ran = [line for line in result.stdout.splitlines() if line.endswith("]")]
    assert ran == [
        "ruff[check .]",
        "ruff[format --check .]",
        "mypy[]",
        "lint-imports[]",
        "pytest[]",
    ]
    assert result.stdout.endswith("pytest[]\n")


def test_the_first_check_that_fails_ends_it_by_name(project: Project):
    result = project.run("test", STAND_IN_BAD="mypy")
    assert result.returncode == 1
    assert "FAILED: mypy" in result.stderr
    assert "pytest[" not in result.stdout


def test_failing_tests_fail_the_run(project: Project):
    assert project.run("test", STAND_IN_PYTEST_EXIT="1").returncode == 1


def test_arguments_go_to_pytest_and_nothing_else_runs(project: Project):
    project.run("test")
    result = project.run("test", "tests/unit", "-k", "a or b")
    assert result.stdout == "pytest[tests/unit -k a or b]\n"


@pytest.mark.parametrize("program", ["start", "test", "lock"])
def test_help_needs_no_environment(project: Project, program: str):
    result = project.run(program, "--help")
    assert result.returncode == 0
    assert result.stdout.startswith(f"Usage: ./scripts/{program}")
    assert project.installed() == []


def test_every_program_uses_the_projects_own_environment():
    programs = [path for path in (ROOT / "scripts").iterdir() if os.access(path, os.X_OK)]
    programs = [path for path in programs if path.is_file()]
    assert {"start", "test", "lock"} <= {path.name for path in programs}
    for path in programs:
        assert '. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"\n' in path.read_text(), path.name


def test_the_build_server_runs_exactly_the_test_script():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[-1] == "exec ./scripts/test </dev/null"
