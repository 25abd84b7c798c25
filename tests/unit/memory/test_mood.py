from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.record import Mood
from app.memory.mood import trend, with_mood
from tests.unit.memory.records import NOW


def mood(word: str, minute: int) -> Mood:
    return Mood(mood=word, detected_at=NOW + timedelta(minutes=minute))


CALM, TENSE, GLAD = mood("calm", 1), mood("tense", 5), mood("glad", 9)


def test_the_first_mood_is_the_current_one() -> None:
    assert with_mood((), None, CALM, 10) == ((CALM,), CALM)


def test_a_later_mood_comes_last_and_becomes_current() -> None:
    assert with_mood((CALM,), CALM, TENSE, 10) == ((CALM, TENSE), TENSE)


def test_an_earlier_mood_takes_its_place_and_does_not_become_current() -> None:
    assert with_mood((CALM, GLAD), GLAD, TENSE, 10) == ((CALM, TENSE, GLAD), GLAD)


def test_the_newest_of_a_history_without_a_current_mood_becomes_current() -> None:
    assert with_mood((CALM, GLAD), None, TENSE, 10) == ((CALM, TENSE, GLAD), GLAD)


def test_a_current_mood_that_the_history_lacks_is_not_overtaken_by_an_earlier_one() -> None:
    assert with_mood((), GLAD, TENSE, 10) == ((TENSE,), GLAD)


def test_the_history_keeps_the_newest() -> None:
    assert with_mood((CALM, TENSE), TENSE, GLAD, 2) == ((TENSE, GLAD), GLAD)
    assert with_mood((TENSE, GLAD), GLAD, CALM, 2) == ((TENSE, GLAD), GLAD)


@pytest.mark.parametrize("most", [0, -1])
def test_without_a_history_there_is_still_a_current_mood(most: int) -> None:
    assert with_mood((CALM,), CALM, TENSE, most) == ((), TENSE)


def test_two_moods_of_one_moment_both_count() -> None:
    wistful = mood("wistful", 5)
    assert with_mood((TENSE,), TENSE, wistful, 10) == ((TENSE, wistful), wistful)


moods = st.builds(mood, st.sampled_from(["calm", "tense", "glad"]), st.integers(0, 30))


@given(st.lists(moods, max_size=25), st.integers(1, 12))
def test_the_history_is_in_order_bounded_and_the_same_when_all_is_told_twice(
    told: list[Mood], most: int
) -> None:
    history: tuple[Mood, ...] = ()
    current: Mood | None = None
    for one in told:
        history, current = with_mood(history, current, one, most)
        assert with_mood(history, current, one, most) == (history, current)
        assert len(history) <= most
        assert list(history) == sorted(history, key=lambda m: m.detected_at)
    if told:
        assert current is not None
        assert current.detected_at == max(m.detected_at for m in told)
        times = sorted({(m.detected_at, m.mood) for m in told})
        assert [m.detected_at for m in history] == [at for at, _ in times[-most:]]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ((), ""),
        ((CALM,), "calm"),
        ((CALM, TENSE, mood("calm", 7)), "calm → tense → calm"),
        ((CALM, mood("calm", 2), TENSE), "calm → tense"),
    ],
)
def test_the_trend_in_words(told: tuple[Mood, ...], said: str) -> None:
    assert trend(told) == said
