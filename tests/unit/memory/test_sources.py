from app.domain.record import Insight, SummarySentence
from app.memory.accounting import prune, redirect
from tests.unit.memory.records import NOW


def test_sentences_and_insights_go_with_any_of_their_sources() -> None:
    sentences = (
        SummarySentence(text="one", sources=("a",)),
        SummarySentence(text="two", sources=("a", "b")),
    )
    insights = (
        Insight(id="i", text="x", sources=("a", "c"), created_at=NOW),
        Insight(id="j", text="y", sources=("a", "b"), created_at=NOW),
    )
    assert prune(sentences, insights, {"a", "c"}) == (sentences[:1], insights[:1])


def test_a_merge_takes_the_sources_of_sentences_and_insights_with_it() -> None:
    sentence = SummarySentence(text="one", sources=("a", "b"))
    wide = Insight(id="i", text="x", sources=("b", "c"), created_at=NOW)
    narrow = Insight(id="j", text="y", sources=("a", "b"), created_at=NOW)
    (moved,), (guess,) = redirect((sentence,), (wide, narrow), {"b": "a"})
    assert moved.sources == ("a",)
    assert guess.sources == ("a", "c")
