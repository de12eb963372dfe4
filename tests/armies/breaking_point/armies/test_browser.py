"""The builder in Chromium: on a phone, and as one types."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from armies.breaking_point.armies.services import appoint_commander
from armies.models import Army
from tests.browsing import overflow
from tests.everyday import FULL, everyday
from tests.paper import pages_printed

PHONE = {"width": 390, "height": 844}


def test_an_army_is_built_on_a_phone(marches, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, marches.ana)
    page.goto(f"/kingdoms/{marches.crown.pk}/armies/new/")
    page.get_by_label("Name of the army").fill("Second levy")
    picker, sought = page.locator("#starter"), page.locator("#sought")
    sought.fill("LEGIONARIES")
    expect(picker.locator("option")).to_have_count(1)
    expect(picker).to_have_value("legionaries")
    page.get_by_role("button", name="Add unit").click()
    unit = page.locator("#units-0")
    expect(unit.locator("summary").first).to_contain_text("Legionaries")
    figures = page.locator("#preview")
    expect(figures).to_contain_text("400")
    unit.get_by_label("Strength").fill("200")
    expect(figures.locator(".figure", has_text="Attack power")).to_contain_text("800")
    unit.get_by_label("Strength").fill("none")
    expect(figures.get_by_text("Legionaries:")).to_be_visible()
    unit.get_by_label("Strength").fill("250")
    sought.fill("")
    expect(picker.locator("option")).not_to_have_count(1)
    page.get_by_label("New unit, based on").select_option("heavy-tank")
    page.get_by_role("button", name="Add unit").click()
    expect(page.locator("#units-1")).to_have_attribute("open", "")
    expect(page.locator("#units-0").get_by_label("Strength")).to_have_value("250")
    page.locator("#units-1").get_by_label("Another weapon").select_option("own")
    expect(page.locator("#units-1").get_by_label("Rate of fire")).to_be_visible()
    page.locator("#units-1").get_by_label("Weapon", exact=True).select_option("")
    expect(page.locator("#units-1").get_by_label("Rate of fire")).to_have_count(0)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "bp-builder-390")
    page.locator("#units-1").get_by_role("button", name="Remove").click()
    expect(page.locator("#units-1")).to_have_count(0)
    page.get_by_role("button", name="Raise army").click()
    expect(page.get_by_role("heading", name="Second levy")).to_be_visible()
    assert Army.objects.get(name="Second levy").sheet["units"][0]["strength"] == 250
    assert overflow(page) <= 0
    shoot(page, "bp-army-390")


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_pages_stand_on_a_laptop_in_both_lights(marches, open_page, sign_in, accessibility, shoot, language):
    page = open_page(dark=True, language=language)
    sign_in(page, marches.gm)

    def stands(name: str) -> None:
        assert accessibility(page, both=True) == []
        shoot(page, f"bp-{name}-1280-{language}")

    page.goto(f"/armies/{marches.watch.pk}/?against={marches.tanks.pk}")
    page.locator("#power > summary").click()
    page.locator("[popovertarget=unit-0-power]").click()
    expect(page.locator("#unit-0-power")).to_contain_text("+1440")
    stands("army")
    page.goto(f"/commanders/{marches.ysolde.pk}/")
    stands("commander")
    page.goto(f"/armies/{marches.watch.pk}/order-of-battle/")
    stands("order")
    is_one_sheet_of_paper(page, "Ysolde", "+13", "Archers", "480")
    if FULL:  # on a phone the builder is looked at every day
        page.emulate_media(media="screen")
        page.goto(f"/armies/{marches.watch.pk}/edit/")
        page.locator("#units-1 > summary").click()
        stands("builder")
        page.goto(f"/kingdoms/{marches.crown.pk}/armies/cards/")
        shoot(page, f"bp-cards-1280-{language}")


def is_one_sheet_of_paper(page: Page, *told: str) -> None:
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation").first).to_be_hidden()
    for words in told:
        expect(page.locator("article.paper")).to_contain_text(words)
    assert pages_printed(page) == 1


@pytest.mark.slow
def test_an_army_from_nothing_to_paper_on_a_phone_in_french(marches, open_page, sign_in, shoot):
    """Picked from the list, one with a weapon of their own, led, printed; the general had no army before."""
    appoint_commander(by=marches.ana, kingdom=marches.crown, name="Béatrix", mental=7, presence=6, combat=4,
                      art_of_war=3, diplomacy=1)  # fmt: skip
    page = open_page(viewport=PHONE, language="fr", dark=True)
    sign_in(page, marches.ana)
    page.goto(f"/kingdoms/{marches.crown.pk}/armies/new/")
    expect(page.locator("#units")).to_contain_text("Aucune unité pour l’instant")
    page.get_by_label("Nom de l’armée").fill("Ost du Nord")
    picker, add = page.locator("#starter"), page.get_by_role("button", name="Ajouter l’unité")
    for place, starter in enumerate(("knights", "longbowmen", "")):
        page.locator("#sought").fill({"knights": "CHEVALIERS", "longbowmen": "arc long"}.get(starter, ""))
        if starter:
            expect(picker.locator("option")).to_have_count(1)
            expect(picker).to_have_value(starter)
            shoot(page, f"bp-sought-{starter}")
        else:
            expect(picker.locator("option")).not_to_have_count(1)
            picker.select_option("")
        add.click()
        expect(page.locator(f"#units-{place}")).to_have_attribute("open", "")
    hunters = page.locator("#units-2")
    hunters.get_by_label("Nom de l’unité").fill("Chasseurs")
    hunters.locator("#id_units-2-strength").fill("160")
    hunters.locator("#id_units-2-combat").fill("5")
    hunters.locator("#id_units-2-weapons-0-slug").select_option("own")
    typed = hunters.locator("#id_units-2-weapons-0-damage")
    expect(typed).to_be_visible()
    hunters.locator("#id_units-2-weapons-0-name").fill("Tromblon")
    typed.fill("9")
    hunters.locator("#id_units-2-weapons-0-rate").fill("1/4")
    hunters.locator("#id_units-2-weapons-0-range").select_option("short")
    hunters.locator("#id_units-2-group").select_option("shooting")
    expect(page.locator("#preview .figure", has_text="Puissance de feu")).to_contain_text("380")
    assert overflow(page) <= 0
    page.get_by_role("button", name="Lever l’armée").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ost du Nord")
    army = Army.objects.get(name="Ost du Nord")
    assert [unit["strength"] for unit in army.sheet["units"]] == [100, 100, 160]
    expect(page.get_by_role("table", name="Troupe de mêlée")).to_contain_text("Puissance d’attaque")
    page.locator("#assign-commander").select_option(label="Béatrix")
    page.locator("form", has=page.locator("#assign-commander")).get_by_role("button").click()
    expect(page.locator("section[aria-labelledby=army-leader] a.display")).to_have_text("Béatrix")
    assert overflow(page) <= 0
    shoot(page, "bp-ost-390")
    page.get_by_role("link", name="Ordre de bataille").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ordre de bataille")
    is_one_sheet_of_paper(page, "Béatrix", "+9", "Chasseurs", "160")


def test_armies_are_divided_on_a_phone(marches, open_page, sign_in, accessibility):
    page = open_page(viewport=PHONE)
    sign_in(page, marches.ana)
    page.goto(f"/armies/{marches.watch.pk}/")
    page.get_by_role("link", name="Divide or combine…").click()
    page.get_by_label("Number to move of 480 × First cohort").fill("80")
    page.get_by_label("Destination of 480 × First cohort").select_option("2 · 2nd Ironwatch")
    page.get_by_label("Destination of 200 × Archers").select_option("1 · Ironwatch")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".proposal-panel")).to_contain_text("80 × First cohort")
    assert (accessibility(page), overflow(page)) == ([], 0)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Ironwatch", exact=True)).to_be_visible()
    assert Army.objects.get(name="2nd Ironwatch").health == 80
