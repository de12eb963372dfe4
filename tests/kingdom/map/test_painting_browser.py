"""The map painted in a real browser: by mouse, over many hexes at once, by keyboard, and taken back."""

from __future__ import annotations

import json
import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from kingdom.map.queries import load_map_state
from kingdom.models import CampaignMap
from rules.hexes.geometry import hex_at
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import FULL, everyday
from tests.kingdom.map.conftest import drawing
from tests.rules.hexes.imports.samples import tmx


def lies_on(label):
    return load_map_state(CampaignMap.objects.get()).field.at(hex_at(label)).slug


@pytest.mark.parametrize("viewport, dark", everyday([(LAPTOP, False), (PHONE, True)], first=1), ids=["laptop", "phone"])
def test_a_map_painted_by_mouse_and_by_keyboard_and_taken_back(
    marches, open_page, sign_in, accessibility, viewport, dark
):
    page = open_page(viewport=viewport, dark=dark)
    sign_in(page, marches.gm)
    page.goto(f"/c/{marches.campaign.pk}/map/paint/")
    tap(page)
    assert not FULL or accessibility(page) == []
    assert overflow(page) <= 0
    draw_over(page, "C4", "D4", "E4")
    go_on_by_keys(page)
    draw_a_road_and_take_it_back(page)
    be_asked_about_an_army(page)
    assert accessibility(page) == []
    for stroke in ("Forest on C3.", "Forest on C4, D4, E4."):
        page.get_by_role("button", name="Undo").click()
        expect(told(page)).to_have_text(f"Undone: {stroke}")
    expect(page.locator("#C4")).to_have_attribute("aria-label", "C4, Plains")
    assert [lies_on(label) for label in ("B2", "C3", "D4")] == ["forest", "plains", "plains"]
    paint_faster_than_it_is_answered(page)


def told(page: Page) -> Locator:
    return page.locator("#stroke [role=status]")


def tap(page: Page) -> None:
    page.locator(".swatches label", has_text="Forest").click()
    page.locator("#B2").click()
    expect(told(page)).to_have_text("Forest on B2.")
    expect(page.locator("#B2")).to_have_attribute("aria-label", "B2, Forest, Crown of Restov")


def draw_over(page: Page, *labels: str) -> None:
    pass_over(page, *labels)
    expect(told(page)).to_have_text(f"Forest on {', '.join(labels)}.")


def pass_over(page: Page, *labels: str) -> None:
    boxes = [page.locator(f"#{label}").bounding_box() for label in labels]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*middles[0])
    page.mouse.down()
    for middle in middles[1:]:
        page.mouse.move(*middle, steps=4)
    page.mouse.up()


def go_on_by_keys(page: Page) -> None:
    page.locator("#B2").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#C3")).to_be_focused()
    page.keyboard.press("Enter")
    expect(told(page)).to_have_text("Forest on C3.")
    expect(page.locator("#C3")).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator("#B2")).to_be_focused()


def be_asked_about_an_army(page: Page) -> None:
    page.get_by_label("Terrain").check()
    page.locator(".swatches label", has_text="Lake").click()
    page.locator("#D3").click()
    expect(page.get_by_role("alert")).to_contain_text("Levy would be taken off the map")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator("#D3").click()
    page.get_by_role("button", name="Paint anyway").click()
    expect(told(page)).to_contain_text("Lake on D3. Levy was taken off the map")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#D3")).to_have_attribute("aria-label", "D3, Plains, Crown of Restov, Levy")


def draw_a_road_and_take_it_back(page: Page) -> None:
    page.get_by_label("Road").check()
    page.locator("#B7").click()
    expect(told(page)).to_contain_text("The line starts at B7")
    page.locator("#D7").click()
    expect(told(page)).to_have_text("Road drawn through B7, C7, D7.")
    page.keyboard.press("Control+z")
    expect(told(page)).to_contain_text("Undone: ")


