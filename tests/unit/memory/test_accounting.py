from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.record import (
    LineageKind,
    Record,
    RecordEnd,
    Significance,
    Slot,
    SummarySentence,
)
from app.memory.accounting import (
    Account,
    InsightClaim,
    Refused,
    Settled,
    Verdict,
    settle,
)
from tests.unit.memory.records import NOW, a_record

LATER = NOW + timedelta(days=30)
TEXTS = [
    "My dog is called Rex",
    "I live in Leeds",
    "I play the cello",
    "I work at a bakery",
    "I don't eat fish",
    "My sister is called Ana",
    "I moved house in 2019",
    "I like green tea",
    "My car is a blue van",
    "I run on Sundays",
]


def verdict(item: str, action: str = "kept", **fields: Any) -> Verdict:
    return Verdict.model_validate({"id": item, "action": action, **fields})


def some(*changed: Record) -> list[Record]:
    """Ten records, a to j, some of them as given."""
    by_id = {record.id: record for record in changed}
    made = [a_record("abcdefghij"[n], text, seq=n + 1) for n, text in enumerate(TEXTS)]
    return [by_id.get(record.id, record) for record in made]


def settled(given_records: list[Record], *verdicts: Verdict, **fields: Any) -> Settled:
    result = settle(Account(verdicts=verdicts, **fields), given_records, now=LATER)
    assert isinstance(result, Settled)
    return result


def ids(result: Settled) -> str:
    return "".join(record.id for record in result.records)


def by_id(result: Settled, item: str) -> Record:
    return next(record for record in result.records if record.id == item)


def test_what_no_verdict_names_is_kept() -> None:
    given_records = some()
    result = settled(given_records, verdict("a"))
    assert list(result.records) == given_records
    assert result.ended == ()
    assert (result.counts.kept, result.counts.unaccounted) == (10, 9)


def test_a_dropped_item_is_evicted() -> None:
    result = settled(some(), verdict("j", "dropped"))
    assert ids(result) == "abcdefghi"
    (gone,) = result.ended
    assert (gone.record.id, gone.end, gone.lineage, gone.replaced_by) == (
        "j",
        RecordEnd.EVICTED,
        LineageKind.EVICTED,
        None,
    )


def test_a_rewritten_item_keeps_its_id_and_its_old_wording_is_archived() -> None:
    before = a_record("a", TEXTS[0], pinned=True, event_date="2024-05", uses=3)
    result = settled(some(before), verdict("a", "rewritten", text=" My dog Rex "))
    after = by_id(result, "a")
    assert after == before.model_copy(update={"text": "My dog Rex", "updated_at": LATER})
    (gone,) = result.ended
    assert (gone.record, gone.end, gone.lineage, gone.replaced_by) == (
        before,
        RecordEnd.REFINED,
        LineageKind.REFINES,
        "a",
    )
    assert result.counts.rewritten == 1


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("a", None),
        ("a", "   "),
        ("a", "?!"),
        ("a", "My dog Rex " + "is here " * 80),
        ("a", "My dog is called Max"),
        ("a", "My dog is called Rex and I like plums"),
        ("a", "Max is what my dog is called"),
        ("a", "My dog is called Rex and is 7"),
        ("a", "Weather was lovely"),
        ("e", "I do eat fish"),
        ("b", "I don't live in Leeds"),
        ("g", "I moved house"),
    ],
)
def test_new_words_that_invent_deny_or_lose_something_leave_the_old_ones(
    item: str, text: str | None
) -> None:
    given_records = some()
    result = settled(given_records, verdict(item, "rewritten", text=text))
    assert list(result.records) == given_records
    assert result.counts.rewritten == 0


def test_new_words_must_keep_the_value_of_the_slot() -> None:
    slot = Slot(subject="dog", predicate="color")
    before = a_record("a", "My dog is brown and lively", slot=slot, value="brown")
    result = settled(some(before), verdict("a", "rewritten", text="My dog is lively"))
    assert by_id(result, "a") == before


def test_a_merged_item_is_archived_with_where_it_went() -> None:
    target, member = a_record("a", "I like green tea", uses=2), a_record("h", uses=5, seq=2)
    result = settled(some(target, member), verdict("h", "merged", into="a"))
    assert "h" not in ids(result)
    assert (by_id(result, "a").uses, by_id(result, "a").updated_at) == (7, LATER)
    (gone,) = result.ended
    assert (gone.record, gone.end, gone.lineage, gone.replaced_by) == (
        member,
        RecordEnd.MERGED,
        LineageKind.MERGED_INTO,
        "a",
    )


def test_a_rewrite_may_say_what_is_merged_into_it() -> None:
    one = a_record("a", "I have a dog")
    two = a_record("b", "My dog is called Rex")
    result = settled(
        some(one, two),
        verdict("a", "rewritten", text="I have a dog called Rex"),
        verdict("b", "merged", into="a"),
    )
    assert by_id(result, "a").text == "I have a dog called Rex"
    assert result.merged_into == {"b": "a"}


