"""Judging again: what becomes of memory when a message it rests on was edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.domain.candidate import Candidate
from app.domain.conversation import Message
from app.domain.decision import Decision, Ended
from app.domain.evidence import Quote, Span
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.record import Record, RecordEnd
from app.memory.draft import Draft
from app.memory.evidence import locate, mismatch
from app.memory.ground import Ground
from app.memory.normalise import words
from app.memory.support import unsupported


def rejudge(
    draft: Draft, edited: Mapping[int, Message], ground: Ground, *, settle: bool = True
) -> None:
    """Find the evidence of each record again in the edited messages of one conversation.

    Words that still stand there are evidence at their new place. A record that has none left
    ends; what the message says now has to be extracted anew. So does one of which only a part is
    still said, unless that is left (`settle`) to somebody who reads the other part anew.
    """
    for record in draft.records:
        spans = _found_again(record.evidence, edited, ground.conversation)
        if spans == record.evidence:
            continue
        if _half_said(record, spans):
            if not settle:
                continue
            spans = ()
        draft.carry_out(_with_evidence(record, spans, ground))
    for name, trait in draft.traits.items():
        if trait is not None and trait.evidence:
            spans = _found_again(trait.evidence, edited, ground.conversation)
            if spans != trait.evidence:
                moved = trait.model_copy(update={"evidence": spans}) if spans else None
                draft.traits[name] = moved
                draft.touched = True
    key = ground.conversation
    kept = tuple(m for m in draft.moods if _found_again(m.evidence, edited, key) == m.evidence)
    if kept != draft.moods:
        draft.moods = kept
        draft.mood = draft.mood if draft.mood in kept else (kept[-1] if kept else None)
        draft.touched = True


def to_read_anew(
    records: Iterable[Record], edited: Mapping[int, Message], conversation: str
) -> set[int]:
    """The other messages of a conversation whose words would be lost with an edited one's."""
    numbers: set[int] = set()
    for record in records:
        spans = _found_again(record.evidence, edited, conversation)
        if _half_said(record, spans):
            numbers.update(span.seq for span in spans if span.conversation == conversation)
    return numbers - edited.keys()


def _half_said(record: Record, spans: tuple[Span, ...]) -> bool:
    """Whether what is left of a record's evidence lacks a name, a number or the value in it."""
    return bool(spans) and _lacking(record, spans) and not _lacking(record, record.evidence)


def _lacking(record: Record, spans: tuple[Span, ...]) -> bool:
    quotes = [span.quote for span in spans]
    claim = Candidate(text=record.text, event_date=record.event_date, source="model")
    said = {word for quote in quotes for word in words(quote)}
    return unsupported(claim, quotes, ()) is not None or not said >= set(words(record.value or ""))


def _found_again(
    spans: tuple[Span, ...], edited: Mapping[int, Message], conversation: str
) -> tuple[Span, ...]:
    again = []
    for span in spans:
        message = edited.get(span.seq) if span.conversation == conversation else None
        if message is None or mismatch(span, message.content) is None:
            again.append(span)
            continue
        quote = Quote(seq=span.seq, text=span.quote)
        found = locate(quote, {span.seq: message}, conversation)
        if found is not None:
            again.append(found.model_copy(update={"answers": span.answers}))
    return tuple(again)


def _with_evidence(record: Record, spans: tuple[Span, ...], ground: Ground) -> Decision:
    outcome = Outcome(
        kind=OutcomeKind.NOOP if spans else OutcomeKind.REJECT,
        reasons=(Reason.EVIDENCE_SOURCE_DIGEST_MISMATCH,),
        text=record.text,
        record=record.id,
        replaced=() if spans else (record.id,),
        evidence=spans,
        at=ground.now,
    )
    if spans:
        return Decision(outcome=outcome, put=record.model_copy(update={"evidence": spans}))
    return Decision(outcome=outcome, ended=(Ended(record=record, end=RecordEnd.UNSUPPORTED),))
