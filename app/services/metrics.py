"""Metrics: counters, gauges and timings under dotted names, shown to Prometheus and in the log.

A dotted name's variable word becomes a Prometheus label: `llm.reply.calls` is
`thinkmate_llm_calls_total{call="reply"}`. TABLE is the one place where names are declared.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST
PREFIX = "thinkmate_"
BUCKETS = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Upper bounds of the timings' buckets, seconds."""


class Kind(StrEnum):
    """How a name is written: incr, set_gauge or observe."""

    COUNTER = "counter"
    GAUGE = "gauge"
    TIMING = "timing"


@dataclass(frozen=True, slots=True)
class Spec:
    """What stands behind one dotted name."""

    kind: Kind
    family: str
    help: str
    labels: tuple[tuple[str, str], ...] = ()


MODEL_CALLS = ("reply", "extract", "turn_fact", "compress", "consolidate")

_COUNTERS = {
    "inbox.stored": "Updates stored before Telegram was told",
    "inbox.duplicates": "Updates that arrived again and were already stored",
    "inbox.unreadable": "Updates stored as dead because they could not be understood",
    "inbox.failed": "Updates that could not be stored; Telegram sends them again",
    "inbox.dead": "Updates given up after too many attempts",
    "turns.answered": "Turns that got a reply",
    "turns.unanswered": "Turns for which the model gave no usable answer",
    "turns.failed": "Turns that failed and are tried again",
    "delivery.sent": "Message parts confirmed by Telegram",
    "delivery.errors": "Sends that Telegram did not confirm",
    "delivery.ambiguous": "Sends without an answer, which may have been delivered",
    "delivery.dropped": "Outbox rows given up",
    "throttle.drops": "Turns not started because of a person's message rate",
    "access.strangers": "Messages of people who have no access",
    "polling.errors": "Requests for updates that failed",
    "polling.restarts": "Times polling was restarted because it stood still",
    "jobs.enqueued": "Runs of background jobs asked for",
    "jobs.done": "Background jobs done",
    "jobs.failed": "Runs of background jobs that failed and are tried again",
    "jobs.dead": "Background jobs given up",
    "jobs.lost_lease": "Runs of background jobs left to another worker",
    "memory.commits": "Changes to memory written",
    "memory.races": "Changes to memory planned again because it had changed",
    "memory.unavailable": "Turns whose memory could not be read or changed",
    "memory.quarantined": "Changes to memory that wait for the person",
    "memory.outcomes.add": "Claims that became memory",
    "memory.outcomes.update": "Claims that refined what was known",
    "memory.outcomes.supersede": "Claims that replaced what was known",
    "memory.outcomes.noop": "Claims that were known already",
    "memory.outcomes.reject": "Claims that did not become memory",
    "extraction.runs": "Portions of talk given to the model for extraction",
    "extraction.success": "Extraction calls whose answer could be used",
    "extraction.parked": "Portions put aside to be extracted later",
    "extraction.failure.parse_error": "Extraction calls whose answer made no sense",
    "extraction.failure.llm_error": "Extraction calls that failed",
    "extraction.failure.timeout": "Extraction calls that took too long",
    "extraction.failure.dropped": "Extractions that were not tried",
    "turn_facts.runs": "Turns given to the model right after the reply",
    "turn_facts.success": "Such calls whose answer could be used",
    "turn_facts.overtaken": "Turns the ordinary extraction had read before",
    "turn_facts.failure.parse_error": "Such calls whose answer made no sense",
    "turn_facts.failure.llm_error": "Such calls that failed",
    "turn_facts.failure.timeout": "Such calls that took too long",
    "turn_facts.failure.dropped": "Turns not read because calls kept failing or memory changed",
    "turn_facts.skipped.not_sampled": "Messages left to the ordinary extraction by the sample rate",
    "turn_facts.skipped.filtered_before_model": "Messages that state nothing",
    "turn_facts.skipped.repeated_recently": "Messages in words that were read a short while ago",
    "turn_facts.skipped.over_turn_limit": "Facts beyond the limit of one turn",
    "compression.runs": "Compressions begun",
    "compression.success": "Compressions carried out",
    "compression.failure": "Compressions without a usable answer",
    "consolidation.runs": "Consolidations begun",
    "consolidation.success": "Consolidations carried out",
    "consolidation.failure": "Consolidations without a usable answer",
    "scheduler.errors": "Scheduled jobs that failed or were missed",
}
_GAUGES = {
    "queue.depth": "Updates waiting to be answered",
    "jobs.waiting": "Background jobs that wait for their time or a worker",
}
_TIMINGS = {
    "turns.latency": "Seconds the making of a reply took",
}
_MODEL_COUNTERS = {
    "calls": "Model calls begun",
    "success": "Model calls that gave a usable answer",
    "failure": "Model calls that gave none",
}


