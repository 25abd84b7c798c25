"""Backup and restore: every document of the database in one file, from any server to any other.

Indexes are not in the file: they are made at every start. A backup of a server in use has each
document whole, but not all of them at the same moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.database.connection import Database
from app.database.contents import Contents
from app.database.dump import BackupUnusable, DumpReader, DumpWriter, Header
from app.errors import StoreError

__all__ = [
    "BackupReport",
    "BackupUnusable",
    "DatabaseNotEmpty",
    "RestoreIncomplete",
    "backup",
    "restore",
]

PROGRESS_EVERY = 200
BATCH_DOCUMENTS = 200
BATCH_BYTES = 4_000_000

Progress = Callable[[str, int], None]
Loss = Callable[[Mapping[str, int]], None]


class DatabaseNotEmpty(StoreError):
    """A restore would overwrite something; `counts` says what: documents by collection."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        super().__init__(f"the database is not empty: it holds {_sum_up(counts)}")
        self.counts = dict(counts)


class RestoreIncomplete(StoreError):
    """The database failed in the middle of a restore: it holds only a part of the backup."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What was written or restored: `counts` are documents by collection, `created_at` ISO 8601."""

    path: Path
    created_at: str
    app_version: str
    counts: Mapping[str, int]

    @property
    def documents(self) -> int:
        """All documents."""
        return sum(self.counts.values())


async def backup(
    db: Database,
    path: Path,
    *,
    app_version: str,
    now: datetime,
    on_progress: Progress | None = None,
) -> BackupReport:
    """Write the whole database to `path`, which appears complete or not at all.

    `on_progress` gets a collection and how many of its documents are written, every 200 and at
    its end. Raises BackupUnusable when the file can't be written.
    """
    contents = Contents(db)
    names = await contents.names()
    header = Header(now.isoformat(), app_version, tuple(names))
    counts: dict[str, int] = {}
    with DumpWriter(path, header) as dump:
        for name in names:
            dump.begin(name)
            count = 0
            async for document in contents.documents(name):
                dump.add(document)
                count += 1
                if on_progress and count % PROGRESS_EVERY == 0:
                    on_progress(name, count)
            dump.end()
            counts[name] = count
            if on_progress:
                on_progress(name, count)
        dump.finish()
    return BackupReport(path, header.created_at, app_version, counts)


async def restore(
    db: Database,
    path: Path,
    *,
    force: bool = False,
    on_loss: Loss | None = None,
    on_progress: Progress | None = None,
) -> BackupReport:
    """Fill the database from `path`, after the whole file has been checked.

    Raises BackupUnusable for a file that isn't whole, and DatabaseNotEmpty unless `force`, with
    nothing written in both cases. With `force`, `on_loss` is told what is about to be lost (it may
    raise to prevent it), and every collection is dropped. Indexes are made at the next start.
    """
    contents = Contents(db)
    with DumpReader(path) as dump:
        header, counts = dump.verify()
        present = await contents.counts()
        if present and not force:
            raise DatabaseNotEmpty(present)
        if present and on_loss:
            on_loss(present)
        try:
            if force:
                for name in await contents.names():
                    await contents.drop(name)
            await _fill(contents, dump, on_progress)
        except StoreError as error:
            raise RestoreIncomplete(
                f"the restore stopped halfway ({error}); the file is good: "
                "restore it again, with force, before the bot is started"
            ) from error
    return BackupReport(path, header.created_at, header.app_version, counts)


async def _fill(contents: Contents, dump: DumpReader, on_progress: Progress | None) -> None:
    batch: list[dict[str, Any]] = []
    batch_name, size, count = "", 0, 0

    async def flush() -> None:
        nonlocal size, count
        if batch:
            await contents.insert(batch_name, batch)
            count += len(batch)
            batch.clear()
            size = 0
            if on_progress:
                on_progress(batch_name, count)

    for name, document, length in dump.documents():
        if name != batch_name:
            await flush()
            batch_name, count = name, 0
        batch.append(document)
        size += length
        if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_BYTES:
            await flush()
    await flush()


def _sum_up(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} in {name}" for name, count in counts.items())
