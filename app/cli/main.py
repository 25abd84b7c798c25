"""`thinkmate`: the commands, and how errors are told.

A command's module is imported when the command is asked for: the bot's libraries take a second or
two to import, and most commands need few of them.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any

import typer
from rich.console import Console
from typer.core import TyperGroup
from typer.main import get_command

from app.errors import ThinkMateError

COMMANDS: Mapping[str, str] = {
    "start": "app.cli.start:start",
    "run": "app.cli.run:run",
    "setup": "app.cli.setup:setup",
    "doctor": "app.cli.doctor:doctor",
    "backup": "app.cli.data:backup",
    "restore": "app.cli.data:restore",
    "inbox": "app.cli.inbox:app",
    "jobs": "app.cli.jobs:app",
    "memory": "app.cli.memory:app",
}


class LazyCommands(TyperGroup):
    """Knows the commands by name and loads the one that is wanted."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        found = getattr(importlib.import_module(module), attribute)
        if not isinstance(found, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
            single.command(cmd_name)(found)
            found = single
        command = get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="thinkmate",
    cls=LazyCommands,
    help="A Telegram companion that remembers, and whose memory its owner can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="markdown",
)


@app.callback()
def _thinkmate() -> None:
    """A Telegram companion that remembers, and whose memory its owner can trust."""


def main() -> None:
    """Run a command; a known error is one line on standard error and exit status 1."""
    try:
        app()
    except ThinkMateError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"thinkmate: {error}", markup=False, style="red"
        )
        sys.exit(1)
