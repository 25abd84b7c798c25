"""How long it takes to find the handful that is due among many who are not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from app.bootstrap import Stores
from app.clock import Clock
from app.config import Settings
from app.database.connection import Database
from app.services.memory_work import BATCH
from tests.bench.subjects import fill_thinly
from tests.bench.timings import Timings
from tests.bench.turn import BenchFailed

HANDFUL = 5


@dataclass(frozen=True)
class DueScan:
    """Times of the two scans, which the product makes apart from each other."""

    consolidation: Timings
    extraction: Timings

    @property
    def both_ms(self) -> float:
        """The sum of the two medians, in milliseconds."""
        return round(self.consolidation.ms() + self.extraction.ms(), 3)


async def scan(
    db: Database, stores: Stores, settings: Settings, count: int, repeats: int
) -> DueScan:
    """Fill an empty database with `count` people, HANDFUL of them due, and scan it repeatedly."""
    now = Clock().now()
    step = max(1, count // HANDFUL)
    due = [1 + number * step for number in range(HANDFUL)]
    await fill_thinly(db, count, due, now)
    before = now - timedelta(seconds=settings.consolidation_interval_secs)
    limit = settings.consolidation_max_users_per_scan
    found = DueScan(Timings(), Timings())
    for _ in range(repeats):
        with found.consolidation.one():
            subjects = await stores.profiles.due_for_consolidation(before, limit)
        with found.extraction.one():
            keys = await stores.conversations.due_extractions(now, BATCH)
        if sorted(subjects) != due or sorted(map(int, keys)) != due:
            raise BenchFailed(f"the scans found {len(subjects)} and {len(keys)} of {len(due)}")
    return found
