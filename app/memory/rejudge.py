"""Judging again: what becomes of memory when a message it rests on was edited."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.conversation import Message
from app.domain.decision import Decision, Ended
from app.domain.evidence import Quote, Span
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.record import Record, RecordEnd
from app.memory.draft import Draft
from app.memory.evidence import locate, mismatch
from app.memory.ground import Ground


def rejudge(draft: Draft, edited: Mapping[int, Message], ground: Ground) -> None:
    """Find the evidence of each record again in the edited messages of one conversation.

    Words that still stand there are evidence at their new place. A record that has none left
    ends; what the message says now has to be extracted anew.
    """
    for record in draft.records:
        spans = _found_again(record.evidence, edited, ground)
        if spans == record.evidence:
            continue
        draft.carry_out(_with_evidence(record, spans, ground))
    for name, trait in draft.traits.items():
        if trait is not None and trait.evidence:
            spans = _found_again(trait.evidence, edited, ground)
            if spans != trait.evidence:
                moved = trait.model_copy(update={"evidence": spans}) if spans else None
                draft.traits[name] = moved
                draft.touched = True
    kept = tuple(m for m in draft.moods if _found_again(m.evidence, edited, ground) == m.evidence)
    if kept != draft.moods:
        draft.moods = kept
        draft.mood = draft.mood if draft.mood in kept else (kept[-1] if kept else None)
        draft.touched = True


def _found_again(
    spans: tuple[Span, ...], edited: Mapping[int, Message], ground: Ground
) -> tuple[Span, ...]:
    again = []
    for span in spans:
        message = edited.get(span.seq) if span.conversation == ground.conversation else None
        if message is None or mismatch(span, message.content) is None:
            again.append(span)
            continue
        quote = Quote(seq=span.seq, text=span.quote)
        found = locate(quote, {span.seq: message}, ground.conversation)
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