def paint_faster_than_it_is_answered(page: Page) -> None:
    """All strokes are painted, each with its own brush, in their order, and are wet until they are."""
    held: list[Route] = []
    page.route("**/map/paint/**", lambda route: held.append(route))
    page.locator(".swatches label", has_text="Forest").click()
    page.locator("#C2").click()
    page.locator(".swatches label", has_text="Hills").click()
    page.locator("#D2").click()
    pass_over(page, "C4", "D4")
    page.locator("#E2").click()
    page.keyboard.press("Control+z")
    for said, wet in (
        ("Undone: Forest on C4, D4, E4.", 5),
        ("Forest on C2.", 4),
        ("Hills on D2.", 3),
        ("Hills on C4, D4.", 1),
        ("Hills on E2.", 0),
    ):
        expect(told(page)).to_have_text(said)
        expect(page.locator(".wet")).to_have_count(wet)
        answer(page, held)
    expect(told(page)).to_have_text("Undone: Hills on E2.")
    painted = [lies_on(label) for label in ("C2", "D2", "C4", "D4", "E2")]
    assert painted == ["forest", "hills", "hills", "hills", "plains"]


def answer(page: Page, held: list[Route]) -> None:
    """The stroke under way, which is the only one: the next is sent when this one is answered."""
    deadline = time.monotonic() + 10
    while not held:
        assert time.monotonic() < deadline, "no stroke is under way"
        page.wait_for_timeout(5)
    (under_way,) = held
    held.clear()
    under_way.continue_()


def test_a_map_is_read_in_from_a_file_taken_out_again_and_the_old_one_comes_back(marches, page, sign_in, accessibility):
    sign_in(page, marches.gm)
    file = drawing(name="Stolen Lands", columns=10, rows=8, terrain=["w" * 10] * 8, roads=[], rivers=[], labels={})
    page.goto(f"/c/{marches.campaign.pk}/map/sheet/")
    form = page.locator("form").filter(has=page.get_by_role("button", name="Import"))
    sent = {"name": "stolen.json", "mimeType": "application/json", "buffer": json.dumps(file).encode()}
    form.locator("input[type=file]").set_input_files(sent)
    form.get_by_role("button", name="Import").click()
    expect(page.locator("#ask-first")).to_be_focused()  # the Raiders stand beyond it
    assert accessibility(page) == []
    page.get_by_role("button", name="Replace anyway").click()
    expect(page.locator("#J8")).to_have_attribute("aria-label", "J8, Forest")
    expect(page.locator("#K1")).to_have_count(0)
    assert lies_on("B2") == "forest"
    assert not FULL or accessibility(page) == []
    page.goto(f"/c/{marches.campaign.pk}/map/sheet/")
    with page.expect_download() as download:
        page.get_by_role("link", name="For import (JSON)").click()
    taken = json.loads(download.value.path().read_text())
    assert {key: taken[key] for key in ("name", "columns", "terrain")} == {
        key: file[key] for key in ("name", "columns", "terrain")
    }
    page.goto(f"/c/{marches.campaign.pk}/chronicle/")
    page.locator("article, li").filter(has_text="The map was replaced").get_by_role("button").first.click()
    page.get_by_text("Undone:").first.wait_for()
    assert lies_on("B2") == "plains"
    assert CampaignMap.objects.get().columns == 16


def test_a_map_of_another_tool_is_corrected_and_imported_on_a_phone(marches, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, marches.gm)
    page.goto(f"/c/{marches.campaign.pk}/map/sheet/")
    page.get_by_role("link", name="From Tiled, Worldographer or Azgaar’s generator").click()
    file = {"name": "Stolen Lands.tmx", "mimeType": "application/xml", "buffer": tmx()}
    page.locator("#id_file").set_input_files(file)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "map-import-file")
    page.get_by_role("button", name="Read").click()
    page.get_by_role("heading", name="Recognized data").wait_for()
    expect(page.get_by_label("forêt")).to_have_value("forest")
    page.get_by_label("hexes #3").select_option("swamp")
    page.get_by_role("button", name="Preview").click()
    page.locator(".land-preview svg").wait_for()
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "map-import-proposed")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("The map is unchanged so far.").wait_for()
    page.get_by_role("button", name="Replace anyway").click()
    page.get_by_text("The map is now in use.").wait_for()
    assert lies_on("B3") == "swamp"
