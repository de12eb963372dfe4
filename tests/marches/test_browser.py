"""An army is marched over a week into an enemy, the battle proposed and made, and all of it undone, in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.services.maps import claim_hexes
from tests.browsing import LAPTOP, PHONE
from tests.marches.conftest import fresh, where

pytestmark = pytest.mark.parametrize("driver", ["combat-de-masse"], indirect=True)
GO = "March to G7: 3 days, there on day 3"


def test_an_army_marches_over_a_week_into_an_enemy_and_all_of_it_is_undone(
    marches, open_page, sign_in, shoot, accessibility
):
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.crown, hexes=["A7", "B7", "A6", "A8"])
    page = open_page(viewport=LAPTOP)
    sign_in(page, marches.gm)
    plan_the_march(page, marches)
    shoot(page, "march-planned-laptop")
    assert accessibility(page) == []
    page.get_by_role("button", name=GO).click()
    expect(page.get_by_text("On its way to G7: there on day 3.")).to_be_visible()
    shoot(page, "march-ordered-laptop")
    let_the_week_pass(page, marches)
    assert where(marches.watch) == ["G7"]
    shoot(page, "march-met-laptop")
    make_the_battle(page, marches)
    battle = Battle.objects.get(campaign=marches.campaign)
    assert set(battle.seats.values_list("army__name", "side")) == {("Ironwatch", 0), ("Raiders", 1)}
    undo_the_week(page, marches)
    assert where(marches.watch) == ["A7"]
    undo_the_march(page, marches)
    army = fresh(marches.watch)
    assert (army.hex, army.route, army.marching_until) == ("A7", None, None)


def plan_the_march(page: Page, marches: Any) -> None:
    page.goto(reverse("armies:map", args=[marches.campaign.pk]))
    page.locator(".token", has_text="Ir").first.click()
    page.locator('.hexes a[href*="hex=G7"]').dispatch_event("click")
    expect(page.get_by_role("button", name=GO)).to_be_visible()
    expect(page.locator(".march .stop")).to_have_count(3)


def let_the_week_pass(page: Page, marches: Any) -> None:
    page.goto(reverse("armies:time", args=[marches.campaign.pk]))
    expect(page.get_by_text("Ironwatch reaches G7.")).to_be_visible()
    page.get_by_role("button", name="Show what happens").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="Armies have met")).to_be_visible()


def make_the_battle(page: Page, marches: Any) -> None:
    page.goto(reverse("kingdom:campaign", args=[marches.campaign.pk]))
    page.get_by_role("link", name="Set up the battle").click()
    expect(page.get_by_label("Name of the battle")).to_have_value("Battle at G7")
    page.locator("main form button.primary").last.click()
    page.wait_for_url("**/battles/*/")


def undo_the_week(page: Page, marches: Any) -> None:
    page.goto(reverse("armies:time", args=[marches.campaign.pk]))
    expect(page.get_by_role("heading", name="Armies have met")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Ironwatch reaches G7.")).to_be_visible()


def undo_the_march(page: Page, marches: Any) -> None:
    page.goto(reverse("kingdom:chronicle", args=[marches.campaign.pk]))
    out = page.locator("li", has_text="Ironwatch set out for G7")
    out.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone").first).to_be_visible()


def test_a_march_is_ordered_on_a_phone_without_scripts(marches, open_page, sign_in, shoot, accessibility):
    page = open_page(viewport=PHONE, dark=True, java_script_enabled=False)
    sign_in(page, marches.ana)
    address = reverse("armies:map", args=[marches.campaign.pk])
    page.goto(f"{address}?army={marches.watch.pk}&own=1&via=B7,C7&hex=D8")
    shoot(page, "march-own-phone-dark")
    page.get_by_role("button", name="March to D8").click()
    expect(page.get_by_text("On its way to D8")).to_be_visible()
    assert fresh(marches.watch).way.path == ("A7", "B7", "C7", "C8", "D8") or fresh(marches.watch).way.end == "D8"
