"""pyproject.toml, the two lock files and docs/dependencies.md name the same packages."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.unit.packaging import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
RUNTIME = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
BUILD = [Requirement(line) for line in PROJECT["build-system"]["requires"]]
DEV = [Requirement(line) for line in PROJECT["dependency-groups"]["dev"]]
SOAK = [Requirement(line) for line in PROJECT["dependency-groups"]["soak"]]


def locked(file: str) -> dict[str, set[str]]:
    """The versions that a lock file gives each package, several where the platform decides."""
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(
        r"^([a-z0-9._-]+)==([^ ;\\]+)", (ROOT / file).read_text(), re.MULTILINE
    ):
        pins.setdefault(canonicalize_name(name), set()).add(version)
    return pins


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(requirement.name) for requirement in requirements}


def test_the_page_explains_each_direct_dependency_once():
    explained: dict[str, list[str]] = {}
    for line in (ROOT / "docs" / "dependencies.md").read_text().splitlines():
        if line.startswith("## "):
            rows = explained.setdefault(line.removeprefix("## "), [])
        elif match := re.match(r"\| `([^`]+)` \| \S.* \|$", line):
            rows.append(match[1])
    assert {part: sorted(rows) for part, rows in explained.items()} == {
        "To run": sorted(names(RUNTIME)),
        "To build": sorted(names(BUILD)),
        "To develop": sorted(names(DEV)),
        "To soak": sorted(names(SOAK)),
    }


def test_the_locks_satisfy_what_the_project_asks_for():
    for file, asked in (
        ("requirements.lock", RUNTIME + BUILD),
        ("requirements-dev.lock", RUNTIME + DEV),
    ):
        pins = locked(file)
        for requirement in asked:
            versions = pins.get(canonicalize_name(requirement.name), set())
            assert versions, f"{requirement.name} is not in {file}: run scripts/lock"
            for version in versions:
                assert requirement.specifier.contains(version, prereleases=True), (
                    f"{requirement.name} {version} in {file}: run scripts/lock"
                )


def test_what_only_a_soak_needs_is_in_neither_lock():
    for file in ("requirements.lock", "requirements-dev.lock"):
        assert not names(SOAK) & locked(file).keys()


def test_both_locks_agree_on_every_package_they_share():
    runtime, dev = locked("requirements.lock"), locked("requirements-dev.lock")
    assert len(runtime) > len(RUNTIME)
    assert {name: dev[name] for name in runtime.keys() & dev.keys()} == {
        name: runtime[name] for name in runtime.keys() & dev.keys()
    }


@pytest.mark.parametrize("file", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_package_has_digests_and_nothing_says_where_to_get_it(file: str):
    entries = re.split(r"^(?=[^\s#])", (ROOT / file).read_text(), flags=re.MULTILINE)[1:]
    for entry in entries:
        first, *rest = entry.replace(" \\\n", "\n").splitlines()
        assert re.fullmatch(r"[a-z0-9._-]+==[^ ]+( ; .+)?", first)
        digests = [line for line in rest if not line.startswith("    # via ")]
        assert digests, first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", line) for line in digests), first
