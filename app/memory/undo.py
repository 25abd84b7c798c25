"""Undo: takes back the last change to a record, and keeps it from coming back by itself."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.decision import Decision, Ended
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.record import LineageKind, Record, RecordEnd
from app.memory.draft import Draft
from app.memory.ground import Ground

_TRAITS = ("gender", "style", "timezone", "mood")


def undoable(outcome: Outcome, recent: Sequence[Outcome], active: Sequence[Record]) -> bool:
    """Whether an outcome can be taken back: it changed a record, and nothing has since."""
    if not outcome.changed or outcome.record is None or outcome.record in _TRAITS:
        return False
    if all(record.id != outcome.record for record in active):
        return False
    later = [o for o in recent if o.changed and outcome.record in (o.record, *o.replaced)]
    return bool(later) and later[-1].id == outcome.id


def undo(draft: Draft, outcome: Outcome, before: Record | None, ground: Ground) -> Outcome | None:
    """Take an outcome back on a draft; None when that can't be done any more.

    What was added goes; what was replaced returns as `before`, the archived record.
    """
    recent = draft.profile.recent_outcomes
    current = next((r for r in draft.records if r.id == outcome.record), None)
    if current is None or not undoable(outcome, recent, draft.records):
        return None
    if outcome.kind is OutcomeKind.ADD:
        draft.drop(current, ground)
        return draft.carry_out(Decision(outcome=_taken_back(outcome, None, ground)))
    if before is None:
        return None
    gone = Ended(
        record=current,
        end=RecordEnd.SUPERSEDED,
        lineage=LineageKind.RESTORED,
        replaced_by=before.id,
    )
    draft.bury(current, ground)
    before = before.model_copy(update={"pinned": current.pinned})
    back = _taken_back(outcome, before, ground)
    return draft.carry_out(Decision(outcome=back, put=before, ended=(gone,)))


def _taken_back(outcome: Outcome, before: Record | None, ground: Ground) -> Outcome:
    return Outcome(
        kind=OutcomeKind.SUPERSEDE,
        reasons=(Reason.TAKEN_BACK,),
        text=before.text if before else "",
        record=before.id if before else None,
        replaced=(outcome.record,) if outcome.record else (),
        source="request",
        at=ground.now,
    )
