"""`thinkmate`: the commands, and how errors are told."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from app.cli import data, doctor, inbox, run, setup
from app.errors import ThinkMateError

app = typer.Typer(
    name="thinkmate",
    help="A Telegram companion that remembers, and whose memory its owner can trust.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="markdown",
)
app.command("start")(run.start)
app.command("run")(run.run)
app.command("setup")(setup.setup)
app.command("doctor")(doctor.doctor)
app.command("backup")(data.backup)
app.command("restore")(data.restore)
app.add_typer(inbox.app, name="inbox")


def main() -> None:
    """Run a command; a known error is one line on standard error and exit status 1."""
    try:
        app()
    except ThinkMateError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"thinkmate: {error}", markup=False, style="red"
        )
        sys.exit(1)
