"""The memory block: what is remembered, as the model is told, never larger than its budget."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from app.domain.conversation import Frozen
from app.domain.profile import Profile
from app.domain.record import PRIVATE, Record
from app.memory.mood import trend
from app.memory.ranking import ranked

OPEN, CLOSE = "<memory>", "</memory>"
EMPTY = "Nothing is remembered about this person yet."
NO_INSIGHTS = "(No long-term insights yet)"
_SHARES = {"facts": 0.45, "beliefs": 0.15, "events": 0.25, "insights": 0.10}
_FRAME = 200


class Block(Frozen):
    """The text, the ids of the records in it, and whether there was more than the budget holds."""

    text: str
    used: tuple[str, ...] = ()
    over_budget: bool = False
    full_chars: int = 0


def compile_block(profile: Profile, *, now: datetime, zone: str, scope: str, budget: int) -> Block:
    """What may be said in a conversation of this scope, most important first.

    In a person's own DM that is everything; elsewhere only what was learned there.
    """
    own = scope == PRIVATE
    today = now.astimezone(ZoneInfo(zone)).date()
    visible = [r for r in profile.records if own or r.scope == scope]
    order = ranked(visible, now, today)
    lists = {
        "facts": [r for r in order if r.kind == "fact"],
        "beliefs": [r for r in order if r.kind == "belief"],
        "events": [r for r in order if r.kind == "event"],
    }
    head = _profile_lines(profile, zone) if own else []
    mood = _mood_lines(profile) if own else []
    insights = [f"- {_safe(insight.text)}" for insight in profile.insights] if own else []
    if not order and not mood and not insights and not _known(profile):
        return Block(text=f"{OPEN}\n{EMPTY}\n{CLOSE}", full_chars=0)
    room = budget - _FRAME - sum(len(line) + 1 for line in (*head, *mood))
    lines = {name: [(r.id, _line(r)) for r in rows] for name, rows in lists.items()}
    lines["insights"] = [("", line) for line in insights]
    full = sum(len(text) + 1 for rows in lines.values() for _, text in rows)
    chosen = _shared_out(lines, max(0, room))
    shown = {record.id: record for record in order}
    events = sorted(chosen["events"], key=lambda row: (shown[row[0]].event_date or "9", row[0]))
    parts = [
        *(["=== USER PROFILE ===", *head] if head else []),
        *_section("FACTS", chosen["facts"]),
        *_section("BELIEFS", chosen["beliefs"]),
        *_section("LIFE EVENTS", events),
        *(["=== CURRENT MOOD ===", *mood] if mood else []),
    ]
    if own:
        guesses = [text for _, text in chosen["insights"]] or [NO_INSIGHTS]
        parts += ["=== BEHAVIORAL INSIGHTS (guesses, not facts) ===", *guesses]
    body = "\n".join(parts)
    text = f"{OPEN}\n{body[: budget - len(OPEN) - len(CLOSE) - 2]}\n{CLOSE}"
    return Block(
        text=text,
        used=tuple(row[0] for rows in chosen.values() for row in rows if row[0]),
        over_budget=full > room,
        full_chars=full + budget - room,
    )


def _known(profile: Profile) -> bool:
    return bool(profile.summary or profile.style or profile.gender or profile.timezone)


def _profile_lines(profile: Profile, zone: str) -> list[str]:
    lines = []
    if profile.summary:
        lines.append("Summary: " + " ".join(_safe(s.text) for s in profile.summary)[:1_500])
    if profile.style:
        lines.append(f"Style: {_safe(profile.style.value)}")
    lines.append(f"Gender: {profile.gender.value if profile.gender else 'Unknown'}")
    if profile.timezone:
        lines.append(f"Time zone: {zone}")
    return lines


def _mood_lines(profile: Profile) -> list[str]:
    mood = profile.emotional_state
    if mood is None:
        return []
    because = f" ({_safe(mood.trigger)[:200]})" if mood.trigger else ""
    lines = [f"{mood.mood}, {mood.intensity:.1f}, {mood.detected_at:%Y-%m-%d}{because}"]
    if len(profile.mood_history) > 1:
        lines.append(f"Trend: {trend(profile.mood_history)}")
    return [_safe(line)[:400] for line in lines]


def _line(record: Record) -> str:
    said = max(span.said_at for span in record.evidence)
    notes = [f"said {said:%Y-%m-%d}"]
    if record.event_date:
        notes.insert(0, record.event_date)
    if record.expires_at:
        notes.append(f"until {record.expires_at:%Y-%m-%d}")
    if record.epistemic == "inferred":
        notes.append("inferred")
    return f'- [{record.id}] "{_safe(record.text)[:600]}" ({", ".join(notes)})'


def _section(title: str, rows: Sequence[tuple[str, str]]) -> list[str]:
    return [f"=== {title} ===", *(text for _, text in rows)] if rows else []


def _shared_out(
    lines: dict[str, list[tuple[str, str]]], room: int
) -> dict[str, list[tuple[str, str]]]:
    """Each section's first lines up to its share, then what is left to whoever has more."""
    chosen: dict[str, list[tuple[str, str]]] = {name: [] for name in lines}
    left = room
    for name, rows in lines.items():
        share = int(room * _SHARES[name])
        for row in rows:
            cost = len(row[1]) + 1
            if cost > share or cost > left:
                break
            chosen[name].append(row)
            share -= cost
            left -= cost
    for name, rows in lines.items():
        for row in rows[len(chosen[name]) :]:
            cost = len(row[1]) + 1
            if cost > left:
                break
            chosen[name].append(row)
            left -= cost
    return chosen


def _safe(text: str) -> str:
    """One line that can't close the fence."""
    flat = " ".join(text.split())
    return flat.replace(CLOSE, "(/memory)").replace(OPEN, "(memory)")
