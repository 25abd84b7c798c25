"""Rounds to figures: medians, ratios, the table and the JSON line."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import median
from typing import Any

PACKAGES = ("python-telegram-bot", "motor", "pymongo", "pydantic", "openai", "httpx")


@dataclass(frozen=True)
class Round:
    """One subject's block of turns: CPU seconds, wall seconds, seconds each person waited."""

    turns: int
    cpu: float
    wall: float
    waits: tuple[float, ...]
    typing: int = 0

    @property
    def cpu_ms(self) -> float:
        """CPU a turn."""
        return 1000 * self.cpu / self.turns

    @property
    def wall_ms(self) -> float:
        """Wall time a turn; at concurrency 64 that is not what one person waits."""
        return 1000 * self.wall / self.turns


@dataclass(frozen=True)
class Summary:
    """The medians of one subject's rounds at one concurrency."""

    cpu_ms: float
    wall_ms: float
    wait_ms: float
    turns_per_s: float
    typing_per_turn: float

    @classmethod
    def of(cls, rounds: Sequence[Round]) -> Summary:
        """Raises StatisticsError when there is no round."""
        return cls(
            cpu_ms=median(r.cpu_ms for r in rounds),
            wall_ms=median(r.wall_ms for r in rounds),
            wait_ms=1000 * median(wait for r in rounds for wait in r.waits),
            turns_per_s=median(r.turns / r.wall for r in rounds),
            typing_per_turn=sum(r.typing for r in rounds) / sum(r.turns for r in rounds),
        )


@dataclass(frozen=True)
class Counts:
    """What the turns of the counted run cost: database commands by name, model calls."""

    turns: int
    commands: Mapping[str, int]
    background: int
    model_calls: int

    @property
    def round_trips(self) -> float:
        """Commands a turn, those of the housekeeping included."""
        return sum(self.commands.values()) / self.turns


@dataclass(frozen=True)
class Comparison:
    """Product and bare handler at one concurrency."""

    concurrency: int
    product: Summary
    bare: Summary

    @property
    def cpu_ratio(self) -> float:
        """How many times the bare handler's CPU a turn of the product takes."""
        return self.product.cpu_ms / self.bare.cpu_ms

    def as_json(self) -> dict[str, float]:
        """The figures under their names."""
        at = f"c{self.concurrency}"
        figures = {
            f"cpu_ms_{at}": self.product.cpu_ms,
            f"cpu_ms_bare_{at}": self.bare.cpu_ms,
            f"cpu_ratio_{at}": self.cpu_ratio,
            f"wall_ms_{at}": self.product.wall_ms,
            f"wall_ms_bare_{at}": self.bare.wall_ms,
            f"reply_ms_{at}": self.product.wait_ms,
            f"reply_ms_bare_{at}": self.bare.wait_ms,
            f"turns_per_s_{at}": self.product.turns_per_s,
            f"turns_per_s_bare_{at}": self.bare.turns_per_s,
            f"typing_per_turn_{at}": self.product.typing_per_turn,
        }
        return {name: round(value, 3) for name, value in figures.items()}


def table(comparisons: Sequence[Comparison], counts: Counts) -> str:
    """All of it for people."""
    lines = [f"{'':34}{'ThinkMate':>12}{'bare':>12}{'ratio':>9}"]
    for found in comparisons:
        product, bare, at = found.product, found.bare, f"at concurrency {found.concurrency}"
        lines += [
            _row(f"CPU ms a turn {at}", product.cpu_ms, bare.cpu_ms),
            _row(f"wall ms a turn {at}", product.wall_ms, bare.wall_ms),
            _row(f"a person waits, ms {at}", product.wait_ms, bare.wait_ms),
            _row(f"turns a second {at}", product.turns_per_s, bare.turns_per_s),
        ]
    lines += ["", f"database commands a turn: {counts.round_trips:.2f} (of {counts.turns} turns)"]
    for name, count in sorted(counts.commands.items(), key=lambda item: -item[1]):
        lines.append(f"  {count / counts.turns:6.2f}  {name}")
    lines.append(f"of all these commands, {counts.background} were housekeeping between the turns")
    lines.append(f"model calls a turn: {counts.model_calls / counts.turns:.2f}")
    return "\n".join(lines)


def _row(name: str, product: float, bare: float) -> str:
    return f"{name:34}{product:12.2f}{bare:12.2f}{product / bare:9.2f}"


def json_line(
    comparisons: Sequence[Comparison], counts: Counts, *, turns: int, rounds: int, database: str
) -> dict[str, Any]:
    """All of it for programs."""
    line: dict[str, Any] = {}
    for found in comparisons:
        line.update(found.as_json())
    line["round_trips_per_turn"] = round(counts.round_trips, 3)
    line["background_commands"] = counts.background
    line["model_calls_per_turn"] = round(counts.model_calls / counts.turns, 3)
    line["counted_turns"] = counts.turns
    line["turns"] = turns
    line["rounds"] = rounds
    line["database"] = database
    line["python"] = ".".join(map(str, sys.version_info[:3]))
    line["packages"] = {name: version(name) for name in PACKAGES}
    return line
