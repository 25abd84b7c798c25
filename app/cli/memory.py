"""`thinkmate memory`: what is remembered of whom, on what words, and what became of the rest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, TypeVar

import typer

from app.bootstrap import Stores, open_database
from app.cli import memory_lines
from app.cli.prepared import prepared_settings
from app.clock import Clock
from app.domain.profile import Profile
from app.errors import ConfigError
from app.services.memory_report import (
    Report,
    active_report,
    history_report,
    lineage_report,
    subject_report,
)

app = typer.Typer(
    help="What is remembered: of whom, on what words, what it replaced. Nothing is changed.",
    no_args_is_help=True,
    add_completion=False,
)

T = TypeVar("T")
Subject = Annotated[
    int, typer.Argument(help="A person's id, as `thinkmate memory subjects` shows it.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="At most so many.")]


@app.command("subjects")
def subjects(
    after: Annotated[int | None, typer.Option(help="Go on after this subject.")] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List whom there is a profile of, in the order of their ids; no words of theirs.

    Example: `thinkmate memory subjects --limit 20 --after 1001`
    """

    async def read(stores: Stores) -> list[Report]:
        now = Clock().now()
        lines = await stores.profiles.page(after, limit + 1)
        return [subject_report(line, now) for line in lines]

    found = _read(read)
    page = found[:limit]
    more = page[-1]["subject"] if len(found) > limit else None
    if as_json:
        _print_json({"subjects": page, "next_after": more})
    else:
        memory_lines.print_subjects(page, more)


@app.command("show")
def show(subject: Subject, as_json: AsJson = False) -> None:
    """Print what is active in a subject's memory, each with the words it rests on.

    Example: `thinkmate memory show 1001`
    """

    async def read(stores: Stores) -> Report:
        return active_report(await _profile(stores, subject), Clock().now())

    _print(_read(read), memory_lines.active, as_json)


@app.command("history")
def history(subject: Subject, limit: Limit = 50, as_json: AsJson = False) -> None:
    """Print what a subject's memory let go of, newest first: when and why.

    Of what was forgotten only the time is left.

    Example: `thinkmate memory history 1001 --limit 10`
    """

    async def read(stores: Stores) -> list[Report]:
        profile = await _profile(stores, subject)
        return history_report(profile, await stores.archive.newest(subject, limit))[:limit]

    _print(_read(read), memory_lines.history, as_json)


@app.command("lineage")
def lineage(
    subject: Subject,
    record: Annotated[
        str | None,
        typer.Argument(help="Only the chain of this record, as `thinkmate memory show` names it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print how records came from one another, oldest first: what corrected or replaced what.

    Examples: `thinkmate memory lineage 1001`, `thinkmate memory lineage 1001 m0123456789abcde`
    """

    async def read(stores: Stores) -> list[Report]:
        profile = await _profile(stores, subject)
        steps = lineage_report(profile, await stores.lineage.of_subject(subject), record)
        if record is not None and not steps and not await _is_known(stores, profile, record):
            raise ConfigError(
                f"subject {subject} has no record {record}; "
                f"see: thinkmate memory show {subject}, thinkmate memory history {subject}"
            )
        return steps

    _print(_read(read), memory_lines.lineage, as_json)


async def _profile(stores: Stores, subject: int) -> Profile:
    profile = await stores.profiles.read(subject)
    if profile is None:
        raise ConfigError(f"there is no profile of {subject}; see: thinkmate memory subjects")
    return profile


async def _is_known(stores: Stores, profile: Profile, record: str) -> bool:
    if profile.record(record) is not None:
        return True
    return bool(await stores.archive.of_record(profile.subject, record))


def _read(look: Callable[[Stores], Awaitable[T]]) -> T:
    """What `look` finds in the database of the settings, also while the bot runs."""

    async def run() -> T:
        async with open_database(settings, shared=True) as db:
            return await look(Stores.over(db, settings))

    settings = prepared_settings()
    return asyncio.run(run())


def _print(found: T, lines: Callable[[T], Sequence[str]], as_json: bool) -> None:
    if as_json:
        _print_json(found)
    else:
        for line in lines(found):
            typer.echo(line)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=2))
