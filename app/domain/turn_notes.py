"""What a turn brought to light besides its prompt, for a companion that can't read prompts."""

from __future__ import annotations

from datetime import datetime

from app.domain.conversation import Frozen
from app.domain.outcome import Outcome
from app.domain.record import Record


class TurnNotes(Frozen):
    """The newest message, what it did to memory, and everything that is remembered.

    `zone` is the person's IANA time zone.
    """

    said: str
    outcomes: tuple[Outcome, ...] = ()
    records: tuple[Record, ...] = ()
    zone: str = "UTC"
    now: datetime
