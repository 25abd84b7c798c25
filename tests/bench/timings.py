"""Times of one kind, and what is told of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

NS_PER_MS = 1_000_000
NS_PER_US = 1_000


class Timings:
    """Durations in nanoseconds, measured on the wall."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        """Time what happens inside."""
        began = time.perf_counter_ns()
        yield
        self.taken.append(time.perf_counter_ns() - began)

    def ms(self, share: float = 0.5) -> float:
        """The quantile in milliseconds."""
        return round(quantile(self.taken, share) / NS_PER_MS, 3)

    def us(self, share: float = 0.5) -> float:
        """The quantile in microseconds."""
        return round(quantile(self.taken, share) / NS_PER_US, 1)


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as this share of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
