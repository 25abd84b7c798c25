"""The memory card beside a chat: what is remembered now, and what happened to it just now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from app.clock import Clock
from app.database.archive import ArchiveStore
from app.database.profiles import ProfileStore
from app.domain.evidence import Span
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.profile import Profile
from app.domain.record import ArchivedRecord, Record
from app.memory.effects import owed_archive
from app.memory.undo import undoable
from app.services.memory_hand import UNDO
from app.services.profile_page import NOTHING, about, mood, note, sections

Card = dict[str, Any]
Part = dict[str, str]

RECENT = 8
ARCHIVE_READ = 100

_WHAT = {
    OutcomeKind.ADD: "Saved",
    OutcomeKind.UPDATE: "Updated",
    OutcomeKind.SUPERSEDE: "Replaced",
    OutcomeKind.NOOP: "Nothing new",
    OutcomeKind.REJECT: "Not saved",
}
_WHY = {
    Reason.DUPLICATE_OF_ACTIVE_RECORD: "I knew that already",
    Reason.ALREADY_APPLIED: "I knew that already",
    Reason.OLDER_THAN_CURRENT_VALUE: "you told me something newer",
    Reason.UNSUPPORTED_BY_SOURCE: "I don't find it in your words",
    Reason.AMBIGUOUS_REFERENT: "I'm not sure what it is about",
    Reason.FORGOTTEN_BEFORE: "you asked me to forget that",
    Reason.ALREADY_EXPIRED: "its time is over already",
    Reason.SECRET_MATERIAL_DETECTED: "it looks like a secret",
    Reason.EXPLICIT_EXCLUSION_SIGNAL: "you asked me not to",
    Reason.INSTRUCTION_SHAPED_CONTENT: "it reads like an instruction, not a fact",
    Reason.LOW_CONFIDENCE: "I'm not sure enough",
    Reason.NON_DURABLE_CLASS: "it isn't something to keep",
    Reason.MALFORMED_MODEL_OUTPUT: "the model's note made no sense",
    Reason.OVER_TURN_LIMIT: "that was too much at once",
}
_WHY_NOT_FORGOTTEN = {
    Reason.NOTHING_TO_FORGET: "there is no note of that",
    Reason.UNKNOWN_TARGET: "there is no note of that",
    Reason.SEVERAL_MATCHES: "more than one note fits",
    Reason.NO_SPECIFIC_TARGET: "I don't know which note you mean",
}


class MemoryCard:
    """Reads what a card shows: one round trip while nothing changed, two when something did."""

    def __init__(
        self, profiles: ProfileStore, archive: ArchiveStore, default_zone: str, clock: Clock
    ) -> None:
        self._profiles = profiles
        self._archive = archive
        self._default_zone = default_zone
        self._clock = clock
        self._archived: dict[int, tuple[tuple[int, int, int], list[ArchivedRecord]]] = {}

    async def of(self, subject: int) -> Card:
        """The card of a subject; a friendly empty one when nothing is known."""
        profile = await self._profiles.read(subject) or Profile(subject=subject)
        state = (profile.epoch, profile.generation, len(profile.pending_effects))
        known, archived = self._archived.get(subject, (None, []))
        if known != state:
            archived = await self._archive.newest(subject, ARCHIVE_READ)
            self._archived[subject] = (state, archived)
        zone = profile.timezone.value if profile.timezone else self._default_zone
        return card(profile, archived, self._clock.now(), ZoneInfo(zone))


def card(
    profile: Profile, archived: Iterable[ArchivedRecord], now: datetime, zone: ZoneInfo
) -> Card:
    """The card: groups of records as in /profile, then the last outcomes, newest first.

    A text comes in parts; one marked "old" is no longer so and shown struck through.
    """
    rows = {row.id: row for row in (*archived, *owed_archive(profile))}
    gone = sorted(rows.values(), key=lambda row: row.generation)
    groups = [
        _lines("About you", about(profile)),
        *(
            {"title": title, "items": [_item(record, gone, now, zone) for record in records]}
            for title, records in sections(profile, now)
        ),
        _lines("How you feel", [mood(profile)] if profile.emotional_state else []),
        _lines("My guesses", [insight.text for insight in profile.insights]),
    ]
    recent = [_event(outcome, profile, gone, now, zone) for outcome in profile.recent_outcomes]
    return {
        "empty": NOTHING,
        "groups": [group for group in groups if group["items"]],
        "recent": recent[-RECENT:][::-1],
    }


def compared(old: str, new: str) -> list[Part]:
    """Two texts as one, in parts: what both have, what only the old had, what only the new has."""
    before, after = old.split(), new.split()
    shortest = min(len(before), len(after))
    first = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    last = next(
        (i for i in range(shortest - first) if before[-1 - i] != after[-1 - i]), shortest - first
    )
    parts = [
        ("same", after[:first]),
        ("old", before[first : len(before) - last]),
        ("new", after[first : len(after) - last]),
        ("same", after[len(after) - last :]),
    ]
    return [{"mark": mark, "text": " ".join(words)} for mark, words in parts if words]


def _item(
    record: Record, gone: Sequence[ArchivedRecord], now: datetime, zone: ZoneInfo
) -> dict[str, Any]:
    was = _was(record, gone)
    return {
        "id": f"{record.id}:{record.generation}",
        "parts": compared(was.text if was else record.text, record.text),
        "note": note(record, now, zone),
        "pinned": record.pinned,
    }


def _was(record: Record, gone: Sequence[ArchivedRecord]) -> Record | None:
    """What stood in a record's place before, unless that was itself taken back."""
    for row in reversed(gone):
        if row.replaced_by != record.id or row.record.text == record.text:
            continue
        came_from_it = any(
            other.record.id == record.id
            and other.replaced_by == row.record.id
            and other.generation < row.generation
            for other in gone
        )
        return None if came_from_it else row.record
    return None


