from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.database.instance_lock import InstanceLock, instance_id
from app.errors import ConfigError, DataDirBusy

HOLD = """
import pathlib, sys
from app.database.instance_lock import InstanceLock
InstanceLock(pathlib.Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


def test_the_second_is_told_who_has_it_and_what_to_do(tmp_path: Path) -> None:
    first, second = InstanceLock(tmp_path), InstanceLock(tmp_path)
    first.acquire()
    with pytest.raises(DataDirBusy) as refusal:
        second.acquire()
    text = str(refusal.value)
    assert str(tmp_path) in text
    assert f"kill {os.getpid()}" in text
    assert "DATA_DIR" in text
    first.release()
    second.acquire()
    second.release()


def test_a_refused_attempt_leaves_the_holder_named(tmp_path: Path) -> None:
    holder = InstanceLock(tmp_path)
    holder.acquire()
    for _ in range(2):
        with pytest.raises(DataDirBusy, match=str(os.getpid())):
            InstanceLock(tmp_path).acquire()
    holder.release()


def test_release_without_a_hold_is_harmless(tmp_path: Path) -> None:
    lock = InstanceLock(tmp_path)
    lock.release()
    lock.acquire()
    lock.release()
    lock.release()


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DataDirBusy, match=f"process id {holder.pid};"):
            InstanceLock(tmp_path).acquire()
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    lock = InstanceLock(tmp_path)
    lock.acquire()
    lock.release()


def test_the_directory_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    data_dir = tmp_path / "deep" / "data"
    lock = InstanceLock(data_dir)
    lock.acquire()
    lock.release()
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700


def test_a_directory_that_cannot_be_made_is_a_setting_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="DATA_DIR"):
        InstanceLock(tmp_path / "file" / "data").acquire()


def test_the_instance_id_is_kept_and_private(tmp_path: Path) -> None:
    first = instance_id(tmp_path / "one")
    assert instance_id(tmp_path / "one") == first
    assert instance_id(tmp_path / "two") != first
    assert len(first) == 32
    assert stat.S_IMODE((tmp_path / "one" / "instance-id").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["instance-id"]


def test_a_damaged_instance_id_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "instance-id").write_text("")
    fresh = instance_id(tmp_path)
    assert len(fresh) == 32
    assert instance_id(tmp_path) == fresh
