"""Which program the embedded database is, and how it is called: chosen here and nowhere else.

Both daemons come with the package `secantusdb`, which is never imported: its licence is
GPL-2.0-only. They store alike and print the same line when they are ready.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from app.errors import ConfigError

STORAGE_OPTION = "--storage-path"
READY_LINE = re.compile(rb"listening on 127\.0\.0\.1:(\d+)\s")
URI_OPTIONS = "directConnection=true&retryWrites=false&maxPoolSize=2"

# The first that is installed is used. The default size of the log files would be 2 GB of disk.
_PROGRAMS = (
    ("secantusd-rs", ("--log-level", "WARNING", "--log-file-max", "64MB")),
    ("secantusd-py", ("--log-level", "INFO")),
)
_COMMON = ("--host", "127.0.0.1", "--sync-on-commit", "--cache-size", "256M")
# No keys of ours, and none of the variables with which the daemon's durability can be weakened.
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH")


@dataclass(frozen=True, slots=True)
class Daemon:
    """An installed daemon: its program file and the options that only this one takes."""

    program: Path
    options: tuple[str, ...]

    def command(self, storage: Path, port: int, config: Path) -> list[str]:
        """The command line; port 0 lets the system choose one, which the ready line tells."""
        place = (STORAGE_OPTION, str(storage), "--port", str(port), "--config", str(config))
        return [str(self.program), *place, *_COMMON, *self.options]


def find_daemon() -> Daemon:
    """The daemon to use. Raises ConfigError when none is installed."""
    for name, options in _PROGRAMS:
        program = _program(name)
        if program is not None:
            return Daemon(program, options)
    raise ConfigError(
        "MONGODB_URI is empty and the embedded database isn't installed: "
        "run ./scripts/start again, or name a MongoDB server in MONGODB_URI"
    )


def environment() -> dict[str, str]:
    """What the daemon gets to see of our environment."""
    return {key: os.environ[key] for key in _ENVIRONMENT if key in os.environ}


def uri_of(port: int) -> str:
    """The address of a daemon on `port`, with the options it does well with."""
    return f"mongodb://127.0.0.1:{port}/?{URI_OPTIONS}"


def _program(name: str) -> Path | None:
    """Beside the interpreter first: a virtual environment need not be on the PATH."""
    folders = (str(Path(sys.executable).parent), sysconfig.get_path("scripts"))
    found = shutil.which(name, path=os.pathsep.join(folders)) or shutil.which(name)
    return Path(found) if found else None
