"""The builder in Chromium: on a phone, and as one types."""

from __future__ import annotations

from playwright.sync_api import expect

from armies.models import Army

PHONE = {"width": 390, "height": 844}


def test_an_army_is_built_on_a_phone(marches, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, marches.ana)
    page.goto(f"/kingdoms/{marches.crown.pk}/armies/new/")
    page.get_by_label("Name of the army").fill("Second levy")
    page.get_by_label("Another unit, to begin from").select_option("legionaries")
    page.get_by_role("button", name="Add the unit").click()
    unit = page.locator("#units-0")
    expect(unit.locator("summary").first).to_contain_text("Legionaries")
    figures = page.locator("#preview")
    expect(figures).to_contain_text("400")
    unit.get_by_label("Strength").fill("200")
    expect(figures.locator(".figure", has_text="Attack power")).to_contain_text("800")
    unit.get_by_label("Strength").fill("none")
    expect(figures.get_by_text("Legionaries:")).to_be_visible()
    unit.get_by_label("Strength").fill("250")
    page.get_by_label("Another unit, to begin from").select_option("heavy-tank")
    page.get_by_role("button", name="Add the unit").click()
    expect(page.locator("#units-1")).to_have_attribute("open", "")
    expect(page.locator("#units-0").get_by_label("Strength")).to_have_value("250")
    page.locator("#units-1").get_by_label("Another weapon").select_option("own")
    expect(page.locator("#units-1").get_by_label("Rate of fire")).to_be_visible()
    page.locator("#units-1").get_by_label("Weapon", exact=True).select_option("")
    expect(page.locator("#units-1").get_by_label("Rate of fire")).to_have_count(0)
    assert accessibility(page, both=True) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(page, "bp-builder-390")
    page.locator("#units-1").get_by_role("button", name="Remove").click()
    expect(page.locator("#units-1")).to_have_count(0)
    page.get_by_role("button", name="Raise the army").click()
    expect(page.get_by_role("heading", name="Second levy")).to_be_visible()
    assert Army.objects.get(name="Second levy").sheet["units"][0]["strength"] == 250
    assert accessibility(page, both=True) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    shoot(page, "bp-army-390")


def test_pages_stand_on_a_laptop_in_both_lights(marches, open_page, sign_in, accessibility, shoot):
    for dark in (False, True):
        page, light = open_page(dark=dark, language="fr" if dark else "en"), "dark" if dark else "light"
        sign_in(page, marches.gm)
        page.goto(f"/armies/{marches.watch.pk}/?against={marches.tanks.pk}")
        page.locator("#power > summary").click()
        page.locator("[popovertarget=unit-0-power]").click()
        expect(page.locator("#unit-0-power")).to_contain_text("+1440")
        assert accessibility(page) == []
        shoot(page, f"bp-army-1280-{light}")
        page.goto(f"/armies/{marches.watch.pk}/edit/")
        page.locator("#units-1 > summary").click()
        assert accessibility(page) == []
        shoot(page, f"bp-builder-1280-{light}")
        page.goto(f"/commanders/{marches.ysolde.pk}/")
        assert accessibility(page) == []
        shoot(page, f"bp-commander-1280-{light}")
        page.goto(f"/armies/{marches.watch.pk}/order-of-battle/")
        assert accessibility(page) == []
        shoot(page, f"bp-order-1280-{light}")
        page.goto(f"/kingdoms/{marches.crown.pk}/armies/cards/")
        shoot(page, f"bp-cards-1280-{light}")
