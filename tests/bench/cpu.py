"""CPU time of another process, as Linux counts it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")
LOOK_SECS = 0.2
PATIENCE_SECS = 20.0


def cpu_secs(pid: int) -> float:
    """User and system time of all threads of a process so far; ProcessLookupError when gone."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise ProcessLookupError(pid) from None
    return parsed(line) / TICKS_PER_SEC


def parsed(stat_line: str) -> int:
    """User and system ticks in a line of /proc/PID/stat, whatever the program is called."""
    fields = stat_line.rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


async def settled(pid: int) -> float:
    """The CPU time once the process has gone quiet, so that work after the reply is counted."""
    async with asyncio.timeout(PATIENCE_SECS):
        before = cpu_secs(pid)
        while True:
            await asyncio.sleep(LOOK_SECS)
            now = cpu_secs(pid)
            if now == before:
                return now
            before = now
