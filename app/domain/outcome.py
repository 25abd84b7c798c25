"""What was decided about a candidate: exactly one outcome, with its reasons and its receipt."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from app.domain.candidate import CandidateSource
from app.domain.conversation import Frozen
from app.domain.evidence import Span


class OutcomeKind(StrEnum):
    """The five outcomes."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    SUPERSEDE = "SUPERSEDE"
    NOOP = "NOOP"
    REJECT = "REJECT"


class Reason(StrEnum):
    """Why. The first of an outcome's reasons decided it."""

    NEW_FACT_FOR_SLOT = "new_fact_for_slot"
    NEW_UNKEYED_FACT = "new_unkeyed_fact"
    REFINES_CURRENT_VALUE = "refines_current_value"
    EXPLICIT_CORRECTION = "explicit_correction"
    CONTRADICTS_CURRENT_VALUE = "contradicts_current_value"
    MORE_CONFIDENT_RESTATEMENT = "more_confident_restatement"
    DUPLICATE_OF_ACTIVE_RECORD = "duplicate_of_active_record"
    ALREADY_APPLIED = "already_applied"
    AMBIGUOUS_REFERENT = "ambiguous_referent"
    NO_EXTRACTABLE_CLAIM = "no_extractable_claim"
    MALFORMED_MODEL_OUTPUT = "malformed_model_output"
    UNSUPPORTED_BY_SOURCE = "unsupported_by_source"
    OLDER_THAN_CURRENT_VALUE = "older_than_current_value"
    FORGOTTEN_BEFORE = "forgotten_before"
    FORGET_REQUESTED = "forget_requested"
    TAKEN_BACK = "taken_back"
    NOTHING_TO_FORGET = "nothing_to_forget"
    SEVERAL_MATCHES = "several_matches"
    NO_SPECIFIC_TARGET = "no_specific_target"
    UNKNOWN_TARGET = "unknown_target"
    ADMITTED_WITH_EXPIRY = "admitted_with_expiry"
    ALREADY_EXPIRED = "already_expired"
    OVER_TURN_LIMIT = "over_turn_limit"
    NOT_SAMPLED = "not_sampled"
    FILTERED_BEFORE_MODEL = "filtered_before_model"
    REPEATED_RECENTLY = "repeated_recently"
    INSTRUCTION_SHAPED_CONTENT = "instruction_shaped_content"
    SECRET_MATERIAL_DETECTED = "secret_material_detected"
    EXPLICIT_EXCLUSION_SIGNAL = "explicit_exclusion_signal"
    UNTRUSTED_SOURCE_REQUIRES_REVIEW = "untrusted_source_requires_review"
    SENSITIVE_CONTENT_REQUIRES_REVIEW = "sensitive_content_requires_review"
    LOW_CONFIDENCE = "low_confidence"
    DESTRUCTIVE_MULTI_RECORD_CHANGE = "destructive_multi_record_change"
    NON_DURABLE_CLASS = "non_durable_class"
    SCOPE_MISMATCH = "scope_mismatch"
    EVIDENCE_SOURCE_DIGEST_MISMATCH = "evidence_source_digest_mismatch"
    EVIDENCE_EXCERPT_DIGEST_MISMATCH = "evidence_excerpt_digest_mismatch"
    EVIDENCE_SPAN_OUT_OF_RANGE = "evidence_span_out_of_range"
    STALE_PROPOSAL_GENERATION = "stale_proposal_generation"
    PRECONDITION_STATUS_CHANGED = "precondition_status_changed"
    PRECONDITION_CONTENT_CHANGED = "precondition_content_changed"


Verification = Literal["verified", "unverified", "failed_verification"]


class Outcome(Frozen):
    """One decision. `record` is the id that was made, changed or met; `replaced` those it retired.

    `choices` are the records a request could mean when it fits several. `evidence` is the
    receipt: what decided. `text` is the record's text (empty where nothing of the content may be
    kept); `before` is the text it replaced. `proposal` is set when the change waits for the
    person; `asked`, that they asked for it in so many words. `id` names the outcome within its
    subject once it is committed.
    """

    id: str = ""
    kind: OutcomeKind
    reasons: tuple[Reason, ...]
    text: str = ""
    record: str | None = None
    replaced: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    before: str = ""
    evidence: tuple[Span, ...] = ()
    source: CandidateSource = "rules"
    fallback_reason: str | None = None
    proposal: str | None = None
    asked: bool = False
    at: datetime

    @property
    def changed(self) -> bool:
        """Whether memory is different now."""
        return self.proposal is None and self.kind in _CHANGING

    @property
    def verification(self) -> Verification:
        """Whether what was asked for is so now."""
        if self.proposal is not None:
            return "unverified"
        if self.changed or Reason.DUPLICATE_OF_ACTIVE_RECORD in self.reasons:
            return "verified"
        if self.kind is OutcomeKind.NOOP and self.record is not None:
            return "verified"
        return "failed_verification"


_CHANGING = frozenset({OutcomeKind.ADD, OutcomeKind.UPDATE, OutcomeKind.SUPERSEDE})
