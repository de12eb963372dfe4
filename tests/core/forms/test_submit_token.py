"""What a button sends is sent once, however nervous the finger and however slow the line."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, Route

from kingdom.models import Campaign, LedgerEntry


@pytest.fixture
def at(page, sign_in, gm):
    def going(name: str, *args: Any) -> Page:
        sign_in(page, gm)
        page.goto(reverse(name, args=args))
        return page

    return going


def middle(button: Locator) -> tuple[float, float]:
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_impatient_clicks_on_a_slow_line_found_one_campaign_and_who_goes_back_another(at, campaign):
    page = at("kingdom:campaign_new")
    name = page.locator("#begin").get_by_label("Campaign name")
    name.fill("Slow marches")
    button = page.locator("#begin button.primary")
    underway: list[Route] = []
    page.route("**/campaigns/begin/", lambda route: underway.append(route))
    place = middle(button)
    page.mouse.click(*place)
    page.wait_for_timeout(700)  # longer than a double click
    page.mouse.click(*place)
    for sent in underway:
        sent.continue_()
    page.wait_for_url("**/c/*/*")
    page.unroute("**/campaigns/begin/")
    founded = Campaign.objects.filter(name="Slow marches")
    assert founded.count() == 1
    page.go_back()
    name.fill("Slow marches")
    button.click()
    page.wait_for_url("**/c/*/*")
    page.goto("/")
    assert founded.count() == 2


def test_the_second_half_of_a_double_click_does_not_send_the_form_drawn_anew(at, crown):
    page = at("kingdom:kingdom", crown.pk)
    page.get_by_text("New entry").click()
    page.locator("#treasury [name=amount]").fill("5")
    page.locator("#treasury [name=reason]").fill("Taxes")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("Taxes").first.wait_for()
    page.get_by_text("New entry").click()
    page.locator("#treasury [name=amount]").fill("7")
    page.locator("#treasury [name=reason]").fill("Tolls")
    page.mouse.move(*middle(page.get_by_role("button", name="Add", exact=True)))
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(700)  # time enough for a request that must not come
    page.goto(reverse("kingdom:ledger", args=[crown.pk]))
    assert not LedgerEntry.objects.filter(kingdom=crown, reason="Tolls").exists()
