"""Markdown: what people write becomes safe HTML, with the names it mentions.

CommonMark with tables and strikethrough, no HTML of the writer's own. `@Name`, or `@[a name of any shape]`, mentions a
thing. What it stands for is not in the text: whoever shows it says which names this reader may follow (`Known`).
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
from rules.core.characters import TURNING

NAME_MAX, PIECES = 120, 16  # letters of a name that is mentioned; ends that are tried of one without brackets
TITLE_MAX = 80
DEEPEST = 6
BLOCKS_NESTED, SPANS_NESTED = 20, 6  # lists and quotes; links, emphasis and images
CELLS_MOST = 5_000  # of a table
DELIMITERS = re.compile(r"[-:| \t]+")  # the second line of a table
BRACKETED = re.compile(rf"@\[([^\[\]\n]{{1,{NAME_MAX}}})\]")
SCHEMES = ("http://", "https://", "mailto:")
TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
CLASSES = {"a": {"mention"}, "td": {"n"}, "th": {"n"}}


class Known(NamedTuple):
    """What a name stands for, for one reader: what it is called today, and its page."""

    name: str
    url: str


Names = Mapping[str, Known]
"""By the word that mentions it (`fold_name`)."""


class NameFound(NamedTuple):
    """A name that may be meant: how many letters it takes, "@" among them, and the word."""

    length: int
    word: str


Meaning = Callable[[str, int], tuple[int, str, str] | None]
"""What a text means at an "@": how many letters it takes, what is said instead, and the address it leads to, if any."""


def render_html(text: str, names: Names, *, level: int = 3) -> SafeString:
    """The text for a page. Its headings begin at `level`, and none skips one."""
    drawn = _markdown().render(text, {"means": lambda source, at: _meaning(source, at, names), "level": level})
    return mark_safe(_safe(drawn))


def list_mentions(text: str) -> list[tuple[str, ...]]:
    """For every mention in the text the words that may be its name, the longest first. None is in code or escaped."""
    found: list[tuple[str, ...]] = []

    def note(source: str, at: int) -> None:
        if words := tuple(name.word for name in _mentions_at(source, at)):
            found.append(words)

    _markdown().parse(text, {"means": note})
    return found


def title_of(text: str) -> str:
    """Its first words, without any marks: what it is called in lists."""
    for token in _markdown().parse(text, {"means": lambda source, at: _meaning(source, at, {})}):
        words = " ".join("".join(sign for sign in _plain(token.children or ()) if sign not in TURNING).split())
        if has_visible_text(words):
            return words if len(words) <= TITLE_MAX else f"{words[: TITLE_MAX - 1].rstrip()}…"
    return "…"


def render_plain(text: str, names: Names) -> str:
    """The Markdown with what it mentions called by its name of today, for a document that links to nothing."""
    parts, at = [], 0
    for sign in re.finditer("@", text):
        if sign.start() < at or not _begins(text, sign.start()) or text[: sign.start()].endswith("\\"):
            continue
        if meaning := _meaning(text, sign.start(), names):
            parts += [text[at : sign.start()], meaning[1]]
            at = sign.start() + meaning[0]
    return "".join([*parts, text[at:]])


def _meaning(source: str, at: int, names: Names) -> tuple[int, str, str] | None:
    """A name in brackets is said without them, known or not: nobody can tell one from the other."""
    for found in _mentions_at(source, at):
        if known := names.get(fold_name(found.word)):
            return found.length, known.name, known.url
    bracketed = BRACKETED.match(source, at)
    return (bracketed.end() - at, bracketed[1], "") if bracketed else None


def _mentions_at(source: str, at: int) -> Iterator[NameFound]:
    """What may be meant here, the longest name first."""
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
    """Whether an "@" may begin a mention: one within a word is an address of mail."""
    return at == 0 or not (source[at - 1].isalnum() or source[at - 1] == "_")


@cache
def _markdown() -> MarkdownIt:
    """Blocks and what is within a line have a bound each: within a line every level is read once more (`![![![…`)."""
    reader, spans = _reader(BLOCKS_NESTED), _reader(SPANS_NESTED)

    def read_spans(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline":
                token.children = token.children if token.children is not None else []
                spans.inline.parse(token.content, spans, state.env, token.children)

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
    """A table, unless its rows, filled up, would have more cells than anybody writes: then its lines stay as typed."""
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


def _outline(state: StateCore) -> None:
    """Headings one below the other, from the level asked for; a column of numbers stands as one."""
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
    """The tag of a heading below those `above` it, which it joins; one without words is none."""
    if not words.content.strip():
        return "p"
    own = int(token.tag[1])
    above[:] = [*(one for one in above if one < own), own]
    return f"h{min(level + len(above) - 1, DEEPEST)}"


def _image(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """A link to it: nothing is fetched from elsewhere by looking at a page."""
    token = tokens[at]
    url = str(token.attrs.get("src", ""))
    return f'<a href="{escapeHtml(url)}">{escapeHtml(_plain(token.children or ()).strip() or url)}</a>'


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
