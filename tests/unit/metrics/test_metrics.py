"""Metrics: dotted names in, Prometheus out, counters that survive a restart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.services.metrics import TABLE, Kind, Metrics


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What a scraper reads: (sample name, labels) -> value."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(metrics.exposition().decode())
        for sample in family.samples
    }


def test_counters_carry_the_call_as_a_label() -> None:
    metrics = Metrics()
    metrics.incr("llm.reply.calls")
    metrics.incr("llm.reply.calls", 2)
    metrics.incr("throttle.drops")
    seen = samples(metrics)
    assert seen["thinkmate_llm_calls_total", (("call", "reply"),)] == 3
    assert seen["thinkmate_throttle_drops_total", ()] == 1


def test_gauges_and_timings() -> None:
    metrics = Metrics()
    metrics.set_gauge("queue.depth", 7)
    metrics.set_gauge("queue.depth", 4)
    for seconds in (0.1, 0.3, 500.0):
        metrics.observe("llm.reply.latency", seconds)
    seen = samples(metrics)
    assert seen["thinkmate_queue_depth", ()] == 4
    name, call = "thinkmate_llm_latency_seconds", ("call", "reply")
    assert seen[f"{name}_count", (call,)] == 3
    assert seen[f"{name}_sum", (call,)] == pytest.approx(500.4)
    assert seen[f"{name}_bucket", (call, ("le", "0.1"))] == 1
    assert seen[f"{name}_bucket", (call, ("le", "0.5"))] == 2
    assert seen[f"{name}_bucket", (call, ("le", "120.0"))] == 2
    assert seen[f"{name}_bucket", (call, ("le", "+Inf"))] == 3


def test_every_declared_name_is_exposed() -> None:
    metrics = Metrics()
    for name, spec in TABLE.items():
        if spec.kind is Kind.COUNTER:
            metrics.incr(name)
        elif spec.kind is Kind.GAUGE:
            metrics.set_gauge(name, 1)
        else:
            metrics.observe(name, 1.0)
    values = samples(metrics)
    for spec in TABLE.values():
        suffix = {Kind.COUNTER: "_total", Kind.GAUGE: "", Kind.TIMING: "_count"}[spec.kind]
        assert values[spec.family + suffix, spec.labels] == 1


@pytest.mark.parametrize("name", ["llm.repyl.calls", "", "queue.depth"])
def test_an_undeclared_counter_is_an_error(name: str) -> None:
    with pytest.raises(KeyError):
        Metrics().incr(name)


def test_an_undeclared_gauge_or_timing_is_an_error() -> None:
    with pytest.raises(KeyError):
        Metrics().set_gauge("throttle.drops", 1)
    with pytest.raises(KeyError):
        Metrics().observe("queue.depth", 1)


def test_counters_go_on_after_a_restart() -> None:
    before = Metrics()
    before.incr("delivery.sent", 5)
    after = Metrics()
    after.incr("delivery.sent")
    after.restore(
        {**before.snapshot(), "gone.name": 3, "inbox.dead": -1, "inbox.stored": float("nan")}
    )
    assert after.value("delivery.sent") == 6
    assert after.value("inbox.dead") == 0
    assert after.value("inbox.stored") == 0


def test_two_instances_share_nothing() -> None:
    one, two = Metrics(), Metrics()
    one.incr("inbox.stored")
    assert two.value("inbox.stored") == 0


def test_the_summary_names_what_happened_and_nothing_else() -> None:
    metrics = Metrics()
    assert metrics.summary_line() == "nothing counted yet"
    metrics.incr("turns.answered", 12)
    metrics.set_gauge("queue.depth", 2)
    metrics.observe("turns.latency", 1.0)
    metrics.observe("turns.latency", 2.0)
    assert metrics.summary_line() == "turns.answered=12 queue.depth=2 turns.latency=1.500s/2"


def test_every_name_the_program_uses_is_declared_with_its_kind() -> None:
    kinds = {"incr": Kind.COUNTER, "set_gauge": Kind.GAUGE, "observe": Kind.TIMING}
    use = re.compile(r"metrics\.(incr|set_gauge|observe)\(\s*\"([^\"]+)\"")
    sources = (Path(__file__).parents[3] / "app").rglob("*.py")
    used = [match.groups() for path in sources for match in use.finditer(path.read_text("utf-8"))]
    assert used
    undeclared = [
        name
        for method, name in used
        if (spec := TABLE.get(name)) is None or spec.kind is not kinds[method]
    ]
    assert undeclared == []
