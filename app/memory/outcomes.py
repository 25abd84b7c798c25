"""Outcomes: what becomes of a candidate. Exactly one of five, with reasons; pure.

In this order: is it supported by what was typed, does it say which thing it means, was it
forgotten before, what is known already, and does the review policy let it in.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.candidate import Candidate
from app.domain.decision import Decision, Ended
from app.domain.evidence import Span
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.profile import Tombstone
from app.domain.record import LineageKind, MemoryClass, Record, RecordEnd
from app.memory.evidence import is_evidence, locate, newest
from app.memory.ground import Ground
from app.memory.normalise import content_hash, words
from app.memory.proposing import propose
from app.memory.record_making import (
    confirmed,
    corrected,
    expiry,
    joined_evidence,
    make_record,
    succeeding,
    with_unchanged,
)
from app.memory.resolution import UNKNOWN, WINDOW_MESSAGES, contains, resolve
from app.memory.review_policy import review
from app.memory.support import unrelated, unsupported
from app.memory.tombstones import is_buried

RESTATEMENT_MARGIN = 0.1
"""How much surer a restatement must be to take the place of what it repeats."""


def decide(
    candidate: Candidate,
    records: Sequence[Record],
    tombstones: Sequence[Tombstone],
    ground: Ground,
) -> Decision:
    """The one outcome of a candidate against the active records."""
    if not words(candidate.text):
        return _refuse(candidate, OutcomeKind.NOOP, Reason.NO_EXTRACTABLE_CLAIM, ground)
    if candidate.memory_class is MemoryClass.NON_MEMORY:
        return _refuse(candidate, OutcomeKind.REJECT, Reason.NON_DURABLE_CLASS, ground)
    found = [locate(quote, ground.messages, ground.conversation) for quote in candidate.quotes]
    spans = tuple(span for span in found if span is not None)
    if not spans or len(spans) < len(found):
        return _refuse(candidate, OutcomeKind.REJECT, Reason.UNSUPPORTED_BY_SOURCE, ground)
    resolved = _resolved(candidate, records, spans, ground)
    if isinstance(resolved, Decision):
        return resolved
    said, (candidate, current) = candidate, resolved
    if candidate.source != "rules" and _invents(candidate, spans, records, ground):
        return _refuse(candidate, OutcomeKind.REJECT, Reason.UNSUPPORTED_BY_SOURCE, ground, spans)
    if is_buried(candidate, spans, tombstones, ground):
        return _refuse(candidate, OutcomeKind.REJECT, Reason.FORGOTTEN_BEFORE, ground, spans)
    ends = expiry(candidate, max(span.said_at for span in spans))
    if ends is not None and ends <= ground.now:
        return _refuse(candidate, OutcomeKind.REJECT, Reason.ALREADY_EXPIRED, ground, spans)
    visible = [record for record in records if record.scope == ground.scope]
    made = make_record(candidate, spans, ground)
    if current is not None and candidate.text != said.text:
        made = with_unchanged(made, current, candidate)
    return _reviewed(candidate, _against(candidate, current, visible, made, ground), ground)


def _resolved(
    candidate: Candidate, records: Sequence[Record], spans: tuple[Span, ...], ground: Ground
) -> tuple[Candidate, Record | None] | Decision:
    """The candidate with its subject found out, and the record it corrects where it names one."""
    unknown = candidate.slot is not None and UNKNOWN in candidate.slot.key
    if not unknown and not candidate.replaces:
        return candidate, None
    visible = [record for record in records if record.scope == ground.scope]
    result = resolve(candidate, visible, ground.window_before(spans[0].seq))
    if result.record is not None:
        if unknown or (candidate.value and candidate.slot is None):
            return corrected(candidate, result.record), result.record
        return candidate, result.record
    if not unknown and not result.several:
        return candidate, None
    refused = _refuse(candidate, OutcomeKind.REJECT, Reason.AMBIGUOUS_REFERENT, ground, spans)
    if result.several and ground.policy.ambiguous == "quarantine":
        proposal = propose(candidate, (Reason.AMBIGUOUS_REFERENT,), (), ground)
        outcome = refused.outcome.model_copy(update={"proposal": proposal.id})
        return Decision(outcome=outcome, proposal=proposal)
    return refused


def _invents(
    candidate: Candidate, spans: tuple[Span, ...], records: Sequence[Record], ground: Ground
) -> bool:
    known = [record.text for record in records] + list(ground.known)
    cited = ground.cited(spans)
    if not ground.translated and unrelated(candidate.text, cited):
        return True
    before = ground.window_before(spans[0].seq)[-WINDOW_MESSAGES:]
    said = [message.content for message in before if is_evidence(message)]
    invented = unsupported(candidate, cited, known, said=said, translated=ground.translated)
    return invented is not None


def _against(
    candidate: Candidate,
    current: Record | None,
    records: Sequence[Record],
    made: Record,
    ground: Ground,
) -> Decision:
    """The outcome against what is active: the same words, then the same slot, then the rest."""
    hashed = content_hash(ground.subject, candidate.text)
    for record in records:
        if content_hash(ground.subject, record.text) == hashed:
            return _said_again(record, candidate, made, ground)
    for record in records:
        if record.id == made.id:
            return _known(record, candidate, ground)
    if current is not None:
        return _replaced(current, candidate, made, ground)
    if candidate.target:
        named = next((r for r in records if r.id == candidate.target), None)
        if named is not None and _same_slot(named, candidate):
            return _restated(named, candidate, made, ground)
    in_slot = [r for r in records if r.slot and candidate.slot and r.slot.key == candidate.slot.key]
    for record in in_slot:
        if words(candidate.value or "") in _values(record):
            return _said_again(record, candidate, made, ground)
    if in_slot and candidate.slot and not candidate.slot.multi:
        return _restated(max(in_slot, key=lambda r: newest(r.evidence)), candidate, made, ground)
    if candidate.slot is None:
        for record in records:
            if record.kind is candidate.kind and _same_or_more(candidate.text, record.text):
                return _refined(record, candidate, made, ground)
            if record.kind is candidate.kind and _same_or_more(record.text, candidate.text):
                return _said_again(record, candidate, made, ground)
    reason = Reason.NEW_FACT_FOR_SLOT if candidate.slot else Reason.NEW_UNKEYED_FACT
    return _decision(OutcomeKind.ADD, (reason,), candidate, made, (), ground)


def _said_again(record: Record, candidate: Candidate, made: Record, ground: Ground) -> Decision:
    """The dedup contract: much surer takes its place, otherwise the old one is confirmed."""
    places = {(s.conversation, s.seq, s.source_digest) for s in record.evidence}
    if all((s.conversation, s.seq, s.source_digest) in places for s in made.evidence):
        return _known(record, candidate, ground)
    older = newest(made.evidence) < newest(record.evidence)
    if candidate.confidence > record.confidence + RESTATEMENT_MARGIN and not older:
        return _take_over(
            OutcomeKind.SUPERSEDE,
            Reason.MORE_CONFIDENT_RESTATEMENT,
            LineageKind.SUPERSEDES,
            record,
            candidate,
            made,
            ground,
        )
    again = confirmed(record, candidate, made.evidence)
    reasons = (Reason.DUPLICATE_OF_ACTIVE_RECORD,)
    return _decision(OutcomeKind.NOOP, reasons, candidate, again, (), ground, met=record)


def _known(record: Record, candidate: Candidate, ground: Ground) -> Decision:
    """The same words once more; whatever the record says by now, it holds them."""
    reasons = (Reason.ALREADY_APPLIED,)
    return _decision(OutcomeKind.NOOP, reasons, candidate, None, (), ground, met=record)


def _values(record: Record) -> list[tuple[str, ...]]:
    """The value of a record; of one that was merged, all its values."""
    if not record.value:
        return []
    many = record.slot is not None and record.slot.multi
    return [words(value) for value in (record.value, *(record.value.split(", ") if many else ()))]


def _restated(record: Record, candidate: Candidate, made: Record, ground: Ground) -> Decision:
    """Another value for a slot that holds one."""
    if candidate.value and record.value and words(candidate.value) == words(record.value):
        return _said_again(record, candidate, made, ground)
    if not candidate.correction and _same_or_more(
        candidate.value or candidate.text, record.value or record.text
    ):
        return _refined(record, candidate, made, ground)
    return _replaced(record, candidate, made, ground)


def _refined(record: Record, candidate: Candidate, made: Record, ground: Ground) -> Decision:
    """The current value in more words: the record stays the same one, its old wording archived."""
    if newest(made.evidence) < newest(record.evidence):
        return _older(record, candidate, made, ground)
    refined = record.model_copy(
        update={
            "text": made.text,
            "value": made.value,
            "qualifiers": {**record.qualifiers, **made.qualifiers},
            "category": record.category or made.category,
            "confidence": max(record.confidence, made.confidence),
            "evidence": joined_evidence(record.evidence, made.evidence),
            "uses": record.uses + 1,
            "updated_at": ground.now,
            "last_confirmed_at": max(record.last_confirmed_at, made.last_confirmed_at),
            "event_date": made.event_date or record.event_date,
            "expires_at": made.expires_at,
        }
    )
    gone = Ended(
        record=record, end=RecordEnd.REFINED, lineage=LineageKind.REFINES, replaced_by=record.id
    )
    reasons = (Reason.REFINES_CURRENT_VALUE,)
    return _decision(OutcomeKind.UPDATE, reasons, candidate, refined, (gone,), ground)


def _replaced(record: Record, candidate: Candidate, made: Record, ground: Ground) -> Decision:
    """A value that takes the place of another: a correction, or a contradiction."""
    if newest(made.evidence) < newest(record.evidence):
        return _older(record, candidate, made, ground)
    if candidate.epistemic == "inferred" and record.epistemic == "stated":
        reasons = (Reason.CONTRADICTS_CURRENT_VALUE,)
        return _decision(OutcomeKind.REJECT, reasons, candidate, None, (), ground, met=record)
    if candidate.correction:
        reason, lineage = Reason.EXPLICIT_CORRECTION, LineageKind.CORRECTS
    else:
        reason, lineage = Reason.CONTRADICTS_CURRENT_VALUE, LineageKind.SUPERSEDES
    return _take_over(OutcomeKind.SUPERSEDE, reason, lineage, record, candidate, made, ground)


def _take_over(
    kind: OutcomeKind,
    reason: Reason,
    lineage: LineageKind,
    record: Record,
    candidate: Candidate,
    made: Record,
    ground: Ground,
) -> Decision:
    new = succeeding(made, record)
    gone = Ended(record=record, end=RecordEnd.SUPERSEDED, lineage=lineage, replaced_by=new.id)
    return _decision(kind, (reason,), candidate, new, (gone,), ground)


def _older(record: Record, candidate: Candidate, made: Record, ground: Ground) -> Decision:
    reasons = (Reason.OLDER_THAN_CURRENT_VALUE,)
    return _decision(
        OutcomeKind.REJECT, reasons, candidate, None, (), ground, met=record, spans=made.evidence
    )


def _reviewed(candidate: Candidate, decision: Decision, ground: Ground) -> Decision:
    """The decision, unless the review policy makes it wait or refuses it."""
    outcome = decision.outcome
    verdict, reason = review(
        candidate, outcome.kind, len(decision.ended), ground.policy, own_words=_own_words(ground)
    )
    if verdict == "admit" or reason is None:
        return decision
    if verdict == "reject":
        return _refuse(candidate, OutcomeKind.REJECT, reason, ground, outcome.evidence)
    pinned = tuple(ended.record for ended in decision.ended)
    proposal = propose(candidate, (reason, *outcome.reasons), pinned, ground)
    waiting = outcome.model_copy(
        update={"reasons": proposal.reasons, "proposal": proposal.id, "record": None}
    )
    return Decision(outcome=waiting, proposal=proposal)


def _own_words(ground: Ground) -> bool:
    return ground.conversation == str(ground.subject)


def _same_slot(record: Record, candidate: Candidate) -> bool:
    if record.slot is None or candidate.slot is None:
        return record.kind is candidate.kind and record.slot is candidate.slot
    return record.slot.key == candidate.slot.key and not record.slot.multi


def _same_or_more(longer: str, shorter: str) -> bool:
    more, less = words(longer), words(shorter)
    return len(more) > len(less) and contains(more, less)


def _decision(
    kind: OutcomeKind,
    reasons: tuple[Reason, ...],
    candidate: Candidate,
    put: Record | None,
    ended: tuple[Ended, ...],
    ground: Ground,
    *,
    met: Record | None = None,
    spans: tuple[Span, ...] = (),
) -> Decision:
    if put is not None and put.expires_at is not None and kind is not OutcomeKind.NOOP:
        reasons = (*reasons, Reason.ADMITTED_WITH_EXPIRY)
    subject = put or met
    outcome = Outcome(
        kind=kind,
        reasons=reasons,
        text=put.text if put else candidate.text,
        record=subject.id if subject else None,
        replaced=tuple(gone.record.id for gone in ended),
        before=ended[0].record.text if ended else "",
        evidence=spans or (put.evidence[-1:] if put else met.evidence[-1:] if met else ()),
        source=candidate.source,
        fallback_reason=ground.fallback_reason,
        asked=candidate.asked,
        at=ground.now,
    )
    return Decision(outcome=outcome, put=put, ended=ended)


def _refuse(
    candidate: Candidate,
    kind: OutcomeKind,
    reason: Reason,
    ground: Ground,
    spans: tuple[Span, ...] = (),
) -> Decision:
    outcome = Outcome(
        kind=kind,
        reasons=(reason,),
        text=candidate.text,
        evidence=spans,
        source=candidate.source,
        fallback_reason=ground.fallback_reason,
        asked=candidate.asked,
        at=ground.now,
    )
    return Decision(outcome=outcome)
