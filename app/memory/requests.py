"""Requests: what a model understood the person to ask of memory, as claims on their words."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.candidate import Candidate, Forget
from app.domain.conversation import Message
from app.domain.evidence import Quote
from app.domain.reply import MemoryOp
from app.memory.evidence import Messages, is_evidence, locate
from app.memory.rule_extractor import extract
from app.memory.support import unrelated

RECENT = 12
"""How many messages back the words of a request may stand."""
MAX_QUOTE = 500
REQUEST_CONFIDENCE = 0.95


def as_candidate(
    op: MemoryOp, pending: Sequence[Message], messages: Messages, zone: str
) -> Candidate:
    """A request to remember; without a quote, what it says must stand in the newest message.

    Where the rules can read the text, they say which slot it belongs to.
    """
    quote = _quoted(op, pending, messages)
    base = Candidate(
        text=op.text,
        quotes=(quote,) if quote else (),
        source="request",
        category=op.category,
        confidence=REQUEST_CONFIDENCE,
        confidence_reason="asked for",
        asked=True,
    )
    if quote is None:
        return base
    source = messages[quote.seq]
    read = extract(source.model_copy(update={"content": op.text}), now=source.created_at, zone=zone)
    found = (*read.candidates, *read.hints)
    if len(found) != 1 or found[0].referent is not None:
        return base
    known = found[0]
    return base.model_copy(
        update={
            "kind": known.kind,
            "slot": known.slot,
            "value": known.value,
            "event_date": known.event_date,
            "sensitivity": known.sensitivity,
            "durable_category": known.durable_category,
            "category": op.category or known.category,
        }
    )


def as_forget(op: MemoryOp, pending: Sequence[Message]) -> Forget:
    """A request to forget. It counts only with words of the turn that is being answered."""
    mine = {message.seq: message for message in pending}
    quote = _quoted(op, pending, mine)
    return Forget(words=op.text, record_id=op.id, quote=quote)


def _quoted(op: MemoryOp, pending: Sequence[Message], messages: Messages) -> Quote | None:
    """The words a request rests on; None when there are none.

    A quote that stands nowhere is passed on, to be refused by the one who decides.
    """
    if not pending:
        return None
    if not op.quote.strip():
        newest = pending[-1]
        related = op.op == "forget" or not unrelated(op.text, [newest.content])
        return Quote(seq=newest.seq, text=_head(newest.content)) if related else None
    for number in sorted(messages, reverse=True)[:RECENT]:
        quote = Quote(seq=number, text=op.quote)
        if is_evidence(messages[number]) and locate(quote, messages, "") is not None:
            return quote
    return Quote(seq=pending[-1].seq, text=op.quote)


def _head(text: str) -> str:
    if len(text) <= MAX_QUOTE:
        return text
    return text[:MAX_QUOTE].rsplit(None, 1)[0]
