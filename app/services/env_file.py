"""Writing settings to a .env file without losing what else it holds or showing it to others."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from app.errors import ConfigError

_KEY = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=")
_PLAIN = re.compile(r"^[A-Za-z0-9_./:@%+,=-]*$")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def update_env(path: Path, values: Mapping[str, str | None]) -> None:
    """Set keys in the file (None removes one), atomically, readable by its owner alone.

    Comments, order and other keys stay. A key that stands there twice is set in its last place,
    the one that counts, and its earlier lines go. Raises ConfigError for a value that can't be
    written safely, and OSError when the file can't be written; then the old file is untouched.
    """
    for key, value in values.items():
        _check(key, value)
    target = Path(os.path.realpath(path))
    old = target.read_text(encoding="utf-8") if target.exists() else ""
    _replace(target, _updated(old, values))


def _check(key: str, value: str | None) -> None:
    if not _KEY.match(key):
        raise ConfigError(f"{key!r} is not a name for a setting.")
    if value is None:
        return
    if _FORBIDDEN.search(value):
        raise ConfigError(f"{key}: a value must be one line without control characters.")
    if "${" in value:
        raise ConfigError(f"{key}: a value can't contain '${{', which .env files replace.")


def _updated(old: str, values: Mapping[str, str | None]) -> str:
    lines = re.split(r"\r\n|\n|\r", old.rstrip("\r\n")) if old.strip() else []
    last: dict[str, int] = {}
    for number, line in enumerate(lines):
        found = _LINE.match(line)
        if found and found[1] in values:
            last[found[1]] = number
    kept = []
    for number, line in enumerate(lines):
        found = _LINE.match(line)
        if found is None or found[1] not in values:
            kept.append(line)
            continue
        value = values[found[1]]
        if value is not None and last[found[1]] == number:
            kept.append(f"{found[1]}={_quoted(value)}")
    for key, value in values.items():
        if value is not None and key not in last:
            kept.append(f"{key}={_quoted(value)}")
    return "".join(f"{line}\n" for line in kept)


def _quoted(value: str) -> str:
    if _PLAIN.match(value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _replace(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
