"""Answers without a model: what a turn did to memory, and plain questions about what is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from app.domain.conversation import Frozen
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.record import SELF, Record, Slot
from app.domain.turn_notes import TurnNotes
from app.memory.slots import make_slot

NOTED = "✍"
_NAME_OF = re.compile(
    r"(?:what'?s|what is|who'?s|who is|do you (?:know|remember)) my (?P<thing>\w+(?: \w+)?)"
    r"(?:(?:'?s)? name| called)?$",
    re.IGNORECASE,
)
_WHERE = re.compile(r"where do i (?P<verb>live|work)$", re.IGNORECASE)
_WHEN = re.compile(r"when(?:'s| is) my (?P<thing>\w+)$", re.IGNORECASE)
_OWN_NAME = re.compile(
    r"(?:what'?s|what is|do you (?:know|remember)) my name$|who am i$", re.IGNORECASE
)
_PLACES = {"live": ("lives_in", "where you live"), "work": ("works_at", "where you work")}


class Said(Frozen):
    """A reply and the reaction that goes with it."""

    text: str
    reaction: str | None = None


def answer(notes: TurnNotes) -> Said | None:
    """The reply that memory alone can give; None when it takes a language model."""
    return _about_changes(notes) or _about_question(notes)


def _about_changes(notes: TurnNotes) -> Said | None:
    done = [o for o in notes.outcomes if o.verification == "verified"]
    if any(Reason.FORGET_REQUESTED in outcome.reasons for outcome in done):
        return Said(text="Forgotten.")
    kept = [o for o in done if o.changed and o.record]
    if kept:
        values = [value for value in (_value(o, notes.records) for o in kept) if value]
        if len(kept) == 1 and kept[0].kind is OutcomeKind.SUPERSEDE and values:
            new = _opening(values[0])
            return Said(text=f"{new}, noted. I've let the old one go.", reaction=NOTED)
        what = f"{_opening(_and(values))}, noted." if values else "Noted."
        return Said(text=what, reaction=NOTED)
    if done:
        return Said(text="I know, you told me.")
    return None


def _opening(words: str) -> str:
    """Words at the start of a sentence; a capital inside ("iPhone") says how they are written."""
    first = words.split(" ", 1)[0]
    return words[:1].upper() + words[1:] if first == first.lower() else words


def _about_question(notes: TurnNotes) -> Said | None:
    asked = notes.said.replace("’", "'").strip().rstrip("?!. ")
    if _OWN_NAME.match(asked):
        return _told([Slot(subject=SELF, predicate="name")], "your name", notes)
    where = _WHERE.match(asked)
    if where:
        predicate, words = _PLACES[where["verb"].lower()]
        return _told([Slot(subject=SELF, predicate=predicate)], words, notes)
    when = _WHEN.match(asked)
    if when:
        thing = when["thing"]
        return _told([Slot(subject=SELF, predicate=thing.lower())], f"your {thing}", notes)
    name = _NAME_OF.match(asked)
    if name is None:
        return None
    thing = re.sub(r"(?:'s|s' | is)$", "", name["thing"]).strip()
    thing = re.sub(r"(?:'?s)? (?:name|called)$", "", thing)
    named, own = make_slot(thing, "name"), make_slot(SELF, thing)
    has_name = bool(re.search(r"name$|called$|^who", asked, re.IGNORECASE))
    slots = [slot for slot in ((named,) if has_name else (named, own)) if slot]
    article = "an" if thing[:1].lower() in "aeiou" else "a"
    words = f"about {article} {thing}" if has_name else f"your {thing}"
    return _told(slots, words, notes)


def _told(slots: Sequence[Slot], words: str, notes: TurnNotes) -> Said:
    keys = {slot.key for slot in slots}
    found = [r for r in notes.records if r.slot is not None and r.slot.key in keys and r.value]
    if not found:
        return Said(text=f"You haven't told me {words}.")
    said = max(span.said_at for record in found for span in record.evidence)
    values = _and([record.value for record in found if record.value])
    return Said(text=f"{values}. You told me {_when(said, notes.now, ZoneInfo(notes.zone))}.")


def _value(outcome: Outcome, records: Sequence[Record]) -> str | None:
    record = next((r for r in records if r.id == outcome.record), None)
    return record.value if record else None


def _and(values: Sequence[str]) -> str:
    return " and ".join(values)


def _when(said: datetime, now: datetime, zone: ZoneInfo) -> str:
    local, today = said.astimezone(zone), now.astimezone(zone).date()
    if local.date() == today:
        return f"at {local:%H:%M}"
    if local.date() == today - timedelta(days=1):
        return f"yesterday at {local:%H:%M}"
    return f"on {local.day} {local:%B}" + ("" if local.year == today.year else f" {local.year}")
