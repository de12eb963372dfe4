"""Setup of a battle in a browser: armies moved by click, key and drag, odds as they stand, one button in sight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from armies.models import Army
from battles.models import Battle
from tests.battles.conftest import RAIDER, SPEARMAN, muster
from tests.battles.setup.test_page import copied
from tests.browser.test_offline import until
from tests.browsing import PHONE, await_script, overflow
from tests.rows import write_rows
from tests.worlds import built_once


@built_once
def camp(table):
    """Two kingdoms of two armies, their places on the map; a third one with one."""
    from kingdom.realms.services import found_kingdom

    vale = found_kingdom(by=table.gm, campaign=table.campaign, name="Vale", treasury=20)
    table.boatmen = muster(table.gm, table.crown, "Boatmen", SPEARMAN, 500)
    table.wardens = muster(table.gm, vale, "Wardens", RAIDER, 500)
    Army.objects.filter(pk=table.watch.pk).update(place="Sedge road", hex="C7")
    Army.objects.filter(pk=table.raiders.pk).update(place="Sedge road", hex="C7")
    Army.objects.filter(pk=table.wardens.pk).update(place="Varnhold", hex="E9")
    return table


def address(table: Any) -> str:
    return f"/c/{table.campaign.pk}/battles/new/"


def seated(page: Page) -> list[list[str]]:
    return [page.locator(f"#side-{side} .seats .who2 b").all_inner_texts() for side in (0, 1)]


def settled(page: Page) -> None:
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_armies_are_seated_by_click_key_and_drag_and_the_odds_follow(camp, page, sign_in, accessibility, shoot):
    sign_in(page, camp.gm)
    page.goto(address(camp))
    assert sorted(map(len, seated(page))) == [2, 2]
    assert "against" in page.locator("#id_name").input_value()
    expect(page.locator("#setup-odds .odds-bar")).to_be_visible()
    shoot(page, "battle-setup")
    assert accessibility(page, both=True, contrasts=True) == []
    crown, horde = page.locator("#side-0"), page.locator("#side-1")
    expect(page.locator("#setup-odds .odds-two > span")).to_have_count(2)
    crown.get_by_role("button", name="Boatmen back to the bench").click()
    expect(page.locator("#bench li", has_text="Boatmen")).to_be_visible()
    expect(page.get_by_role("button", name="Boatmen to Crown")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(horde.locator("li", has_text="Boatmen")).to_be_visible()
    settled(page)
    horde.locator("li", has_text="Boatmen").drag_to(crown)
    expect(crown.locator("li", has_text="Boatmen")).to_be_visible()
    page.get_by_role("button", name="Wardens to Horde").click()
    expect(horde.locator("li", has_text="Wardens")).to_be_visible()
    with page.expect_response("**/battles/new/"):  # the odds ask again
        page.locator("#conditions label", has_text="Rain").click()
    page.wait_for_url("**rain=on**")
    page.reload()
    assert "Wardens" in seated(page)[1]
    expect(page.locator("#conditions input[name=rain]")).to_be_checked()
    foot = page.locator("#open-battle").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] <= 800
    page.locator("#open-battle").click()
    page.wait_for_url("**/battles/*-*/")
    assert Battle.objects.get().seats.count() == 5
    page.go_back()
    page.wait_for_url("**/battles/new/**")
    await_script(page, "document.readyState === 'complete'")


def test_odds_that_arrive_during_a_press_leave_the_button_alone(camp, page, sign_in):
    held: list[Route] = []
    sign_in(page, camp.gm)
    page.goto(address(camp))
    expect(page.locator("#setup-odds .odds-bar")).to_be_visible()
    page.route("**/battles/new/", lambda route: route.continue_() if held else held.append(route))
    page.locator("#conditions label", has_text="Rain").click()
    until(page, lambda: held)
    page.locator("#open-battle").hover()
    page.mouse.down()
    with page.expect_response("**/battles/new/"):
        held[0].continue_()
    page.wait_for_url("**rain=on**")
    settled(page)
    page.mouse.up()
    page.wait_for_url("**/battles/*-*/")


LOOKS = {
    "laptop-dark": {"dark": True},
    "phone-french": {"viewport": PHONE, "language": "fr"},
    "phone-dark": {"viewport": PHONE, "dark": True},
}


@pytest.mark.slow
@pytest.mark.parametrize("look", list(LOOKS))
def test_three_sides_fit_every_screen(camp, open_page, sign_in, accessibility, shoot, look):
    page = open_page(**LOOKS[look])
    sign_in(page, camp.gm)
    page.goto(address(camp))
    shoot(page, f"battle-setup-{look}")
    assert accessibility(page, contrasts=True) == []
    page.locator("#bench button[value=sides]").click()
    page.locator("#bench .to").nth(2).click()
    expect(page.locator("#side-2 .seats li")).to_have_count(1)
    page.locator("#side-2 input[type=text]").fill("Les gardiens")
    page.locator("#conditions label").first.click()
    expect(page.locator("#side-2 input[type=text]")).to_have_value("Les gardiens")
    shoot(page, f"battle-setup-three-{look}")
    assert accessibility(page, contrasts=True) == []
    assert overflow(page) <= 0
    page.locator("#open-battle").click()
    page.wait_for_url("**/battles/*-*/")
    assert [side["name"] for side in Battle.objects.get().state["sides"]][2] == "Les gardiens"


@pytest.mark.slow
def test_a_battle_is_set_up_without_scripts(camp, open_page, sign_in):
    page = open_page(java_script_enabled=False, viewport=PHONE)
    sign_in(page, camp.gm)
    page.goto(address(camp))
    page.get_by_role("button", name="Boatmen back to the bench").click()
    page.get_by_role("button", name="Boatmen to Horde").click()
    expect(page.locator("#side-1 .seats")).to_contain_text("Boatmen")
    page.locator("#id_name").fill("")
    page.locator("#side-0 input[type=text]").fill("Men of the ford")
    page.locator("#open-battle").click()
    expect(page.locator("#id_name_error")).to_be_visible()
    expect(page.locator("#side-0 input[type=text]")).to_have_value("Men of the ford")
    expect(page.locator("#side-1 .seats")).to_contain_text("Boatmen")
    page.locator("#id_name").fill("The ford")
    page.locator("#open-battle").click()
    page.wait_for_url("**/battles/*-*/")
    assert Battle.objects.get().state["sides"][0]["name"] == "Men of the ford"


@pytest.mark.slow
def test_two_hundred_armies_are_seated_by_name_and_by_kingdom(camp, page, sign_in, accessibility, shoot):
    rows = [copied(camp.spare, f"Levy {number}") for number in range(200)]
    write_rows(rows)
    sign_in(page, camp.gm)
    page.goto(address(camp))
    expect(page.locator("#bench li")).to_have_count(30)
    page.locator("#find-army").fill("levy 17")
    page.locator("#find-army").press("Enter")
    page.get_by_role("button", name="Levy 170 to Side 2").click()
    expect(page.locator("#side-1 .seats")).to_contain_text("Levy 170")
    page.locator(".bench-tabs button", has_text="Horde").click()
    page.locator("#all-1").click()
    expect(page.locator("#side-1 .seats li")).to_have_count(202)
    expect(page.locator("#open-battle")).to_be_in_viewport()
    shoot(page, "battle-setup-many")
