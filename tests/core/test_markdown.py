"""What people write becomes HTML that is safe to show, whatever they write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from time import process_time
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline

from core.markdown import (
    ATTRIBUTES,
    BLOCKS_NESTED,
    CELLS_MOST,
    SPANS_NESTED,
    TAGS,
    Known,
    list_mentions,
    render_html,
    render_plain,
    title_of,
)
from core.text_search import fold_name
from tests.everyday import at_most

NAMES = {
    fold_name("Orc levy"): Known("The <b>levy</b>", "/armies/1/"),
    fold_name("Crown"): Known("Crown of Restov", "/kingdoms/1/"),
}
SHARP = st.sampled_from(
    [*"\n <>&\"'`*_#[]()!|-~@\\:/=x1", "<script>", "<img src=x onerror=alert(1)>", "javascript:", "<style>",
     "](javascript:alert(1))", "@Crown", "@[Orc levy]", "&lt;", "&#106;", "data:text/html,", "\n\n", "    ", "| a |",
     "|--:|", "![a](", "https://x.example/", "\u202e", "\x00", "é", '<a href="x" onclick="y">', "<!--", "]]>", "</p>"]
)  # fmt: skip
LEADING = ("http://", "https://", "mailto:", "/armies/1/", "/kingdoms/1/")
WRITTEN = st.one_of(st.text(max_size=200), st.lists(SHARP, max_size=40).map("".join))


class Seen(HTMLParser):
    """Every tag with its attributes, and how deep each heading is."""

    def __init__(self, html: str):
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    @property
    def headings(self) -> list[int]:
        return [int(tag[1]) for tag, _attrs in self.tags if re.fullmatch("h[1-6]", tag)]


@given(WRITTEN)
def test_whatever_is_typed_is_drawn_without_script_style_or_handlers(text):
    for names in ({}, NAMES):
        for tag, attrs in Seen(render_html(text, names)).tags:
            assert tag in TAGS
            for name, value in attrs:
                assert name in {"rel", "class", *ATTRIBUTES.get(tag, ())}
                assert name != "class" or value in ("mention", "n", "")
                assert name != "href" or value.lower().startswith(
                    ("http://", "https://", "mailto:", "/armies/1/", "/kingdoms/1/")
                )
    title_of(text), list_mentions(text), render_plain(text, NAMES)


@given(st.lists(st.integers(1, 6), max_size=12), st.integers(2, 3))
def test_headings_keep_the_outline_of_the_page_they_stand_on(levels, level):
    found = Seen(render_html("\n\n".join(f"{'#' * own} A" for own in levels), {}, level=level)).headings
    assert len(found) == len(levels)
    for before, own in zip([level - 1, *found], found, strict=False):
        assert level <= own <= before + 1


def test_a_heading_without_words_is_none():
    assert Seen(render_html("# \n\n### A", {})).headings == [3]


def test_markdown_is_read_with_tables_and_strikethrough():
    drawn = render_html("**b** *i* ~~s~~\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> q\n\n3. x", {})
    for piece in (
        "<strong>b</strong>",
        "<em>i</em>",
        "<s>s</s>",
        '<td class="n">2</td>',
        "<blockquote>",
        '<ol start="3">',
    ):
        assert piece in drawn


def test_html_is_shown_as_it_was_typed():
    assert "&lt;b&gt;" in render_html("<b>bold</b>", {})


def test_an_image_becomes_a_link_and_nothing_is_fetched():
    drawn = render_html("![The ford](https://x.example/ford.png)", {})
    assert drawn == '<p><a href="https://x.example/ford.png" rel="nofollow noopener noreferrer">The ford</a></p>\n'


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "/logout", "//x.example", "vbscript:x", ""])
def test_other_addresses_are_no_links(url):
    assert "href" not in render_html(f"[a]({url}) ![b]({url}) <{url}>", {})


def test_a_name_after_an_at_leads_to_what_it_means_and_says_its_name_of_today():
    drawn = render_html("The @Orc levy's axes; @[crown].", NAMES)
    assert (
        '<a href="/armies/1/" class="mention" rel="nofollow noopener noreferrer">The &lt;b&gt;levy&lt;/b&gt;</a>\'s'
        in drawn
    )
    assert ">Crown of Restov</a>." in drawn


@pytest.mark.parametrize(
    "text", ["`@Crown`", "\\@Crown", "post@Crown.example", "    @Crown", "[@Crown](https://x.example)"]
)
def test_no_mention_in_code_in_an_escape_in_mail_or_in_a_link(text):
    assert "/kingdoms/1/" not in render_html(text, NAMES)
    assert list_mentions(text) == []


@pytest.mark.parametrize("text", ["Beware @Shadow host.", "Beware @[Shadow host]."])
def test_who_may_not_see_it_reads_what_he_would_read_if_nothing_had_that_name(text):
    """A reader's names are all a page knows of: nothing tells a hidden thing from one that is not."""
    assert render_html(text, {}) == render_html(text, {fold_name("Another"): Known("Another", "/x/")})
    assert "Shadow host" in render_html(text, {})
    assert "<a" not in render_html(text, {})


