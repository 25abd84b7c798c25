"""Writing .env files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from dotenv import dotenv_values
from hypothesis import given
from hypothesis import strategies as st

from app.config import Settings
from app.errors import ConfigError
from app.services.env_file import update_env


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / ".env"
    update_env(path, {"OPENAI_API_KEY": "abc"})
    assert path.read_text() == "OPENAI_API_KEY=abc\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_draft_is_never_readable_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    fsync = os.fsync

    def watch(descriptor: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    update_env(tmp_path / ".env", {"A": "b"})
    assert modes[0] == 0o600


def test_comments_order_and_other_keys_stay(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        "# mine\nLLM_MODEL=old\n\nexport OTHER='keep me'\nLLM_MODEL=older # note\nnot a setting\n"
    )
    update_env(path, {"LLM_MODEL": "new", "ACCESS": "open"})
    assert path.read_text() == (
        "# mine\n\nexport OTHER='keep me'\nLLM_MODEL=new\nnot a setting\nACCESS=open\n"
    )


def test_none_removes_a_key(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\nB=2\n")
    update_env(path, {"A": None, "C": None})
    assert path.read_text() == "B=2\n"


def test_a_loose_mode_is_tightened_and_a_link_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real.env", tmp_path / ".env"
    real.write_text("A=1\n")
    real.chmod(0o644)
    link.symlink_to(real)
    update_env(link, {"A": "2"})
    assert link.is_symlink()
    assert real.read_text() == "A=2\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


@pytest.mark.parametrize("value", ["a\nB=1", "a\rb", "a\0b", "a\u2028b", "${HOME}"])
def test_unsafe_values_are_refused_and_never_shown(tmp_path: Path, value: str) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\n")
    with pytest.raises(ConfigError, match=r"^A: ") as caught:
        update_env(path, {"A": value})
    assert value not in str(caught.value)
    assert path.read_text() == "A=1\n"


@pytest.mark.parametrize("key", ["", "A B", "A=B", "1A", "A\nB"])
def test_bad_names_are_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(ConfigError):
        update_env(tmp_path / ".env", {key: "x"})


def test_a_failed_write_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\n")

    def full(_: int) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        update_env(path, {"A": "2"})
    assert path.read_text() == "A=1\n"
    assert list(tmp_path.iterdir()) == [path]


VALUES = st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"))).filter(
    lambda value: "${" not in value
)


@given(value=VALUES)
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    path = tmp_path_factory.mktemp("env") / ".env"
    update_env(path, {"FIRST": value, "LAST": "x"})
    update_env(path, {"FIRST": value})
    assert dotenv_values(path) == {"FIRST": value, "LAST": "x"}


def test_settings_read_it(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    update_env(path, {"LLM_MODEL": "it's a #model \\ $x"})
    assert Settings(_env_file=path).llm_model == "it's a #model \\ $x"
