"""What must be true of every change to a profile, read from the database and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from app.database.models import profile_from
from app.domain.outcome import Reason
from app.domain.profile import MEMORY_FIELDS, Effect, Profile
from app.domain.record import Record
from app.memory.normalise import content_hash
from app.memory.proposing import record_digest
from app.memory.record_making import MAX_EVIDENCE
from tests.contract.memory_machine.sayings import WORDS, tell_tale

Document = dict[str, Any]
UNTRACED = frozenset({"expired", "unsupported"})
"""Ends that no record follows from, so that the archive row is all there is."""


class Forgotten(NamedTuple):
    """A word that a subject's memory let go of, as it was said up to a message.

    `text` is the hash of what was forgotten, `rested_on` the messages it rested on; without
    them, whatever was said so far is meant.
    """

    subject: int
    word: str
    through: int
    at: datetime
    text: str = ""
    rested_on: frozenset[int] = frozenset()


class Ledger:
    """Every commit, what it owes, what it forgot; `problems` is what must never be.

    `stored` gives the stored messages of a subject by number.
    """

    def __init__(self, stored: Callable[[int], Mapping[int, Document]]) -> None:
        self._stored = stored
        self.problems: list[str] = []
        self.happened: Counter[str] = Counter()
        self.generations: Counter[int] = Counter()
        self.owed: dict[str, Effect] = {}
        self.seen: dict[int, set[str]] = {}
        self._forgotten: list[Forgotten] = []

    def changed(self, before: Document | None, after: Document) -> None:
        """A profile's document was written."""
        old = profile_from(before) if before else Profile(subject=after["_id"])
        new = profile_from(after)
        same = all(
            getattr(old, name) == getattr(new, name) for name in MEMORY_FIELDS - {"pending_effects"}
        )
        if same:
            return
        self.generations[new.subject] += 1
        self._check(old, new)

    def was_reset(self, subject: int, through: int, at: datetime) -> None:
        """A memory was emptied on purpose; nothing said up to a message may come back."""
        self.happened["reset"] += 1
        self.generations[subject] += 1
        self._forgotten += [Forgotten(subject, word, through, at) for word in WORDS]

    def _check(self, old: Profile, new: Profile) -> None:
        if new.generation != old.generation + 1:
            self._problem(new, f"generation {old.generation} became {new.generation}")
        if new.epoch != old.epoch:
            self._problem(new, "the epoch changed with a commit")
        owed = new.pending_effects[len(old.pending_effects) :]
        self._note_owed(new, owed)
        for record in old.records:
            self._left(record, old, new, owed)
        self._came_back(old, new)
        self._note_buried(old, new)
        alive = {record.id for record in new.records}
        if len(alive) != new.item_count:
            self._problem(new, "two active records have one id")
        for drawn in (*new.summary, *new.insights):
            if not alive >= set(drawn.sources):
                self._problem(new, "a sentence rests on what is not there")
        self.seen.setdefault(new.subject, set()).update(*(tell_tale(r.text) for r in new.records))

    def _note_owed(self, new: Profile, owed: Iterable[Effect]) -> None:
        for effect in owed:
            known = self.owed.setdefault(effect.id, effect)
            if effect.collection != "proposals" and known != effect:
                self._problem(new, f"two rows of {effect.collection} share an id")
            self.happened[effect.row.get("end") or effect.collection] += 1

    def _left(self, record: Record, old: Profile, new: Profile, owed: tuple[Effect, ...]) -> None:
        """A record must still be there as it was, or what became of it must be written down."""
        now = new.record(record.id)
        if now is not None and (
            record_digest(now) == record_digest(record) or _grown(record, now, owed)
        ):
            self._kept(record, now, new)
            return
        rows = [
            effect.row
            for effect in owed
            if effect.collection == "archive" and _same(Record(**effect.row["record"]), record)
        ]
        if not rows:
            if now is not None or not _is_buried(record, old, new):
                self._problem(new, f"a record went without a trace: {record.id}")
            self.happened["forgotten"] += 1
            return
        end = rows[0]["end"]
        if record.pinned and end == "evicted":
            self._problem(new, "a pinned record was evicted")
        if end not in UNTRACED and not _is_traced(record, owed):
            self._problem(new, f"no lineage of a record that was {end}")
        heir = new.record(rows[0].get("replaced_by") or "")
        if record.pinned and heir is not None and not heir.pinned:
            self._problem(new, "what took a pinned record's place isn't pinned")

    def _kept(self, record: Record, now: Record, new: Profile) -> None:
        if record.pinned and not now.pinned:
            self._problem(new, "a record lost its pin")
        lost = {_place(s) for s in record.evidence} - {_place(s) for s in now.evidence}
        moved = {(s.conversation, s.seq) for s in now.evidence}
        gone = {place for place in lost if place[:2] not in moved}
        if gone and len(now.evidence) < MAX_EVIDENCE and not _judged_again(record, new):
            self._problem(new, f"a record lost evidence: {record.id}")

    def _came_back(self, old: Profile, new: Profile) -> None:
        """Nothing forgotten may be active on words that were said before it was forgotten."""
        known = {r.id: r.text for r in old.records}
        there = tell_tale(*known.values())
        messages = self._stored(new.subject)
        by_hand = _taken_back(old, new)
        for record in new.records:
            if known.get(record.id) == record.text or record.id in by_hand:
                continue
            for word in tell_tale(record.text, record.value) - there:
                cited = [messages[span.seq] for span in record.evidence if span.seq in messages]
                said = [message for message in cited if word in tell_tale(message["content"])]
                hashed = content_hash(new.subject, record.text)
                for stone in self._forgotten:
                    if stone[:2] == (new.subject, word) and all(
                        _before(message, stone, hashed) for message in said
                    ):
                        self._problem(new, f"came back: {record.text}, {stone}")

    def _note_buried(self, old: Profile, new: Profile) -> None:
        fresh = [stone for stone in new.tombstones if stone not in old.tombstones]
        for record in old.records:
            hashed = content_hash(new.subject, record.text)
            for stone in fresh:
                if stone.content_hash == hashed:
                    self._forgotten += [
                        Forgotten(
                            new.subject,
                            word,
                            stone.through,
                            stone.at,
                            hashed,
                            frozenset(span.seq for span in record.evidence),
                        )
                        for word in tell_tale(record.text, record.value)
                    ]

    def _problem(self, profile: Profile, what: str) -> None:
        self.problems.append(f"{profile.subject} at {profile.generation}: {what}")


