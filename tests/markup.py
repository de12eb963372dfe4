"""What is wrong with the markup of a page, as far as it shows without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.walking import route_of

HEADING = re.compile("h[1-6]")
VOID = frozenset({"input", "br", "hr", "img", "link", "meta", "use", "path", "rect", "line", "circle", "source"})
SAID = ("aria-label", "alt")
SITE = "Warhost"
SKIPPED = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1>", re.DOTALL)
LOOKED_AT = re.compile(r"<(title|th|h[1-6])\b.*?</\1>", re.DOTALL)
NEW_EACH_TIME = r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": ?"[^"]*"|nonce="[^"]*"'
"""What differs between two answers that are the same."""


@dataclass
class Read(HTMLParser):
    """The headings of a page, its title and the heads of its tables, each with what it says."""

    title: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    empty_heads: int = 0
    _open: list[tuple[str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in SAID and value and self._open:
                self._open[-1][1].append(value)
        if tag in ("title", "th") or HEADING.fullmatch(tag):
            given = dict(attributes)
            self._open.append((tag, [given.get("aria-label") or ""]))

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1][1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            return
        said = " ".join(" ".join(self._open.pop()[1]).split())
        match tag:
            case "title":
                self.title = self.title or said  # a drawing may have one, too
            case "th":
                self.empty_heads += not said
            case _:
                self.headings.append((int(tag[1]), said))


def read(markup: str) -> Read:
    page = Read()
    page.feed("".join(found[0] for found in LOOKED_AT.finditer(SKIPPED.sub("", markup))))
    return page


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def complaints(page: Read) -> Iterator[str]:
    """What is wrong with one page."""
    levels = [level for level, _said in page.headings]
    if levels.count(1) != 1:
        yield f"{levels.count(1)} headings of the first level"
    if skipped := [page.headings[at + 1] for at in range(len(levels) - 1) if levels[at + 1] > levels[at] + 1]:
        yield f"a level is left out before {skipped[0]}"
    if page.empty_heads:
        yield f"{page.empty_heads} heads of columns that say nothing"
    main = " ".join(said for level, said in page.headings if level == 1)
    if not words(page.title.replace(SITE, "")) & words(main):
        yield f"titled {page.title!r} and headed {main!r}"


def faults_of(shown: Mapping[str, str], *, alone: bool = False) -> list[str]:
    """Of pages by their address: what is wrong with each, and which two of different kinds bear the same title, unless
    each is looked at `alone`: a refused form comes back on the page it stands on.
    """
    pages = {url: read(markup) for url, markup in shown.items() if "<html" in markup}  # not the parts that are fetched
    found = [f"{url}: {fault}" for url, page in pages.items() for fault in complaints(page)]
    titled: dict[str, str] = {}
    if alone:
        return found
    for url, page in pages.items():
        route = route_of(url.partition("?")[0])
        if titled.setdefault(page.title, route) != route:
            found.append(f"{url}: titled {page.title!r} like {titled[page.title]}")
    return found
