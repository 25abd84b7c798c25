"""Repeats: five minutes, however spelt, each subject for itself, and never without bound."""

from __future__ import annotations

from app.memory.repeats import REMEMBERED_SECS, Repeats


def test_the_same_words_are_known_for_five_minutes_and_then_new_again() -> None:
    repeats = Repeats()
    assert not repeats.has(1, "Must use Stripe!", 0.0)
    repeats.add(1, "Must use Stripe!", 0.0)
    assert repeats.has(1, "must use  stripe", REMEMBERED_SECS - 0.1)
    assert not repeats.has(1, "must use stripe", REMEMBERED_SECS)


def test_other_words_and_other_people_are_not_meant() -> None:
    repeats = Repeats()
    repeats.add(1, "I live in Leeds", 0.0)
    assert not repeats.has(2, "I live in Leeds", 1.0)
    assert not repeats.has(1, "I live in Ely", 1.0)


def test_saying_it_again_begins_the_time_anew() -> None:
    repeats = Repeats()
    repeats.add(1, "I live in Leeds", 0.0)
    repeats.add(1, "I live in Leeds", 200.0)
    assert repeats.has(1, "I live in Leeds", 400.0)


def test_what_is_over_is_let_go_and_the_oldest_beyond_the_limit() -> None:
    repeats = Repeats(most=10)
    for number in range(30):
        repeats.add(1, f"I have {number} sheep", 0.0)
    assert len(repeats) == 10
    assert not repeats.has(1, "I have 0 sheep", 1.0)
    assert repeats.has(1, "I have 29 sheep", 1.0)
    repeats.add(1, "I have a goat", REMEMBERED_SECS + 1)
    assert len(repeats) == 1
