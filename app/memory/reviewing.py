"""Reviewing a whole profile: what a model's account of all records does to a draft."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from app.domain.record import Insight, Record, Trait
from app.memory.accounting import Account, Refused, Settled, redirect, settle
from app.memory.budget import evicted
from app.memory.draft import Draft

RECORDS_SHARE = 0.85
"""How much of the budget records may take; the rest is for what is drawn from them."""


def adopt(
    draft: Draft, account: Account, given: Sequence[Record], *, max_insights: int
) -> Refused | None:
    """Carry out an account of the records that were given; says why when it is refused.

    Records that changed since they were given, and new ones, stay as they are.
    """
    now_there = {record.id: record for record in draft.records}
    same = [record for record in given if now_there.get(record.id) == record]
    settled = settle(account, same, now=draft.now, max_insights=max_insights)
    if isinstance(settled, Refused):
        return settled
    _replace(draft, same, settled)
    draft.summary, draft.insights = redirect(draft.summary, draft.insights, settled.merged_into)
    if settled.summary is not None:
        draft.summary = settled.summary
    style = draft.traits["style"]
    if settled.style and style is not None and style.evidence:
        draft.traits["style"] = Trait(
            value=settled.style, evidence=style.evidence, updated_at=draft.now
        )
    if settled.insights is not None:
        draft.insights = tuple(
            Insight(
                id=_insight_id(draft, claim.text),
                text=claim.text,
                sources=claim.sources,
                created_at=draft.now,
            )
            for claim in settled.insights
        )
    return None


def records_room(budget: int) -> int:
    """The characters of a budget that the lines of records may take."""
    return int(budget * RECORDS_SHARE)


def evict(draft: Draft, budget: int) -> None:
    """Let go of what doesn't fit the budget, into the archive."""
    gone = evicted(draft.records, records_room(budget))
    if gone:
        leaving = {ended.record.id for ended in gone}
        draft.replace_records([r for r in draft.records if r.id not in leaving], gone)


def _replace(draft: Draft, same: Sequence[Record], settled: Settled) -> None:
    reviewed = {record.id for record in same}
    after = {record.id: record for record in settled.records}
    records = [
        after.get(record.id, record)
        for record in draft.records
        if record.id not in reviewed or record.id in after
    ]
    draft.replace_records(records, settled.ended)


def _insight_id(draft: Draft, text: str) -> str:
    name = f"{draft.profile.subject}|{draft.profile.epoch}|{text}"
    return "i" + hashlib.sha256(name.encode()).hexdigest()[:15]
