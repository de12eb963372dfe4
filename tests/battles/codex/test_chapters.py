"""Chapters of the codex: a light table of contents, a page a chapter, a search through all of them."""

from __future__ import annotations

import re

import pytest

from battles.codex.page import A_FEW
from tests.battles.codex.test_sources import codex_of
from tests.rulesets.browsing import Reader

pytestmark = pytest.mark.django_db

LIGHT = 40_000  # bytes of the first page, for a phone


def markup(reader: Reader, address: str) -> str:
    return reader.client.get(address).content.decode()


def links(html: str) -> list[str]:
    return re.findall(r'<a href="\?kind=([\w-]+)"', html.partition('class="codex-contents"')[2].partition("</nav>")[0])


def test_the_codex_opens_with_its_chapters_and_stays_light():
    reader, address = codex_of("thucidide-fantasy")
    html = markup(reader, address)
    page = reader.client.get(address).context["page"]
    assert links(html) == [kind.slug for kind in page.kinds if kind.found]
    assert 'class="entry"' not in html
    assert len(html.encode()) < LIGHT


def test_a_chapter_has_all_its_entries_and_leads_to_the_next_and_back():
    reader, address = codex_of("wing-command")
    first, second = links(markup(reader, address))[:2]
    page = reader.client.get(address, {"kind": second}).context["page"]
    html = markup(reader, f"{address}?kind={second}")
    assert html.count('class="entry"') == page.found > 0
    assert f'href="?kind={first}"' in html
    follower = page.after.slug
    assert f'href="?kind={second}"' in markup(reader, f"{address}?kind={follower}")
    assert reader.client.get(address, {"kind": first}).context["page"].before is None


def test_a_search_shows_the_first_of_each_chapter_and_leads_to_the_others():
    reader, address = codex_of("wing-command")
    html = markup(reader, f"{address}?q=e")
    chapters = html.split('<section class="sheet" aria-label')[1:]
    assert len(chapters) > 2
    assert max(chapter.count('class="entry"') for chapter in chapters) == A_FEW
    rules = next(chapter for chapter in chapters if "?kind=rules&amp;q=e" in chapter)
    found = int(re.search(r"All (\d+) in", rules)[1])  # type: ignore[index]
    assert markup(reader, f"{address}?kind=rules&q=e").count('class="entry"') == found