def _event(
    outcome: Outcome,
    profile: Profile,
    gone: Sequence[ArchivedRecord],
    now: datetime,
    zone: ZoneInfo,
) -> dict[str, Any]:
    possible = outcome.kind is OutcomeKind.ADD or bool(outcome.replaced)
    can_undo = possible and undoable(outcome, profile.recent_outcomes, list(profile.records))
    before = _before(outcome, gone)
    return {
        "id": outcome.id,
        "what": _what(outcome),
        "changed": outcome.changed,
        "parts": compared(before or outcome.text, outcome.text),
        "quote": _quote(outcome.evidence),
        "at": _moment(outcome.at, now, zone),
        "undo": f"{UNDO}{outcome.id}" if can_undo else None,
    }


def _what(outcome: Outcome) -> str:
    if outcome.proposal is not None:
        return "I'll ask you before I keep this"
    if Reason.FORGET_REQUESTED in outcome.reasons and outcome.changed:
        return "Forgotten"
    if Reason.TAKEN_BACK in outcome.reasons:
        return "Taken back"
    if outcome.reasons[0] in _WHY_NOT_FORGOTTEN:
        return f"Not forgotten: {_WHY_NOT_FORGOTTEN[outcome.reasons[0]]}"
    what = _WHAT[outcome.kind]
    why = "" if outcome.changed else _WHY.get(outcome.reasons[0], "")
    return f"{what}: {why}" if why else what


def _before(outcome: Outcome, gone: Sequence[ArchivedRecord]) -> str:
    """The text that an outcome replaced; of one that took back, what it took back."""
    if outcome.before or not outcome.text or Reason.TAKEN_BACK not in outcome.reasons:
        return outcome.before
    taken = [row.record.text for row in gone if row.record.id in outcome.replaced]
    return taken[-1] if taken else ""


def _quote(spans: Sequence[Span]) -> str:
    return " … ".join(" ".join(span.quote.split()) for span in spans if span.quote)


def _moment(at: datetime, now: datetime, zone: ZoneInfo) -> str:
    local = at.astimezone(zone)
    today = local.date() == now.astimezone(zone).date()
    return f"{local:%H:%M}" if today else f"{local.day} {local:%b}, {local:%H:%M}"


def _lines(title: str, lines: Sequence[str]) -> dict[str, Any]:
    items = [
        {"id": line, "parts": compared(line, line), "note": "", "pinned": False} for line in lines
    ]
    return {"title": title, "items": items}
