from hypothesis import given
from hypothesis import strategies as st

from app.domain.reply import PromptMessage
from app.memory.prompt_budget import ANSWER_TOKENS, cut_middle, estimate_tokens, fit

SYSTEM = PromptMessage(role="system", content="Be kind.")


def user(text: str) -> PromptMessage:
    return PromptMessage(role="user", content=text)


def test_a_short_text_is_not_cut() -> None:
    assert cut_middle("hello", 5) == "hello"


def test_a_long_text_keeps_head_and_a_longer_tail_and_says_so() -> None:
    cut = cut_middle("a" * 500 + "b" * 500, 300)
    assert len(cut) <= 300
    head, _, rest = cut.partition("\n[")
    assert "700 characters left out here" in rest
    tail = rest.rsplit("\n", 1)[1]
    assert set(head) == {"a"}
    assert set(tail) == {"b"}
    assert 1.3 < len(tail) / len(head) < 1.7


def test_everything_that_fits_is_kept() -> None:
    history = [user("one"), PromptMessage(role="assistant", content="two"), user("three")]
    assert fit(SYSTEM, history, 16_000) == [SYSTEM, *history]


def test_the_oldest_goes_first_and_the_rest_begins_with_the_person() -> None:
    history = [
        user("x" * 3_000),
        PromptMessage(role="assistant", content="y" * 300),
        user("z" * 300),
    ]
    fitted = fit(SYSTEM, history, ANSWER_TOKENS + 400)
    assert fitted == [SYSTEM, history[-1]]


@given(
    st.lists(st.text(min_size=1, max_size=4_000), min_size=1, max_size=12),
    st.integers(1_500, 8_000),
)
def test_a_prompt_fits_its_context_and_keeps_the_newest(texts: list[str], context: int) -> None:
    history = [
        PromptMessage(role="user" if n % 2 == 0 else "assistant", content=text)
        for n, text in enumerate(texts)
    ]
    fitted = fit(SYSTEM, history, context)
    assert fitted[0] == SYSTEM
    assert fitted[-1].role == history[-1].role
    assert sum(estimate_tokens(m.content) for m in fitted) <= context
