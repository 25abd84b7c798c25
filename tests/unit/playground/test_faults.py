"""Which call a fault hits."""

from __future__ import annotations

import pytest

from app.playground.faults import Faults, Kind


def test_a_fault_hits_as_often_as_asked_after_the_skipped_calls() -> None:
    faults = Faults()
    fault = faults.add("sendMessage", "500", times=2, skip=1)
    hits = [faults.take("sendMessage", 1) is fault for _ in range(4)]
    assert hits == [False, True, True, False]
    assert fault.hits == 2


def test_a_fault_can_be_meant_for_one_chat_and_one_method() -> None:
    faults = Faults()
    faults.add("sendMessage", "429", chat_id=5, times=None)
    assert faults.take("sendMessage", 6) is None
    assert faults.take("getMe", 5) is None
    assert faults.take("SENDMESSAGE", 5) is not None


@pytest.mark.parametrize(
    ("kind", "code"), [("429", 429), ("500", 500), ("502", 502), ("error", 400)]
)
def test_refusals_have_their_code(kind: Kind, code: int) -> None:
    refusal = Faults().add("*", kind).refusal()
    assert refusal is not None
    assert refusal.code == code


def test_429_tells_how_long_to_wait() -> None:
    refusal = Faults().add("*", "429", retry_after=7).refusal()
    assert refusal is not None
    assert refusal.body()["parameters"] == {"retry_after": 7}


def test_a_released_fault_hits_no_more_and_says_so() -> None:
    rings: list[int] = []
    faults = Faults(on_change=lambda: rings.append(1))
    fault = faults.add("*", "hang", times=None)
    faults.take("getMe", None)
    faults.clear()
    assert fault.released
    assert faults.take("getMe", None) is None
    assert len(rings) == 2


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no such fault"):
        Faults().add("*", "earthquake")  # type: ignore[arg-type]
