"""`thinkmate jobs`: the durable background work."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.bootstrap import Stores, open_database
from app.cli.prepared import prepared_settings
from app.clock import Clock
from app.config import Settings
from app.domain.job import Job, JobStatus
from app.errors import ConfigError

app = typer.Typer(
    help="Background work on memory: what waits, what runs, what was given up.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(highlight=False)


@app.command("list")
def list_jobs(
    subject: Annotated[int | None, typer.Option(help="Only this person's.")] = None,
) -> None:
    """List jobs, oldest first.

    Example: `thinkmate jobs list --subject 1001`
    """
    _show(asyncio.run(_jobs(prepared_settings(), None, subject)), "No jobs.")


@app.command("dead")
def dead() -> None:
    """List jobs that were given up.

    Example: `thinkmate jobs dead`
    """
    _show(asyncio.run(_jobs(prepared_settings(), "dead", None)), "No dead jobs.")


@app.command("retry")
def retry(
    job_id: Annotated[str, typer.Argument(help="The id that `thinkmate jobs dead` shows.")],
) -> None:
    """Let a dead job run again.

    Example: `thinkmate jobs retry compress:1001`
    """
    if not asyncio.run(_retry(prepared_settings(), job_id)):
        raise ConfigError(f"no dead job has the id {job_id}; see: thinkmate jobs dead")
    console.print(f"{job_id} runs again.")


def _show(jobs: list[Job], none: str) -> None:
    if not jobs:
        console.print(none)
        return
    table = Table("Id", "Status", "Next run (UTC)", "Attempts", "Error")
    for job in jobs:
        table.add_row(
            job.id,
            job.status,
            f"{job.run_at:%Y-%m-%d %H:%M:%S}",
            str(job.attempts),
            job.last_error or "",
        )
    console.print(table)


async def _jobs(settings: Settings, status: JobStatus | None, subject: int | None) -> list[Job]:
    async with open_database(settings, shared=True) as db:
        return await Stores.over(db, settings).jobs.all(status, subject)


async def _retry(settings: Settings, job_id: str) -> bool:
    async with open_database(settings, shared=True) as db:
        return await Stores.over(db, settings).jobs.retry(job_id, Clock().now())
