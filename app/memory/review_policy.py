"""The review policy: which outcomes are admitted, which wait for the person, which are refused."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.domain.candidate import Candidate
from app.domain.conversation import Frozen
from app.domain.outcome import OutcomeKind, Reason

Verdict = Literal["admit", "quarantine", "reject"]


class ReviewPolicy(Frozen):
    """config/review_policy.toml; the defaults are the file's.

    `minimum_confidence` is what a claim needs to be taken at its word. The other keys say what
    happens to claims of a kind.
    """

    minimum_confidence: float = Field(default=0.6, ge=0, le=1)
    low_confidence: Verdict = "reject"
    sensitive_stated: Verdict = "admit"
    sensitive_inferred: Verdict = "quarantine"
    ambiguous: Verdict = "quarantine"
    destructive: Verdict = "quarantine"
    untrusted_source: Verdict = "quarantine"


def review(
    candidate: Candidate, kind: OutcomeKind, retired: int, policy: ReviewPolicy, *, own_words: bool
) -> tuple[Verdict, Reason | None]:
    """What becomes of a change, and the reason where it isn't simply admitted.

    `retired` counts current records it would end; `own_words`: the owner said it in their own
    direct message, where what they ask for plainly needs nobody's consent.
    """
    if kind not in (OutcomeKind.ADD, OutcomeKind.UPDATE, OutcomeKind.SUPERSEDE):
        return "admit", None
    if retired > 1 and policy.destructive != "admit":
        return policy.destructive, Reason.DESTRUCTIVE_MULTI_RECORD_CHANGE
    if candidate.asked and own_words:
        return "admit", None
    if candidate.confidence < policy.minimum_confidence and policy.low_confidence != "admit":
        return policy.low_confidence, Reason.LOW_CONFIDENCE
    if candidate.sensitivity == "sensitive":
        stated = candidate.epistemic == "stated" and own_words
        verdict = policy.sensitive_stated if stated else policy.sensitive_inferred
        if verdict != "admit":
            return verdict, Reason.SENSITIVE_CONTENT_REQUIRES_REVIEW
    return "admit", None
