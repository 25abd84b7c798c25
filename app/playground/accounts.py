"""The bots of the world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.playground.update_queue import UpdateQueue


@dataclass
class Webhook:
    """Where a bot wants its updates pushed."""

    url: str
    secret: str = ""
    max_connections: int = 40
    last_error: str = ""
    last_error_at: int = 0


@dataclass(eq=False)
class BotAccount:
    """A bot as Telegram keeps it. `reads_all` False is BotFather's privacy mode in groups."""

    id: int
    secret: str
    name: str
    username: str
    reads_all: bool = True
    updates: UpdateQueue = field(default_factory=UpdateQueue)
    webhook: Webhook | None = None
    commands: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def token(self) -> str:
        """What the bot logs in with."""
        return f"{self.id}:{self.secret}"

    def menu(self) -> list[dict[str, Any]]:
        """The commands a client suggests."""
        return self.commands.get("", [])