def _taken_back(old: Profile, new: Profile) -> set[str | None]:
    """The records that the person brought back by hand."""
    fresh = [outcome for outcome in new.recent_outcomes if outcome not in old.recent_outcomes]
    return {outcome.record for outcome in fresh if Reason.TAKEN_BACK in outcome.reasons}


def _before(message: Document, stone: Forgotten, text: str) -> bool:
    """Whether a message reads as it did when something was forgotten, and that rested on it."""
    edited: datetime | None = message.get("edited_at")
    meant = not stone.rested_on or message["seq"] in stone.rested_on or text == stone.text
    return bool(
        meant and message["seq"] <= stone.through and (edited is None or edited <= stone.at)
    )


def _place(span: Any) -> tuple[str, int, int, int]:
    return (span.conversation, span.seq, span.start, span.end)


def _same(archived: Record, record: Record) -> bool:
    """Whether a record was archived as it was; its evidence may have changed in the same commit."""
    told = archived.id == record.id and archived.generation == record.generation
    return told and record_digest(archived) == record_digest(record)


def _grown(record: Record, now: Record, owed: Iterable[Effect]) -> bool:
    """Whether a record says the same and holds another besides, which was merged into it."""
    return now.text == record.text and any(
        effect.row.get("end") == "merged" and effect.row["replaced_by"] == record.id
        for effect in owed
    )


def _is_buried(record: Record, old: Profile, new: Profile) -> bool:
    hashed = content_hash(new.subject, record.text)
    fresh = [stone for stone in new.tombstones if stone not in old.tombstones]
    return any(stone.content_hash == hashed for stone in fresh)


def _is_traced(record: Record, owed: Iterable[Effect]) -> bool:
    """Whether a row of lineage says what a record was and in which generation."""
    return any(
        effect.collection == "lineage"
        and effect.row["predecessor"] == record.id
        and effect.row["predecessor_digest"] == record_digest(record)
        and effect.row["predecessor_generation"] == record.generation
        for effect in owed
    )


def _judged_again(record: Record, new: Profile) -> bool:
    """Whether the last commit says that a record's evidence was edited away."""
    return any(
        outcome.record == record.id and Reason.EVIDENCE_SOURCE_DIGEST_MISMATCH in outcome.reasons
        for outcome in new.recent_outcomes
    )
