"""Markdown rendering of people's text to safe HTML, with mentions.

CommonMark with tables and strikethrough, without raw HTML. `@Name`, or `@[any name]`, mentions a thing. The text does
not say what it refers to; the caller passes the names that this reader may follow (`Known`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_block.table import getLine
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from core.clean_input import has_visible_text
from core.text_search import fold_name
from rules.core.errors import TURNING

NAME_MAX, PIECES = 120, 16  # characters of a mentioned name; possible ends tried for a name without brackets
TITLE_MAX = 80
DEEPEST = 6
BLOCKS_NESTED, SPANS_NESTED = 20, 6  # lists and quotes; links, emphasis and images
CELLS_MOST = 5_000  # most cells of a table
DELIMITERS = re.compile(r"[-:| \t]+")  # second line of a table
BRACKETED = re.compile(rf"@\[([^\[\]\n]{{1,{NAME_MAX}}})\]")
SCHEMES = ("http://", "https://", "mailto:")
TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
CLASSES = {"a": {"mention"}, "td": {"n"}, "th": {"n"}}


class Known(NamedTuple):
    """Meaning of a mention for one reader: current name and page URL."""

    name: str
    url: str


Names = Mapping[str, Known]
"""Meanings by folded name (`fold_name`)."""


class NameFound(NamedTuple):
    """Possible mention: its length including "@", and the name."""

    length: int
    word: str


Meaning = Callable[[str, int], tuple[int, str, str] | None]
"""Function that resolves an "@" at a position: length, text to show, and URL or ""."""


def render_html(text: str, names: Names, *, level: int = 3) -> SafeString:
    """Render text as HTML. Headings begin at `level`, without gaps in the hierarchy."""
    drawn = _markdown().render(text, {"means": lambda source, at: _meaning(source, at, names), "level": level})
    return mark_safe(_safe(drawn))


def list_mentions(text: str) -> list[tuple[str, ...]]:
    """Return for every mention in the text the names it may mean, longest first. Mentions in code or escaped ones do
    not count.
    """
    found: list[tuple[str, ...]] = []

    def note(source: str, at: int) -> None:
        if words := tuple(name.word for name in _mentions_at(source, at)):
            found.append(words)

    _markdown().parse(text, {"means": note})
    return found


def title_of(text: str) -> str:
    """Return the first words of a text without markup, as its title in lists."""
    for token in _markdown().parse(text, {"means": lambda source, at: _meaning(source, at, {})}):
        words = " ".join("".join(sign for sign in _plain(token.children or ()) if sign not in TURNING).split())
        if has_visible_text(words):
            return words if len(words) <= TITLE_MAX else f"{words[: TITLE_MAX - 1].rstrip()}…"
    return "…"


def render_plain(text: str, names: Names) -> str:
    """Return the Markdown with mentions replaced by current names, for a document without links."""
    parts, at = [], 0
    for sign in re.finditer("@", text):
        if sign.start() < at or not _begins(text, sign.start()) or text[: sign.start()].endswith("\\"):
            continue
        if meaning := _meaning(text, sign.start(), names):
            parts += [text[at : sign.start()], meaning[1]]
            at = sign.start() + meaning[0]
    return "".join([*parts, text[at:]])


def _meaning(source: str, at: int, names: Names) -> tuple[int, str, str] | None:
    """Resolve a mention. An unknown name in brackets is shown without them, like a known one, so that nobody can tell
    the difference.
    """
    for found in _mentions_at(source, at):
        if known := names.get(fold_name(found.word)):
            return found.length, known.name, known.url
    bracketed = BRACKETED.match(source, at)
    return (bracketed.end() - at, bracketed[1], "") if bracketed else None


def _mentions_at(source: str, at: int) -> Iterator[NameFound]:
    """Yield the possible mentions here, longest first."""
    if bracketed := BRACKETED.match(source, at):
        if bracketed[1].strip():
            yield NameFound(bracketed.end() - at, bracketed[1])
        return
    line = source[at + 1 : at + 1 + NAME_MAX].partition("\n")[0]
    if line[:1].strip():
        ends = {match.end() for pattern in (r"\w+", r"\S+") for match in re.finditer(pattern, line)}
        for end in sorted(sorted(ends)[:PIECES], reverse=True):
            yield NameFound(end + 1, line[:end])


def _begins(source: str, at: int) -> bool:
    """Whether an "@" may begin a mention. Within a word it belongs to an e-mail address."""
    return at == 0 or not (source[at - 1].isalnum() or source[at - 1] == "_")


@cache
def _markdown() -> MarkdownIt:
    """Return the parser. Blocks and inline markup have separate limits of nesting, because inline nesting costs another
    pass for each level (`![![![…`).
    """
    reader, spans = _reader(BLOCKS_NESTED), _reader(SPANS_NESTED)

    def read_spans(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline":
                found: list[Token] = []
                spans.inline.parse(token.content, spans, state.env, found)
                token.children = list(_without_empty_links(found))

    reader.core.ruler.at("inline", read_spans)
    reader.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    reader.core.ruler.push("outline", _outline)
    reader.add_render_rule("image", _image)
    return reader


def _reader(nested: int) -> MarkdownIt:
    options = {"html": False, "maxNesting": nested}
    reader = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    reader.validateLink = lambda url: url.lower().startswith(SCHEMES)  # type: ignore[method-assign]
    reader.inline.ruler.push("mention", _mention)
    return reader


def _table(state: StateBlock, begins: int, ends: int, silent: bool) -> bool:
    """Parse a table, unless it would have too many cells once its rows are filled up. Its lines then stay as typed."""
    if begins + 1 >= ends or not DELIMITERS.fullmatch(getLine(state, begins + 1)):
        return False
    if begins < state.env.get("no_table_before", 0):
        return False
    columns, line = getLine(state, begins).count("|") + 1, begins
    while line < ends and not state.isEmpty(line):
        line += 1
        if columns * (line - begins) > CELLS_MOST:
            state.env["no_table_before"] = line
            return False
    return table(state, begins, ends, silent)


def _mention(state: StateInline, silent: bool) -> bool:
    means: Meaning | None = state.env.get("means")
    if means is None or state.src[state.pos] != "@" or state.linkLevel or not _begins(state.src, state.pos):
        return False
    if (silent and "level" not in state.env) or (meaning := means(state.src, state.pos)) is None:
        return False
    length, word, url = meaning
    if not silent:
        _say(state, word, url)
    state.pos += length
    return True


def _say(state: StateInline, word: str, url: str) -> None:
    if url:
        state.push("link_open", "a", 1).attrs = {"href": url, "class": "mention"}
    state.push("text", "", 0).content = word
    if url:
        state.push("link_close", "a", -1)


def _without_empty_links(tokens: Iterable[Token]) -> Iterator[Token]:
    """Leave out links without an address, as of `[text]()`, but not their text."""
    empty = False
    for token in tokens:
        if token.type == "link_open" and not token.attrs["href"]:
            empty = True
        elif token.type == "link_close" and empty:
            empty = False
        else:
            yield token


def _outline(state: StateCore) -> None:
    """Adjust headings to the requested level without gaps, and mark columns of numbers."""
    above: list[int] = []
    opened = ""
    for token, following in pairwise([*state.tokens, Token("", "", 0)]):
        match token.type:
            case "heading_open":
                opened = token.tag = _heading(above, token, following, state.env.get("level", 3))
            case "heading_close":
                token.tag = opened
            case "th_open" | "td_open":
                token.attrs = {"class": "n"} if "right" in str(token.attrs.get("style", "")) else {}


def _heading(above: list[int], token: Token, words: Token, level: int) -> str:
    """Return the tag of a heading below those in `above`, which it joins. A heading without words
    becomes a paragraph.
    """
    if not words.content.strip():
        return "p"
    own = int(token.tag[1])
    above[:] = [*(one for one in above if one < own), own]
    return f"h{min(level + len(above) - 1, DEEPEST)}"


def _image(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """Render an image as a link, so that looking at a page fetches nothing from other sites."""
    token = tokens[at]
    url = str(token.attrs.get("src", ""))
    words = escapeHtml(_plain(token.children or ()).strip() or url)
    return f'<a href="{escapeHtml(url)}">{words}</a>' if url else words


def _plain(tokens: Iterable[Token]) -> str:
    return "".join(_plain_one(token) for token in tokens)


def _plain_one(token: Token) -> str:
    if token.children:
        return _plain(token.children)
    return " " if token.type in ("softbreak", "hardbreak") else token.content


def _safe(html: str) -> str:
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        allowed_classes=CLASSES,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
        strip_comments=True,
    )
