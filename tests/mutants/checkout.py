"""Copies of the checkout: what git knows of it or would take, as it stands in the working tree."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

from tests.mutants.fault import Fault


def copy_checkout(root: Path, target: Path) -> None:
    """Copy everything that isn't ignored; what was deleted and not committed stays away."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        source = root / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def copy_with(fault: Fault, pristine: Path, target: Path) -> None:
    """Copy a copy, compiled files included, and put the fault into it.

    Raises FaultDoesNotFit, with nothing copied.
    """
    text = fault.applied((pristine / fault.file).read_text())
    shutil.copytree(pristine, target)
    path = target / fault.file
    path.write_text(text)
    # Written in the same second with the same length, it would be taken for the old one.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
