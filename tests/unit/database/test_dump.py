from __future__ import annotations

import gzip
import json
import stat
from pathlib import Path
from typing import Any

import pytest

from app.database.dump import BackupUnusable, DumpReader, DumpWriter, Header

HEADER = Header("2026-03-01T10:00:00+00:00", "0.1.0", ("inbox", "usage"))


def written(path: Path) -> Path:
    with DumpWriter(path, HEADER) as dump:
        dump.begin("inbox")
        for number in range(3):
            dump.add({"_id": number, "text": "tea or coffee?"})
        dump.end()
        dump.begin("usage")
        dump.end()
        dump.finish()
    return path


def verified(path: Path) -> tuple[Header, dict[str, int]]:
    with DumpReader(path) as dump:
        return dump.verify()


def rewrite(path: Path, lines: list[bytes]) -> None:
    path.write_bytes(gzip.compress(b"".join(lines)))


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    assert verified(path) == (HEADER, {"inbox": 3, "usage": 0})
    with DumpReader(path) as dump:
        assert [(name, document["_id"]) for name, document, _ in dump.documents()] == [
            ("inbox", 0),
            ("inbox", 1),
            ("inbox", 2),
        ]


def test_only_the_owner_can_read_it_and_no_draft_is_left(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_an_unfinished_backup_leaves_nothing_and_keeps_the_older_one(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    before = path.read_bytes()
    with DumpWriter(path, HEADER) as dump:
        dump.begin("inbox")
        assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(BackupUnusable):
            verified(path)


def test_every_flipped_byte_is_noticed_or_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    whole = path.read_bytes()
    unnoticed = 0
    for position in range(len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        try:
            assert verified(path) == (HEADER, {"inbox": 3, "usage": 0})
            unnoticed += 1
        except BackupUnusable:
            continue
    assert unnoticed <= 8, "only gzip's time stamp and hints may change without consequence"


def test_lines_that_were_changed_with_care_are_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "b.gz")
    lines = lines_of(path)
    rewrite(path, [line.replace(b"coffee", b"cheese") for line in lines])
    with pytest.raises(BackupUnusable, match="checksum"):
        verified(path)
    rewrite(path, lines[:3] + lines[4:])
    with pytest.raises(BackupUnusable, match="fit"):
        verified(path)
    rewrite(path, lines[:-1])
    with pytest.raises(BackupUnusable, match="cut short"):
        verified(path)
    rewrite(path, [*lines, b"{}\n"])
    with pytest.raises(BackupUnusable):
        verified(path)


@pytest.mark.parametrize(
    ("change", "told"),
    [({"version": 2}, "backup format 2"), ({"format": "other"}, "not a ThinkMate backup")],
)
def test_another_kind_or_version_is_refused(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    path = written(tmp_path / "b.gz")
    lines = lines_of(path)
    fields = json.loads(lines[0])["header"] | change
    rewrite(path, [json.dumps({"header": fields}).encode() + b"\n", *lines[1:]])
    with pytest.raises(BackupUnusable, match=told):
        verified(path)


@pytest.mark.parametrize("content", [b"", b"hello", gzip.compress(b""), gzip.compress(b"[1]\n")])
def test_files_of_other_programs_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "b.gz"
    path.write_bytes(content)
    with pytest.raises(BackupUnusable):
        verified(path)


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackupUnusable, match="can't read"):
        DumpReader(tmp_path / "absent")
    with pytest.raises(BackupUnusable, match="can't write"):
        DumpWriter(tmp_path / "absent" / "b.gz", HEADER)
