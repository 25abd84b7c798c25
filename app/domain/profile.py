"""A subject: a person or a group, and what is known of them."""

from __future__ import annotations

from datetime import datetime

from app.domain.conversation import Frozen


class Profile(Frozen):
    """The aggregate of one subject; `generation` counts memory commits, `epoch` resets."""

    subject: int
    generation: int = 0
    epoch: int = 0
    timezone: str | None = None
    last_interaction_at: datetime | None = None
    created_at: datetime | None = None
