"""One bot's updates: numbered, kept until confirmed, redelivered until then."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

KINDS = (
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "message_reaction",
)
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
MAX_LIMIT = 100


@dataclass(slots=True)
class Update:
    """One update as the bot will see it."""

    update_id: int
    kind: str
    body: dict[str, Any]
    delivered: bool = False

    def json(self) -> dict[str, Any]:
        """The Update object."""
        return {"update_id": self.update_id, self.kind: self.body}


@dataclass(slots=True)
class UpdateQueue:
    """Updates that the bot has not confirmed, oldest first; ids count up from `next_id`."""

    next_id: int = 1
    allowed: frozenset[str] | None = None
    pending: deque[Update] = field(default_factory=deque)

    def wants(self, kind: str) -> bool:
        """Whether the bot asked for this kind; what it last said holds until it says otherwise."""
        return kind not in NOT_BY_DEFAULT if self.allowed is None else kind in self.allowed

    def remember(self, allowed: Sequence[str] | None) -> None:
        """Take `allowed_updates`; None leaves it as it was and an empty list is the default."""
        if allowed is not None:
            self.allowed = frozenset(allowed) or None

    def put(self, kind: str, body: dict[str, Any]) -> Update | None:
        """Queue an update; None when the bot doesn't want the kind."""
        if not self.wants(kind):
            return None
        update = Update(self.next_id, kind, body)
        self.next_id += 1
        self.pending.append(update)
        return update

    def confirm(self, offset: int) -> list[Update]:
        """Forget what lies before `offset`; a negative one keeps only that many of the last."""
        if offset < 0:
            keep = min(-offset, len(self.pending))
            return [self.pending.popleft() for _ in range(len(self.pending) - keep)]
        gone: list[Update] = []
        while self.pending and self.pending[0].update_id < offset:
            gone.append(self.pending.popleft())
        return gone

    def read(self, limit: int) -> list[Update]:
        """Up to `limit` of the oldest; they stay in the queue."""
        return [self.pending[index] for index in range(min(limit, len(self.pending)))]