def test_the_longest_name_is_meant_and_a_shorter_one_where_that_is_hidden():
    names = {"red": Known("Red", "/r/"), "red guard": Known("Red Guard", "/g/")}
    assert ">Red Guard</a>" in render_html("@Red Guard", names)
    assert ">Red</a> Guard" in render_html("@Red Guard", {"red": names["red"]})
    assert list_mentions("@Red Guard, now") == [("Red Guard, now", "Red Guard,", "Red Guard", "Red")]


def test_a_document_without_links_says_names_of_today():
    assert render_plain("@Orc levy and @[Nobody]; a@b, \\@Crown", NAMES) == "The <b>levy</b> and Nobody; a@b, \\@Crown"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# The *ford*\n\nmore", "The ford"),
        ("---\n\n`x` @[Crown]", "x Crown"),
        ("***", "…"),
        ("a" * 200, "a" * 79 + "…"),
        ("# \u200b\n\nBehind it", "Behind it"),
        ("\u3164\n\n\u2800", "…"),
        ("\u202egnorw \u2066side\u2069", "gnorw side"),
    ],
)
def test_a_note_is_called_by_its_first_words(text, title):
    assert title_of(text) == title


# However a text is nested

BITS = [
    "![", "[", "[a](", "](", ">", "> ", "*", "**a", "_", "__a ", "`", "``` ", "- ", "- a\n  ", "1. ", "~~a", "* a\n",
    "<", "&#", "\\", "|", "|a", "|-", "\n", "a\n", "@[", "@a ",
    "[a]: b\n", "[a][", "#\n", "    ", "![a](b) ", "a|b\n", "|-\n", "<!--",
]  # fmt: skip


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """How often something within a line is passed over, and blocks are read: the note, and what is in each of them."""
    steps: Counter[str] = Counter()
    skip, tokenize = ParserInline.skipToken, ParserBlock.tokenize

    def skipping(self: ParserInline, state: Any) -> None:
        steps["skipped"] += 1
        skip(self, state)

    def reading(self: ParserBlock, state: Any, begins: int, ends: int) -> None:
        steps["read"] += 1
        tokenize(self, state, begins, ends)

    with patch.object(ParserInline, "skipToken", skipping), patch.object(ParserBlock, "tokenize", reading):
        yield steps


@given(bits=st.lists(st.sampled_from(BITS), min_size=1, max_size=4), times=st.integers(20, 400))
@settings(max_examples=at_most(25, full=1_000), deadline=None)
def test_work_grows_with_the_text_however_it_is_nested(bits, times):
    """Counted, not timed: what is looked at is bound by the letters, the lines, and the levels that may be nested."""
    text = ("".join(bits) * times)[:2_000]
    with counted() as steps:
        drawn = render_html(text, {})
    assert steps["skipped"] <= 4 * SPANS_NESTED * len(text) + 100
    assert steps["read"] <= BLOCKS_NESTED * (text.count("\n") + 2)
    assert drawn.count("<t") <= 3 * CELLS_MOST


@pytest.mark.parametrize("bit", ["![", "[", "> ", "*", "`", "|a"])
def test_the_worst_that_fits_into_a_note_is_bounded(bit):
    text = (bit * 20_000)[:20_000]
    with counted() as steps:
        render_html(text, {})
    assert steps["skipped"] <= 4 * SPANS_NESTED * len(text)


def test_a_table_that_would_fill_itself_up_stays_text_and_others_are_tables():
    rows = 2_000
    wide = "|a" * 500 + "\n" + "|-" * 500 + "\n" + "|b\n" * rows
    assert "<table" not in render_html(wide, {})
    assert "<table" not in render_html(f"> {wide}", {})
    assert render_html("|a|b|\n|-|-:|\n" + "|1|2|\n" * 400, {}).count("<tr") == 401


def test_what_people_nest_is_drawn():
    drawn = render_html("> - **a *b ~~[c `d`](https://x.example)~~***\n>   1. e\n>      - f", {})
    for tag in ("blockquote", "ul", "strong", "em", "s", "a ", "code", "ol"):
        assert f"<{tag}" in drawn


@pytest.mark.slow
@pytest.mark.parametrize("bit", BITS)
def test_four_times_the_text_takes_about_four_times_as_long(bit):
    def took(length: int) -> float:
        text = (bit * length)[:length]
        times = []
        for _again in range(3):
            begun = process_time()
            render_html(text, {})
            times.append(process_time() - begun)
        return min(times)

    assert took(20_000) <= 10 * max(took(5_000), 0.01)
