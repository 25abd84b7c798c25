"""Which turns the model reads at once, and why the others wait for the ordinary extraction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from app.domain.conversation import Conversation, Frozen, Message
from app.domain.outcome import Outcome, OutcomeKind, Reason
from app.memory.evidence import is_evidence
from app.memory.turn_filter import may_state
from app.memory.window import unanswered


class Sample(Frozen):
    """The messages of a turn that are worth a call, and an outcome for each of the others."""

    messages: tuple[Message, ...] = ()
    outcomes: tuple[Outcome, ...] = ()


def sample_turn(conversation: Conversation, rate: float, now: datetime) -> Sample:
    """What of the unanswered messages a model should read; the same on every run."""
    said = [message for message in unanswered(conversation) if is_evidence(message)]
    if said and not is_sampled(conversation.key, said[0], rate):
        return Sample(outcomes=tuple(skipped(Reason.NOT_SAMPLED, now) for _ in said))
    return filtered(said, now)


def filtered(said: Sequence[Message], now: datetime) -> Sample:
    """The messages that may state something."""
    worth = tuple(message for message in said if may_state(message.content))
    kept_back = [skipped(Reason.FILTERED_BEFORE_MODEL, now)] * (len(said) - len(worth))
    return Sample(messages=worth, outcomes=tuple(kept_back))


def is_sampled(conversation: str, message: Message, rate: float) -> bool:
    """Whether a turn that begins with a message is among the share `rate` of all turns.

    Decided by the message's number alone, so that a turn that is run again is decided alike.
    """
    name = f"{conversation}|{message.seq}".encode()
    place = int.from_bytes(hashlib.sha256(name).digest()[:8], "big") / 2**64
    return place < rate


def skipped(reason: Reason, now: datetime) -> Outcome:
    """The outcome of a message that no model was asked about."""
    return Outcome(kind=OutcomeKind.NOOP, reasons=(reason,), source="model", at=now)
