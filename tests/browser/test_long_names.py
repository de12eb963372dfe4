"""Names as long as they may be, without a space to break at: every page they stand on still fits a narrow phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from armies.breaking_point.models import FortifiedPlace
from armies.models import Army, Commander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.services.settlements import found_settlement
from tests.battles.breaking_point.conftest import at_the_river
from tests.browsing import NARROW, overflow

BLOCK = "Heeresgruppenoberkommandoverwaltungshauptquartiersfeldzugsmeisterschaftsbannerträger"
WIDEST = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((one) => `${one.tagName}.${one.className.baseVal ?? one.className}`)"""
BEYOND = """() => [...document.querySelectorAll("details.menu")].filter((menu) => {
    menu.open = true;
    const body = menu.querySelector(".menu-body").getBoundingClientRect();
    menu.open = false;
    return body.left < 0 || body.right > innerWidth;
  }).map((menu) => `menu ${menu.id || menu.className}`)"""
FILES = re.compile(r"csv|\.txt|\.json|\.png|\.svg|markdown|/svg|/png|picture|/rules/|export|cards/\?|/api/")


NAMED = (Campaign, Kingdom, Settlement, Army, Commander, Battle, FortifiedPlace)


def name_all() -> None:
    """The longest name there may be for everything that has one."""
    for model in NAMED:
        most = model._meta.get_field("name").max_length or len(BLOCK)
        for number, row in enumerate(model.objects.order_by("pk")):
            model.objects.filter(pk=row.pk).update(name=f"{number}{BLOCK}"[: min(most, 80)])


@pytest.fixture(params=["combat-de-masse", "breaking-point"])
def named(request, transactional_db) -> Any:
    """A campaign of each law in which a battle runs."""
    if request.param == "breaking-point":
        found = at_the_river()
    else:
        found, _running = request.getfixturevalue("table"), request.getfixturevalue("running")
        found_settlement(by=found.gm, kingdom=found.crown, name="Quay")
    name_all()
    return found


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


def test_no_long_name_breaks_a_page_on_a_narrow_phone(named, open_page, sign_in):
    page = open_page(viewport=NARROW, language="fr")
    sign_in(page, named.gm)
    seen: set[str] = set()
    waiting, visited, wide = ["/", f"/c/{named.campaign.pk}/"], 0, []
    while waiting:
        address = waiting.pop(0)
        page.goto(address)
        visited += 1
        unfolded(page)
        if (more := overflow(page)) > 0:
            wide.append(f"{address}: {more} px {page.evaluate(WIDEST)}")
        wide += [f"{address}: {menu}" for menu in page.evaluate(BEYOND)]
        waiting += leading_on(page, seen)
    assert visited > 25
    assert wide == []
