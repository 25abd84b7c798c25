"""Rendering: what models write reads well on a phone, and loses nothing on the way."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.conversation import Part
from app.services import rendering
from app.services.rendering import plain, render, rendered


def only(markdown: str) -> Part:
    """The one part that `markdown` gives."""
    (part,) = render(markdown)
    return part


def shown(part: Part) -> list[tuple[str, str]]:
    """Each entity with the text it covers."""
    units = part.text.encode("utf-16-le")
    return [
        (
            row["type"],
            units[2 * row["offset"] : 2 * (row["offset"] + row["length"])].decode("utf-16-le"),
        )
        for row in part.entities
    ]


def test_a_typical_answer() -> None:
    part = only(
        "## Plan\n\nHere are **three *good* ideas** 🙂:\n\n1. `code` and [a link](https://x.org/?a=1)\n"
        "   - inner\n2. Rest\n\n> be kind\n\n```python\nprint(1)\n```\n- [x] done\n- [ ] open"
    )
    assert part.text == (
        "Plan\n\nHere are three good ideas 🙂:\n\n1. code and a link\n  • inner\n2. Rest\n\n"
        "be kind\n\nprint(1)\n☑ done\n☐ open"
    )
    assert shown(part) == [
        ("underline", "Plan"),
        ("bold", "Plan"),
        ("bold", "three good ideas"),
        ("italic", "good"),
        ("code", "code"),
        ("text_link", "a link"),
        ("blockquote", "be kind"),
        ("pre", "print(1)"),
    ]
    assert part.entities[5]["url"] == "https://x.org/?a=1"
    assert part.entities[7]["language"] == "python"


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("I <3 you <grin>", "I <3 you <grin>"),
        ("<div>\nhello\n</div>", "<div>\nhello\n</div>"),
        ("<!-- note -->", "<!-- note -->"),
        ("if a<b then c>d, vector<int>", "if a<b then c>d, vector<int>"),
        ("\\<b> and `List<T>`", "<b> and List<T>"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("he knew[^1]\n\n[^1]: from Ada", "he knew[1]\n\n[1]: from Ada"),
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("¯\\_(ツ)_/¯", "¯_(ツ)_/¯"),
        ("it costs $5 to $10, ~5 km", "it costs $5 to $10, ~5 km"),
        ("my_var_name", "my_var_name"),
        ("AT&amp;T &lt;3", "AT&T <3"),
        ("a\r\nb\rc\x00\x07", "a\nb\nc"),
        ("half \ud83d emoji", "half \ufffd emoji"),
        ("no **end", "no **end"),
        ("| a |", "| a |"),
        ("\\(\\alpha + \\beta\\)", "α + β"),
        ("$$\\frac{a}{b}$$", "a/b"),
        ("#", "#"),
        ("```\n```", "```\n```"),
        ("```", "```"),
        ("[]: x", "[]: x"),
        ("[](https://x.org)", "[](https://x.org)"),
        ("\ufdd0a", "a"),
    ],
)
def test_nothing_visible_is_lost(markdown: str, text: str) -> None:
    assert only(markdown).text == text


@pytest.mark.parametrize("nothing", ["", " ", "\n\n", "\u200b\u200d", "\ufe0f", "\x00", "\u2800"])
def test_nothing_to_see_is_no_message(nothing: str) -> None:
    assert render(nothing) == ()
    assert plain(nothing) == ()


def test_html_that_means_markdown_becomes_it() -> None:
    part = only("<b>bold</b>, <i>leaning</i>, <u>under</u>, <code>x</code>, `<b>kept</b>`")
    assert shown(part) == [
        ("bold", "bold"),
        ("italic", "leaning"),
        ("code", "x"),
        ("code", "<b>kept</b>"),
    ]


def test_code_is_left_alone() -> None:
    code = "<br> [^1] 2*3 <b>x</b>\n| a very long heading | another very long heading |\n|---|---|"
    part = only(f"```html\n{code}\n```")
    assert part.text == code
    assert shown(part) == [("pre", code)]


def test_a_narrow_table_keeps_its_columns() -> None:
    part = only("| Day | Plan |\n|---|---|\n| Mon | run |\n| Tue |  || ")
    assert "Tue" in part.text
    part = only("| Day | Plan |\n|---|---|\n| Mon | run<br>rest |")
    assert shown(part) == [("pre", "Day | Plan    \n----+---------\nMon | run rest")]


def test_a_wide_table_is_told_row_by_row() -> None:
    part = only(
        "Options:\n| Option | Cost per month | What you get |\n|---|:---:|---|\n"
        "| **Basic** | 5 € | One room, no frills |\n| Deluxe | 25 € | `wifi` and more |\n\nChoose."
    )
    assert part.text == (
        "Options:\n\nBasic\n• Cost per month: 5 €\n• What you get: One room, no frills\n\n"
        "Deluxe\n• Cost per month: 25 €\n• What you get: wifi and more\n\nChoose."
    )
    assert shown(part) == [("bold", "Basic"), ("bold", "Deluxe"), ("code", "wifi")]


def test_a_row_with_too_many_cells_loses_none() -> None:
    text = only("| a | b |\n|---|---|\n| 1 | 2 | 3 |").text
    assert all(cell in text for cell in "123")


@pytest.mark.parametrize(
    ("markdown", "urls"),
    [
        ("[x](https://x.org)", ["https://x.org"]),
        ("[x](http://x.org/<)", ["http://x.org/<"]),
        ("[x](<https://x.org/a>)", ["https://x.org/a"]),
        ("[x](tg://resolve?domain=x)", ["tg://resolve?domain=x"]),
        ("<ada@x.org>", ["mailto:ada@x.org"]),
        ("[x](www.x.org)", ["https://www.x.org"]),
        ("[x](javascript:alert(1))", []),
        ("[x](file:///etc/passwd)", []),
        ("[x](/docs)", []),
        ("[x](https://)", []),
        ("[x](http://[bad)", []),
        ("![x](tg://emoji?id=1234567890123456789)", []),
        ("[![x](https://i.org/i.png)](https://x.org)", ["https://x.org"]),
        (f"[x](https://x.org/{'a' * 3000})", []),
    ],
)
def test_only_links_telegram_may_open(markdown: str, urls: list[str]) -> None:
    assert [row["url"] for row in only(markdown).entities if "url" in row] == urls


def test_entities_stand_inside_each_other_only_as_telegram_allows() -> None:
    part = only("**use `x` now**, [`y`](https://x.org)\n\n> a\n>> b\n> **c**")
    assert shown(part) == [
        ("bold", "use"),
        ("code", "x"),
        ("bold", "now"),
        ("text_link", "y"),
        ("blockquote", "a\nb\nc"),
        ("bold", "c"),
    ]


class ParserPanicError(BaseException):
    """What a native parser's panic looks like."""


