"""Names as long as they may be, without a space to break at: every page they stand on still fits a narrow phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from armies.models import Army, Commander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.services.settlements import found_settlement
from tests.browsing import NARROW, overflow

BLOCK = "Heeresgruppenoberkommandoverwaltungshauptquartiersfeldzugsmeisterschaftsbannerträger"
WIDEST = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((one) => `${one.tagName}.${one.className.baseVal ?? one.className}`)"""
FILES = re.compile(r"csv|\.txt|\.json|markdown|/svg|/png|picture|/rules/|export|cards/\?|/api/")


@pytest.fixture
def named(table, running) -> None:
    """The longest name there may be for everything that has one."""
    found_settlement(by=table.gm, kingdom=table.crown, name="Quay")
    for model in (Campaign, Kingdom, Settlement, Army, Commander, Battle):
        most = model._meta.get_field("name").max_length or len(BLOCK)
        for number, row in enumerate(model.objects.order_by("pk")):
            model.objects.filter(pk=row.pk).update(name=f"{number}{BLOCK}"[: min(most, 80)])


def unfolded(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((one) => { one.open = true; })")


def leading_on(page: Page, seen: set[str]) -> Iterator[str]:
    """One address of each kind the page leads to."""
    for link in page.locator("main a[href^='/']").evaluate_all("links => links.map((one) => one.getAttribute('href'))"):
        address = link.split("#")[0]
        kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|/\d+/|=[^&]*", "", address)
        if kind not in seen and not FILES.search(address):
            seen.add(kind)
            yield address


def test_no_long_name_breaks_a_page_on_a_narrow_phone(table, running, named, open_page, sign_in):
    page = open_page(viewport=NARROW, language="fr")
    sign_in(page, table.gm)
    seen: set[str] = set()
    waiting, visited, wide = ["/", f"/c/{table.campaign.pk}/"], 0, []
    while waiting:
        address = waiting.pop(0)
        page.goto(address)
        visited += 1
        unfolded(page)
        if (more := overflow(page)) > 0:
            wide.append(f"{address}: {more} px {page.evaluate(WIDEST)}")
        waiting += leading_on(page, seen)
    assert visited > 25
    assert wide == []
