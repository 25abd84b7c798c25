"""One process a DATA_DIR: the lock that says so, and the name under which it takes leases."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from pathlib import Path

from app.errors import ConfigError, DataDirBusy

LOCK_NAME = "lock"
ID_NAME = "instance-id"
ID_SHAPE = re.compile(r"[0-9a-f]{32}")


class InstanceLock:
    """An exclusive hold of a DATA_DIR; the system lets go of it when the process ends, however."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._path = data_dir / LOCK_NAME
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the directory, making it if need be.

        Raises DataDirBusy, naming the holder, when another process has it; ConfigError when the
        directory can't be used.
        """
        make_data_dir(self._data_dir)
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise ConfigError(f"DATA_DIR: can't write {self._path}: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(file, 32, 0).decode("ascii", "replace").strip()
            os.close(file)
            raise DataDirBusy(_busy(self._data_dir, holder)) from None
        except OSError as error:
            os.close(file)
            raise ConfigError(f"DATA_DIR: can't lock {self._path}: {error.strerror}") from None
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode("ascii"), 0)
        self._file = file

    def release(self) -> None:
        """Let go; harmless when nothing is held. The file stays: removing it would race."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = None


def make_data_dir(data_dir: Path) -> None:
    """Make the directory, for its owner only; raises ConfigError when that fails."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"DATA_DIR: can't make {data_dir}: {error.strerror}") from None


def instance_id(data_dir: Path) -> str:
    """The DATA_DIR's own random id, 32 hex digits, made at the first call and kept.

    The lock allows one process a DATA_DIR, so whoever holds it may take over leases under this id.
    """
    path = data_dir / ID_NAME
    with contextlib.suppress(FileNotFoundError):
        known = path.read_text("ascii", "replace").strip()
        if ID_SHAPE.fullmatch(known):
            return known
    make_data_dir(data_dir)
    fresh = secrets.token_hex(16)
    draft = data_dir / f".{ID_NAME}.{fresh}"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as stream:
        stream.write(f"{fresh}\n")
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
    return fresh


def _busy(data_dir: Path, holder: str) -> str:
    who = f"the ThinkMate with process id {holder}" if holder.isdigit() else "another ThinkMate"
    stop = f"stop it first (kill {holder})" if holder.isdigit() else "stop it first"
    return f"DATA_DIR {data_dir} is in use by {who}; {stop}, or set DATA_DIR to another directory"
