"""Candidates: a finding as the rest of memory takes it, with its quotation."""

from __future__ import annotations

from app.domain.candidate import Candidate
from app.domain.conversation import Message
from app.domain.evidence import Quote
from app.domain.record import Slot
from app.memory.rule_extractor.categories import category_of, lasting, sensitivity_of
from app.memory.rule_extractor.finding import Finding
from app.memory.slots import make_slot

FIRM = 0.95
HINT = 0.8


def candidate(finding: Finding, message: Message) -> Candidate:
    """The candidate of a finding, its words verbatim from the message."""
    quoted = message.content[finding.start : finding.end].strip()
    text = finding.text or quoted[:1].upper() + quoted[1:]
    slot = _slot(finding)
    predicate = slot.predicate if slot else ""
    subject = slot.subject if slot else ""
    return Candidate(
        kind=finding.kind,
        text=text,
        quotes=(Quote(seq=message.seq, text=quoted, answers=finding.answers),),
        source="rules",
        category=None if subject == "?" else finding.category or category_of(subject, predicate),
        durable_category=lasting(predicate, text, finding.value),
        slot=slot,
        value=finding.value,
        confidence=FIRM if finding.firm else HINT,
        confidence_reason=_reason(finding),
        sensitivity=sensitivity_of(f"{text} {predicate}"),
        event_date=finding.event_date,
        significance=finding.significance,
        asked=finding.asked,
        correction=finding.correction,
        replaces=finding.replaces,
        referent=finding.referent,
    )


def _slot(finding: Finding) -> Slot | None:
    if not finding.predicate:
        return None
    if finding.referent is not None:
        return Slot(subject=finding.subject, predicate=finding.predicate)
    return make_slot(finding.subject, finding.predicate, finding.multi)


def _reason(finding: Finding) -> str:
    if finding.asked:
        return "asked for"
    if finding.correction:
        return "corrected"
    if finding.answers is not None:
        return "answered"
    return "stated" if finding.firm else "loose shape"
