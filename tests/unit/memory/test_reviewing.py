"""Reviewing a profile on a draft: every item answered for, or everything stays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.profile import Profile
from app.domain.record import (
    Insight,
    Record,
    RecordEnd,
    Significance,
    SummarySentence,
    Trait,
)
from app.memory.accounting import Account, InsightClaim, Refused, Verdict
from app.memory.draft import Draft
from app.memory.reviewing import RECORDS_SHARE, adopt, evict
from tests.unit.memory.records import NOW, a_record

IDS = "abcdefghij"


def records(**changes: dict[str, Any]) -> list[Record]:
    """Ten facts, a to j; `changes` to some of them."""
    return [
        a_record(name, **{"text": f"I own {number} kites", "seq": number, **changes.get(name, {})})
        for number, name in enumerate(IDS, 2)
    ]


def draft_of(facts: list[Record], **fields: Any) -> Draft:
    return Draft(Profile(subject=7, facts=tuple(facts), **fields), NOW)


def says(**actions: str) -> tuple[Verdict, ...]:
    """Verdicts by id; "→x" is a merge into x."""
    return tuple(
        Verdict(id=name, action="merged", into=action[1:])
        if action.startswith("→")
        else Verdict.model_validate({"id": name, "action": action})
        for name, action in actions.items()
    )


def review(draft: Draft, given: list[Record], most: int = 5, **account: Any) -> Refused | None:
    return adopt(draft, Account(**{"verdicts": (), **account}), given, max_insights=most)


def ids(draft: Draft) -> str:
    return "".join(record.id for record in draft.records)


def ends(draft: Draft) -> dict[str, str]:
    """How each archived record ended."""
    return {
        effect.row["record"]["id"]: effect.row["end"]
        for effect in draft.seal().pending_effects
        if effect.collection == "archive"
    }


def test_what_the_account_is_silent_about_stays_as_it_is() -> None:
    facts = records()
    draft = draft_of(facts)
    assert review(draft, facts, verdicts=says(a="kept")) is None
    assert draft.records == facts
    assert ends(draft) == {}


def test_three_of_ten_may_go_and_are_archived() -> None:
    facts = records()
    draft = draft_of(facts)
    assert review(draft, facts, verdicts=says(a="dropped", b="dropped", c="dropped")) is None
    assert ids(draft) == "defghij"
    assert ends(draft) == dict.fromkeys("abc", RecordEnd.EVICTED.value)


@pytest.mark.parametrize(
    ("account", "reason"),
    [
        ({"verdicts": says(**dict.fromkeys("abcd", "dropped"))}, "drops_too_much"),
        ({"verdicts": says(**dict.fromkeys(IDS, "dropped"))}, "drops_too_much"),
        ({"verdicts": ()}, "accounts_for_nothing"),
        ({"verdicts": says(x="kept", y="dropped")}, "accounts_for_nothing"),
    ],
)
def test_a_refused_account_changes_nothing_at_all(account: dict[str, Any], reason: str) -> None:
    facts = records()
    draft = draft_of(facts)
    account |= {"style": "curt", "insights": (InsightClaim(text="Flies", sources=("a", "b")),)}
    refused = review(draft, facts, **account)
    assert refused is not None
    assert refused.reason == reason
    assert not draft.touched
    assert draft.seal() is draft.profile


@pytest.mark.parametrize("fixed", [{"pinned": True}, {"significance": Significance.MAJOR}])
def test_pinned_and_major_ones_stay_whatever_the_model_says(fixed: dict[str, Any]) -> None:
    facts = records(a=fixed)
    draft = draft_of(facts)
    assert review(draft, facts, verdicts=says(a="dropped", b="dropped")) is None
    assert ids(draft) == "acdefghij"


def test_what_is_new_or_changed_since_is_not_the_account_s_to_judge() -> None:
    given_records = records()
    changed = given_records[0].model_copy(update={"text": "I own 2 red kites"})
    new = a_record("k", "I own a goat", seq=40)
    draft = draft_of([changed, *given_records[1:], new])
    assert (
        review(draft, given_records, verdicts=says(a="dropped", b="dropped", k="dropped")) is None
    )
    assert ids(draft) == "acdefghijk"
    assert draft.records[0] == changed


def test_what_was_forgotten_since_does_not_come_back() -> None:
    given_records = records()
    draft = draft_of(given_records[1:])
    assert review(draft, given_records, verdicts=says(a="kept", b="kept")) is None
    assert ids(draft) == "bcdefghij"


def test_summary_and_insights_follow_a_merge_and_go_with_what_is_dropped() -> None:
    facts = records(b={"text": "I own 2 kites"}, a={"text": "I own 2 kites"})
    draft = draft_of(
        facts,
        summary=(
            SummarySentence(text="Owns kites.", sources=("b",)),
            SummarySentence(text="Owns more.", sources=("c",)),
        ),
        insights=(
            Insight(id="i1", text="Likes wind", sources=("b", "d"), created_at=NOW),
            Insight(id="i2", text="Likes twos", sources=("a", "b"), created_at=NOW),
            Insight(id="i3", text="Likes air", sources=("c", "d"), created_at=NOW),
        ),
    )
    assert review(draft, facts, verdicts=says(b="→a", c="dropped")) is None
    sealed = draft.seal()
    assert [(s.text, s.sources) for s in sealed.summary] == [("Owns kites.", ("a",))]
    assert [(i.id, i.sources) for i in sealed.insights] == [("i1", ("a", "d"))]
    assert ends(draft) == {"b": RecordEnd.MERGED.value, "c": RecordEnd.EVICTED.value}


@pytest.mark.parametrize(
    ("claims", "kept"),
    [
        ([("Likes wind", ("a", "b"))], ["Likes wind"]),
        ([("Likes wind", ("a",))], ["Old"]),
        ([("Likes wind", ("a", "nowhere"))], ["Old"]),
        ([("Ill", ("a", "j"))], ["Old"]),
        ([(f"Guess {number}", ("a", "b")) for number in range(9)], ["Guess 0", "Guess 1"]),
        ([("Same", ("a", "b")), ("Same", ("c", "d"))], ["Same"]),
    ],
)
def test_an_insight_needs_two_records_none_of_them_sensitive(
    claims: list[tuple[str, tuple[str, ...]]], kept: list[str]
) -> None:
    facts = records(j={"sensitivity": "sensitive"})
    old = Insight(id="i0", text="Old", sources=("a", "c"), created_at=NOW)
    draft = draft_of(facts, insights=(old,))
    made = tuple(InsightClaim(text=text, sources=sources) for text, sources in claims)
    assert review(draft, facts, 2, verdicts=says(a="kept"), insights=made) is None
    assert [insight.text for insight in draft.seal().insights] == kept


def test_the_same_insight_has_the_same_id_on_every_run() -> None:
    facts = records()
    claims = (InsightClaim(text="Likes wind", sources=("a", "b")),)
    made = []
    for _ in range(2):
        draft = draft_of(facts)
        review(draft, facts, verdicts=says(a="kept"), insights=claims)
        made.append(draft.seal().insights[0].id)
    assert made[0] == made[1]


def test_a_style_is_reworded_only_where_words_of_the_person_stand_behind_it() -> None:
    facts = records()
    style = Trait(value="brief", evidence=facts[0].evidence, updated_at=NOW)
    with_style, without = draft_of(facts, style=style), draft_of(facts)
    for draft in (with_style, without):
        assert review(draft, facts, verdicts=says(a="kept"), style="warm and brief") is None
    after = with_style.seal().style
    assert after is not None
    assert (after.value, after.evidence) == ("warm and brief", style.evidence)
    assert without.seal().style is None


def test_what_does_not_fit_the_budget_goes_into_the_archive_and_pinned_stays() -> None:
    facts = records(a={"pinned": True})
    size = sum(len(record.text) for record in facts)
    draft = draft_of(facts)
    evict(draft, int(size / RECORDS_SHARE))
    left = ids(draft)
    assert "a" in left
    assert 1 < len(left) < len(IDS)
    assert set(ends(draft)) == set(IDS) - set(left)


def test_what_fits_is_left_alone() -> None:
    draft = draft_of(records())
    evict(draft, 100_000)
    assert not draft.touched


ACTIONS = st.sampled_from(["kept", "rewritten", "merged", "dropped"])


@given(
    st.lists(
        st.builds(
            lambda item, action, into: Verdict.model_validate(
                {"id": item, "action": action, "into": into, "text": "I own kites"}
            ),
            st.sampled_from(IDS + "xy"),
            ACTIONS,
            st.sampled_from(IDS + "x"),
        ),
        max_size=25,
    )
)
def test_whatever_a_model_says_every_item_is_there_or_in_the_archive(
    verdicts: list[Verdict],
) -> None:
    facts = records(a={"pinned": True})
    draft = draft_of(facts)
    review(draft, facts, verdicts=tuple(verdicts))
    left = set(ids(draft))
    gone = {item for item, end in ends(draft).items() if end != RecordEnd.REFINED.value}
    assert left | gone == set(IDS)
    assert not left & gone
    assert len([end for end in ends(draft).values() if end == RecordEnd.EVICTED.value]) <= 3
