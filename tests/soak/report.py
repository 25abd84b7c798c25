"""What a soak saw: a table for people and a line for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.services.metrics import MODEL_CALLS

OUTCOMES = ("add", "update", "supersede", "noop", "reject")
WORK = ("extraction", "compression", "consolidation")


@dataclass
class Seen:
    """Counted as it happens. `silent`: messages without an answer in time; `doubled`: with two."""

    turns: int = 0
    replies: int = 0
    failure_lines: int = 0
    silent: int = 0
    doubled: int = 0
    raw_replies: int = 0
    emptied: int = 0
    restarts: int = 0
    unsupported: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def problems(self) -> list[str]:
        """What must not be."""
        wrong = {
            "messages without an answer": self.silent,
            "messages answered twice": self.doubled,
            "times memory became empty": self.emptied,
            "records without their evidence": len(self.unsupported),
            "errors": len(self.errors),
        }
        return [f"{count} {name}" for name, count in wrong.items() if count]


def line(
    seen: Seen,
    counted: Mapping[str, float],
    usage: Sequence[Mapping[str, Any]],
    jobs: Sequence[Mapping[str, Any]],
    *,
    records: int,
    minutes: float,
) -> dict[str, Any]:
    """All of it; `counted` are the product's metrics, which go on over restarts."""
    statuses = Counter(f"{row['call']}:{row['status']}" for row in usage)
    answered = [row for row in usage if row["completion_tokens"]]
    tokens = sum(row["completion_tokens"] for row in answered)
    secs = sum(row["latency_ms"] for row in answered) / 1000
    failures: Counter[str] = Counter()
    for job in jobs:
        failures.update({f"{job['kind']}:{k}": n for k, n in job.get("failures", {}).items()})
    return {
        "minutes": round(minutes, 1),
        "turns": seen.turns,
        "replies": seen.replies,
        "failure_lines": seen.failure_lines,
        "silent": seen.silent,
        "doubled": seen.doubled,
        "raw_replies": seen.raw_replies,
        "model_calls": {call: int(counted[f"llm.{call}.calls"]) for call in MODEL_CALLS},
        "call_statuses": dict(statuses),
        "parse_failures": _part(counted, "extraction.failure."),
        "runs": {work: int(counted[f"{work}.runs"]) for work in WORK},
        "successes": {work: int(counted[f"{work}.success"]) for work in WORK},
        "parked": int(counted["extraction.parked"]),
        "job_failures": dict(failures),
        "jobs_dead": int(counted["jobs.dead"]),
        "outcomes": {kind: int(counted[f"memory.outcomes.{kind}"]) for kind in OUTCOMES},
        "reasons": dict(Counter(seen.reasons.values()).most_common()),
        "commits": int(counted["memory.commits"]),
        "races": int(counted["memory.races"]),
        "records": records,
        "unsupported_records": len(seen.unsupported),
        "emptied": seen.emptied,
        "restarts": seen.restarts,
        "errors": seen.errors[:10],
        "completion_tokens": tokens,
        "tokens_per_s_with_prompt": round(tokens / secs, 1) if secs else 0.0,
        "problems": seen.problems(),
    }


def table(found: Mapping[str, Any]) -> str:
    """The line, one name a row."""
    rows = []
    for name, value in found.items():
        if isinstance(value, dict):
            rows += [f"{name:26} {key:44} {number}" for key, number in value.items()]
        else:
            rows.append(f"{name:26} {value}")
    return "\n".join(rows)


def _part(counted: Mapping[str, float], prefix: str) -> dict[str, int]:
    names = [name for name in counted if name.startswith(prefix) and counted[name]]
    return {name.removeprefix(prefix): int(counted[name]) for name in names}
