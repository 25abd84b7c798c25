from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.domain.conversation import Conversation, Message
from app.memory.window import chars, cut_through, unanswered

NOW = datetime(2026, 3, 1, tzinfo=UTC)
KEEP_MESSAGES = 20


def conversation(lengths: list[int], answered_through: int, first_seq: int = 1) -> Conversation:
    messages = tuple(
        Message(
            seq=first_seq + n,
            role="user" if n % 2 == 0 else "assistant",
            content="x" * length,
            created_at=NOW,
        )
        for n, length in enumerate(lengths)
    )
    return Conversation(
        key="1", messages=messages, first_seq=first_seq, answered_through=answered_through
    )


def test_a_window_within_its_size_is_left_alone() -> None:
    assert cut_through(conversation([100] * 100, 100), 10_000, KEEP_MESSAGES) is None


def test_a_full_window_drops_to_half_in_one_step() -> None:
    window = conversation([100] * 121, 121, first_seq=41)
    through = cut_through(window, 12_000, KEEP_MESSAGES)
    assert through is not None
    left = sum(len(m.content) for m in window.messages if m.seq > through)
    assert left == 6_000


def test_the_last_messages_stay_however_long_they_are() -> None:
    assert (
        cut_through(conversation([1_000] * KEEP_MESSAGES, KEEP_MESSAGES), 12_000, KEEP_MESSAGES)
        is None
    )


def test_what_is_not_answered_stays() -> None:
    window = conversation([1_000] * 60, 10)
    assert cut_through(window, 12_000, KEEP_MESSAGES) == 10


@given(
    st.lists(st.integers(0, 3_000), max_size=80),
    st.integers(0, 90),
    st.integers(1, 500),
)
def test_a_cut_never_takes_the_newest_or_the_unanswered(
    lengths: list[int], answered: int, first_seq: int
) -> None:
    window = conversation(lengths, first_seq + answered - 1, first_seq)
    through = cut_through(window, 12_000, KEEP_MESSAGES)
    if through is None:
        return
    left = [m for m in window.messages if m.seq > through]
    assert chars(window.messages) > 12_000
    assert len(left) >= KEEP_MESSAGES
    assert through <= window.answered_through
    assert window.first_seq <= through


def test_unanswered_are_the_persons_messages_after_the_mark() -> None:
    window = conversation([1, 1, 1, 1, 1], 2)
    assert [m.seq for m in unanswered(window)] == [3, 5]
