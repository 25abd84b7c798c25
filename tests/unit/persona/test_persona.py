"""Persona: an edit shows at the next turn, a bad edit never takes the voice away."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from loguru import logger

from app.errors import ConfigError
from app.services import persona as room
from app.services.persona import MAX_CHARS, Persona


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "persona.md"
    path.write_text("You are kind.\n", encoding="utf-8")
    return path


@pytest.fixture
def lines() -> Iterator[list[str]]:
    seen: list[str] = []
    sink = logger.add(lambda message: seen.append(str(message)), format="{message}")
    yield seen
    logger.remove(sink)


def test_an_edit_is_picked_up(file: Path) -> None:
    persona = Persona(file)
    assert persona.text() == "You are kind."
    file.write_text("You are brief.", encoding="utf-8")
    assert persona.text() == "You are brief."


def test_an_unchanged_file_is_not_read_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    persona = Persona(file)
    reads: list[Path] = []
    monkeypatch.setattr(room, "_read", lambda path: reads.append(path) or "new")
    persona.text()
    persona.text()
    assert reads == []


@pytest.mark.parametrize("content", [b"", b" \n\t ", b"\xff\xfe\x00bad", b"ok \xc3"])
def test_a_bad_edit_keeps_the_last_good_one_and_says_so_once(
    file: Path, lines: list[str], content: bytes
) -> None:
    persona = Persona(file)
    file.write_bytes(content)
    for _ in range(3):
        assert persona.text() == "You are kind."
    assert len(lines) == 1
    file.write_text("Back again.", encoding="utf-8")
    assert persona.text() == "Back again."


def test_a_deleted_file_keeps_the_last_good_one(file: Path, lines: list[str]) -> None:
    persona = Persona(file)
    file.unlink()
    assert [persona.text() for _ in range(3)] == ["You are kind."] * 3
    assert len(lines) == 1
    file.write_text("You are kind again.", encoding="utf-8")
    assert persona.text() == "You are kind again."


def test_a_directory_in_its_place_keeps_the_last_good_one(file: Path) -> None:
    persona = Persona(file)
    file.unlink()
    file.mkdir()
    assert persona.text() == "You are kind."


def test_a_replacement_of_the_same_size_and_time_is_noticed(file: Path, tmp_path: Path) -> None:
    persona = Persona(file)
    status = file.stat()
    other = tmp_path / "other.md"
    other.write_text("You are wild.\n", encoding="utf-8")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)
    assert persona.text() == "You are wild."


def test_a_byte_order_mark_and_windows_line_ends_are_not_part_of_it(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfOne.\r\nTwo.\r\n")
    assert Persona(file).text() == "One.\nTwo."


@pytest.mark.parametrize("letter", ["a", "ж", "🙂"])
def test_a_very_long_file_is_cut(file: Path, lines: list[str], letter: str) -> None:
    file.write_text(letter * (5 * MAX_CHARS), encoding="utf-8")
    assert Persona(file).text() == letter * MAX_CHARS
    assert len(lines) == 1


@pytest.mark.parametrize("content", [None, b"", b"\xff"])
def test_the_first_start_needs_a_good_file(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "persona.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match="PERSONA_FILE"):
        Persona(path)


def test_the_default_persona_reads_well() -> None:
    text = Persona(Path(__file__).parents[3] / "persona" / "default.md").text()
    assert 1_000 < len(text) < 2_500
    assert "You are an AI" in text
