"""What is stored about a subject, as plain values with lasting names: for whoever runs the bot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from app.domain.evidence import Span
from app.domain.profile import Profile, SubjectLine
from app.domain.record import ArchivedRecord, Lineage, Mood, Record, RecordEnd, Trait
from app.memory.effects import owed_archive, owed_lineage
from app.memory.normalise import content_hash

Report = dict[str, Any]

FORGOTTEN = "forgotten"
WHY = {
    RecordEnd.SUPERSEDED: "something else took its place",
    RecordEnd.REFINED: "the same, said another way",
    RecordEnd.MERGED: "joined to a record that says the same",
    RecordEnd.EVICTED: "dropped to make room",
    RecordEnd.EXPIRED: "its time was over",
    RecordEnd.UNSUPPORTED: "the words it rested on were edited away",
}
_WHY_FORGOTTEN = "forgotten on the person's word, or taken back; its text is gone"


def subject_report(line: SubjectLine, now: datetime) -> Report:
    """A line of the list of subjects: numbers and times, no text."""
    return {
        "subject": line.subject,
        "active": line.active(now),
        "generation": line.generation,
        "updated_at": _time(line.updated_at),
        "last_interaction_at": _time(line.last_interaction_at),
    }


def active_report(profile: Profile, now: datetime) -> Report:
    """Everything that is active, with the words it rests on."""
    active = [r for r in profile.records if r.expires_at is None or r.expires_at > now]
    kinds = {"facts": "fact", "beliefs": "belief", "events": "event"}
    return {
        "subject": profile.subject,
        "generation": profile.generation,
        "last_interaction_at": _time(profile.last_interaction_at),
        **{
            name: [record_report(record) for record in active if record.kind == kind]
            for name, kind in kinds.items()
        },
        "insights": [
            {"id": i.id, "text": i.text, "sources": list(i.sources), "at": _time(i.created_at)}
            for i in profile.insights
        ],
        "summary": [{"text": s.text, "sources": list(s.sources)} for s in profile.summary],
        "style": _trait(profile.style),
        "gender": _trait(profile.gender),
        "timezone": _trait(profile.timezone),
        "mood": _mood(profile.emotional_state),
        "pending": len(profile.pending_effects),
    }


def record_report(record: Record) -> Report:
    """One record."""
    return {
        "id": record.id,
        "kind": record.kind.value,
        "text": record.text,
        "value": record.value,
        "class": record.memory_class.value,
        "category": record.category.value if record.category else None,
        "confidence": record.confidence,
        "confidence_reason": record.confidence_reason,
        "source": record.source_quality,
        "sensitivity": record.sensitivity,
        "pinned": record.pinned,
        "event_date": record.event_date,
        "expires_at": _time(record.expires_at),
        "created_at": _time(record.created_at),
        "updated_at": _time(record.updated_at),
        "generation": record.generation,
        "evidence": _words(record.evidence),
    }


def history_report(profile: Profile, stored: Iterable[ArchivedRecord]) -> list[Report]:
    """What memory let go of, newest first; of what was forgotten only when.

    Rows that the profile still owes to the archive are among them.
    """
    rows = {row.id: row for row in (*stored, *owed_archive(profile))}
    known = {
        (row.ended_at, content_hash(profile.subject, row.record.text)) for row in rows.values()
    }
    gone = [
        {
            "at": _time(stone.at),
            "end": FORGOTTEN,
            "why": _WHY_FORGOTTEN,
            "replaced_by": None,
            "generation": None,
            "record": None,
        }
        for stone in profile.tombstones
        if (stone.at, stone.content_hash) not in known
    ]
    archived: list[Report] = [
        {
            "at": _time(row.ended_at),
            "end": row.end.value,
            "why": WHY[row.end],
            "replaced_by": row.replaced_by,
            "generation": row.generation,
            "record": record_report(row.record),
        }
        for row in sorted(rows.values(), key=lambda row: row.generation)
    ]
    oldest_first = sorted([*archived, *gone], key=lambda entry: str(entry["at"]))
    return oldest_first[::-1]


def lineage_report(
    profile: Profile, stored: Iterable[Lineage], record: str | None = None
) -> list[Report]:
    """The steps by which records came from one another, oldest first.

    With `record`: those of its whole chain, before and after it.
    """
    steps = list({step.id: step for step in (*stored, *owed_lineage(profile))}.values())
    steps.sort(key=lambda step: (step.at, step.id))
    chain = None if record is None else _chain(record, steps)
    return [
        {
            "at": _time(step.at),
            "kind": step.kind.value,
            "record": step.record,
            "predecessor": step.predecessor,
            "predecessor_digest": step.predecessor_digest,
            "predecessor_generation": step.predecessor_generation,
            "id": step.id,
        }
        for step in steps
        if chain is None or step.predecessor in chain or step.record in chain
    ]


def _chain(record: str, steps: Sequence[Lineage]) -> set[str]:
    """All records that one came from or became, by any number of steps."""
    chain, size = {record}, 0
    while size != len(chain):
        size = len(chain)
        for step in steps:
            ends = {step.predecessor, *((step.record,) if step.record else ())}
            if chain & ends:
                chain |= ends
    return chain


def _trait(trait: Trait | None) -> Report | None:
    if trait is None:
        return None
    return {
        "value": trait.value,
        "updated_at": _time(trait.updated_at),
        "evidence": _words(trait.evidence),
    }


def _mood(mood: Mood | None) -> Report | None:
    if mood is None:
        return None
    return {
        "mood": mood.mood,
        "intensity": mood.intensity,
        "trigger": mood.trigger,
        "at": _time(mood.detected_at),
        "evidence": _words(mood.evidence),
    }


def _words(spans: Sequence[Span]) -> list[Report]:
    return [
        {
            "quote": span.quote,
            "said_at": _time(span.said_at),
            "conversation": span.conversation,
            "message": span.seq,
            "message_id": span.message_id,
        }
        for span in spans
    ]


def _time(at: datetime | None) -> str | None:
    return at.isoformat(timespec="milliseconds") if at else None
