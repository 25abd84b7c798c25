"""Forgetting: which record a request means, and what may still be said of it afterwards."""

from __future__ import annotations

from collections.abc import Sequence, Set

from app.domain.candidate import Forget
from app.domain.conversation import Frozen
from app.domain.outcome import Outcome, Reason
from app.domain.record import SELF, Record
from app.memory.normalise import words

_FILLER = (
    "my mine our me i i'm im am you your about of the a an that this it's it is was are were what "
    "which who whole thing things everything anything something please to for on in at and all "
    "know knew told said remember forget do does did have has had one any more anymore"
)
FILLER = frozenset(_FILLER.split(" "))
"""Words that don't tell one memory from another."""


class Match(Frozen):
    """The one record a request means, or why there is none; `choices` when several would do."""

    record: Record | None = None
    choices: tuple[Record, ...] = ()
    reason: Reason


def wanted(forget: Forget, records: Sequence[Record]) -> Match:
    """The record a request to forget means: by id, else by words that fit one record only."""
    if forget.record_id:
        named = next((r for r in records if r.id == forget.record_id), None)
        if named is not None:
            return Match(record=named, reason=Reason.FORGET_REQUESTED)
        if not forget.words:
            return Match(reason=Reason.UNKNOWN_TARGET)
    asked = {word.removesuffix("'s") for word in words(forget.words)} - FILLER
    if not asked:
        return Match(reason=Reason.NO_SPECIFIC_TARGET)
    fitting = [record for record in records if asked <= _vocabulary(record)]
    if not fitting:
        return Match(reason=Reason.NOTHING_TO_FORGET)
    exact = [record for record in fitting if set(words(record.value or "")) == asked]
    chosen = exact if len(exact) == 1 else fitting
    if len(chosen) == 1:
        return Match(record=chosen[0], reason=Reason.FORGET_REQUESTED)
    return Match(choices=tuple(chosen), reason=Reason.SEVERAL_MATCHES)


def scrubbed(outcomes: Sequence[Outcome], forgotten: Set[str]) -> tuple[Outcome, ...]:
    """Outcomes without the content of those that speak of a forgotten record.

    Where something was said stays known, what was said doesn't.
    """
    if not forgotten:
        return tuple(outcomes)
    return tuple(
        outcome.model_copy(
            update={
                "text": "",
                "before": "",
                "evidence": tuple(
                    span.model_copy(update={"quote": "", "excerpt_digest": "", "source_digest": ""})
                    for span in outcome.evidence
                ),
            }
        )
        if forgotten & {outcome.record, *outcome.replaced}
        else outcome
        for outcome in outcomes
    )


def _vocabulary(record: Record) -> set[str]:
    """All words by which somebody could mean a record, plurals aside."""
    said = {*words(record.text), *words(record.value or "")}
    if record.slot is not None:
        if record.slot.subject != SELF:
            said.update(words(record.slot.subject.replace("/", " ").replace("_", " ")))
        said.update(words(record.slot.predicate.replace("_", " ")))
    return {form for word in said for form in (word, word.removesuffix("'s"))}
