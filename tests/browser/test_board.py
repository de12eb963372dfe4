"""A board in a browser: a unit, a hex and a target are picked by mouse, by keyboard and on a phone; Back undoes it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from battles.models import Battle
from tests.battles.frame.conftest import opened
from tests.battles.hexes.conftest import show_the_ford
from tests.browsing import NARROW, PHONE, overflow
from tests.rulesets.drivers import table_of
from tests.rulesets.skirmish.driver import DRIVER as skirmishes
from tests.rulesets.turns.driver import DRIVER as road
from tests.worlds import built_once

THUMB = 44  # pixels
TALL: ViewportSize = {"width": 1280, "height": 1500}


@built_once
def roadside(transactional_db) -> SimpleNamespace:
    return table_of(road)


@built_once
def upon_it(roadside) -> Battle:
    found = opened(roadside).battle
    assert found
    return found


@pytest.fixture
def ford(upon_it, monkeypatch) -> Battle:
    show_the_ford(monkeypatch)
    return upon_it


def marked(page: Page) -> None:
    """The ground as it stands bears a mark: it is gone once it is drawn anew."""
    page.locator(".l-ground").evaluate("ground => { ground.dataset.mark = 'here'; }")


def stands(page: Page) -> bool:
    return bool(page.locator(".l-ground[data-mark=here] .hexes a").count())


def test_a_unit_a_hex_and_a_target_are_picked_by_mouse_and_back_undoes_each(
    server, open_page, sign_in, accessibility, shoot, roadside, ford
):
    page = open_page()
    sign_in(page, roadside.ana)
    page.goto(f"/battles/{ford.pk}/")
    marked(page)
    shoot(page, "board")
    page.locator(".tok.may[data-hex=K13]").click()
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    expect(page).to_have_url(f"{server.url}/battles/{ford.pk}/?unit=R2")
    shoot(page, "board-unit")
    page.locator('.go[href$="to=K11"]').click()
    expect(page.locator("#go")).to_have_text("Go to K11")
    page.locator(".l-over a[data-hex=M9]").click()
    expect(page.locator("#go")).to_have_text("Charge the Levy")
    shoot(page, "board-target")
    assert stands(page), "a choice leaves the ground alone"
    assert accessibility(page, both=True) == []
    page.go_back()
    expect(page.locator("#go")).to_have_text("Go to K11")
    page.go_back()
    expect(page.locator("#go")).to_have_count(0)
    page.locator(".l-ground [href$='hex=C3']").click()
    expect(page.locator("#place-title")).to_contain_text("C3")
    expect(page.locator("#unit-title")).to_contain_text("Riders")


def test_an_act_sends_no_ground_and_the_map_stays_where_it_was(server, open_page, sign_in, roadside, ford):
    page = open_page()
    sign_in(page, roadside.ana)
    page.goto(f"/battles/{ford.pk}/?zoom=150&unit=R2&to=K11")
    marked(page)
    frame = page.locator("#board-frame")
    frame.evaluate("frame => { frame.scrollLeft = 260; frame.scrollTop = 330; }")
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", "2")
    assert stands(page)
    assert frame.evaluate("frame => [frame.scrollLeft, frame.scrollTop]") == [260, 330]
    expect(page.locator("#unit-title")).to_have_count(0)
    page.locator("[data-map-zoom=out]").click()
    assert int(page.locator(".l-ground").get_attribute("width") or 0) < 1200
    page.locator(".zoom a").first.click()
    expect(page.locator(".board")).not_to_have_class("board zoomed")


def test_what_is_picked_stays_when_others_act_and_when_the_map_is_shown_otherwise(
    server, open_page, sign_in, roadside, ford
):
    page, other = open_page(), open_page()
    sign_in(page, roadside.ana)
    page.goto(f"/battles/{ford.pk}/")
    page.locator(".tok.may[data-hex=K13]").click()
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    page.locator(".zoom a", has_text="150").click()
    expect(page.locator("#board-frame")).to_have_attribute("data-zoom", "150")
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    page.locator(".tok.may[data-hex=J11]").click()
    expect(page.locator("#unit-title")).to_contain_text("Archers")
    sign_in(other, roadside.gm)
    other.goto(f"/battles/{ford.pk}/?unit=R2&to=K11")
    other.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", "2")
    expect(page.locator("#unit-title")).to_contain_text("Archers")


def test_the_keyboard_picks_moves_and_confirms(server, open_page, sign_in, roadside, ford):
    page = open_page()
    sign_in(page, roadside.ana)
    page.goto(f"/battles/{ford.pk}/")
    page.locator("#battle").focus()
    page.keyboard.press("n")
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    page.keyboard.press("n")
    expect(page.locator("#unit-title")).to_contain_text("Foot")
    page.keyboard.press("p")
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    page.keyboard.press("t")
    expect(page.locator("#go")).to_have_text("Charge the Levy")
    page.locator("#board-frame").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#unit-title")).to_have_count(0)
    page.locator(".tok[data-hex=J11]").focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_have_attribute("data-hex", "K10")
    page.keyboard.press("Enter")
    expect(page.locator("#unit-title")).to_contain_text("Foot")
    expect(page.locator(":focus")).to_have_attribute("data-hex", "K10")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "J10, Bare ground")


def test_on_a_phone_hexes_are_a_thumb_wide_and_the_button_is_in_the_foot(
    server, open_page, sign_in, accessibility, shoot, roadside, ford
):
    page = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(page, roadside.ana)
    page.goto(f"/battles/{ford.pk}/")
    box = page.locator(".l-ground .hexes a").first.bounding_box()
    assert box
    assert box["width"] >= THUMB
    page.locator("#next-unit").click()
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    shoot(page, "board-phone")
    page.locator(".l-over a[data-hex=M9]").click()
    expect(page.locator("#go")).to_have_text("Charge the Levy")
    button, foot, map_ = (page.locator(name).bounding_box() for name in ("#go", "#board-foot", "#board-frame"))
    assert button
    assert foot
    assert map_
    assert button["height"] >= THUMB
    assert foot["y"] <= button["y"]
    page.locator("#board-panel").evaluate("panel => panel.scrollIntoView({block: 'start'})")  # off the foot
    assert accessibility(page, both=True) == []
    assert overflow(page) == 0
    page.set_viewport_size(NARROW)
    assert overflow(page) == 0


def test_in_setup_a_tap_places_a_unit(server, open_page, sign_in, accessibility, shoot, roadside, upon_it, monkeypatch):
    show_the_ford(monkeypatch, setup=True)
    page = open_page()
    sign_in(page, roadside.gm)
    page.goto(f"/battles/{upon_it.pk}/?do=brush")
    shoot(page, "board-brush")
    expect(page.locator("#board-brush")).to_be_visible()
    assert accessibility(page) == []
    page.goto(f"/battles/{upon_it.pk}/")
    shoot(page, "board-setup")
    sent = []
    page.on("request", lambda request: sent.append(request.post_data) if request.method == "POST" else None)
    page.locator(".go.place").first.click()
    expect(page.locator("#board-foot .form-errors")).to_be_visible()
    assert "type=chosen" in str(sent[0])
    assert "to=" in str(sent[0])


@built_once
def skirmishers(transactional_db) -> SimpleNamespace:
    return table_of(skirmishes)


@built_once
def skirmish(skirmishers) -> Battle:
    found = opened(skirmishers).battle
    assert found
    return found


def place_all(page: Page) -> None:
    """Taps a dotted hex for each unit that waits; the next one is picked by itself."""
    while page.locator(".counters li:not(.placed)").count():
        expect(page.locator(".htmx-request")).to_have_count(0)  # a board that is drawn anew takes no tap
        version = page.locator("#battle").get_attribute("data-version")
        page.locator(".go.place").nth(3).click()
        expect(page.locator("#battle")).not_to_have_attribute("data-version", str(version))


def test_a_battle_is_set_up_painted_and_begun(server, open_page, sign_in, accessibility, shoot, skirmishers, skirmish):
    page, gm = open_page(), open_page(viewport=TALL)
    sign_in(page, skirmishers.ana)
    page.goto(f"/battles/{skirmish.pk}/")
    place_all(page)
    shoot(page, "skirmish-placed")
    page.locator("#go").click()
    expect(page.locator("#go")).to_have_text("Place units again")
    sign_in(gm, skirmishers.gm)
    gm.goto(f"/battles/{skirmish.pk}/?do=brush")
    wood = gm.locator(".hexes [href='#gf']")
    before = wood.count()
    gm.get_by_label("Terrain").select_option("wood")
    gm.locator(".l-ground [href$='hex=H7']").click()
    expect(wood).to_have_count(before + 1)
    expect(gm.get_by_label("Terrain")).to_have_value("wood")
    expect(gm.locator("#board-frame")).to_be_focused()
    gm.locator("#board-frame").evaluate("frame => frame.scrollIntoView({block: 'start'})")
    start, end = (gm.locator(f".l-ground [href$='hex={name}']").bounding_box() for name in ("F9", "H9"))
    assert start
    assert end
    gm.mouse.move(start["x"] + 20, start["y"] + 20)
    gm.mouse.down()
    gm.mouse.move(end["x"] + 20, end["y"] + 20, steps=8)
    gm.mouse.up()
    expect(wood).to_have_count(before + 4)
    assert accessibility(gm) == []
    gm.get_by_role("link", name="Done").click()
    expect(gm.get_by_role("link", name="Done")).to_have_count(0)
    place_all(gm)
    gm.get_by_role("button", name="Begin the battle").click()
    expect(page.locator(".whose b")).to_have_text("You act")
    page.locator("#next-unit").click()
    expect(page.locator(".go").first).to_be_visible()
    shoot(page, "skirmish-begun")
