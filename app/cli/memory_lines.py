"""Reports of memory as lines for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.table import Table

from app.services.memory_report import Report

LISTS = {"facts": "Facts", "beliefs": "Beliefs", "events": "Events"}
DIGEST_SHOWN = 12


def print_subjects(page: Sequence[Report], more: int | None) -> None:
    """The list of subjects as a table, and how to go on."""
    console = Console(highlight=False)
    if not page:
        console.print("No profiles.")
        return
    table = Table("Subject", "Active records", "Memory changed (UTC)", "Last wrote (UTC)")
    for line in page:
        table.add_row(
            str(line["subject"]),
            str(line["active"]),
            _when(line["updated_at"]),
            _when(line["last_interaction_at"]),
        )
    console.print(table)
    if more is not None:
        console.print(f"There are more: thinkmate memory subjects --after {more}")


def active(report: Report) -> list[str]:
    """What is active, in its groups."""
    lines = [f"Subject {report['subject']}, generation {report['generation']} (times in UTC)"]
    for name, title in LISTS.items():
        if report[name]:
            lines += ["", title, *(line for record in report[name] for line in _record(record))]
    if report["summary"]:
        lines += ["", "Summary"]
        lines += [
            f"  {_one_line(s['text'])} ({', '.join(s['sources'])})" for s in report["summary"]
        ]
    if report["insights"]:
        lines += ["", "Guesses"]
        lines += [_resting(insight) for insight in report["insights"]]
    about = _about(report)
    if about:
        lines += ["", "Person", *about]
    return lines if len(lines) > 1 else [*lines, "Nothing is remembered."]


def history(entries: Sequence[Report]) -> list[str]:
    """What is no longer active, a few lines each."""
    if not entries:
        return ["Memory has let go of nothing yet."]
    lines = []
    for entry in entries:
        record, by = entry["record"], entry["replaced_by"]
        after = f" by {by}" if by and (record is None or by != record["id"]) else ""
        lines.append(f"{_when(entry['at'])}  {entry['end']}{after}: {entry['why']}")
        lines += _record(record) if record else []
    return lines


def lineage(steps: Sequence[Report]) -> list[str]:
    """One line a step."""
    if not steps:
        return ["No record here came from another."]
    return [
        f"{_when(step['at'])}  {step['record'] or 'nothing'} {step['kind']} {step['predecessor']}"
        f" (generation {step['predecessor_generation']},"
        f" digest {step['predecessor_digest'][:DIGEST_SHOWN]})"
        for step in steps
    ]


def _record(record: Report) -> list[str]:
    notes = [record["class"], f"confidence {record['confidence']:.2f}"]
    notes += [record["event_date"]] if record["event_date"] else []
    notes += [f"until {_when(record['expires_at'])}"] if record["expires_at"] else []
    notes += ["pinned"] if record["pinned"] else []
    notes.append(f"changed {_when(record['updated_at'])}")
    return [
        f"  {record['id']}  {_one_line(record['text'])}",
        f"    {', '.join(notes)}",
        *_evidence(record),
    ]


def _resting(report: Report) -> str:
    """A sentence and the records it rests on."""
    name = f"{report['id']}  " if "id" in report else ""
    return f"  {name}{_one_line(report['text'])} ({', '.join(report['sources'])})"


def _about(report: Report) -> list[str]:
    lines = []
    for name in ("style", "gender", "timezone"):
        trait = report[name]
        if trait:
            said = _evidence(trait) or ["    set by a button"]
            lines += [f"  {name}: {_one_line(trait['value'])}, {_when(trait['updated_at'])}", *said]
    mood = report["mood"]
    if mood:
        lines.append(f"  mood: {_one_line(mood['mood'])}, {_when(mood['at'])}")
        lines += _evidence(mood)
    return lines


def _evidence(report: Report) -> list[str]:
    return [
        f"    “{_one_line(span['quote'])}”, {_when(span['said_at'])}" for span in report["evidence"]
    ]


def _when(at: str | None) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M}" if at else ""


def _one_line(text: str) -> str:
    """A person's text without line breaks, and without what steers a terminal."""
    flat = " ".join(text.split())
    return "".join(c for c in flat if unicodedata.category(c) not in ("Cc", "Cf") or c == "\u200d")
