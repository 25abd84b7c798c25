"""A conversation with one person's memory, without a database: each call is one commit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.candidate import Candidate, Extracted, Forget, MoodClaim, TraitClaim
from app.domain.conversation import Message
from app.domain.evidence import Quote
from app.domain.outcome import Outcome
from app.domain.profile import Profile
from app.domain.record import Record
from app.memory.draft import Draft
from app.memory.ground import Ground
from app.memory.rejudge import rejudge
from app.memory.rule_extractor import extract
from app.memory.slots import make_slot
from app.memory.undo import undo

SUBJECT = 7
KEY = str(SUBJECT)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Talk:
    """Messages, the profile they lead to, and the records that ended on the way."""

    def __init__(self) -> None:
        self.profile = Profile(subject=SUBJECT)
        self.messages: dict[int, Message] = {}
        self.now = START

    @property
    def texts(self) -> list[str]:
        return [record.text for record in self.profile.records]

    @property
    def archived(self) -> list[tuple[str, str]]:
        """Text and end of every archived state, oldest first."""
        return [
            (effect.row["record"]["text"], effect.row["end"])
            for effect in self.profile.pending_effects
            if effect.collection == "archive"
        ]

    @property
    def lineage(self) -> list[str]:
        return [e.row["kind"] for e in self.profile.pending_effects if e.collection == "lineage"]

    def write(self, text: str, role: str = "user", **fields: Any) -> Message:
        """Put a message into the conversation; memory doesn't hear of it."""
        self.now += timedelta(minutes=1)
        message = Message(
            seq=len(self.messages) + 1, role=role, content=text, created_at=self.now, **fields
        )
        self.messages[message.seq] = message
        return message

    def say(self, text: str) -> list[Outcome]:
        """The person writes; what the rules read in it is decided."""
        message = self.write(text)
        found = extract(message, now=self.now)
        return self.commit(Extracted(**{**found.model_dump(), "hints": ()}))

    def claim(self, text: str, quote: str, *, seq: int | None = None, **fields: Any) -> Outcome:
        """A model's row about the newest message, or another."""
        slot = make_slot(*fields.pop("slot")) if "slot" in fields else None
        where = seq or len(self.messages)
        values = {"source": "model", "confidence": 0.9, **fields}
        candidate = Candidate(
            text=text, quotes=(Quote(seq=where, text=quote),), slot=slot, **values
        )
        return self.commit(Extracted(candidates=(candidate,)))[0]

    def forget(self, words: str = "", record: str | None = None) -> Outcome:
        """The person asks to forget, in a message of their own."""
        message = self.write(f"forget {words}")
        quote = Quote(seq=message.seq, text=message.content)
        return self.commit(
            Extracted(forgets=(Forget(words=words, record_id=record, quote=quote),))
        )[0]

    def trait(self, name: str, value: str, quote: str, confidence: float = 0.9) -> Outcome:
        claim = TraitClaim(
            trait=name,
            value=value,
            quotes=(Quote(seq=len(self.messages), text=quote),),
            confidence=confidence,
        )
        return self.commit(Extracted(traits=(claim,)))[0]

    def mood(self, word: str, quote: str) -> Outcome:
        claim = MoodClaim(mood=word, quotes=(Quote(seq=len(self.messages), text=quote),))
        return self.commit(Extracted(moods=(claim,)))[0]

    def edit(self, seq: int, text: str) -> None:
        message = self.messages[seq].model_copy(update={"content": text, "edited_at": self.now})
        self.messages[seq] = message
        draft = self.draft()
        rejudge(draft, {seq: message}, self.ground(draft))
        self.profile = draft.seal()

    def undo(self, outcome: Outcome, before: Record | None = None) -> Outcome | None:
        draft = self.draft()
        result = undo(draft, outcome, before, self.ground(draft))
        self.profile = draft.seal()
        return result

    def commit(self, extracted: Extracted) -> list[Outcome]:
        draft = self.draft()
        draft.take(extracted, self.ground(draft))
        self.profile = draft.seal()
        return draft.outcomes

    def draft(self) -> Draft:
        return Draft(self.profile, self.now)

    def ground(self, draft: Draft) -> Ground:
        return Ground(
            subject=SUBJECT, conversation=KEY, messages=dict(self.messages), now=draft.now
        )
