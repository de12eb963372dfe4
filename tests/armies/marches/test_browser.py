"""An army is marched over a week into an enemy, the battle that leads to is set up, and all of it undone: click by
click, in a browser. In the full run the map is painted first, and the battle settled. How its phases are clicked
through, tests/browser/test_evening.py tells.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.map.painting_services import paint_map
from tests.armies.marches.conftest import fresh, where
from tests.armies.marches.test_chain import differing, rows, take_back
from tests.battles.conftest import Client
from tests.browser.evening import Evening
from tests.browsing import PHONE, overflow

pytestmark = pytest.mark.parametrize("driver", ["combat-de-masse"], indirect=True)
GO = "Marcher vers G7 : 3 jours, arrivée le jour 3"


def test_from_a_march_to_the_battle_it_leads_to_and_back(marches, driver, open_page, sign_in, shoot, accessibility):
    """On a French phone, by finger."""
    paint_map(
        by=marches.gm, campaign=marches.campaign, command={"command": "paint", "hexes": ["B6"], "terrain": "forest"}
    )
    page = open_page(viewport=PHONE, language="fr", has_touch=True)
    sign_in(page, marches.gm)
    march(page, marches, accessibility)
    let_the_week_pass(page, marches)
    assert where(marches.watch) == ["G7"]
    prepare_the_battle(page, marches)
    shoot(page, "chain-prepared")
    undo_the_week(page, marches)
    assert where(marches.watch) == ["A7"]
    undo_the_march(page, marches)
    assert overflow(page) <= 0


def test_on_a_phone_the_march_is_ordered_where_its_way_is_chosen(marches, driver, open_page, sign_in, accessibility):
    """The button stands below the map, not below the window."""
    page = open_page(viewport=PHONE, has_touch=True)
    sign_in(page, marches.ana)
    page.goto(f"{reverse('armies:map', args=[marches.campaign.pk])}?army={str(marches.watch.pk)[-8:]}&hex=G7")
    page.evaluate("scrollTo(0, 0)")
    go = page.get_by_role("button", name="March to G7")
    expect(go).to_be_in_viewport(ratio=1)
    dock, box = page.locator("nav.places").bounding_box(), go.bounding_box()
    assert dock
    assert box
    assert box["y"] + box["height"] <= dock["y"]
    assert accessibility(page) == []
    go.tap()
    expect(page.get_by_text("The army is on its way.")).to_be_visible()
    expect(page.locator(".march-go")).to_have_count(0)


@pytest.mark.slow
def test_from_the_first_stroke_to_the_aftermath_and_back(marches, driver, open_page, sign_in, shoot, accessibility):
    """On a French phone, by finger."""
    page = open_page(viewport=PHONE, language="fr", has_touch=True)
    sign_in(page, marches.gm)
    before = rows()
    paint(page, marches)
    shoot(page, "chain-painted")
    march(page, marches, accessibility)
    let_the_week_pass(page, marches)
    assert where(marches.watch) == ["G7"]
    evening = Evening(page)
    fight(page, marches, driver, evening)
    shoot(page, "chain-fought")
    assert rows() != before
    take_the_battle_back(page, marches, evening)
    undo_the_week(page, marches)
    assert where(marches.watch) == ["A7"]
    undo_the_march(page, marches)
    take_the_strokes_back(page, marches)
    assert differing(before, rows()) == {}
    assert overflow(page) <= 0


def paint(page: Page, marches: Any) -> None:
    """A wood beside the way, then a road from tap to tap."""
    page.goto(reverse("kingdom:map_paint", args=[marches.campaign.pk]))
    page.locator(".swatches label", has_text="Forêt").tap()
    page.locator("#B6").tap()
    told = page.locator("#stroke [role=status]")
    expect(told).to_have_text("Forêt en B6.")
    page.get_by_label("Route", exact=True).check()
    page.locator("#A7").tap()
    expect(told).to_contain_text("A7")
    page.locator("#C7").tap()
    expect(told).to_have_text("Route tracée par A7, B7, C7.")


def march(page: Page, marches: Any, accessibility: Any) -> None:
    page.goto(reverse("armies:map", args=[marches.campaign.pk]))
    page.locator(".counter", has_text="Ir").first.tap()
    page.locator('.hexes a[href*="hex=G7"]').dispatch_event("click")
    expect(page.locator(".march .stop")).to_have_count(3)
    assert accessibility(page) == []
    page.get_by_role("button", name=GO).tap()
    expect(page.get_by_text("En route vers G7")).to_be_visible()


def let_the_week_pass(page: Page, marches: Any) -> None:
    page.goto(reverse("armies:time", args=[marches.campaign.pk]))
    page.get_by_role("button", name="Voir l’aperçu").tap()
    page.get_by_role("button", name="Confirmer").tap()
    expect(page.get_by_role("heading", name="Des armées se rencontrent")).to_be_visible()


def prepare_the_battle(page: Page, marches: Any) -> None:
    """That which the meeting proposes."""
    page.goto(reverse("kingdom:campaign", args=[marches.campaign.pk]))
    page.get_by_role("link", name="Préparer la bataille").tap()
    page.locator("main form button.primary").last.tap()
    page.wait_for_url("**/battles/*/")
    seats = Battle.objects.get().seats.values_list("army__name", "side")
    assert set(seats) == {("Ironwatch", 0), ("Raiders", 1)}


def fight(page: Page, marches: Any, driver: Any, evening: Evening) -> None:
    """The battle that the meeting proposes, to its end, which the page follows, and its aftermath."""
    prepare_the_battle(page, marches)
    evening.battle = page.url
    evening.throw("typed")
    client = Client(marches.gm, Battle.objects.get())
    for command in driver.until_over(marches):
        client.ok(**command)
    evening.settle()
    assert Battle.objects.get().status == Battle.Status.CLOSED
    assert fresh(marches.raiders).status == "defeated"


def take_the_battle_back(page: Page, marches: Any, evening: Evening) -> None:
    """Its aftermath, then phase by phase to its opening, of which one is clicked."""
    evening.take_back()
    page.goto(evening.battle)
    evening.press(page.locator("#undo"))
    while Battle.objects.get().records.filter(undone=False).exists():
        take_back(marches)


def undo_the_week(page: Page, marches: Any) -> None:
    page.goto(reverse("armies:time", args=[marches.campaign.pk]))
    page.get_by_role("button", name="Annuler").tap()
    expect(page.get_by_text("Ironwatch : arrivée à destination, G7.")).to_be_visible()


def undo_the_march(page: Page, marches: Any) -> None:
    page.goto(reverse("kingdom:chronicle", args=[marches.campaign.pk]))
    out = page.locator("li", has_text="Ironwatch : en marche vers G7")
    out.get_by_role("button", name="Annuler").tap()
    expect(page.get_by_text("Annulé").first).to_be_visible()


def take_the_strokes_back(page: Page, marches: Any) -> None:
    page.goto(reverse("kingdom:map_paint", args=[marches.campaign.pk]))
    for stroke in ("Route tracée par A7, B7, C7.", "Forêt en B6."):
        page.get_by_role("button", name="Annuler").tap()
        expect(page.locator("#stroke [role=status]")).to_contain_text(stroke)


def test_a_march_is_ordered_on_a_phone_without_scripts(marches, open_page, sign_in, shoot, accessibility):
    page = open_page(viewport=PHONE, dark=True, java_script_enabled=False)
    sign_in(page, marches.ana)
    address = reverse("armies:map", args=[marches.campaign.pk])
    page.goto(f"{address}?army={marches.watch.pk}&own=1&via=B7,C7&hex=D8")
    shoot(page, "march-own-phone-dark")
    page.get_by_role("button", name="March to D8").click()
    expect(page.get_by_text("On its way to D8")).to_be_visible()
    assert fresh(marches.watch).way.path == ("A7", "B7", "C7", "C8", "D8") or fresh(marches.watch).way.end == "D8"
