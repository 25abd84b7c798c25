"""Traits: gender, style and timezone, taken only from what a person says of themself."""

from __future__ import annotations

from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.domain.candidate import TraitClaim
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.domain.record import Trait
from app.memory.evidence import locate, newest
from app.memory.ground import Ground
from app.memory.normalise import words

GENDERS = frozenset({"male", "female", "non-binary"})
MINIMUM_CONFIDENCE = {"gender": 0.8, "style": 0.5, "timezone": 0.6}
MAX_STYLE_CHARS = 200

_PARTNER_WORDS = (
    "wife husband girlfriend boyfriend fiancee fiance fiancé fiancée esposa esposo marido mujer "
    "novia novio femme mari frau mann freundin freund moglie жена муж жену мужа девушка "
    "девушку पत्नी पति बीवी 妻 妻子 老婆 丈夫 老公 아내 남편"
)
_PARTNERS = frozenset(_PARTNER_WORDS.split(" "))
_SELF = (
    ("i'm", "a"),
    ("im", "a"),
    ("i", "am"),
    ("as", "a"),
    ("my", "pronouns"),
    ("she", "her"),
    ("he", "him"),
    ("they", "them"),
)


def judge_trait(
    claim: TraitClaim, current: Trait | None, ground: Ground
) -> tuple[Trait | None, Outcome]:
    """The new trait where the claim stands, and the outcome.

    What the person set by hand (no evidence) is changed by hand only. An uncertain claim
    changes nothing, and nothing clears a trait.
    """
    found = [locate(quote, ground.messages, ground.conversation) for quote in claim.quotes]
    spans = tuple(span for span in found if span is not None)
    value = _canonical(claim)
    outcome = Outcome(
        kind=OutcomeKind.ADD if current is None else OutcomeKind.UPDATE,
        reasons=(
            Reason.NEW_FACT_FOR_SLOT if current is None else Reason.CONTRADICTS_CURRENT_VALUE,
        ),
        text=value or "",
        record=claim.trait,
        before=current.value if current else "",
        evidence=spans,
        source="model",
        at=ground.now,
    )

    def refused(kind: OutcomeKind, reason: Reason) -> tuple[None, Outcome]:
        return None, outcome.model_copy(
            update={"kind": kind, "reasons": (reason,), "record": None, "before": ""}
        )

    if not spans or len(spans) < len(found):
        return refused(OutcomeKind.REJECT, Reason.UNSUPPORTED_BY_SOURCE)
    if value is None:
        return refused(OutcomeKind.REJECT, Reason.MALFORMED_MODEL_OUTPUT)
    if claim.confidence < MINIMUM_CONFIDENCE[claim.trait]:
        return refused(OutcomeKind.REJECT, Reason.LOW_CONFIDENCE)
    if claim.trait == "gender" and all(_only_of_partner(span.quote) for span in spans):
        return refused(OutcomeKind.REJECT, Reason.UNSUPPORTED_BY_SOURCE)
    if current is not None:
        if current.value == value:
            return refused(OutcomeKind.NOOP, Reason.DUPLICATE_OF_ACTIVE_RECORD)
        if not current.evidence:
            return refused(OutcomeKind.REJECT, Reason.CONTRADICTS_CURRENT_VALUE)
        if newest(spans) < newest(current.evidence):
            return refused(OutcomeKind.REJECT, Reason.OLDER_THAN_CURRENT_VALUE)
    return Trait(value=value, evidence=spans, updated_at=ground.now), outcome


def is_zone(name: str) -> bool:
    """Whether a name is an IANA time zone."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _canonical(claim: TraitClaim) -> str | None:
    value = " ".join(claim.value.split())
    if claim.trait == "gender":
        value = (
            value.casefold().replace("nonbinary", "non-binary").replace("non binary", "non-binary")
        )
        return value if value in GENDERS else None
    if claim.trait == "timezone":
        return value if is_zone(value) else None
    return value[:MAX_STYLE_CHARS] or None


def _only_of_partner(quote: str) -> bool:
    """Whether words speak of a partner and say nothing of the speaker."""
    said = words(quote)
    if not _PARTNERS & set(said):
        return False
    pairs = set(pairwise(said))
    return not any(pair in pairs for pair in _SELF)