@pytest.mark.parametrize(
    ("target", "member"),
    [
        ({"kind": "belief"}, {}),
        ({"text": "I live in York"}, {}),
        ({"text": "Coffee is fine"}, {"text": "I play the cello"}),
        ({"text": "I never liked tea"}, {"text": "I liked tea"}),
    ],
)
def test_records_of_which_one_would_be_lost_stay_apart(
    target: dict[str, Any], member: dict[str, Any]
) -> None:
    text = "I like tea at home in Leeds or York"
    given_records = [
        a_record("a", **{"text": text, **target}),
        a_record("b", **{"text": "I like tea in Leeds", **member}),
    ]
    result = settled(given_records, verdict("b", "merged", into="a"), verdict("a"))
    assert list(result.records) == given_records
    assert result.counts.kept == 2


def test_of_two_dates_only_one_goes_into_a_record_without() -> None:
    same = "I went to the sea"
    given_records = [
        a_record("a", same, "event"),
        a_record("b", same, "event", seq=2, event_date="2024-01"),
        a_record("c", same, "event", seq=3, event_date="2025-01"),
    ]
    result = settled(
        given_records, verdict("b", "merged", into="a"), verdict("c", "merged", into="a")
    )
    assert ids(result) == "ac"
    assert by_id(result, "a").event_date == "2024-01"


@pytest.mark.parametrize(
    ("links", "left"),
    [
        ({"a": "a"}, "abcd"),
        ({"a": "nowhere"}, "abcd"),
        ({"a": "b", "b": "a"}, "abcd"),
        ({"a": "b", "b": "c", "c": "a"}, "abcd"),
        ({"a": "b", "b": "c"}, "cd"),
        ({"a": "b", "b": "c", "c": "d"}, "d"),
        ({"d": "a", "a": "b", "b": "a"}, "abc"),
        ({"a": "b", "b": "nowhere"}, "bcd"),
    ],
)
def test_chains_of_merges_end_somewhere_or_nothing_happens(
    links: dict[str, str], left: str
) -> None:
    given_records = [a_record(item, "I like tea", seq=n) for n, item in enumerate("abcd")]
    verdicts = [verdict(item, "merged", into=into) for item, into in links.items()]
    result = settled(given_records, *verdicts)
    assert ids(result) == left


def test_nothing_merges_into_what_is_dropped() -> None:
    given_records = [a_record(item, "I like tea", seq=n) for n, item in enumerate("abcd")]
    result = settled(given_records, verdict("a", "merged", into="b"), verdict("b", "dropped"))
    assert ids(result) == "acd"


def test_two_verdicts_that_differ_count_as_none() -> None:
    result = settled(some(), verdict("a", "dropped"), verdict("a"), verdict("b"), verdict("b"))
    assert ids(result) == "abcdefghij"
    assert result.counts.unaccounted == 9


@pytest.mark.parametrize("fields", [{"pinned": True}, {"significance": Significance.MAJOR}])
def test_pinned_and_major_items_are_never_dropped(fields: dict[str, Any]) -> None:
    result = settled(some(a_record("a", **fields)), verdict("a", "dropped"))
    assert "a" in ids(result)
    assert result.counts.dropped == 0


@pytest.mark.parametrize(
    ("verdicts", "reason"),
    [
        ((), "accounts_for_nothing"),
        ((verdict("x"), verdict("y", "dropped")), "accounts_for_nothing"),
        (tuple(verdict(i, "dropped") for i in "abcd"), "drops_too_much"),
        (tuple(verdict(i, "dropped") for i in "abcdefghij"), "drops_too_much"),
    ],
)
def test_an_account_that_loses_too_much_is_refused(
    verdicts: tuple[Verdict, ...], reason: str
) -> None:
    assert settle(Account(verdicts=verdicts), some(), now=LATER) == Refused(reason=reason)


def test_everything_is_too_much_whatever_the_share() -> None:
    account = Account(verdicts=(verdict("a", "dropped"),))
    result = settle(account, [a_record("a")], now=LATER, max_dropped_share=1.0)
    assert result == Refused(reason="drops_too_much")


def test_just_the_share_is_allowed() -> None:
    assert ids(settled(some(), *(verdict(i, "dropped") for i in "abc"))) == "defghij"


def test_nothing_given_is_nothing_to_account_for() -> None:
    assert settled([]).records == ()


def test_summary_sentences_stand_on_records_that_stay() -> None:
    given_records = some(a_record("a", "I like tea", seq=40), a_record("b", "I like tea", seq=41))
    result = settled(
        given_records,
        verdict("b", "merged", into="a"),
        verdict("j", "dropped"),
        summary=(
            SummarySentence(text="Likes tea.", sources=("b", "a")),
            SummarySentence(text="Runs.", sources=("c", "j")),
            SummarySentence(text="Is rich.", sources=("invented",)),
            SummarySentence(text="  ", sources=("c",)),
        ),
    )
    assert result.summary == (SummarySentence(text="Likes tea.", sources=("a",)),)


