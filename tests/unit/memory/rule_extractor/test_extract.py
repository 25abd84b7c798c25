"""What holds for every message, whatever stands in it."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.candidate import Extracted
from app.domain.conversation import Message, Origin
from app.domain.record import DurableCategory, FactCategory, MemoryClass
from app.memory.evidence import locate
from app.memory.rule_extractor import extract
from tests.unit.memory.rule_extractor import english_negatives, english_table, languages_table
from tests.unit.memory.rule_extractor.shown import NOW, found_in, lines, said

PIECES = [text for text, _ in (*english_table.STATED, *languages_table.STATED)]
PIECES += [*english_negatives.NOTHING, *languages_table.NOTHING]
JOINTS = [" ", ", ", ". ", "\n", " and ", "? ", "! ", " 😊 ", ' "', "` ", " (", ") ", "…", "\u200f"]
MESSAGES = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(PIECES + JOINTS), min_size=1, max_size=8).map("".join),
)


@given(MESSAGES, st.none() | st.sampled_from([q for q, _, _ in english_table.ANSWERS]))
def test_no_text_is_too_odd_and_every_quote_stands_in_it(text: str, question: str | None) -> None:
    message = said(text)
    previous = question and Message(
        seq=6, role="assistant", content=question, created_at=NOW, origin="bot"
    )
    extracted = extract(message, now=NOW, previous=previous or None)
    found = [*extracted.candidates, *extracted.hints]
    quotes = [quote for candidate in found for quote in candidate.quotes]
    quotes += [forget.quote for forget in extracted.forgets if forget.quote]
    quotes += [quote for claim in extracted.traits for quote in claim.quotes]
    for quote in quotes:
        assert quote.seq == message.seq
        assert quote.text in text
        assert locate(quote, {message.seq: message}, "1") is not None
    for candidate in found:
        assert candidate.quotes
        assert candidate.text.strip()
        assert candidate.value is None or candidate.value.strip()
    for forget in extracted.forgets:
        assert forget.words in text


@given(MESSAGES)
def test_the_same_message_gives_the_same(text: str) -> None:
    assert extract(said(text), now=NOW) == extract(said(text), now=NOW)


@pytest.mark.parametrize("origin", ["forwarded", "quoted", "bot", "check_in"])
def test_only_typed_words_count(origin: Origin) -> None:
    message = said("My dog is called Rex").model_copy(update={"origin": origin})
    assert extract(message, now=NOW) == Extracted()


def test_the_bots_words_never_count() -> None:
    message = said("My dog is called Rex").model_copy(update={"role": "assistant"})
    assert extract(message, now=NOW) == Extracted()


def test_of_pasted_text_only_what_is_asked_for_on_its_edges_counts() -> None:
    pasted = "My dog is called Rex. Then the road went on and on.\n" * 40
    assert found_in(pasted) == ()
    assert found_in(f"remember that my cat is called Tom\n{pasted}") == ("cat.name=Tom asked",)
    assert found_in(f"{pasted}remember that my cat is called Tom") == ("cat.name=Tom asked",)
    middle = f"{pasted}remember that my cat is called Tom\n{pasted}"
    assert found_in(middle) == ()
    assert found_in("\n".join(["a", "b"] * 8 + ["my dog is called Rex"])) == ()


def test_the_text_is_the_clause_and_the_quote_its_words() -> None:
    text = "ok so lol, my dog is called Rex 😂 and the weather is bad"
    (candidate,) = extract(said(text), now=NOW).candidates
    assert candidate.text == "My dog is called Rex"
    assert candidate.quotes[0].text == "my dog is called Rex"
    assert candidate.source == "rules"
    assert candidate.confidence == 0.95
    assert candidate.memory_class is MemoryClass.DURABLE_FACT


def test_an_answer_is_written_out_and_cites_its_question() -> None:
    previous = Message(
        seq=6, role="assistant", content="What's your dog called?", created_at=NOW, origin="bot"
    )
    (candidate,) = extract(said("Rex!"), now=NOW, previous=previous).candidates
    assert candidate.text == "My dog is called Rex"
    assert candidate.quotes[0].text == "Rex"
    assert candidate.quotes[0].answers == 6


def test_an_answer_to_another_person_is_none() -> None:
    previous = said("What's your dog called?", seq=6)
    assert extract(said("Rex!"), now=NOW, previous=previous) == Extracted()


def test_relative_dates_are_counted_where_the_person_is() -> None:
    late = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
    message = said("my exam is tomorrow").model_copy(update={"created_at": late})
    assert lines(extract(message, now=late, zone="UTC")) == (
        "exam.date=tomorrow event on 2026-12-02",
    )
    assert lines(extract(message, now=late, zone="Asia/Tokyo")) == (
        "exam.date=tomorrow event on 2026-12-03",
    )
    assert lines(extract(message, now=late, zone="No/Where")) == (
        "exam.date=tomorrow event on 2026-12-02",
    )


def test_what_is_delicate_is_marked() -> None:
    for text in ("I have diabetes", "I'm gay", "I'm Muslim", "remember that I owe Tom money"):
        extracted = extract(said(text), now=NOW)
        (found,) = (*extracted.candidates, *extracted.hints)
        assert found.sensitivity == "sensitive", text
    (plain,) = extract(said("My dog is called Rex"), now=NOW).candidates
    assert plain.sensitivity == "normal"


def test_categories_follow_what_is_said() -> None:
    expected = {
        "my sister is called Ana": (FactCategory.RELATIONSHIP, None),
        "I work at Acme": (FactCategory.WORK, None),
        "my favourite color is green": (
            FactCategory.PREFERENCE,
            DurableCategory.IMPLICIT_PREF,
        ),
        "I'm allergic to nuts": (FactCategory.HEALTH, DurableCategory.HARD_CONSTRAINT),
        "my phone number is 555 0142": (FactCategory.PERSONAL, DurableCategory.EXACT_VALUE),
        "I play the piano": (FactCategory.HOBBY, None),
        "I don't eat meat because I grew up on a farm": (
            FactCategory.PREFERENCE,
            DurableCategory.DECISION_REASON,
        ),
    }
    for text, (category, durable) in expected.items():
        extracted = extract(said(text), now=NOW)
        (found,) = (*extracted.candidates, *extracted.hints)
        assert (found.category, found.durable_category) == (category, durable), text


ADVERSARIAL = {
    "spaces": " ",
    "one letter": "a",
    "my": "my ",
    "unfinished": "my dog is called ",
    "clauses": ", i ",
    "corrections": "it's a, not b ",
    "copulas": "my a is b and ",
    "quotes": '"',
    "apostrophes": "'",
    "dots": ". ",
    "lines": "a\n",
    "brackets": "(",
    "asking": "remember that i ",
    "han": "我的狗",
    "kana": "私の",
    "cyrillic": "мою собаку зовут ",
    "devanagari": "मेरा नाम ",
    "emoji": "😀",
    "code": "```",
}


@pytest.mark.parametrize("piece", ADVERSARIAL.values(), ids=ADVERSARIAL)
def test_time_grows_with_length_and_no_faster(piece: str) -> None:
    """Twenty times the text may take forty times as long, and half a millisecond for luck."""
    short, long = (_repeated(piece, length) for length in (200, 4_000))
    middle = _repeated(piece, 1_400)
    base = _seconds(short) + 0.0005
    assert _seconds(long) <= 40 * base
    assert _seconds(middle) <= 40 * base


def _repeated(piece: str, length: int) -> Message:
    return said((piece * (length // len(piece) + 1))[:length])


def _seconds(message: Message) -> float:
    """The fastest of a few runs."""
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        extract(message, now=NOW)
        times.append(time.perf_counter() - begin)
    return min(times)
