import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.text import clean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello", "hello"),
        ("a\x00b", "ab"),
        ("half \ud83d emoji", "half  emoji"),
        ("whole \U0001f600 emoji", "whole \U0001f600 emoji"),
        ("\ud83d\ude00", "\U0001f600"),
    ],
)
def test_what_no_database_takes_is_gone(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(st.text())
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert clean(text) == text.replace("\x00", "")


@given(st.text(st.characters(categories=["Cs", "L"]) | st.just("\x00")))
def test_anything_can_be_encoded_afterwards(text: str) -> None:
    clean(text).encode()
