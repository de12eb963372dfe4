"""The map in a browser: picked with the mouse and by keyboard, made larger, followed live."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from armies.marches.services import put_army
from armies.models import Army
from kingdom.map.services import configure_map, put_settlement
from kingdom.realms.services import found_settlement
from tests.browsing import NARROW, PHONE, overflow
from tests.everyday import FULL, everyday

BESIDE = "frame => frame.scrollWidth - frame.clientWidth"
"""How much of the map lies beside what is seen of it."""


def test_a_map_is_picked_by_mouse_and_keyboard_follows_what_others_do_and_shows_its_size_and_its_places_on_a_phone(
    server, open_page, sign_in, accessibility, marches
):
    """A phone begins with a part of the map, which can be read, and shows all of it when asked to: the size that is lit
    is the one the map has. On a narrow one what is picked stands under the map, and the places beside each other.
    """
    page = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(page, marches.ana)
    page.goto(f"/c/{marches.campaign.pk}/map/")
    whole, frame = page.locator("[data-map-zoom=whole]"), page.locator("#map-frame")
    expect(whole).not_to_have_attribute("aria-current", "true")
    assert frame.evaluate(BESIDE) > 1
    page.locator(".counter", has_text="Le").click()
    expect(page.locator("#picked-army")).to_have_text("Levy")
    page.locator("#map-frame").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "E4, Plaines")
    for key, reached in (("PageUp", "F3"), ("Home", "E2"), ("End", "E3"), ("PageDown", "E4")):
        page.keyboard.press(key)
        expect(page.locator(":focus")).to_have_attribute("aria-label", f"{reached}, Plaines")
    page.keyboard.press("Enter")
    expect(page.locator("#picked-hex")).to_have_text("E4")
    drag_over(page)
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
    whole.click()
    expect(whole).to_have_attribute("aria-current", "true")
    assert frame.evaluate(BESIDE) <= 1
    page.locator("[data-map-zoom=in]").click()
    expect(page.locator(".map-switches a[href*=zoom][aria-current]")).to_have_count(0)
    expect(whole).not_to_have_attribute("aria-current", "true")
    look_at_a_narrow_one(page)


def drag_over(page: Page) -> None:
    """The map follows the mouse, and nothing is picked where it is let go; a click picks again."""
    frame = page.locator("#map-frame")
    frame.evaluate("frame => { frame.scrollLeft = 0; }")
    box = frame.bounding_box()
    assert box
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 200, steps=4)
    page.mouse.up()
    assert abs(frame.evaluate("frame => frame.scrollLeft") - 120) <= 2


def look_at_a_narrow_one(page: Page) -> None:
    """With an army picked."""
    page.set_viewport_size(NARROW)
    expect(page.locator("#picked-army")).to_have_text("Levy")
    panel, legend = page.locator("#map-panel").bounding_box(), page.locator(".legend").bounding_box()
    assert page.locator("#map-frame").bounding_box()["y"] < panel["y"] < legend["y"]
    spans = page.locator("nav.places a > span:not(.visually-hidden):visible")
    words = [box for span in spans.all() if (box := span.bounding_box()) and box["width"]]
    assert len(words) > 4
    assert words[0]["x"] >= 0
    assert all(one["x"] + one["width"] <= other["x"] for one, other in pairwise(words))
    state = page.locator("#table-armies td:last-child").first
    state.evaluate("state => { state.textContent = 'vue pour la dernière fois le jour 12, en marche vers F4'; }")
    assert page.locator("#table-armies .scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_what_a_gm_reads_before_somebody_is_removed_stays_in_its_card(open_page, sign_in, marches):
    page = open_page()
    sign_in(page, marches.gm)
    page.goto(f"/c/{marches.campaign.pk}/members/")
    page.locator("details.more summary").last.click()
    words, card = page.locator("details[open] .help").bounding_box(), page.locator(".sheet").first.bounding_box()
    assert words["x"] + words["width"] <= card["x"] + card["width"]
    assert page.locator("details[open] .help").evaluate("help => help.scrollWidth <= help.clientWidth")


def by_service(marches, open_page, sign_in):
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=1)


def by_mouse(marches, open_page, sign_in):
    gm = open_page()
    sign_in(gm, marches.gm)
    gm.goto(f"/c/{marches.campaign.pk}/map/")
    gm.get_by_text("Map settings").click()
    rules = gm.locator("form").filter(has=gm.get_by_label("Fog of war"))
    rules.get_by_label("Fog of war").check()
    rules.get_by_label("Sight around").fill("1")
    rules.get_by_role("button").click()
    expect(gm.locator("#map")).to_contain_text("Canary Lair")
    gm.reload()
    expect(gm.locator("#map")).to_contain_text("Canary Lair")


@pytest.mark.parametrize("lay_fog", everyday([by_service, by_mouse], first=1))
def test_the_gm_lays_fog_over_the_map_and_a_player_sees_what_his_kingdom_has_seen(
    open_page, sign_in, accessibility, shoot, marches, lay_fog
):
    """What lies in it is nowhere in their page, drawn or live; where their army marches, it lifts."""
    lair = found_settlement(by=marches.gm, kingdom=marches.horde, name="Canary Lair")
    put_settlement(by=marches.gm, settlement=lair, hex="L10", revealed=True)
    Army.objects.filter(pk=marches.raiders.pk).update(name="Canary Raiders", revealed=True)
    player = open_page(viewport=PHONE, dark=True)
    sign_in(player, marches.ana)
    player.goto(f"/c/{marches.campaign.pk}/map/")
    expect(player.locator("#map")).to_contain_text("Canary Lair")
    lay_fog(marches, open_page, sign_in)
    expect(player.locator("main")).to_contain_text("You see what your kingdoms have seen")  # it follows
    expect(player.locator("#map")).not_to_contain_text("Canary")
    player.reload()
    assert "Canary" not in player.content()
    expect(player.locator("#map")).to_contain_text("Restov")
    assert overflow(player) <= 0
    assert not FULL or accessibility(player) == []
    shoot(player, "map-fog-player")
    put_army(by=marches.gm, army=marches.levy, hex="K10")
    expect(player.locator("#map")).to_contain_text("Canary Lair")
    expect(player.locator("#map")).not_to_contain_text("Canary Barrow")
