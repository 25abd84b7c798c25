"""A driver listener that keeps every command sent to the database, but for the driver's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pymongo.monitoring import (
    CommandFailedEvent,
    CommandListener,
    CommandStartedEvent,
    CommandSucceededEvent,
)

DRIVERS_OWN = frozenset(
    {"hello", "ismaster", "isMaster", "ping", "saslStart", "saslContinue", "endSessions"}
)


@dataclass(frozen=True)
class Command:
    """One command: its name, the collection it goes to, and its whole body."""

    name: str
    collection: str
    body: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.name} {self.collection}"


class CommandLog(CommandListener):
    """Commands in the order in which they were sent; `clear` begins a new count."""

    def __init__(self) -> None:
        self.commands: list[Command] = []

    def clear(self) -> None:
        """Forget what was seen so far."""
        self.commands = []

    def started(self, event: CommandStartedEvent) -> None:
        if event.command_name not in DRIVERS_OWN:
            target = event.command.get(event.command_name)
            collection = target if isinstance(target, str) else ""
            self.commands.append(Command(event.command_name, collection, dict(event.command)))

    def succeeded(self, event: CommandSucceededEvent) -> None:
        pass

    def failed(self, event: CommandFailedEvent) -> None:
        pass

    def count(self, wanted: Callable[[Command], bool]) -> int:
        """How many commands are like that."""
        return sum(1 for command in self.commands if wanted(command))

    def story(self) -> str:
        """One numbered line a command, for an assertion's message."""
        return "\n".join(
            f"{number}. {command}" for number, command in enumerate(self.commands, start=1)
        )