def _table() -> dict[str, Spec]:
    table: dict[str, Spec] = {}
    for kind, names in (
        (Kind.COUNTER, _COUNTERS),
        (Kind.GAUGE, _GAUGES),
        (Kind.TIMING, _TIMINGS),
    ):
        for name, text in names.items():
            table[name] = Spec(kind, _family(name, kind), text)
    for call in MODEL_CALLS:
        labels = (("call", call),)
        for word, text in _MODEL_COUNTERS.items():
            family = _family(f"llm.{word}", Kind.COUNTER)
            table[f"llm.{call}.{word}"] = Spec(Kind.COUNTER, family, text, labels)
        family = _family("llm.latency", Kind.TIMING)
        table[f"llm.{call}.latency"] = Spec(
            Kind.TIMING, family, "Seconds a model call took", labels
        )
    return table


def _family(name: str, kind: Kind) -> str:
    unit = "_seconds" if kind is Kind.TIMING else ""
    return PREFIX + name.replace(".", "_") + unit


TABLE: Mapping[str, Spec] = _table()


class _Timing:
    """One histogram's numbers; `counts` has one more place than BUCKETS, for what is above."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def cumulative(self) -> list[tuple[str, float]]:
        bounds = [*(str(bound) for bound in BUCKETS), "+Inf"]
        seen, rows = 0, []
        for bound, count in zip(bounds, self.counts, strict=True):
            seen += count
            rows.append((bound, float(seen)))
        return rows


class Metrics(Collector):
    """The numbers of one process. An undeclared name, or one of another kind, is a KeyError."""

    def __init__(self) -> None:
        self._counters = _zeros(Kind.COUNTER)
        self._gauges = _zeros(Kind.GAUGE)
        self._timings = {name: _Timing() for name in _zeros(Kind.TIMING)}
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self)

    def incr(self, name: str, n: float = 1) -> None:
        """Count `n` more."""
        self._counters[name] += n

    def set_gauge(self, name: str, value: float) -> None:
        """The gauge stands at `value` now."""
        if name not in self._gauges:
            raise KeyError(name)
        self._gauges[name] = value

    def observe(self, name: str, seconds: float) -> None:
        """One more event took `seconds`."""
        self._timings[name].add(seconds)

    def value(self, name: str) -> float:
        """A counter's or gauge's value now."""
        return self._gauges[name] if name in self._gauges else self._counters[name]

    def snapshot(self) -> dict[str, float]:
        """All counters by dotted name, for `restore` in the next process."""
        return dict(self._counters)

    def restore(self, snapshot: Mapping[str, float]) -> None:
        """Add an earlier process's counts; call once. Unknown names and odd values are skipped."""
        for name, value in snapshot.items():
            if name in self._counters and math.isfinite(value) and value > 0:
                self._counters[name] += value

    def summary_line(self) -> str:
        """Everything that isn't zero, in one line of `name=value`."""
        numbers = {**self._counters, **self._gauges}
        words = [f"{name}={value:g}" for name, value in numbers.items() if value]
        for name, timing in self._timings.items():
            if count := sum(timing.counts):
                words.append(f"{name}={timing.total / count:.3f}s/{count}")
        return " ".join(words) or "nothing counted yet"

    def exposition(self) -> bytes:
        """The Prometheus text format, of type CONTENT_TYPE."""
        return generate_latest(self._registry)

    def collect(self) -> Iterable[Metric]:
        """Prometheus's view; called by the registry."""
        families: dict[str, list[str]] = defaultdict(list)
        for name, spec in TABLE.items():
            families[spec.family].append(name)
        for family, names in families.items():
            yield self._collected(family, names)

    def _collected(self, family: str, names: list[str]) -> Metric:
        spec = TABLE[names[0]]
        label_names = [label for label, _ in spec.labels]
        if spec.kind is Kind.TIMING:
            histogram = HistogramMetricFamily(family, spec.help, labels=label_names)
            for name in names:
                timing = self._timings[name]
                histogram.add_metric(_label_values(name), timing.cumulative(), timing.total)
            return histogram
        if spec.kind is Kind.GAUGE:
            gauge = GaugeMetricFamily(family, spec.help, labels=label_names)
            for name in names:
                gauge.add_metric(_label_values(name), self._gauges[name])
            return gauge
        counter = CounterMetricFamily(family, spec.help, labels=label_names)
        for name in names:
            counter.add_metric(_label_values(name), self._counters[name])
        return counter


def _zeros(kind: Kind) -> dict[str, float]:
    return {name: 0.0 for name, spec in TABLE.items() if spec.kind is kind}


def _label_values(name: str) -> list[str]:
    return [value for _, value in TABLE[name].labels]
