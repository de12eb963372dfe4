"""One deed for many armies, on a phone; and the search over every page, by keyboard."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.pathfinder.models import PathfinderArmy
from tests.armies.conftest import campaign, crown, gm, raised, table, war  # noqa: F401 - fixtures
from tests.browsing import PHONE, overflow
from tests.worlds import built_once


@built_once
def host(war):  # noqa: F811
    """Four wounded armies of the crown."""
    for name in ("Archers", "Guard", "Évêque’s own"):
        raised(war.gm, war.crown, name)
    PathfinderArmy.objects.filter(kingdom=war.crown).update(health=5)
    return war


def test_armies_are_picked_rest_and_are_taken_back_on_a_phone(host, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, host.gm)
    page.goto(reverse("armies:list", args=[host.campaign.pk]))
    bar = page.locator("#picks")
    expect(bar).to_be_hidden()
    for name in ("Archers", "Guard"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    expect(bar).to_contain_text("2 armies selected")
    sizes = page.locator("input.pick").evaluate_all("boxes => boxes.map((box) => box.getBoundingClientRect().width)")
    assert min(sizes) >= 24
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    shoot(page, "many-armies-picked")
    bar.get_by_role("combobox").select_option("rest")
    bar.get_by_role("button", name="Continue").click()
    page.get_by_text("Guard: 3 hp regained.").wait_for()
    assert accessibility(page, both=True) == []
    shoot(page, "many-armies-proposed")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("link", name="2 armies rested for a day").wait_for()
    assert PathfinderArmy.objects.get(name="Guard").hp == 8
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Undone:").wait_for()
    assert PathfinderArmy.objects.get(name="Guard").hp == 5


def test_a_whole_kingdom_is_picked_in_its_roster_and_the_slash_is_for_those_who_have_single_keys(host, page, sign_in):
    """Ana has none; whoever has finds the search by it (below)."""
    host.ana.keys = False
    host.ana.save()
    sign_in(page, host.ana)
    page.goto(reverse("kingdom:campaign", args=[host.campaign.pk]))
    page.keyboard.press("/")
    expect(page.locator("#finder")).to_be_hidden()
    page.get_by_label("All armies of this kingdom").check()
    one = page.get_by_role("checkbox", name="Select Guard")
    expect(one).to_be_checked()
    expect(one).to_be_disabled()
    page.locator("#picks").get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="4 selected armies").wait_for()


def test_everything_is_found_by_the_keyboard_alone(host, page, sign_in, accessibility, shoot):
    sign_in(page, host.ana)
    page.goto(reverse("kingdom:chronicle", args=[host.campaign.pk]))
    page.keyboard.press("Control+k")
    field, options = page.get_by_role("combobox", name="Search everything"), page.locator("#finder [role=option]")
    expect(field).to_be_focused()
    field.press_sequentially("eveque")
    expect(options.first).to_have_text("Évêque’s own Crown of Restov")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#finder-told")).to_have_text("1 found")
    field.fill("re")
    expect(page.locator("#finder").get_by_role("option", name="Crown of Restov", exact=True)).to_be_visible()
    assert accessibility(page, both=True) == []
    shoot(page, "finder")
    chosen = field.get_attribute("aria-activedescendant")
    field.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") != chosen
    field.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") == chosen
    field.press("Escape")
    expect(page.locator("#finder")).to_be_hidden()
    expect(page.locator("#finder-q")).not_to_be_focused()  # with the next picture
    page.keyboard.press("/")
    field.fill("guard")
    expect(options.first).to_contain_text("Guard")
    field.press("Enter")
    page.wait_for_url(f"**{reverse('armies:army', args=[PathfinderArmy.objects.get(name='Guard').pk])}")
    page.get_by_role("link", name="Search everything").click()
    expect(field).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("keys", [False, True])
def test_the_slash_is_for_those_who_have_single_keys(host, page, sign_in, keys):
    host.ana.keys = keys
    host.ana.save()
    sign_in(page, host.ana)
    page.goto(reverse("kingdom:kingdom", args=[host.crown.pk]))
    page.keyboard.press("/")
    expect(page.locator("#finder")).to_be_visible(visible=keys)
