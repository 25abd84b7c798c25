"""Whether quoted words can carry a claim: names and numbers, in languages that decline them too."""

from __future__ import annotations

import pytest

from app.domain.candidate import Candidate
from app.memory.support import unsupported


def claim(text: str, value: str | None = None) -> Candidate:
    return Candidate(text=text, value=value, source="model")


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("Я живу в Казани", "Казань", "я живу в Казани и работаю водителем автобуса"),
        ("Я переехал из Самары", "Самара", "Раньше я жил в Самаре, но переехал"),
        ("Mieszkam w Gdańsku", "Gdańsk", "mieszkam w Gdańsku"),
        ("Μένω στην Αθήνα", "Αθήνα", "ζω στην Αθήνας"),
        ("My dog is called Rex", "Rex", "my dog's Rex"),
        ("I have 3 cats", "3", "3 cats live with me"),
    ],
)
def test_names_and_numbers_that_were_said_carry_a_claim(text: str, value: str, said: str) -> None:
    assert unsupported(claim(text, value), [said], ()) is None


@pytest.mark.parametrize(
    ("text", "value", "said", "invented"),
    [
        ("Я живу в Москве", None, "я живу в Казани", "москве"),
        ("Я живу в Казани", "Москва", "я живу в Казани", "москва"),
        ("My sister is Marie", None, "my sister is Maria", "marie"),
        ("My dog is called Rex", "Max", "my dog is called Rex", "max"),
        ("У меня 3 кота", None, "у меня 2 кота", "3"),
        ("I have 40 cats", "40", "I have 4 cats", "40"),
    ],
)
def test_the_first_that_was_not_said_is_named(
    text: str, value: str | None, said: str, invented: str
) -> None:
    assert unsupported(claim(text, value), [said], ()) == invented


def test_what_was_said_shortly_before_lends_a_name_and_no_number() -> None:
    said = ["Remember Rex? He weighs 28 kilos"]
    line = ["he had an operation on his hip"]
    assert unsupported(claim("Then Rex had an operation"), line, (), said=said) is None
    assert unsupported(claim("Then Rex had an operation"), line, ()) == "rex"
    assert unsupported(claim("He had 28 operations"), line, (), said=said) == "28"
