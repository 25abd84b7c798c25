"""What an unsuccessful model call means and what follows: pure decisions.

| failure       | tried again        | fallback model | counts for the breaker |
|---------------|--------------------|----------------|------------------------|
| timeout       | with a pause       | yes            | yes                    |
| connection    | with a pause       | yes            | yes                    |
| rate_limit    | with a pause       | yes            | yes                    |
| server        | with a pause       | yes            | yes                    |
| empty         | once, without one  | yes            | no                     |
| no_credit     | no                 | yes            | no                     |
| unknown_model | no                 | yes            | no                     |
| bad_request   | no                 | yes            | no                     |
| auth          | no                 | no             | no                     |
| breaker_open  | no                 | yes            | no                     |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from app.errors import ModelFailure
from app.memory.breaker import Outcome

OUTAGES = frozenset(
    {
        ModelFailure.TIMEOUT,
        ModelFailure.CONNECTION,
        ModelFailure.RATE_LIMIT,
        ModelFailure.SERVER,
    }
)

_NO_CREDIT = (
    "insufficient_quota",
    "insufficient quota",
    "exceeded your current quota",
    "insufficient balance",
    "insufficient credit",
    "insufficient_balance",
    "billing_hard_limit",
    "requires more credits",
)
_UNKNOWN_MODEL = ("model_not_found", "not a valid model", "invalid model", "unknown model")
_FORMAT_WORDS = (
    "response_format",
    "response format",
    "json_schema",
    "json schema",
    "json_object",
    "json mode",
    "structured output",
    "guided_json",
    "grammar",
    "the word 'json'",
)
_NOT_THE_FORMAT = ("context_length", "context length", "content_policy", "content_filter", "safety")
_NEVER_FORMAT_STATUS = frozenset({401, 402, 403, 408, 409, 429})


@dataclass(frozen=True, slots=True)
class RetryRules:
    """`max_retries` more attempts; all else in seconds.

    `longest_wait` is the longest Retry-After that is waited for; `pause_budget` bounds the sum
    of all pauses of one call to one model.
    """

    max_retries: int = 2
    first_pause: float = 0.5
    longest_pause: float = 8.0
    longest_wait: float = 30.0
    pause_budget: float = 45.0


def pause_before_retry(
    kind: ModelFailure,
    attempt: int,
    rules: RetryRules,
    *,
    jitter: float,
    retry_after: float | None = None,
    paused: float = 0.0,
) -> float | None:
    """Seconds to wait before the next attempt, or None when there is none.

    `attempt` is the number of the attempt that failed (1 is the first), `jitter` a random number
    from 0 to 1, `paused` what this call has waited so far. The server's Retry-After is never cut
    short: where it is too long, the call has failed now.
    """
    if attempt > rules.max_retries:
        return None
    if kind is ModelFailure.EMPTY:
        return 0.0 if attempt == 1 else None
    if kind not in OUTAGES:
        return None
    pause = min(rules.longest_pause, rules.first_pause * 2.0 ** min(attempt - 1, 16))
    pause *= 0.5 + jitter / 2
    if retry_after is not None:
        if retry_after > rules.longest_wait:
            return None
        pause = max(pause, retry_after + jitter * rules.first_pause / 2)
    return pause if paused + pause <= rules.pause_budget else None


def tries_fallback(kind: ModelFailure) -> bool:
    """Whether another model on the same endpoint, with the same key, may still answer."""
    return kind is not ModelFailure.AUTH


def outcome_of(kind: ModelFailure) -> Outcome:
    """What a failure tells the circuit breaker: an outage, or that the server answers."""
    return Outcome.FAILED if kind in OUTAGES else Outcome.ANSWERED


def failure_of(status: int, text: str) -> ModelFailure:
    """The kind of failure behind an HTTP status and the error's code and words."""
    text = text.lower()
    if status == 402 or (400 <= status < 500 and any(words in text for words in _NO_CREDIT)):
        return ModelFailure.NO_CREDIT
    if status in (401, 403):
        return ModelFailure.AUTH
    if status == 404 or (status in (400, 422) and any(words in text for words in _UNKNOWN_MODEL)):
        return ModelFailure.UNKNOWN_MODEL
    if status == 408:
        return ModelFailure.TIMEOUT
    if status == 429:
        return ModelFailure.RATE_LIMIT
    if status in (409, 425) or status >= 500:
        return ModelFailure.SERVER
    return ModelFailure.BAD_REQUEST


def refuses_format(status: int, text: str, *, proven: bool) -> bool:
    """Whether an error means that the endpoint can't give this form of structured output.

    Many servers only say "bad request"; where the form has never worked (`proven` is false), an
    unexplained 400 or 422 is taken as such a refusal too.
    """
    text = text.lower()
    if status in _NEVER_FORMAT_STATUS or status < 400:
        return False
    if any(words in text for words in _FORMAT_WORDS):
        return True
    if proven or status not in (400, 422):
        return False
    return failure_of(status, text) is ModelFailure.BAD_REQUEST and not any(
        words in text for words in _NOT_THE_FORMAT
    )


def retry_after_secs(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds a server asks to wait: `retry-after-ms`, or `Retry-After` in either of its forms."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    return max(0.0, (moment - now).total_seconds())
