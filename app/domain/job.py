"""A job: one durable piece of background work, as a value."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from app.domain.conversation import Frozen, Lease

JobStatus = Literal["waiting", "running", "done", "dead"]


class JobKind(StrEnum):
    """What there is to do.

    `extract_range` is a parked or edited run of messages; `turn_facts`, what a turn just said.
    """

    EXTRACT = "extract"
    EXTRACT_RANGE = "extract_range"
    TURN_FACTS = "turn_facts"
    COMPRESS = "compress"
    CONSOLIDATE = "consolidate"
    EFFECTS = "effects"


class Job(Frozen):
    """A row of `jobs`. Handlers may run more than once for it and must not mind.

    `again`: it was asked for while it ran. `lost`: the worker of the run before went away in the
    middle, which `attempts` counts too. `raw` is a model's answer with its content masked,
    kept until `raw_until`; `failures` counts by kind.
    """

    id: str
    kind: JobKind
    subject: int
    conversation: str | None = None
    args: dict[str, Any] = Field(default_factory=dict)
    status: JobStatus = "waiting"
    run_at: datetime
    created_at: datetime
    attempts: int = 0
    again: bool = False
    lost: bool = False
    lease: Lease | None = None
    last_error: str | None = None
    failures: dict[str, int] = Field(default_factory=dict)
    raw: str | None = None
    raw_until: datetime | None = None
    expires_at: datetime | None = None


def job_id(
    kind: JobKind, subject: int, conversation: str | None, args: dict[str, Any], period: str = ""
) -> str:
    """The id that makes the same work the same job."""
    parts = [kind.value, conversation or str(subject)]
    if kind in (JobKind.EXTRACT_RANGE, JobKind.TURN_FACTS):
        parts.append(f"{args['from_seq']}-{args['through_seq']}")
        if args.get("edited"):
            parts.append(f"e{args['edited']}")
    if period:
        parts.append(period)
    return ":".join(parts)
