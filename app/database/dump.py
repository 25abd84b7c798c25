"""The backup file: what a database holds, as gzipped lines that prove their own completeness.

Each line is a JSON object with one key, values in MongoDB's canonical Extended JSON:

    {"header": {format, version, created_at, app_version, collections}}
    {"collection": name}  {"document": {…}} …  {"end": {name, documents}}      for each collection
    {"sha256": of everything above, before compression}
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from bson import json_util
from bson.codec_options import DatetimeConversion
from bson.errors import BSONError

from app.errors import StoreError

FORMAT = "thinkmate-backup"
VERSION = 1
MAX_LINE_BYTES = 256 * 1024 * 1024
_JSON = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL,
    tz_aware=True,
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
)


class BackupUnusable(StoreError):
    """The backup file can't be read or written, is damaged, or is of another kind."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a backup says of itself; `created_at` is ISO 8601."""

    created_at: str
    app_version: str
    collections: tuple[str, ...]


class DumpWriter:
    """Writes a backup file: `with DumpWriter(path, header) as dump`, and `dump.finish()` last.

    The file appears under its name, complete, on disk and readable by its owner alone, or not at
    all. Raises BackupUnusable when it can't be written.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self._count = 0
        self._name = ""
        try:
            handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        except OSError as error:
            raise _cannot("write", path, error) from None
        self._draft: Path | None = Path(draft)
        self._raw: BinaryIO = os.fdopen(handle, "wb")
        self._stream = gzip.GzipFile(filename="", fileobj=self._raw, mode="wb", compresslevel=6)
        self._line("header", {"format": FORMAT, "version": VERSION, **asdict(header)})

    def __enter__(self) -> DumpWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._draft is not None:
            with contextlib.suppress(OSError):
                self._stream.close()
            with contextlib.suppress(OSError):
                self._raw.close()
            self._draft.unlink(missing_ok=True)

    def begin(self, collection: str) -> None:
        """The documents that follow belong to this collection."""
        self._name, self._count = collection, 0
        self._line("collection", collection)

    def add(self, document: dict[str, Any]) -> None:
        """One document more."""
        self._count += 1
        self._line("document", document)

    def end(self) -> None:
        """The collection is complete."""
        self._line("end", {"name": self._name, "documents": self._count})

    def finish(self) -> None:
        """Seal the file, put it on disk and give it its name."""
        assert self._draft is not None
        self._line("sha256", self._digest.hexdigest())
        try:
            self._stream.close()
            self._raw.flush()
            os.fsync(self._raw.fileno())
            self._raw.close()
            self._draft.replace(self._path)
            self._draft = None
            _sync_folder(self._path.parent)
        except OSError as error:
            raise _cannot("write", self._path, error) from None

    def _line(self, key: str, value: Any) -> None:
        text = json_util.dumps({key: value}, json_options=_JSON, separators=(",", ":"))
        line = text.encode("ascii") + b"\n"
        self._digest.update(line)
        try:
            self._stream.write(line)
        except OSError as error:
            raise _cannot("write", self._path, error) from None


class DumpReader:
    """Reads a backup file; `verify` first. Raises BackupUnusable for anything it can't vouch for.

    The file stays open, so what was verified is what `documents` gives.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._line_size = 0
        try:
            self._raw: BinaryIO = path.open("rb")
        except OSError as error:
            raise _cannot("read", path, error) from None

    def __enter__(self) -> DumpReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._raw.close()

    def verify(self) -> tuple[Header, dict[str, int]]:
        """Read all of it, and return its header and the number of documents a collection."""
        lines = self._lines()
        header = self._header(next(lines, ("", None)))
        counts: dict[str, int] = {}
        sealed, name, count = False, "", 0
        for key, value in lines:
            if key == "collection" and not name:
                name, count = str(value), 0
            elif key == "document" and name:
                count += 1
            elif key == "end" and value == {"name": name, "documents": count}:
                counts[name], name = count, ""
            elif key == "sha256" and not name:
                sealed = True
            else:
                raise self._damaged("its lines don't fit together")
        if not sealed or tuple(counts) != header.collections:
            raise self._damaged("it is cut short")
        return header, counts

    def documents(self) -> Iterator[tuple[str, dict[str, Any], int]]:
        """Collection, document and the document's size as text, in the order of the file."""
        name = ""
        for key, value in self._lines():
            if key == "collection":
                name = value
            elif key == "document":
                yield name, value, self._line_size

    def _lines(self) -> Iterator[tuple[str, Any]]:
        digest = hashlib.sha256()
        self._raw.seek(0)
        try:
            with gzip.GzipFile(fileobj=self._raw, mode="rb") as stream:
                while line := stream.readline(MAX_LINE_BYTES):
                    self._line_size = len(line)
                    ((key, value),) = json_util.loads(line, json_options=_JSON).items()
                    if key == "sha256" and (value != digest.hexdigest() or stream.read(1)):
                        raise self._damaged("its checksum doesn't fit")
                    digest.update(line)
                    yield key, value
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise self._damaged(str(error)) from None
        except OSError as error:
            raise _cannot("read", self._path, error) from None
        except (ValueError, TypeError, AttributeError, BSONError):
            raise self._damaged("a line can't be understood") from None

    def _header(self, first: tuple[str, Any]) -> Header:
        key, fields = first
        if key != "header" or not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise BackupUnusable(f"{self._path} is not a ThinkMate backup")
        if fields.get("version") != VERSION:
            raise BackupUnusable(
                f"{self._path} has backup format {fields.get('version')}, this program reads "
                f"{VERSION}; use the ThinkMate that wrote it ({fields.get('app_version')}) or newer"
            )
        return Header(
            created_at=str(fields.get("created_at")),
            app_version=str(fields.get("app_version")),
            collections=tuple(fields.get("collections") or ()),
        )

    def _damaged(self, how: str) -> BackupUnusable:
        return BackupUnusable(f"{self._path} is damaged: {how}; nothing was written")


def _cannot(do: str, path: Path, error: OSError) -> BackupUnusable:
    return BackupUnusable(f"can't {do} {path}: {error.strerror or type(error).__name__}")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
