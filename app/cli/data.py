"""`thinkmate backup` and `thinkmate restore`: everything the database holds, in one file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from app.bootstrap import open_database
from app.cli.prepared import prepared_settings
from app.clock import Clock
from app.config import Settings
from app.services import backup as backups
from app.services.backup import BackupReport, DatabaseNotEmpty

console = Console(highlight=False, soft_wrap=True)


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the backup.")],
) -> None:
    """Write everything the database holds to FILE, readable by you alone. The bot may run.

    Example: `thinkmate backup thinkmate-2026-03-01.backup`
    """
    report = asyncio.run(_backup(prepared_settings(), file))
    console.print(f"{sum(report.counts.values())} documents written to {report.path}")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `thinkmate backup` wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace what the database holds now.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask before replacing.")] = False,
) -> None:
    """Read FILE back into the database. Refuses a database that is not empty. Stop the bot first.

    FILE is checked whole before anything is written. Examples: `thinkmate restore my.backup`,
    `thinkmate restore my.backup --force`
    """
    settings = prepared_settings()
    if force and not yes:
        typer.confirm("Everything the database holds now will be deleted. Go on?", abort=True)
    report = asyncio.run(_restore(settings, file, force))
    console.print(
        f"{sum(report.counts.values())} documents restored from {report.path} "
        f"(written {report.created_at} by version {report.app_version})"
    )


async def _backup(settings: Settings, file: Path) -> BackupReport:
    async with open_database(settings, shared=True) as db:
        return await backups.backup(
            db, file, app_version=version("thinkmate"), now=Clock().now(), on_progress=_progress
        )


async def _restore(settings: Settings, file: Path, force: bool) -> BackupReport:
    async with open_database(settings) as db:
        try:
            return await backups.restore(
                db, file, force=force, on_loss=_loss, on_progress=_progress
            )
        except DatabaseNotEmpty as error:
            console.print("To replace what it holds, run the same command with --force.")
            raise error


def _progress(collection: str, count: int) -> None:
    console.print(f"  {collection}: {count}")


def _loss(counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        console.print(f"  deleting {count} documents of {name}")
