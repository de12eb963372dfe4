"""The map in a browser: picked with the mouse and by keyboard, made larger, followed live."""

from __future__ import annotations

from playwright.sync_api import expect

from armies.services.places import put_army
from tests.browsing import PHONE


def test_a_map_is_picked_by_mouse_and_keyboard_and_follows_what_others_do(
    server, open_page, sign_in, accessibility, marches
):
    page = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(page, marches.ana)
    page.goto(f"/c/{marches.campaign.pk}/map/")
    page.locator(".token", has_text="Le").click()
    expect(page.locator("#picked-army")).to_have_text("Levy")
    page.locator("#map-frame").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "E4, Plaines")
    page.keyboard.press("Enter")
    expect(page.locator("#picked-hex")).to_have_text("E4")
    page.go_back()
    expect(page.locator("#picked-hex")).to_contain_text("D3")
    assert accessibility(page, both=True) == []
    wide = page.locator("#map").get_attribute("width")
    page.locator("[data-map-zoom=in]").click()
    larger = page.locator("#map").get_attribute("width")
    assert int(larger) > int(wide)
    put_army(by=marches.gm, army=marches.levy, hex="F4")
    expect(page.locator("#table-armies")).to_contain_text("F4")
    expect(page.locator("#map")).to_have_attribute("width", larger)
