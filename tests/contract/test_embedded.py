"""The embedded database as a child process: real daemons, real signals."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.database.connection import Database, connect
from app.database.contents import Contents
from app.database.embedded import EmbeddedDatabase
from app.database.embedded.daemon import Daemon, environment, find_daemon
from app.database.embedded.orphans import daemons_on, end_orphans
from app.database.embedded.process import LOG_KEPT_BYTES, rotate
from app.database.embedded.restart_rule import RestartRule
from app.database.instance_lock import InstanceLock
from app.errors import StoreUnavailable

PATIENCE_SECS = 20.0
OWNER = """
import asyncio, pathlib, sys
from app.database.connection import connect
from app.database.embedded import EmbeddedDatabase

async def main():
    uri = await EmbeddedDatabase(pathlib.Path(sys.argv[1])).start()
    db = await connect(uri, "thinkmate")
    await db["notes"].insert_one({"_id": 1})
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def running(embedded: EmbeddedDatabase) -> AsyncIterator[Database]:
    db = await connect(await embedded.start(), "thinkmate")
    try:
        yield db
    finally:
        await db.close()
        await embedded.stop()


async def said_up(*command: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"up\n"
    return process


def until_there_is_a_daemon_on(storage: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECS
    while not daemons_on(storage):
        assert time.monotonic() < deadline
        time.sleep(0.005)


def daemon_script(folder: Path, body: str) -> Daemon:
    program = folder / "daemon"
    program.write_text(f"#!{sys.executable}\n{body}\n")
    program.chmod(0o700)
    return Daemon(program, ())


async def test_it_starts_serves_and_stops_clean(tmp_path: Path) -> None:
    embedded = EmbeddedDatabase(tmp_path)
    async with running(embedded) as db:
        await db["notes"].insert_one({"_id": 1})
        record = json.loads((tmp_path / "db.json").read_text())
        assert record["pid"] == embedded.pid
        assert daemons_on(tmp_path / "db") == [embedded.pid]
    assert embedded.pid is None
    assert embedded.restarts == 0
    assert daemons_on(tmp_path / "db") == []
    assert not (tmp_path / "db.json").exists()
    async with running(EmbeddedDatabase(tmp_path)) as db:
        assert await Contents(db).counts() == {"notes": 1}


async def test_a_killed_daemon_comes_back_with_all_it_acknowledged(tmp_path: Path) -> None:
    back = asyncio.Event()
    embedded = EmbeddedDatabase(tmp_path, on_restart=back.set)
    async with running(embedded) as db:
        port = json.loads((tmp_path / "db.json").read_text())["port"]
        acknowledged: list[int] = []
        enough = asyncio.Event()

        async def write() -> None:
            for number in range(10_000):
                await db["notes"].insert_one({"_id": number, "text": "x" * 500})
                acknowledged.append(number)
                if number == 30:
                    enough.set()

        writer = asyncio.create_task(write())
        await asyncio.wait_for(enough.wait(), PATIENCE_SECS)
        assert embedded.pid is not None
        os.kill(embedded.pid, signal.SIGKILL)
        with pytest.raises(Exception, match=r"closed|refused|reset|pipe"):
            await writer
        await asyncio.wait_for(back.wait(), PATIENCE_SECS)
        assert embedded.restarts == 1
        assert json.loads((tmp_path / "db.json").read_text()) == {
            "pid": embedded.pid,
            "port": port,
        }
        stored = {row["_id"] async for row in db["notes"].find({}, {"_id": 1})}
        assert stored >= set(acknowledged)
        assert len(acknowledged) > 30


async def test_a_daemon_left_by_a_killed_owner_is_ended_first(tmp_path: Path) -> None:
    owner = await said_up(sys.executable, "-c", OWNER, str(tmp_path))
    owner.kill()
    await owner.wait()
    (orphan,) = daemons_on(tmp_path / "db")
    embedded = EmbeddedDatabase(tmp_path)
    async with running(embedded) as db:
        assert embedded.pid != orphan
        assert daemons_on(tmp_path / "db") == [embedded.pid]
        assert await Contents(db).counts() == {"notes": 1}


async def test_an_orphan_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    stubborn = daemon_script(
        tmp_path,
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "print('up', flush=True)\nsignal.pause()",
    )
    command = stubborn.command(tmp_path / "db", 0, tmp_path / "db.toml")
    orphan = await said_up(*command)
    assert await end_orphans(tmp_path / "db", grace=0.2) == 1
    assert await orphan.wait() == -signal.SIGKILL


async def test_daemons_of_other_directories_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    async with running(EmbeddedDatabase(tmp_path / "a")) as db:
        async with running(EmbeddedDatabase(tmp_path / "ab")):
            await db.ping()
        assert daemons_on(tmp_path) == []
        await db.ping()


async def test_ctrl_c_and_our_lock_are_not_the_daemons(tmp_path: Path) -> None:
    lock = InstanceLock(tmp_path)
    lock.acquire()
    embedded = EmbeddedDatabase(tmp_path)
    async with running(embedded):
        assert embedded.pid is not None
        assert os.getsid(embedded.pid) == embedded.pid
        lock.release()
        again = InstanceLock(tmp_path)
        again.acquire()
        again.release()


async def test_a_daemon_that_cannot_start_is_quoted(tmp_path: Path) -> None:
    daemon = daemon_script(tmp_path, "raise SystemExit('the disk is made of cheese')")
    embedded = EmbeddedDatabase(tmp_path, daemon=daemon)
    with pytest.raises(StoreUnavailable, match="made of cheese") as refusal:
        await embedded.start()
    assert str(tmp_path / "db.log") in str(refusal.value)
    await embedded.stop()


async def test_it_gives_up_when_the_daemon_keeps_dying(tmp_path: Path) -> None:
    program = tmp_path / "daemon"
    program.symlink_to(find_daemon().program)
    given_up: asyncio.Future[StoreUnavailable] = asyncio.get_running_loop().create_future()
    embedded = EmbeddedDatabase(
        tmp_path,
        daemon=Daemon(program, find_daemon().options),
        rule=RestartRule(delays=(0.0, 0.0)),
        on_give_up=given_up.set_result,
    )
    await embedded.start()
    program.unlink()
    assert embedded.pid is not None
    os.kill(embedded.pid, signal.SIGKILL)
    error = await asyncio.wait_for(given_up, PATIENCE_SECS)
    assert "can't be started" in str(error)
    assert embedded.pid is None
    await embedded.stop()


async def test_stop_is_safe_at_any_moment(tmp_path: Path) -> None:
    embedded = EmbeddedDatabase(tmp_path, rule=RestartRule(delays=(60.0,)))
    await embedded.stop()
    await embedded.start()
    assert embedded.pid is not None
    os.kill(embedded.pid, signal.SIGKILL)
    await embedded.stop()
    await embedded.stop()
    assert daemons_on(tmp_path / "db") == []


async def test_a_start_that_is_cancelled_leaves_no_daemon(tmp_path: Path) -> None:
    starting = asyncio.create_task(EmbeddedDatabase(tmp_path).start())
    await asyncio.to_thread(until_there_is_a_daemon_on, tmp_path / "db")
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert daemons_on(tmp_path / "db") == []


async def test_an_absent_server_is_named_without_its_password() -> None:
    uri = "mongodb://anna:hunter2@127.0.0.1:9/?serverSelectionTimeoutMS=50"
    with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1:9 ") as refusal:
        await connect(uri, "thinkmate")
    assert "hunter2" not in str(refusal.value)


def test_the_daemon_sees_none_of_our_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "canary")
    monkeypatch.setenv("SECANTUS_DATA_NONLOGGED", "1")
    assert not {"TELEGRAM_BOT_TOKEN", "SECANTUS_DATA_NONLOGGED"} & environment().keys()
    assert "PATH" in environment()


def test_a_large_log_makes_room_for_a_new_one(tmp_path: Path) -> None:
    log = tmp_path / "db.log"
    log.write_bytes(b"x" * (LOG_KEPT_BYTES + 1))
    rotate(log)
    assert not log.exists()
    assert (tmp_path / "db.log.1").stat().st_size == LOG_KEPT_BYTES + 1
    rotate(log)