@pytest.mark.parametrize("error", [ValueError("bad"), RecursionError(), ParserPanicError()])
def test_what_can_not_be_rendered_is_sent_as_it_is(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(rendering, "convert", breaks)
    assert render("**hi** there") == (Part(text="**hi** there"),)


def test_an_interrupt_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rendering, "convert", breaks)
    with pytest.raises(KeyboardInterrupt):
        render("hi")


def test_plain_text_is_not_markdown() -> None:
    text = "2 * 3 * 4, _a_ `b` <c> [d](https://x.org)\n# e"
    assert plain(text) == (Part(text=text),)


@pytest.mark.parametrize(
    "nasty",
    ["[" * 8000, ">" * 8000, "*" * 8000, "`" * 8000, "`a ``b " * 1000, "<b>" * 3000, "- " * 4000,
     "-" + " " * 8000 + "```", "|" * 8000, "| a\n|---\n" * 1500, "||a" * 3000, "$a$1" * 300,
     "~a~ " * 300, "." * 8000, "[a](" * 2000, "<!" * 4000, "&" * 8000, "_a_" * 2000,
     "\n" * 8000 + "x", "🇩" * 4000, "e" + "\u0301" * 8000, "![" * 2000, "\\[" * 4000],
)  # fmt: skip
def test_nasty_input_takes_no_time(nasty: str) -> None:
    begun = time.process_time()
    parts = render(nasty)
    assert time.process_time() - begun < 2.0
    assert all(len(part.text.encode("utf-16-le")) <= 8192 for part in parts)


WORDS = st.text("abcdefghij", min_size=2, max_size=8)
INLINE = st.one_of(
    WORDS,
    *(WORDS.map(form.format) for form in ("**{}**", "*{}*", "`{}`", "~~{}~~", "<{}>", "||{}||")),
    WORDS.map("[{}](https://1.2)".format),
    st.sampled_from(["🙂", "👩‍👩‍👧", "1 < 2", "3 * 4", "<br>", "5$"]),
)
LINE = st.lists(INLINE, min_size=1, max_size=6).map(" ".join)
BLOCK = st.one_of(
    LINE,
    LINE.map("### {}".format),
    LINE.map("> {}".format),
    st.lists(LINE, min_size=1, max_size=4).map(lambda rows: "\n".join(f"- {row}" for row in rows)),
    st.lists(LINE, min_size=1, max_size=4).map(lambda rows: "\n".join(f"1. {row}" for row in rows)),
    st.lists(WORDS, max_size=4).map(lambda rows: "\n".join(["```", *rows, "```"])),
    st.lists(st.tuples(WORDS, WORDS), min_size=2, max_size=4).map(
        lambda rows: "\n".join(
            [f"| {rows[0][0]} | {rows[0][1]} |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)]
        )
    ),
)


def words_of(text: str) -> list[str]:
    """The words of a text, without what is markup by its spelling."""
    for markup in ("https", "br"):
        text = text.replace(markup, " ")
    letters = "".join(char if char in "abcdefghij" else " " for char in text)
    return [word for word in letters.split() if len(word) > 1]


@given(st.lists(BLOCK, min_size=1, max_size=6).map("\n\n".join))
def test_every_word_arrives_in_order(markdown: str) -> None:
    text, _ = rendered(markdown)
    assert words_of(text) == words_of(markdown)
