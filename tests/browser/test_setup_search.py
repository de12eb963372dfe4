"""Setting up a battle with many armies: searched for, put on a side kingdom by kingdom, with scripts and without."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from battles.models import Battle
from battles.setup import queries
from tests.battles.conftest import SPEARMAN, muster
from tests.browser.test_battle_pages import unfold
from tests.browsing import NARROW, overflow


@pytest.fixture
def many(table, monkeypatch):
    monkeypatch.setattr(queries, "FEW", 5)
    for number in (10, 2, 1):
        muster(table.gm, table.crown, f"Company {number}", SPEARMAN, 100)
    return table


@pytest.mark.parametrize("scripts", [True, False], ids=["htmx", "plain"])
def test_armies_are_found_by_name_and_a_kingdom_is_put_on_its_side(many, open_page, sign_in, accessibility, scripts):
    """With scripts on the narrowest phone, in French, and everything unfolded."""
    look = {"viewport": NARROW, "language": "fr"} if scripts else {"java_script_enabled": False}
    page = open_page(**look)
    sign_in(page, many.gm)
    page.goto(f"/c/{many.campaign.pk}/battles/new/")
    listed = page.locator("#bench .who2 b")
    if scripts:
        page.locator("#find-army").fill("company")
        page.locator("#find").click()
        expect(listed).to_have_count(3)
        unfold(page)
        expect(page.locator("#forts fieldset").first).to_be_visible()
        assert accessibility(page) == []
        assert overflow(page) <= 0
    page.locator("#id_name").fill("The ford")
    page.locator("#find-army").fill("raid")
    page.locator("#find-army").press("Enter")
    expect(listed).to_have_count(1)
    page.locator("#bench .to").nth(1).click()
    expect(page.locator("#side-1 .seats .who2 b")).to_have_text(["Raiders"])
    page.locator(".bench-tabs button", has_text="Crown").click()
    page.locator("#all-0").click()
    expect(page.locator("#side-0 .seats .who2 b")).to_have_text(["Company 1", "Company 2", "Company 10", "Ironwatch"])
    page.locator("#open-battle").click()
    page.wait_for_url("**/battles/*-*/")
    assert Battle.objects.get().name == "The ford"
