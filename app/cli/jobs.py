"""`thinkmate jobs`: the durable background work."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
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

SHOWN = {
    "id",
    "kind",
    "subject",
    "conversation",
    "status",
    "run_at",
    "created_at",
    "attempts",
    "last_error",
    "failures",
}
"""What `--json` tells of a job: nothing that a person or a model wrote."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Limit = Annotated[int, typer.Option(min=1, help="At most so many.")]


@app.command("list")
def list_jobs(
    status: Annotated[JobStatus | None, typer.Option(help="Only those that stand so.")] = None,
    subject: Annotated[int | None, typer.Option(help="Only this person's.")] = None,
    limit: Limit = 200,
    as_json: AsJson = False,
) -> None:
    """List jobs in the order of their next run.

    Example: `thinkmate jobs list --status waiting --subject 1001`
    """
    jobs = asyncio.run(_jobs(prepared_settings(), status, subject, limit))
    _show(jobs, "No jobs.", as_json)


@app.command("dead")
def dead(limit: Limit = 200, as_json: AsJson = False) -> None:
    """List jobs that were given up.

    Example: `thinkmate jobs dead`
    """
    _show(asyncio.run(_jobs(prepared_settings(), "dead", None, limit)), "No dead jobs.", as_json)


@app.command("retry")
def retry(
    job_id: Annotated[
        str | None, typer.Argument(help="The id that `thinkmate jobs dead` shows.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All dead jobs.")] = False,
) -> None:
    """Let a dead job run again: within seconds where the bot runs, else at its next start.

    Example: `thinkmate jobs retry compress:1001`
    """
    if every == (job_id is not None):
        raise ConfigError("name one job, or --all; see: thinkmate jobs dead")
    retried = asyncio.run(_retry(prepared_settings(), job_id))
    if job_id is not None and not retried:
        raise ConfigError(f"no dead job has the id {job_id}; see: thinkmate jobs dead")
    for name in retried:
        console.print(f"{name} runs again.", markup=False)
    if not retried:
        console.print("No dead jobs.")


def _show(jobs: Sequence[Job], none: str, as_json: bool) -> None:
    if as_json:
        rows = [job.model_dump(mode="json", include=SHOWN) for job in jobs]
        typer.echo(json.dumps(rows, indent=2))
        return
    if not jobs:
        console.print(none)
        return
    table = Table("Id", "Status", "Next run (UTC)", "Attempts", "Error")
    for job in jobs:
        table.add_row(
            job.id,
            job.status,
            f"{job.run_at:%Y-%m-%d %H:%M:%S}" if job.status != "done" else "",
            str(job.attempts),
            job.last_error or "",
        )
    console.print(table)


async def _jobs(
    settings: Settings, status: JobStatus | None, subject: int | None, limit: int
) -> list[Job]:
    async with open_database(settings, shared=True) as db:
        return await Stores.over(db, settings).jobs.all(status, subject, limit)


async def _retry(settings: Settings, job_id: str | None) -> list[str]:
    """The ids of the jobs that run again: the one that was named, or all dead ones."""
    async with open_database(settings, shared=True) as db:
        jobs, now = Stores.over(db, settings).jobs, Clock().now()
        if job_id is not None:
            return [job_id] if await jobs.retry(job_id, now) else []
        retried: list[str] = []
        while dead := await jobs.all("dead"):
            retried += [job.id for job in dead if await jobs.retry(job.id, now)]
        return retried
