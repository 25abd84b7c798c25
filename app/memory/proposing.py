"""Proposing: a change put aside for the person, pinned to what it would change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from app.domain.candidate import Candidate
from app.domain.outcome import Reason
from app.domain.proposal import Precondition, Proposal
from app.domain.record import Record
from app.memory.ground import Ground
from app.memory.normalise import digest, normalise


def record_digest(record: Record) -> str:
    """What a record says, as a digest: its text, slot and value."""
    slot = "/".join(record.slot.key) if record.slot else ""
    return digest(f"{record.text}\n{slot}\n{record.value or ''}")


def propose(
    candidate: Candidate, reasons: tuple[Reason, ...], pinned: Sequence[Record], ground: Ground
) -> Proposal:
    """The proposal of a candidate; the same candidate makes the same proposal."""
    quotes = "|".join(f"{quote.seq}:{quote.text}" for quote in candidate.quotes)
    name = f"{ground.subject}|{ground.epoch}|{ground.conversation}|{quotes}"
    key = hashlib.sha256(f"{name}|{normalise(candidate.text)}".encode()).hexdigest()
    preconditions = tuple(
        Precondition(
            record=record.id, generation=record.generation, content_digest=record_digest(record)
        )
        for record in pinned
    )
    return Proposal(
        id="p" + key[:15],
        subject=ground.subject,
        conversation=ground.conversation,
        candidate=candidate,
        reasons=reasons,
        preconditions=preconditions,
        generation=0,
        epoch=ground.epoch,
        created_at=ground.now,
    )


def stale(proposal: Proposal, records: Sequence[Record]) -> Reason | None:
    """Why a proposal no longer fits the records it would change; None when it does."""
    active = {record.id: record for record in records}
    for pinned in proposal.preconditions:
        record = active.get(pinned.record)
        if record is None:
            return Reason.PRECONDITION_STATUS_CHANGED
        if record_digest(record) != pinned.content_digest:
            return Reason.PRECONDITION_CONTENT_CHANGED
        if record.generation != pinned.generation:
            return Reason.STALE_PROPOSAL_GENERATION
    return None
