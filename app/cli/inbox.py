"""`thinkmate inbox`: the dead letter list."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.bootstrap import Stores, open_database
from app.cli.prepared import prepared_settings
from app.config import Settings
from app.database.connection import Database
from app.domain.inbox import InboxRow
from app.errors import ConfigError
from app.services.dead_letters import DeadLetters

app = typer.Typer(
    help="Updates from Telegram that could not be answered.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(highlight=False)


@app.command("dead")
def dead() -> None:
    """List updates that were given up, oldest first.

    Example: `thinkmate inbox dead`
    """
    rows = asyncio.run(_dead(prepared_settings()))
    if not rows:
        console.print("No dead letters.")
        return
    table = Table("Id", "Conversation", "Received (UTC)", "Attempts", "Error")
    for row in rows:
        received = f"{row.received_at:%Y-%m-%d %H:%M:%S}"
        table.add_row(row.id, row.conversation, received, str(row.attempts), row.error or "")
    console.print(table)


@app.command("retry")
def retry(
    row_id: Annotated[str, typer.Argument(help="The id that `thinkmate inbox dead` shows.")],
) -> None:
    """Put a dead update back in the queue; it is answered at the bot's next start.

    Example: `thinkmate inbox retry 123456:78`
    """
    if not asyncio.run(_retry(prepared_settings(), row_id)):
        raise ConfigError(f"no dead update has the id {row_id}; see: thinkmate inbox dead")
    console.print(f"{row_id} is back in the queue.")


async def _dead(settings: Settings) -> list[InboxRow]:
    async with open_database(settings, shared=True) as db:
        return await _dead_letters(db, settings).all()


async def _retry(settings: Settings, row_id: str) -> bool:
    async with open_database(settings, shared=True) as db:
        return await _dead_letters(db, settings).retry(row_id)


def _dead_letters(db: Database, settings: Settings) -> DeadLetters:
    stores = Stores.over(db, settings)
    return DeadLetters(stores.inbox, stores.conversations)
