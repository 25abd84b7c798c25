"""The page of /profile: what is remembered, in the person's own words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from app.domain.conversation import OutboxRow
from app.domain.inbox import Incoming
from app.domain.profile import Profile
from app.domain.record import Record
from app.memory.mood import trend
from app.services.memory_hand import GENDER
from app.services.rendering import plain

NOTHING = "I don't remember anything about you yet. Tell me something, like: my dog is called Rex"
ADDRESSING = "Tap below how I should speak of you:"
_ADDRESSES = (("She", "female"), ("He", "male"), ("They", "non-binary"), ("Don't assume", ""))


def profile_rows(
    incoming: Incoming, profile: Profile | None, now: datetime, default_zone: str
) -> tuple[OutboxRow, ...]:
    """One row with the page in as many parts as it takes; a tap says how to be addressed."""
    zone = profile.timezone.value if profile and profile.timezone else default_zone
    text = _page(profile or Profile(subject=incoming.sender_id), now, ZoneInfo(zone))
    gender = profile.gender.value if profile and profile.gender else ""
    buttons = tuple(
        (f"{label} ✓" if value == gender else label, f"{GENDER}{value}")
        for label, value in _ADDRESSES
    )
    row = OutboxRow(
        id=f"note:{incoming.update_id}",
        chat_id=incoming.chat_id,
        thread_id=incoming.thread_id,
        parts=plain(text),
        buttons=(buttons[:3], buttons[3:]),
        created_at=now,
    )
    return (row,)


def sections(profile: Profile, now: datetime) -> list[tuple[str, list[Record]]]:
    """The active records in the groups in which they are shown."""
    active = [r for r in profile.records if r.expires_at is None or r.expires_at > now]
    events = _in_order([r for r in active if r.kind == "event"])
    return [
        ("Facts", [r for r in active if r.kind == "fact"]),
        ("Beliefs", [r for r in active if r.kind == "belief"]),
        ("Events", events),
    ]


def about(profile: Profile) -> list[str]:
    """The summary and what is known of the person's ways, a line each."""
    lines = [sentence.text for sentence in profile.summary]
    if profile.style:
        lines.append(f"How you like to talk: {profile.style.value}")
    if profile.gender:
        lines.append(f"Gender: {profile.gender.value}")
    if profile.timezone:
        lines.append(f"Time zone: {profile.timezone.value}")
    return lines


def mood(profile: Profile) -> str:
    """How the person feels, in one line; empty when that isn't known."""
    if profile.emotional_state is None:
        return ""
    line = f"Mood: {profile.emotional_state.mood}"
    if len(profile.mood_history) > 1:
        line += f" ({trend(profile.mood_history)})"
    return line


def note(record: Record, now: datetime, zone: ZoneInfo) -> str:
    """Where a record comes from and how long it holds: "you said so 7 Dec"."""
    said = max(span.said_at for span in record.evidence)
    notes = [f"you said so {_day(said, now, zone)}"]
    if record.epistemic == "inferred":
        notes = [f"my conclusion, {_day(said, now, zone)}"]
    if record.event_date:
        notes.insert(0, record.event_date)
    if record.expires_at:
        notes.append(f"until {_day(record.expires_at, now, zone)}")
    return ", ".join(notes)


def _page(profile: Profile, now: datetime, zone: ZoneInfo) -> str:
    groups = [
        _list(title, [_line(record, now, zone) for record in records])
        for title, records in sections(profile, now)
    ]
    guesses = _list("My guesses", [insight.text for insight in profile.insights])
    parts = ["\n".join(about(profile)), *groups, mood(profile), guesses]
    shown = [part for part in parts if part]
    said = ["What I remember about you", *shown] if shown else [NOTHING]
    return "\n\n".join([*said, ADDRESSING])


def _in_order(events: Sequence[Record]) -> list[Record]:
    return sorted(events, key=lambda event: event.event_date or "9999")


def _list(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"• {line}" for line in lines)]) if lines else ""


def _line(record: Record, now: datetime, zone: ZoneInfo) -> str:
    pin = "📌 " if record.pinned else ""
    return f"{pin}{' '.join(record.text.split())} ({note(record, now, zone)})"


def _day(at: datetime, now: datetime, zone: ZoneInfo) -> str:
    local, today = at.astimezone(zone), now.astimezone(zone)
    year = "" if local.year == today.year else f" {local.year}"
    return f"{local.day} {local:%b}{year}"
