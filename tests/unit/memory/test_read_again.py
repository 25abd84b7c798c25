"""Words that are read once more, after a review changed what became of them."""

from __future__ import annotations

import pytest

from app.domain.outcome import OutcomeKind, Reason
from app.memory.accounting import Account, Verdict
from app.memory.reviewing import adopt
from tests.unit.memory.talk import Talk

JAZZ, PLUMS = "I like jazz", "I like plums"


@pytest.fixture
def talk() -> Talk:
    """Two likings that a review has merged into one record."""
    talk = Talk()
    for said in (JAZZ, PLUMS):
        talk.write(said)
        talk.claim(said, said, slot=("self", "likes"), value=said.split()[-1])
    one, other = talk.profile.facts
    draft = talk.draft()
    verdicts = (
        Verdict(id=one.id, action="rewritten", text="I like jazz and plums"),
        Verdict(id=other.id, action="merged", into=one.id),
    )
    assert adopt(draft, Account(verdicts=verdicts), tuple(draft.records), max_insights=0) is None
    talk.profile = draft.seal()
    return talk


@pytest.mark.parametrize(("seq", "said"), [(1, JAZZ), (2, PLUMS)])
@pytest.mark.parametrize("confidence", [0.6, 0.9, 1.0])
def test_what_was_merged_is_known_and_stays(
    talk: Talk, seq: int, said: str, confidence: float
) -> None:
    before = talk.profile.facts
    value = said.split()[-1]
    fields = {"slot": ("self", "likes"), "value": value, "confidence": confidence}
    outcome = talk.claim(said, said, seq=seq, **fields)
    assert (outcome.kind, outcome.reasons) == (OutcomeKind.NOOP, (Reason.ALREADY_APPLIED,))
    assert talk.profile.facts == before
    assert before[0].text == "I like jazz and plums"


def test_what_was_reworded_is_known_and_stays() -> None:
    talk = Talk()
    said = "Old trains make me calm when it is late in the evening"
    for claim in (said, "I live in Leeds", "I grow leeks"):
        talk.write(claim)
        talk.claim(claim, claim)
    trains = talk.profile.facts[0]
    draft = talk.draft()
    short = Verdict(id=trains.id, action="rewritten", text="Late in the evening, trains calm me")
    assert adopt(draft, Account(verdicts=(short,)), tuple(draft.records), max_insights=0) is None
    talk.profile = draft.seal()
    before = talk.profile.facts
    assert talk.claim(said, said, seq=1, confidence=1.0).kind is OutcomeKind.NOOP
    assert talk.profile.facts == before
