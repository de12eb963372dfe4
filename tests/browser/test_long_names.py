"""Names as long as they may be, without a space to break at: every page they stand on still fits a narrow phone."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl

import pytest

from armies.breaking_point.models import FortifiedPlace
from armies.models import Army, Commander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.realms.services import found_settlement
from rules.breaking_point.workshop.workshop_law import HostWorkshop
from tests.browser.haste import DEAF
from tests.browsing import NARROW
from tests.everyday import FULL, at_most, everyday

FIRST, SECOND = "combat-de-masse", "breaking-point"
BLOCK = "Heeresgruppenoberkommandoverwaltungshauptquartiersfeldzugsmeisterschaftsbannerträger"
LOOK = """async () => {
  document.querySelectorAll("details:not(.menu)").forEach((one) => { one.open = true; });
  const root = document.documentElement;
  const fits = () => root.scrollWidth - innerWidth <= 0;
  fits();
  await document.fonts.ready;
  const named = (one) => `${one.tagName}.${one.className.baseVal ?? one.className}`;
  const wide = fits() ? [] : [`${root.scrollWidth - innerWidth} px`, ...[...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(named)];
  const beyond = [...document.querySelectorAll("details.menu")].filter((menu) => {
    menu.open = true;
    const body = menu.querySelector(".menu-body").getBoundingClientRect();
    menu.open = false;
    return body.left < 0 || body.right > innerWidth;
  }).map((menu) => `menu ${menu.id || menu.className}`);
  const links = [...document.querySelectorAll("main a[href^='/']")].map((one) => one.getAttribute("href"));
  return {faults: [...wide, ...beyond], links};
}"""
"""What stands out of the page, once everything is unfolded and in its own letters, and where it leads."""
LAY = """async (address) => {
  const answer = await fetch(address, {headers: {Accept: "text/html"}});
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const styles = (one) => [...one.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href).join();
  if (styles(next) !== styles(document)) return false;
  history.replaceState(null, "", answer.url);
  document.body.replaceWith(document.adoptNode(next.body));
  return true;
}"""
"""Lays another page into this one, if it wears the same styles: a fifth of the work of opening it."""
FILES = re.compile(r"csv|\.txt|\.json|\.png|\.svg|markdown|/svg|/png|picture|/rules/|export|cards/\?|/api/")


NAMED = (Campaign, Kingdom, Settlement, Army, Commander, Battle, FortifiedPlace)


def name_all() -> None:
    """The longest name there may be for everything that has one."""
    for model in NAMED:
        most = model._meta.get_field("name").max_length or len(BLOCK)
        for number, row in enumerate(model.objects.order_by("pk")):
            model.objects.filter(pk=row.pk).update(name=f"{number}{BLOCK}"[: min(most, 80)])


@pytest.fixture(params=everyday([FIRST, SECOND], first=1))
def named(request, transactional_db, monkeypatch) -> Any:
    """A campaign of each law in which a battle runs."""
    monkeypatch.setattr(HostWorkshop, "thrown", 4)  # here nobody asks what they come to
    if request.param == SECOND:
        found = request.getfixturevalue("river")
    else:
        found, _running = request.getfixturevalue("table"), request.getfixturevalue("running")
        found_settlement(by=found.gm, kingdom=found.crown, name="Quay")
    name_all()
    return found


ALIKE = re.compile(
    r"/$|/(accounts?|tokens|campaigns|notes)/|/kingdoms//arms/"
    r"|/c//(members|requests|shares|webhooks|calendar|story|map/sheet)/"
)
"""Pages that hold nothing of a law: those of one tell of those of the other."""
FRAMED = re.compile(
    rf"{ALIKE.pattern}|/c//(edit|kingdoms/new|time|battles/$|chronicle|tables|known|odds/many)|/settlements/"
    r"|/kingdoms//(edit|commanders/$|outlook|settlements|armies/cards)|/battles//(log/.|replay|order-of-battle)"
)
"""Pages of one frame, whatever a law tells on them: every day those of one law tell of those of the other."""
NAMELESS = re.compile(r"/account/$|/tokens/|/campaigns/import/|/accounts/(email|password|2fa/$)|/c//map/sheet/")
"""Pages of which other tests see every day that they fit the same phone, and on which nothing has a name."""


def kinds_of(address: str) -> set[tuple[str, ...]]:
    """Every day each page is one, but a battle's own, which is another one with each thing it is asked."""
    path, _mark, query = address.partition("?")
    page = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/)\d+(?=/)", "", path)
    names = sorted({name for name, _value in parse_qsl(query, keep_blank_values=True)})
    if not FULL:
        asked = names if page == "/battles//" else []
        return {(page.replace("/army/b/", "/army/a/"), name) for name in asked or [""]}
    return {(page, *two) for two in combinations(["", *names], 2)} or {(page,)}


class Way:
    """One address of each kind; in the full run of each page, and of each two things it may be asked together."""

    def __init__(self, law: str):
        few, whole = {FIRST: (NAMELESS, re.compile("(?!)")), SECOND: (FRAMED, ALIKE)}[law]
        self.spare = at_most(few, full=whole)
        self.seen: set[tuple[str, ...]] = set()

    def on(self, links: Iterable[str]) -> Iterator[str]:
        for address in dict.fromkeys(link.split("#")[0] for link in links):
            kinds = kinds_of(address) - self.seen
            self.seen |= kinds
            if kinds and not FILES.search(address) and not any(self.spare.match(page) for page, *_names in kinds):
                yield address


def test_no_long_name_breaks_a_page_on_a_narrow_phone(named, open_page, sign_in):
    page = open_page(viewport=NARROW, language="fr")
    page.add_init_script(DEAF)  # nothing changes here while one looks
    sign_in(page, named.gm)
    page.goto("/")
    way = Way(named.campaign.ruleset)
    waiting, visited, wide = deque(way.on(["/", f"/c/{named.campaign.pk}/"])), 0, []
    while waiting:
        address = waiting.popleft()
        if FULL or not page.evaluate(LAY, address):
            page.goto(address, wait_until="domcontentloaded")
        visited += 1
        found = page.evaluate(LOOK)
        wide += [f"{address}: {fault}" for fault in found["faults"]]
        waiting.extend(way.on(found["links"]))
    assert visited > at_most(50 if named.campaign.ruleset == FIRST else 20, full=50)
    assert wide == []
