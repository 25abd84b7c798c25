"""Which turns are read at once: by rate, by what they say, the same each time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.conversation import Conversation, Message
from app.domain.outcome import OutcomeKind, Reason
from app.memory.turn_sample import is_sampled, sample_turn

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def message(seq: int, text: str, **fields: str) -> Message:
    return Message.model_validate(
        {"seq": seq, "role": "user", "content": text, "created_at": NOW, **fields}
    )


def talk(*texts: str, answered: int = 0) -> Conversation:
    messages = tuple(message(number, text) for number, text in enumerate(texts, 1))
    return Conversation(key="7", messages=messages, answered_through=answered)


def reasons(conversation: Conversation, rate: float = 1.0) -> list[Reason]:
    return [outcome.reasons[0] for outcome in sample_turn(conversation, rate, NOW).outcomes]


def test_only_unanswered_messages_count() -> None:
    sample = sample_turn(talk("I live in Leeds", "I have a dog", answered=1), 1.0, NOW)
    assert [m.seq for m in sample.messages] == [2]


def test_each_message_that_is_not_read_has_an_outcome() -> None:
    conversation = talk("Hi!", "I live in Leeds", "What is my dog called?")
    sample = sample_turn(conversation, 1.0, NOW)
    assert [m.seq for m in sample.messages] == [2]
    assert reasons(conversation) == [Reason.FILTERED_BEFORE_MODEL] * 2
    assert {outcome.kind for outcome in sample.outcomes} == {OutcomeKind.NOOP}
    assert not any(outcome.text or outcome.changed for outcome in sample.outcomes)


def test_a_rate_of_nothing_reads_nothing_and_says_so() -> None:
    assert reasons(talk("I live in Leeds", "I have a dog"), 0.0) == [Reason.NOT_SAMPLED] * 2
    assert sample_turn(talk("I live in Leeds"), 0.0, NOW).messages == ()


def test_what_is_forwarded_is_nobody_s_statement() -> None:
    forwarded = message(1, "I live in Leeds", origin="forwarded")
    sample = sample_turn(Conversation(key="7", messages=(forwarded,)), 1.0, NOW)
    assert sample.messages == ()
    assert sample.outcomes == ()


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_the_share_that_is_read_is_about_the_rate(rate: float) -> None:
    taken = [is_sampled("7", message(seq, "x"), rate) for seq in range(1, 3_001)]
    assert abs(sum(taken) / len(taken) - rate) < 0.03


def test_a_turn_that_is_run_again_is_decided_alike_whatever_came_since() -> None:
    for number in range(1, 200):
        said = message(number, "I live in Leeds")
        edited = said.model_copy(update={"content": "I live in Ely", "edited_at": NOW})
        assert is_sampled("7", said, 0.5) == is_sampled("7", edited, 0.5)


def test_a_higher_rate_reads_all_that_a_lower_one_does() -> None:
    for seq in range(1, 500):
        if is_sampled("7", message(seq, "x"), 0.3):
            assert is_sampled("7", message(seq, "x"), 0.6)
