"""Backup files between the stand-in and the embedded server."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bson import Decimal128, Int64, MaxKey, ObjectId, Regex, Timestamp
from bson.binary import Binary

from app.database.connection import Database
from app.database.contents import BATCH, Contents
from app.services.backup import (
    BackupReport,
    BackupUnusable,
    DatabaseNotEmpty,
    RestoreIncomplete,
    backup,
    restore,
)
from tests.contract.conftest import MakeDatabase

NOW = datetime(2026, 3, 1, 10, tzinfo=UTC)
KINDS = ("mongomock", "embedded")
VARIED: dict[str, Any] = {
    "_id": "-100123:7",
    "moment": datetime(2026, 2, 28, 23, 59, 59, 987000, tzinfo=UTC),
    "long_ago": datetime(1904, 5, 6, 7, 8, 9, 1000, tzinfo=UTC),
    "object_id": ObjectId("65f0c0ffee65f0c0ffee65f0"),
    "bytes": b"\x00\xff",
    "binary": Binary(b"\x01\x02", 128),
    "small": 7,
    "long": Int64(7),
    "large": Int64(2**53 + 1),
    "fraction": 0.1,
    "whole_fraction": 3.0,
    "flags": [True, False, None],
    "nested": {"list": [{"deep": [1, [2, {"n": 3}]]}], "empty": {}, "none": []},
    "text": 'Grüße, नमस्ते, 👩‍👩‍👧, "quoted"\nline\u2028end\\',
}
SERVER_ONLY: dict[str, Any] = {
    "_id": ObjectId("65f0c0ffee65f0c0ffee65f1"),
    "decimal": Decimal128("1.10"),
    "pattern": Regex("^a", "i"),
    "stamp": Timestamp(1, 2),
    "end": MaxKey(),
    "infinite": float("-inf"),
}


async def fill(db: Database) -> None:
    await db["chat_buffers"].insert_one(VARIED)
    await db["inbox"].insert_many([{"_id": n, "order": n} for n in range(BATCH * 2 + 5)])


async def everything(db: Database) -> dict[str, list[dict[str, Any]]]:
    contents = Contents(db)
    return {
        name: [document async for document in contents.documents(name)]
        for name in await contents.counts()
    }


def typed(value: Any) -> Any:
    """A value with its types, so that 7 and Int64(7) and 7.0 differ."""
    if isinstance(value, Mapping):
        return [(key, typed(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [typed(inner) for inner in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return type(value).__name__, value


async def saved(db: Database, path: Path) -> BackupReport:
    return await backup(db, path, app_version="0.1.0", now=NOW)


@pytest.mark.parametrize(("source", "target"), list(product(KINDS, KINDS)))
async def test_everything_comes_back(
    make_database: MakeDatabase, tmp_path: Path, source: str, target: str
) -> None:
    first, second = await make_database(source), await make_database(target)
    await fill(first)
    report = await saved(first, tmp_path / "b.gz")
    assert report.counts == {"chat_buffers": 1, "inbox": BATCH * 2 + 5}
    assert await restore(second, tmp_path / "b.gz") == report
    before, after = await everything(first), await everything(second)
    assert typed(after) == typed(before)
    (varied,) = after["chat_buffers"]
    assert typed(varied) == typed(VARIED)


async def test_a_servers_rarer_types_come_back(make_database: MakeDatabase, tmp_path: Path) -> None:
    first, second = await make_database("embedded"), await make_database("embedded")
    await first["notes"].insert_one(SERVER_ONLY)
    await saved(first, tmp_path / "b.gz")
    await restore(second, tmp_path / "b.gz")
    (restored,) = (await everything(second))["notes"]
    assert typed(restored) == typed(SERVER_ONLY)


async def test_progress_is_told(db: Database, tmp_path: Path) -> None:
    await fill(db)
    steps: list[tuple[str, int]] = []
    await backup(
        db,
        tmp_path / "b.gz",
        app_version="0.1.0",
        now=NOW,
        on_progress=lambda name, count: steps.append((name, count)),
    )
    assert steps == [("chat_buffers", 1), ("inbox", 200), ("inbox", 400), ("inbox", 405)]
    steps.clear()
    await restore(
        db,
        tmp_path / "b.gz",
        force=True,
        on_progress=lambda name, count: steps.append((name, count)),
    )
    assert steps == [("chat_buffers", 1), ("inbox", 200), ("inbox", 400), ("inbox", 405)]


async def test_an_empty_database_makes_a_backup_too(db: Database, tmp_path: Path) -> None:
    assert (await saved(db, tmp_path / "b.gz")).documents == 0
    assert (await restore(db, tmp_path / "b.gz")).documents == 0


@pytest.mark.parametrize("force", [False, True])
async def test_a_damaged_file_writes_and_drops_nothing(
    db: Database, tmp_path: Path, force: bool
) -> None:
    path = tmp_path / "b.gz"
    await fill(db)
    await saved(db, path)
    if not force:
        await db.drop()
    before = await everything(db)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for damaged in (whole[:-1], whole[: len(whole) // 2], bytes(flipped), whole + b"more"):
        path.write_bytes(damaged)
        with pytest.raises(BackupUnusable):
            await restore(db, path, force=force)
        assert await everything(db) == before


async def test_a_database_that_holds_something_is_left_alone(db: Database, tmp_path: Path) -> None:
    await fill(db)
    await saved(db, tmp_path / "b.gz")
    await db["inbox"].delete_many({"_id": {"$gt": 1}})
    before = await everything(db)
    with pytest.raises(DatabaseNotEmpty, match="1 in chat_buffers, 2 in inbox") as refusal:
        await restore(db, tmp_path / "b.gz")
    assert refusal.value.counts == {"chat_buffers": 1, "inbox": 2}
    assert await everything(db) == before


async def test_collections_without_documents_are_no_obstacle(db: Database, tmp_path: Path) -> None:
    await fill(db)
    await saved(db, tmp_path / "b.gz")
    for name in ("inbox", "chat_buffers"):
        await db[name].delete_many({})
    assert (await restore(db, tmp_path / "b.gz")).counts["inbox"] == BATCH * 2 + 5


async def test_force_tells_the_loss_and_leaves_exactly_the_backup(
    db: Database, tmp_path: Path
) -> None:
    await fill(db)
    await saved(db, tmp_path / "b.gz")
    backed_up = await everything(db)
    await db["inbox"].update_many({}, {"$set": {"order": -1}})
    await db["usage"].insert_one({"_id": "later"})
    lost: list[Mapping[str, int]] = []
    await restore(db, tmp_path / "b.gz", force=True, on_loss=lost.append)
    assert lost == [{"chat_buffers": 1, "inbox": BATCH * 2 + 5, "usage": 1}]
    assert typed(await everything(db)) == typed(backed_up)


async def test_whoever_is_told_of_the_loss_can_still_stop_it(db: Database, tmp_path: Path) -> None:
    await fill(db)
    await saved(db, tmp_path / "b.gz")

    def refuse(counts: Mapping[str, int]) -> None:
        raise KeyboardInterrupt

    before = await everything(db)
    with pytest.raises(KeyboardInterrupt):
        await restore(db, tmp_path / "b.gz", force=True, on_loss=refuse)
    assert await everything(db) == before


async def test_a_restore_cut_short_says_what_to_do(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    source, target = await make_database("mongomock"), await make_database("embedded")
    await fill(source)
    await saved(source, tmp_path / "b.gz")
    await fill(target)
    with pytest.raises(RestoreIncomplete, match="with force"):
        await restore(_Blind(target), tmp_path / "b.gz")


class _Blind(Database):
    """Looks empty when asked for its collections, as one does that is filled a moment later."""

    def __init__(self, db: Database) -> None:
        super().__init__(db._database)

    async def collection_names(self) -> list[str]:
        return []
