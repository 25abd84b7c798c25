"""The extractor against utterances as people write them."""

import pytest

from tests.unit.memory.rule_extractor import english_negatives, english_table, languages_table
from tests.unit.memory.rule_extractor.shown import found_in

STATED = (*english_table.STATED, *languages_table.STATED)
NOTHING = (*english_negatives.NOTHING, *languages_table.NOTHING)


@pytest.mark.parametrize(("text", "expected"), STATED, ids=[text for text, _ in STATED])
def test_what_is_stated_is_found(text: str, expected: tuple[str, ...]) -> None:
    assert found_in(text) == tuple(sorted(expected))


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_statement_is_left_alone(text: str) -> None:
    assert found_in(text) == ()


@pytest.mark.parametrize(("question", "text", "expected"), english_table.ANSWERS)
def test_a_bare_answer_counts_with_its_question(
    question: str, text: str, expected: tuple[str, ...]
) -> None:
    assert found_in(text, previous=question) == expected
    assert found_in(text) == ()


def test_the_table_is_large_and_speaks_many_languages() -> None:
    assert len(STATED) + len(NOTHING) >= 200
    assert len(NOTHING) >= 70
    assert len(languages_table.STATED) + len(languages_table.NOTHING) >= 40
