"""The places where a life may end, kept in files that survive the end."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Point:
    """At which step of the script, around which operation, on which side.

    `open_sends` counts the messages that Telegram may have accepted by then and that the
    conversation didn't yet know of: each may come again. `step` is where the script was. Neither
    is a part of the place.
    """

    index: int
    op: str
    side: str
    open_sends: int = field(default=0, compare=False)
    step: int = field(default=0, compare=False)


def read_points(path: Path) -> list[Point]:
    """All points in a file, in order; none when there is no file."""
    if not path.exists():
        return []
    return [Point(**json.loads(line)) for line in path.read_text().splitlines()]


def append_point(path: Path, point: Point) -> None:
    """Add a point; it is on disk when this returns."""
    with path.open("a") as file:
        file.write(json.dumps(asdict(point)) + "\n")
        file.flush()
        os.fsync(file.fileno())
