"""A profile being changed: claims are decided one after the other, then sealed into one commit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime

from app.clock import EPOCH
from app.domain.candidate import Candidate, Extracted, Forget, Malformed, MoodClaim, TraitClaim
from app.domain.conversation import Frozen
from app.domain.decision import Decision, Ended
from app.domain.evidence import Span
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.profile import LISTS, Effect, Profile, Tombstone, Watermark
from app.domain.proposal import Proposal
from app.domain.record import (
    Insight,
    Lineage,
    Mood,
    Record,
    RecordEnd,
    SummarySentence,
    Trait,
)
from app.memory.accounting import prune
from app.memory.effects import archive_effect, lineage_effect, proposal_effect
from app.memory.evidence import locate
from app.memory.forgetting import Match, scrubbed, wanted
from app.memory.ground import Ground
from app.memory.mood import with_mood
from app.memory.outcomes import decide
from app.memory.proposing import record_digest
from app.memory.tombstones import MAX_TOMBSTONES, bury
from app.memory.traits import judge_trait

KEPT_OUTCOMES = 20
KEPT_APPLIED = 64


class Limits(Frozen):
    """Sizes that settings decide: moods kept, insights kept, records worth a consolidation."""

    max_moods: int = 10
    max_insights: int = 5
    consolidation_min_items: int = 8


class Draft:
    """What one commit makes of a profile. It is built, filled and sealed once, without waiting.

    Each claim sees what the ones before it did. A record that stood in the profile, was changed
    twice and changed back leaves the trail of both changes.
    """

    def __init__(self, profile: Profile, now: datetime, limits: Limits | None = None) -> None:
        self.profile = profile
        self.now = now
        self.outcomes: list[Outcome] = []
        self.proposals: list[Proposal] = []
        self.touched = False
        self.tombstones: tuple[Tombstone, ...] = profile.tombstones
        self.insights: tuple[Insight, ...] = profile.insights
        self.summary: tuple[SummarySentence, ...] = profile.summary
        self.traits: dict[str, Trait | None] = {
            "gender": profile.gender,
            "style": profile.style,
            "timezone": profile.timezone,
        }
        self.moods: tuple[Mood, ...] = profile.mood_history
        self.mood: Mood | None = profile.emotional_state
        self.watermarks = dict(profile.watermarks)
        self.applied = profile.applied
        self.last_consolidated_at = profile.last_consolidated_at
        self.last_compressed_at = profile.last_compressed_at
        self._recent = profile.recent_outcomes
        self.limits = limits or Limits()
        self._records = {record.id: record for record in profile.records}
        self._ended: list[Ended] = []
        self._forgotten: set[str] = set()
        self._expire()

    @property
    def records(self) -> list[Record]:
        """The active records as they stand now."""
        return list(self._records.values())

    def take(self, extracted: Extracted, ground: Ground, *, limit: int | None = None) -> None:
        """Everything a run proposes, in its order; beyond `limit` candidates are refused."""
        for row in extracted.malformed:
            self._note(_malformed(row, ground))
        for forget in extracted.forgets:
            self.forget(forget, ground)
        for number, candidate in enumerate(extracted.candidates):
            if limit is not None and number >= limit:
                self._note(_left_out(candidate, ground, Reason.OVER_TURN_LIMIT))
            else:
                self.decide(candidate, ground)
        for claim in extracted.traits:
            self.claim(claim, ground)
        for mood in extracted.moods:
            self.feel(mood, ground)

    def decide(self, candidate: Candidate, ground: Ground) -> Outcome:
        """One candidate's outcome, carried out."""
        return self.carry_out(decide(candidate, self.records, self.tombstones, ground))

    def carry_out(self, decision: Decision) -> Outcome:
        """A decision made elsewhere, on the records as they stand here."""
        self._end(decision.ended)
        if decision.put is not None:
            self._records[decision.put.id] = decision.put
            self.touched = True
        if decision.proposal is not None:
            self.proposals.append(decision.proposal)
            self.touched = True
        return self._note(decision.outcome)

    def forget(self, forget: Forget, ground: Ground) -> Outcome:
        """Let go of exactly one record: the one named, or the only one that the words fit.

        Only words of the person can ask for that.
        """
        visible = [record for record in self.records if record.scope == ground.scope]
        span = locate(forget.quote, ground.messages, ground.conversation) if forget.quote else None
        match = wanted(forget, visible) if span else Match(reason=Reason.UNSUPPORTED_BY_SOURCE)
        if match.record is not None:
            self._forget(match.record, ground, span)
        return self._note(_forgetting(match, ground, evidence=(span,) if span else ()))

    def drop(self, record: Record, ground: Ground) -> None:
        """Let go of a record without an outcome of its own; it stays forgotten."""
        self._forget(record, ground)

    def bury(self, record: Record, ground: Ground, request: Span | None = None) -> None:
        """Keep what was said so far from bringing a record back."""
        stone = bury(record, ground, max(ground.messages, default=0), request)
        self.tombstones = (*self.tombstones, stone)[-MAX_TOMBSTONES:]
        self.touched = True

    def claim(self, claim: TraitClaim, ground: Ground) -> Outcome:
        """Gender, style or timezone, on the person's words."""
        trait, outcome = judge_trait(claim, self.traits[claim.trait], ground)
        if trait is not None:
            self.traits[claim.trait] = trait
            self.touched = True
        return self._note(outcome)

    def feel(self, claim: MoodClaim, ground: Ground) -> Outcome:
        """How the person felt, on their words."""
        spans = tuple(locate(quote, ground.messages, ground.conversation) for quote in claim.quotes)
        found = tuple(span for span in spans if span is not None)
        outcome = Outcome(
            kind=OutcomeKind.ADD,
            reasons=(Reason.NEW_UNKEYED_FACT,),
            text=claim.mood,
            record="mood",
            evidence=found,
            source="model",
            at=ground.now,
        )
        if not found or len(found) < len(spans):
            refused = {"kind": OutcomeKind.REJECT, "reasons": (Reason.UNSUPPORTED_BY_SOURCE,)}
            return self._note(outcome.model_copy(update={**refused, "record": None}))
        mood = Mood(
            mood=claim.mood,
            intensity=claim.intensity,
            trigger=claim.trigger,
            detected_at=max(span.said_at for span in found),
            evidence=found,
        )
        before = (self.moods, self.mood)
        self.moods, self.mood = with_mood(self.moods, self.mood, mood, self.limits.max_moods)
        if (self.moods, self.mood) == before:
            again = {"kind": OutcomeKind.NOOP, "reasons": (Reason.ALREADY_APPLIED,)}
            return self._note(outcome.model_copy(update=again))
        self.touched = True
        return self._note(outcome)

    def replace_records(self, records: Iterable[Record], ended: Iterable[Ended]) -> None:
        """The records after a review of all of them, and what it ended."""
        self._records = {record.id: record for record in records}
        self._end(ended)
        self.touched = True

    def reached(
        self, conversation: str, *, turns: int | None = None, extracted: int | None = None
    ) -> None:
        """Messages up to a number are dealt with; never goes back."""
        mark = self.watermarks.get(conversation, Watermark())
        moved = Watermark(
            turns=max(mark.turns, turns or 0), extracted=max(mark.extracted, extracted or 0)
        )
        if moved != mark:
            self.watermarks[conversation] = moved
            self.touched = True

    def once(self, key: str) -> bool:
        """Whether a piece of work is done for the first time; remembers that it was."""
        if key in self.applied:
            return False
        self.applied = (*self.applied, key)[-KEPT_APPLIED:]
        self.touched = True
        return True

    def seal(self) -> Profile:
        """The profile after the commit, with everything that is owed to other collections.

        Without a change it is the profile itself.
        """
        if not self.touched:
            return self.profile
        generation = self.profile.generation + 1
        records = [self._stamped(record, generation) for record in self._records.values()]
        alive = {record.id for record in records}
        summary, insights = prune(self.summary, self.insights, alive)
        self.outcomes = [
            outcome.model_copy(update={"id": self._outcome_id(generation, number)})
            for number, outcome in enumerate(self.outcomes)
        ]
        recent = scrubbed((*self._recent, *self.outcomes), self._forgotten)[-KEPT_OUTCOMES:]
        lists = {
            name: tuple(record for record in records if record.kind is kind)
            for kind, name in LISTS.items()
        }
        return self.profile.model_copy(
            update={
                **lists,
                **self.traits,
                "generation": generation,
                "summary": summary,
                "insights": insights,
                "emotional_state": self.mood,
                "mood_history": self.moods,
                "watermarks": self.watermarks,
                "applied": self.applied,
                "tombstones": self.tombstones,
                "recent_outcomes": recent,
                "last_consolidated_at": self.last_consolidated_at,
                "consolidate_from": self._consolidate_from(len(records)),
                "last_compressed_at": self.last_compressed_at,
                "pending_effects": (*self.profile.pending_effects, *self._effects(generation)),
            }
        )

    def _expire(self) -> None:
        """Records whose time is over leave with the next commit, which they don't cause."""
        over = [r for r in self.records if r.expires_at is not None and r.expires_at <= self.now]
        for record in over:
            del self._records[record.id]
            self._ended.append(Ended(record=record, end=RecordEnd.EXPIRED))

    def _end(self, ended: Iterable[Ended]) -> None:
        for gone in ended:
            if gone.replaced_by != gone.record.id:
                self._records.pop(gone.record.id, None)
            self._ended.append(gone)
            self.touched = True

    def _forget(self, record: Record, ground: Ground, request: Span | None = None) -> None:
        del self._records[record.id]
        self.bury(record, ground, request)
        for gone in self._ended:
            if gone.replaced_by == record.id:
                self.bury(gone.record, ground)
        self._ended = [gone for gone in self._ended if gone.replaced_by != record.id]
        self._forgotten.add(record.id)

    def _note(self, outcome: Outcome) -> Outcome:
        self.outcomes.append(outcome)
        return outcome

    def _stamped(self, record: Record, generation: int) -> Record:
        if self.profile.record(record.id) == record:
            return record
        return record.model_copy(update={"generation": generation})

    def _outcome_id(self, generation: int, number: int) -> str:
        name = f"{self.profile.subject}|{self.profile.epoch}|{generation}|{number}"
        return "o" + hashlib.sha256(name.encode()).hexdigest()[:12]

    def _consolidate_from(self, items: int) -> datetime | None:
        """Nothing to do for a thin profile, and for one that was consolidated by this commit."""
        just_now = self.last_consolidated_at != self.profile.last_consolidated_at
        if just_now or items < self.limits.consolidation_min_items:
            return None
        return self.last_consolidated_at or EPOCH

    def _effects(self, generation: int) -> list[Effect]:
        subject = self.profile.subject
        effects = []
        for number, gone in enumerate(self._ended):
            effects.append(archive_effect(subject, gone, generation, self.now))
            if gone.lineage is not None:
                lineage = Lineage(
                    id=f"{subject}:{self.profile.epoch}:{generation}:{number}",
                    subject=subject,
                    kind=gone.lineage,
                    record=gone.replaced_by,
                    predecessor=gone.record.id,
                    predecessor_digest=record_digest(gone.record),
                    predecessor_generation=gone.record.generation,
                    at=self.now,
                )
                effects.append(lineage_effect(lineage))
        for proposal in self.proposals:
            pinned = proposal.model_copy(update={"generation": self.profile.generation})
            effects.append(proposal_effect(pinned))
        return effects


def _malformed(row: Malformed, ground: Ground) -> Outcome:
    return Outcome(
        kind=OutcomeKind.REJECT,
        reasons=(Reason.MALFORMED_MODEL_OUTPUT,),
        source="model",
        at=ground.now,
    )


def _left_out(candidate: Candidate, ground: Ground, reason: Reason) -> Outcome:
    return Outcome(
        kind=OutcomeKind.REJECT,
        reasons=(reason,),
        text=candidate.text,
        source=candidate.source,
        asked=candidate.asked,
        at=ground.now,
    )


def _forgetting(match: Match, ground: Ground, evidence: tuple[Span, ...]) -> Outcome:
    return Outcome(
        kind=OutcomeKind.SUPERSEDE if match.record else OutcomeKind.REJECT,
        reasons=(match.reason,),
        replaced=(match.record.id,) if match.record else (),
        choices=tuple(record.id for record in match.choices),
        evidence=evidence,
        source="request",
        asked=True,
        at=ground.now,
    )
