"""A change that waits for the person, pinned to what it would change."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from app.domain.candidate import Candidate
from app.domain.conversation import Frozen
from app.domain.outcome import Reason


class Precondition(Frozen):
    """What a record must still be when the change is made."""

    record: str
    generation: int
    status: Literal["active"] = "active"
    content_digest: str


class Proposal(Frozen):
    """A quarantined outcome. `candidate` holds everything needed to decide it later."""

    id: str
    subject: int
    conversation: str
    candidate: Candidate
    reasons: tuple[Reason, ...]
    preconditions: tuple[Precondition, ...] = ()
    generation: int
    epoch: int
    status: Literal["pending", "approved", "rejected", "stale"] = "pending"
    created_at: datetime
