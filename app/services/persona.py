"""The persona file: who the bot is, edited by its owner while it runs."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from loguru import logger

from app.errors import ConfigError

MAX_CHARS = 20_000
_MAX_BYTES = 4 * MAX_CHARS + len(codecs.BOM_UTF8)

Signature = tuple[int, ...]


class Persona:
    """The text of the file at `path`, and of its last good version after a bad edit.

    The constructor raises ConfigError when there is no good version to begin with.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = _signature(path)
        try:
            self._text = _read(path)
        except (OSError, ValueError) as error:
            raise ConfigError(f"PERSONA_FILE: {path} {_problem(error)}.") from None

    def text(self) -> str:
        """The persona now; costs one `stat` while the file doesn't change."""
        signature = _signature(self._path)
        if signature != self._seen:
            self._seen = signature
            self._reload()
        return self._text

    def _reload(self) -> None:
        try:
            self._text = _read(self._path)
        except (OSError, ValueError) as error:
            logger.warning("the persona file {}; the last good version stays", _problem(error))
        else:
            logger.info("persona read again, {} characters", len(self._text))


def _signature(path: Path) -> Signature | None:
    """What changes when the file does: also when it is replaced or its permissions are mended."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ctime_ns, status.st_ino)


def _read(path: Path) -> str:
    """The file's text, cut to MAX_CHARS. Raises OSError or ValueError when there is none."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("is not a regular file")
    with open(path, "rb") as file:
        data = file.read(_MAX_BYTES + 1)
    whole = len(data) <= _MAX_BYTES
    text = codecs.getincrementaldecoder("utf-8-sig")().decode(data, final=whole)
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise ValueError("is empty")
    if len(text) > MAX_CHARS or not whole:
        logger.warning("the persona file is longer than {} characters; the rest is cut", MAX_CHARS)
        text = text[:MAX_CHARS]
    return text


def _problem(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeError):
        return "is not UTF-8 text"
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    if isinstance(error, OSError):
        return f"can't be read ({error.strerror or type(error).__name__})"
    return str(error)
