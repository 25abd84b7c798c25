"""The held-out corpora are well formed, and the extractor does no worse on them than at first."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.heldout.score import FILES, Found, Score, findings, judge, rows_of, total

FIRST_RUN = {"utterances": (71, 3), "dialogue": (53, 7)}
"""What was kept and what was invented without a model when the corpora were first read."""


@pytest.mark.parametrize(("name", "size"), [("utterances", 200), ("dialogue", 1_000)])
def test_every_row_says_what_it_is_and_expects_words_that_can_be_kept(name: str, size: int) -> None:
    rows = list(rows_of(name))
    assert len(rows) == size
    assert max(Counter(row["id"] for row in rows).values()) == 1
    for row in rows:
        assert row["text"].strip()
        for wish in row["expect"]:
            assert wish["do"] in ("state", "correct", "forget")
            assert wish["about"]
            assert wish["value"]


def test_the_utterances_are_in_many_languages_and_most_scripts() -> None:
    languages = Counter(row["language"] for row in rows_of("utterances"))
    assert len(languages) >= 15
    assert languages.total() - languages["en"] >= 50


@pytest.mark.parametrize("name", FILES)
def test_no_less_is_kept_and_no_more_invented_than_on_the_first_run(name: str) -> None:
    score = _score(name)
    kept, invented = FIRST_RUN[name]
    assert score.kept >= kept
    assert score.invented <= invented


def test_the_score_can_tell() -> None:
    row = {"text": "", "expect": [{"do": "state", "about": ["dog"], "value": ["Rex"]}]}
    right, wrong = Found("keep", "dog name", "Rex"), Found("keep", "cat name", "Rex")
    assert judge(row, [right])[0] == Score(rows=1, wanted=1, kept=1)
    assert judge(row, [wrong])[0] == Score(rows=1, wanted=1, invented=1)
    assert judge(row, [])[0] == Score(rows=1, wanted=1)
    assert judge({"text": "", "expect": []}, [right])[0] == Score(rows=1, invented=1)


def _score(name: str) -> Score:
    return total([judge(row, findings(row["text"], loose=True))[0] for row in rows_of(name)])
