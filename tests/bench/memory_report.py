"""The figures of memory: the table and the JSON line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.bench.due_scan import DueScan
from tests.bench.memory_times import MemoryTimes
from tests.bench.memory_trips import Trips

AIMS = {
    "extract_us_p95": 1_000,
    "prompt_chars": 26_000,
    "plain": 6,
    "memory": 8,
}
"""What each figure is to stay within; the line says where one didn't."""


@dataclass(frozen=True)
class MemoryFigures:
    """All that was measured, by number of subjects, of profiles, and of messages."""

    times: Mapping[int, MemoryTimes]
    scans: Mapping[int, DueScan]
    prompts: Mapping[int, int]
    largest_prompt: int
    plain: Trips
    changing: Trips


def memory_line(found: MemoryFigures, *, repeats: int, secs: float) -> dict[str, Any]:
    """All of it for programs."""
    times = {str(count): taken for count, taken in found.times.items()}
    scans = {str(count): scan for count, scan in found.scans.items()}
    return {
        "extract_us_p50": {count: taken.extract.us() for count, taken in times.items()},
        "extract_us_p95": {count: taken.extract.us(0.95) for count, taken in times.items()},
        "commit_ms_p50": {count: taken.commit.ms() for count, taken in times.items()},
        "load_ms_p50": {count: taken.load.ms() for count, taken in times.items()},
        "read_ms_p50": {count: taken.read.ms() for count, taken in times.items()},
        "block_us_p50": {count: taken.block.us() for count, taken in times.items()},
        "due_scan_ms": {count: scan.both_ms for count, scan in scans.items()},
        "due_consolidation_ms": {count: scan.consolidation.ms() for count, scan in scans.items()},
        "due_extraction_ms": {count: scan.extraction.ms() for count, scan in scans.items()},
        "prompt_chars": {str(count): size for count, size in found.prompts.items()},
        "prompt_chars_largest": found.largest_prompt,
        "round_trips_per_turn": {
            "plain": max(found.plain.turns),
            "memory": max(found.changing.turns),
        },
        "job_round_trips_per_turn": {
            "plain": median(found.plain.jobs),
            "memory": sum(found.changing.jobs) / len(found.changing.jobs),
        },
        "aims_missed": missed(found),
        "repeats": repeats,
        "secs": round(secs, 1),
        "database": "embedded, as a server",
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def missed(found: MemoryFigures) -> list[str]:
    """The aims that these figures miss; that scans are flat is for the reader to judge."""
    reached = {
        "extract_us_p95": max(taken.extract.us(0.95) for taken in found.times.values()),
        "prompt_chars": found.largest_prompt,
        "plain": max(found.plain.turns),
        "memory": max(found.changing.turns),
    }
    return [name for name, value in reached.items() if value > AIMS[name]]


def memory_table(found: MemoryFigures) -> str:
    """All of it for people."""
    lines = [
        f"{'subjects':>10}{'extract':>9}{'p95 µs':>9}{'commit':>9}{'load':>9}"
        f"{'read ms':>9}{'block µs':>10}"
    ]
    for count, taken in found.times.items():
        lines.append(
            f"{count:10}{taken.extract.us():9}{taken.extract.us(0.95):9}{taken.commit.ms():9}"
            f"{taken.load.ms():9}{taken.read.ms():9}{taken.block.us():10}"
        )
    lines += ["", f"{'profiles':>10}{'due for consolidation, ms':>28}{'for extraction, ms':>20}"]
    for number, scan in found.scans.items():
        lines.append(f"{number:10}{scan.consolidation.ms():28}{scan.extraction.ms():20}")
    lines += ["", f"{'messages':>10}{'prompt, characters':>20}"]
    lines += [f"{number:10}{size:20}" for number, size in found.prompts.items()]
    lines += [f"{'largest':>10}{found.largest_prompt:20}", ""]
    for name, counted in (("plain", found.plain), ("memory", found.changing)):
        lines.append(
            f"round trips of turns, {name}: {counted.turns}; of jobs after: {counted.jobs}"
        )
    return "\n".join(lines)
