"""Making records: from a candidate, from a correction of another, from saying it again."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta

from app.domain.candidate import Candidate
from app.domain.evidence import Span
from app.domain.record import MemoryClass, Record, RecordKind, Sensitivity, Significance
from app.memory.evidence import newest
from app.memory.ground import Ground
from app.memory.normalise import normalise, words
from app.memory.support import unrelated

MAX_EVIDENCE = 10
BLEND_ALPHA = 0.3
"""How much a restatement moves the confidence."""
TEMPORARY_FOR = timedelta(days=1)
MODEL_TEMPORARY_FOR = timedelta(days=3)
"""Of a model's row: it is asked for what lasts for days."""


def record_id(ground: Ground, span: Span, kind: str, text: str) -> str:
    """An id that is the same each time the same words are read: a run that repeats adds nothing."""
    parts = (
        ground.subject,
        ground.epoch,
        span.conversation,
        span.seq,
        span.start,
        span.end,
        kind,
        normalise(text),
    )
    return "m" + hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:15]


def make_record(candidate: Candidate, spans: tuple[Span, ...], ground: Ground) -> Record:
    """The record a candidate becomes when nothing like it is known."""
    said_at = max(span.said_at for span in spans)
    stated = candidate.epistemic == "stated"
    quality = "inferred" if not stated else "corrected" if candidate.correction else "direct"
    return Record(
        id=record_id(ground, spans[0], candidate.kind, candidate.text),
        kind=candidate.kind,
        text=candidate.text,
        category=candidate.category,
        durable_category=candidate.durable_category,
        slot=candidate.slot,
        value=candidate.value,
        qualifiers=candidate.qualifiers,
        memory_class=candidate.memory_class,
        confidence=candidate.confidence,
        confidence_reason=candidate.confidence_reason or ("stated" if stated else "inferred"),
        source_quality=quality,
        epistemic=candidate.epistemic,
        scope=ground.scope,
        sensitivity=candidate.sensitivity,
        evidence=spans,
        created_at=ground.now,
        updated_at=ground.now,
        last_confirmed_at=said_at,
        event_date=candidate.event_date,
        significance=_significance(candidate),
        expires_at=expiry(candidate, said_at),
    )


def expiry(candidate: Candidate, said_at: datetime) -> datetime | None:
    """When a candidate stops being true; a temporary state has an end also when none is given."""
    if (
        candidate.expires_at is not None
        or candidate.memory_class is not MemoryClass.TEMPORARY_STATE
    ):
        return candidate.expires_at
    return said_at + (MODEL_TEMPORARY_FOR if candidate.source == "model" else TEMPORARY_FOR)


def succeeding(record: Record, old: Record) -> Record:
    """A record in the place of another: what the person did to the old one holds for the new."""
    return record.model_copy(
        update={
            "pinned": old.pinned,
            "uses": old.uses + 1,
            "created_at": old.created_at,
            "sensitivity": _stricter(record, old),
            "category": record.category or old.category,
            "slot": record.slot or old.slot,
        }
    )


def corrected(candidate: Candidate, old: Record) -> Candidate:
    """A correction without a subject of its own, said in full: the old words with the new value."""
    new, wrong = candidate.value or "", candidate.replaces or old.value or ""
    text, value = candidate.text, candidate.value
    if new and wrong:
        pattern = re.compile(rf"(?<!\w){re.escape(wrong)}(?!\w)", re.IGNORECASE)
        if pattern.search(old.text):
            text = pattern.sub(lambda _: new, old.text)
        if old.value and pattern.search(old.value):
            value = pattern.sub(lambda _: new, old.value)
    return candidate.model_copy(
        update={
            "kind": old.kind,
            "text": text,
            "value": value,
            "slot": old.slot,
            "category": candidate.category or old.category,
            "correction": True,
        }
    )


def with_unchanged(made: Record, old: Record, candidate: Candidate) -> Record:
    """A correction of a part of a record, with what the other parts rest on."""
    wrong = set(words(candidate.replaces or old.value or ""))
    rest = tuple(
        span
        for span in old.evidence
        if not wrong <= set(words(span.quote))
        and span.answers is None
        and not unrelated(span.quote, [made.text])
    )
    return made.model_copy(update={"evidence": joined_evidence(rest, made.evidence)})


def confirmed(record: Record, candidate: Candidate, spans: tuple[Span, ...]) -> Record:
    """A record that was said again: confidence blended, evidence added, time noted, use counted."""
    blended = record.confidence + BLEND_ALPHA * (candidate.confidence - record.confidence)
    confirmed_at = max(record.last_confirmed_at, *(span.said_at for span in spans))
    return record.model_copy(
        update={
            "confidence": round(blended, 4),
            "last_confirmed_at": confirmed_at,
            "evidence": joined_evidence(record.evidence, spans),
            "event_date": record.event_date or candidate.event_date,
            "uses": record.uses + 1,
        }
    )


def joined_evidence(first: tuple[Span, ...], more: tuple[Span, ...]) -> tuple[Span, ...]:
    """Both in the order they were said, each once; beyond MAX_EVIDENCE the middle goes."""
    by_place = {(s.conversation, s.seq, s.start, s.end): s for s in (*first, *more)}
    spans = sorted(by_place.values(), key=lambda span: newest((span,)))
    if len(spans) > MAX_EVIDENCE:
        head = MAX_EVIDENCE // 2
        spans = spans[:head] + spans[head - MAX_EVIDENCE :]
    return tuple(spans)


def _significance(candidate: Candidate) -> Significance | None:
    if candidate.significance is not None or candidate.kind is not RecordKind.EVENT:
        return candidate.significance
    return Significance.MINOR


def _stricter(record: Record, old: Record) -> Sensitivity:
    return "sensitive" if "sensitive" in (record.sensitivity, old.sensitivity) else "normal"