def test_without_one_valid_sentence_the_old_summary_stays() -> None:
    invented = (SummarySentence(text="Is rich.", sources=("invented",)),)
    assert settled(some(), verdict("a")).summary is None
    assert settled(some(), verdict("a"), summary=()).summary is None
    assert settled(some(), verdict("a"), summary=invented).summary is None


def test_insights_need_two_records_none_of_them_sensitive() -> None:
    delicate = a_record("i", sensitivity="sensitive")
    claims = tuple(
        InsightClaim(text=text, sources=sources)
        for text, sources in [
            ("Good.", ("a", "b")),
            ("One.", ("a",)),
            ("Twice one.", ("a", "a")),
            ("Half invented.", ("a", "invented")),
            ("Delicate.", ("a", "b", "i")),
            ("Good.", ("c", "d")),
            ("Second.", ("c", "d")),
        ]
    )
    result = settled(some(delicate), verdict("a"), insights=claims)
    assert result.insights is not None
    assert [(i.text, i.sources) for i in result.insights] == [
        ("Good.", ("a", "b")),
        ("Second.", ("c", "d")),
    ]
    account = Account(verdicts=(verdict("a"),), insights=claims)
    one = settle(account, some(delicate), now=LATER, max_insights=1)
    assert isinstance(one, Settled)
    assert one.insights == result.insights[:1]
    none = settle(account, some(delicate), now=LATER, max_insights=0)
    assert isinstance(none, Settled)
    assert none.insights is None


def test_an_insight_goes_with_a_dropped_source() -> None:
    claim = InsightClaim(text="Busy.", sources=("a", "b", "j"))
    assert settled(some(), verdict("j", "dropped"), insights=(claim,)).insights is None
    assert settled(some(), verdict("j"), insights=(claim,)).insights == (claim,)


def test_style_is_taken_only_when_there_is_one() -> None:
    assert settled(some(), verdict("a"), style=" brief ").style == "brief"
    assert settled(some(), verdict("a"), style="  ").style is None


some_ids = st.sampled_from([*"abcdefghij", "invented", ""])
any_verdict = st.builds(
    Verdict,
    id=some_ids,
    action=st.sampled_from(["kept", "rewritten", "merged", "dropped"]),
    text=st.one_of(st.none(), st.sampled_from(["I like tea", *TEXTS]), st.text(max_size=40)),
    into=st.one_of(st.none(), some_ids),
)
any_record = st.builds(
    a_record,
    st.just(""),
    st.sampled_from(["I like tea", "I like green tea", *TEXTS]),
    st.sampled_from(["fact", "belief", "event"]),
    pinned=st.booleans(),
    significance=st.sampled_from([None, *Significance]),
    event_date=st.sampled_from([None, "2024", "2025-01-05"]),
    sensitivity=st.sampled_from(["normal", "sensitive"]),
    uses=st.integers(0, 5),
)


@given(
    st.lists(any_record, min_size=1, max_size=10),
    st.lists(any_verdict, max_size=14),
    st.lists(st.tuples(st.text(max_size=5), st.lists(some_ids, min_size=1, max_size=3))),
)
def test_any_account_gives_each_item_exactly_one_fate(
    made: list[Record], verdicts: list[Verdict], claims: list[tuple[str, list[str]]]
) -> None:
    given_records = [
        record.model_copy(update={"id": "abcdefghij"[n]}) for n, record in enumerate(made)
    ]
    account = Account(
        verdicts=tuple(verdicts),
        summary=tuple(SummarySentence(text=t, sources=tuple(s)) for t, s in claims),
        insights=tuple(InsightClaim(text=t, sources=tuple(s)) for t, s in claims),
    )
    result = settle(account, given_records, now=LATER)
    if isinstance(result, Refused):
        return
    known = {record.id: record for record in given_records}
    left = [record.id for record in result.records]
    gone = [e.record.id for e in result.ended if e.end is not RecordEnd.REFINED]
    assert sorted(left + gone) == sorted(known)
    assert left == [item for item in known if item in set(left)]
    counts = result.counts
    assert counts.kept + counts.rewritten + counts.merged + counts.dropped == len(known)
    assert counts.dropped <= 0.3 * len(known)
    assert all(e.record == known[e.record.id] for e in result.ended)
    assert all(e.replaced_by in left for e in result.ended if e.end is RecordEnd.MERGED)
    assert sum(r.uses for r in result.records) == sum(
        r.uses for i, r in known.items() if i in left or i in result.merged_into
    )
    for e in result.ended:
        if e.end is RecordEnd.EVICTED:
            assert not e.record.pinned
            assert e.record.significance is not Significance.MAJOR
    texts = {record.text for record in given_records}
    for record in result.records:
        assert record.evidence
        assert record.text in texts or any(e.replaced_by == record.id for e in result.ended)
    for drawn in (*(result.summary or ()), *(result.insights or ())):
        assert set(drawn.sources) <= set(left)
