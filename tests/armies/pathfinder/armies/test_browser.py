"""The army pages in a real browser: as one types, on a phone, in the dark, and for everyone."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.pathfinder.armies.services import correct_army, teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.services import learn_boon
from armies.pathfinder.models import PathfinderArmy
from kingdom.models import Campaign
from tests.armies.conftest import appointed, orc, raised
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import at_most, everyday
from tests.worlds import built_once


def url(name, pk) -> str:
    return reverse(f"armies:{name}", args=[getattr(pk, "pk", pk)])


@built_once
def busy_crown(war):
    """An army with everything a sheet can show, wounded, ill, and two more beside it."""
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    buy_resource(by=war.gm, army=war.levy, resource="siege-engines", quantity=2, waive_building=True)
    teach_tactic(by=war.gm, army=war.levy, tactic="expert-flankers")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)
    learn_boon(by=war.gm, commander=war.vell, boon="bonus-tactic", tactic="dirty-fighters")
    correct_army(by=war.gm, army=war.levy, hp=7, morale=-2, arrears=True, disease=1)
    raised(war.gm, war.crown, "Swordlords’ horse", count=200, unit=orc(cr="3"), mount={"name": "horse", "cr": "1"})
    raised(war.gm, war.crown, "River militia", count=1000)
    appointed(war.gm, war.crown, "Ana Cordova", office="marshal", office_boon="triage", player_character=True)
    return war


def test_a_refusal_gets_the_focus_figures_follow_what_one_types_and_enter_raises_the_army(busy_crown, page, sign_in):
    sign_in(page, busy_crown.ana)
    page.goto(url("army_new", busy_crown.crown))
    page.get_by_label("Name of the army").fill("Mages")
    page.get_by_label("Unit", exact=True).fill("Adept")
    page.get_by_label("Number of units").fill("0")
    page.get_by_label("Number of units").press("Enter")
    page.locator(".field-error").first.wait_for()
    assert page.evaluate("document.activeElement.name") == "count"
    page.get_by_label("Number of units").fill("1000")
    page.locator("#preview").get_by_text("gargantuan").wait_for()
    page.get_by_label("CR of one unit").select_option("1")
    page.locator("#preview").get_by_text("ACR 7").wait_for()
    page.get_by_label("Another ability").select_option("spellcasting")
    page.get_by_role("button", name="Add").click()
    page.get_by_label("Value", exact=True).fill("4")
    page.locator("#preview .figure", has_text="Offense").get_by_text("+11").wait_for()
    page.get_by_label("Number of units").press("Enter")
    page.get_by_role("heading", name="Mages", exact=True).wait_for()
    army = PathfinderArmy.objects.get(name="Mages")
    assert (army.count, army.unit["abilities"]) == (1000, [{"ability": "spellcasting", "value": 4}])


def test_orders_need_no_javascript(busy_crown, open_page, sign_in):
    page = open_page(java_script_enabled=False)
    sign_in(page, busy_crown.ana)
    page.goto(url("army", busy_crown.levy))
    page.get_by_role("button", name="Forget Expert flankers").click()
    page.get_by_text("Tactic given up.").wait_for()
    page.goto(url("army_new", busy_crown.crown))
    page.get_by_label("Another ability").select_option("hex")
    page.get_by_role("button", name="Add").click()
    page.get_by_label("Choice").select_option("healing")
    page.get_by_label("Unit", exact=True).fill("Witch")
    page.get_by_role("button", name="Preview").click()
    page.locator("#preview").get_by_text("medium").wait_for()
    assert page.get_by_label("Choice").input_value() == "healing"
    page.get_by_label("Name of the army").fill("Coven")
    page.get_by_role("button", name="Raise army").click()
    page.get_by_role("heading", name="Coven", exact=True).wait_for()
    assert PathfinderArmy.objects.get(name="Coven").unit["abilities"] == [
        {"ability": "hex", "options": {"choice": "healing"}}
    ]


def test_a_purchase_swaps_the_sheet_in_place(busy_crown, page, sign_in):
    sign_in(page, busy_crown.gm)
    page.goto(url("army", busy_crown.levy))
    page.get_by_role("button", name="Buy Siege engines").click()
    page.locator(".field-error").wait_for()
    page.get_by_label("Waive building requirement").first.check()
    page.get_by_role("button", name="Buy Siege engines").click()
    page.get_by_text("Siege engines × 3").wait_for()
    assert page.get_by_text("Purchase made.").is_visible()


LOOKS = [
    (PHONE, True, ("army-edit", "disband", "commander-new", "commander-edit", "campaign", "commander")),
    (LAPTOP, False, ()), (LAPTOP, True, ()), (PHONE, False, ()),
]  # fmt: skip


@pytest.mark.parametrize(("viewport", "dark", "names"), everyday(LOOKS, first=1))
def test_every_page_is_accessible_and_fits(busy_crown, open_page, sign_in, accessibility, shoot, viewport, dark, names):
    """In every look; every day each in one, without those which other tests here open. All fit a laptop, too."""
    war = busy_crown
    page = open_page(viewport=viewport, dark=dark)
    sign_in(page, war.gm)
    pages = {
        "army": url("army", war.levy),
        "army-new": url("army_new", war.crown),
        "army-edit": url("army_edit", war.levy),
        "disband": url("army_disband", war.levy),
        "commander": url("commander", war.vell),
        "commander-new": url("commander_new", war.crown),
        "commander-edit": url("commander_edit", war.vell),
        "campaign": reverse("kingdom:campaign", args=[Campaign.objects.get().pk]),
        "kingdom": reverse("kingdom:kingdom", args=[war.crown.pk]),
    }
    for name in at_most(names or tuple(pages), full=tuple(pages)):
        page.set_viewport_size(viewport)
        page.goto(pages[name])
        shoot(page, f"armies-{name}-{viewport['width']}-{'dark' if dark else 'light'}")
        assert accessibility(page) == [], name
        assert overflow(page) <= 0, name
        page.set_viewport_size(LAPTOP)
        assert overflow(page) <= 0, name


def test_a_unit_is_sought_sifted_and_taken_and_nothing_typed_is_wiped(war, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, war.gm)
    page.goto(url("army_new", war.crown))
    page.get_by_label("Name of the army").fill("Night watch")
    page.get_by_label("Number of units").fill("321")
    found, told = page.locator("#picker-found button[name=use]"), page.locator("#picker-found [role=status]")
    before = told.inner_text()
    sought = page.locator("#id_find-query")
    sought.press_sequentially("dragon breath")
    expect(found).not_to_have_count(12)
    assert told.inner_text() != before
    page.locator("#id_find-ability").select_option("breath-weapon")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("Young dragons")
    expect(sought).to_have_value("dragon breath")
    page.locator("#id_find-terrain").select_option("peaks")
    expect(found).to_contain_text("High peaks")
    page.locator("#picker").scroll_into_view_if_needed()
    shoot(page, "picker")
    page.locator("#id_find-type").select_option("humanoid")
    expect(page.locator("#picker-found")).to_contain_text("No matching unit type")
    page.locator("#id_find-type").select_option("")
    expect(found).to_have_count(1)
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    heard = heard_by(page)  # browsers and what is put into them write styles of their own, which nothing carries over
    page.locator("#muster [id]").evaluate_all("all => all.forEach((one) => { one.style.caretColor = 'auto'; })")
    found.click()
    expect(page.get_by_label("Unit", exact=True)).to_have_value("Young dragons")
    expect(page.get_by_label("Name of the army")).to_have_value("Night watch")
    expect(page.get_by_label("Number of units")).to_have_value("321")
    assert heard == []
    page.get_by_role("button", name="Raise army").click()
    page.get_by_role("heading", name="Night watch", exact=True).wait_for()
    army = PathfinderArmy.objects.get(name="Night watch")
    assert (army.count, army.unit["name"]) == (321, "Young dragons")
