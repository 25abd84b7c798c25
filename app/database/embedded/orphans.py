"""Daemons that outlived their owner: when our process is killed, its child lives on.

They are known by their command line, which names the storage; a process id alone proves nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from loguru import logger

from app.database.embedded.daemon import STORAGE_OPTION
from app.errors import StoreUnavailable

PROC = Path("/proc")
GRACE_SECS = 5.0
LOOK_SECS = 0.02


async def end_orphans(storage: Path, grace: float = GRACE_SECS) -> int:
    """End every daemon that runs on `storage` (an absolute path); returns how many there were.

    Call it only under the DATA_DIR's lock: then each of them has lost its owner. SIGTERM first,
    SIGKILL after `grace` seconds. Raises StoreUnavailable when one can't be ended.
    """
    found = await asyncio.to_thread(daemons_on, storage)
    if not found:
        return 0
    logger.warning("ending a database process left by an earlier run: {}", found)
    for how in (signal.SIGTERM, signal.SIGKILL):
        for pid in await asyncio.to_thread(daemons_on, storage):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, how)
        if await _gone(storage, grace):
            return len(found)
    raise StoreUnavailable(f"a database process on {storage} can't be ended: {found}")


def daemons_on(storage: Path) -> list[int]:
    """The process ids of the daemons whose command line names `storage`."""
    return _from_proc(storage) if (PROC / "self" / "cmdline").exists() else _from_ps(storage)


async def _gone(storage: Path, grace: float) -> bool:
    deadline = time.monotonic() + grace
    while await asyncio.to_thread(daemons_on, storage):
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(LOOK_SECS)
    return True


def _from_proc(storage: Path) -> list[int]:
    # A dead process that nobody has reaped yet has an empty command line, so it isn't found.
    wanted = b"\0%s\0%s\0" % (STORAGE_OPTION.encode(), os.fsencode(storage))
    found = []
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if wanted in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
    return found


def _from_ps(storage: Path) -> list[int]:
    wanted = f" {STORAGE_OPTION} {storage} "
    listing = subprocess.run(
        ["ps", "-axww", "-o", "pid=,command="], capture_output=True, text=True, check=False
    )
    lines = (f"{line.strip()} ".partition(" ") for line in listing.stdout.splitlines())
    return [int(pid) for pid, _, command in lines if wanted in f" {command}"]
