"""Marches, captives, the kingdom's outlook and the chronicle in a real browser: laptop and phone, light and dark."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from armies.pathfinder.armies.march_services import march_army
from armies.pathfinder.armies.services import teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.services import update_commander
from armies.pathfinder.forces.specs import Road
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Campaign, Kingdom
from kingdom.models.base import uuid7
from kingdom.realms.services import update_kingdom
from kingdom.realms.treasury_services import append
from rules.core.text import _, say
from tests.armies.conftest import appointed, orc, raised
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import FULL, everyday
from tests.worlds import built_once


@built_once
def lived(war):
    """Some weeks of war: paid weeks, a defeat, a captive, a march, offices."""
    update_commander(by=war.gm, commander=war.vell, office="warden", office_boon="loyalty")
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    buy_resource(by=war.gm, army=war.levy, resource="siege-engines", quantity=2, waive_building=True)
    teach_tactic(by=war.gm, army=war.levy, tactic="expert-flankers")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)
    raised(war.gm, war.crown, "Swordlords’ horse", count=200, unit=orc(cr="6"), mount={"name": "horse", "cr": "1"})
    update_kingdom(by=war.gm, kingdom=war.crown, loyalty=19, unrest=4, reason="the floods of spring")
    for week in (1, 2, 3):
        append(kingdom=war.crown, amount=-8 * week, reason=_("Consumption"), source="week", by=war.gm, day=7 * week)
    append(kingdom=war.crown, amount=-105, reason=_("Fire"), source="other", by=war.gm, day=21)
    Campaign.objects.update(day=23)
    lose(war)
    captive = appointed(war.gm, war.crown, "Ana Cordova")
    war.captive = update_commander(by=war.gm, commander=captive, status="captured", ransom=4)
    march_army(by=war.ana, army=war.levy, place="the ford of Nivakta", road=Road(5, 2))
    return war


def lose(war) -> None:
    label = say(_("{army} defeated ({size})"), army="River militia", size=_("huge"))
    steps = (("economy", 22, 18), ("loyalty", 19, 17), ("stability", 20, 18))
    changes = [
        chronicle_changes.Change("kingdom", str(war.crown.pk), field, before, after, "PF-6.1", label, "Crown of Restov")
        for field, before, after in steps
    ]
    text = say(_("Aftermath of “{battle}”"), battle="The ford")
    chronicle_changes.apply(
        campaign=war.campaign, changes=changes, by=war.gm, kind="battle", text=text, battle_id=uuid7()
    )


PAGES = {
    "kingdom": lambda war: reverse("kingdom:kingdom", args=[war.crown.pk]),
    "chronicle": lambda war: reverse("kingdom:chronicle", args=[war.campaign.pk]),
    "army": lambda war: reverse("armies:army", args=[war.levy.pk]),
    "captive": lambda war: reverse("armies:commander", args=[war.captive.pk]),
}
LOOKS = {"laptop-light": (LAPTOP, False), "phone-dark": (PHONE, True)}


@pytest.mark.parametrize("look", everyday([*LOOKS], first=1))
@pytest.mark.parametrize("name", everyday([*PAGES], first=1))
def test_pages_are_for_everyone(lived, open_page, sign_in, shoot, accessibility, name, look):
    viewport, dark = LOOKS[look]
    page = open_page(viewport=viewport, dark=dark)
    sign_in(page, lived.gm)
    page.goto(PAGES[name](lived))
    unfold(page)
    shoot(page, f"life-{name}-{look}")
    assert accessibility(page) == []
    assert overflow(page) <= 0


def unfold(page: Page) -> None:
    for summary in page.locator("details.more > summary").all():
        if summary.is_visible():
            summary.click()


@pytest.mark.slow
def test_the_chronicle_filters_as_one_chooses(lived, page, sign_in):
    sign_in(page, lived.gm)
    page.goto(PAGES["chronicle"](lived))
    page.get_by_label("Army", exact=True).fill("Levy")
    page.get_by_label("Army", exact=True).press("Enter")
    page.get_by_text("Levy bought Improved armor.").first.wait_for()
    page.locator(".timeline", has_text="the floods of spring").wait_for(state="detached")
    assert "army=Levy" in page.url


def test_a_ransom_is_paid_at_a_click(lived, page, sign_in, accessibility):
    before = Kingdom.objects.get(pk=lived.crown.pk).treasury
    sign_in(page, lived.ana)
    page.goto(PAGES["captive"](lived))
    unfold(page)
    assert accessibility(page) == []
    assert overflow(page) <= 0
    page.get_by_role("button", name="Pay ransom (4 BP)").click()
    page.get_by_text("Ana Cordova is free.").wait_for()
    assert Kingdom.objects.get(pk=lived.crown.pk).treasury == before - 4


def test_a_road_is_reckoned_as_one_asks(lived, page, sign_in, accessibility):
    """The GM sees all there is on a sheet."""
    Campaign.objects.update(day=60)
    sign_in(page, lived.gm)
    page.goto(PAGES["army"](lived))
    unfold(page)
    expect(page.get_by_label("Open hexes")).to_be_visible()
    assert accessibility(page) == []
    assert overflow(page) <= 0
    page.get_by_label("Open hexes").fill("5")
    page.get_by_role("button", name="Calculate").click()
    page.get_by_text("3 days").wait_for()
    page.get_by_label("Destination").fill("Restov")
    page.get_by_role("button", name="Set out").click()
    page.get_by_text("On the march to Restov, arriving on day 63.").wait_for()


def test_a_kingdom_dissolved_by_mistake_comes_back_by_the_notice(lived, open_page, sign_in, shoot, accessibility):
    """In French, on a phone; its page is as it was."""
    page = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(page, lived.gm)
    page.goto(reverse("kingdom:kingdom", args=[lived.crown.pk]))
    before = page.locator("main").inner_text()
    page.goto(reverse("kingdom:kingdom_edit", args=[lived.crown.pk]))
    fold = page.locator("#dissolve")
    fold.locator("summary").click()
    shoot(page, "dissolve-fr")
    assert (accessibility(page), overflow(page)) == ([], 0)
    fold.locator("input[name=typed]").fill("Crown of Restov")
    fold.get_by_role("button", name="Supprimer le royaume").click()
    notice = page.locator("#messages", has_text="Royaume supprimé : Crown of Restov.")
    expect(notice).to_be_visible()
    shoot(page, "dissolved-fr")
    notice.get_by_role("button", name="Annuler").click()
    expect(page.locator("#messages", has_text="Crown of Restov : royaume supprimé")).to_be_visible()
    shoot(page, "dissolved-back-fr")
    page.goto(reverse("kingdom:kingdom", args=[lived.crown.pk]))
    assert page.locator("main").inner_text() == before
    if FULL:  # what it tells stands in tests/armies/forces/test_dissolving.py
        page.goto(reverse("kingdom:chronicle", args=[lived.campaign.pk]))
        shoot(page, "dissolved-chronicle-fr")
