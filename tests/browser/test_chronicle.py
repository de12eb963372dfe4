"""The chronicle's filters are typed: names are offered, and the entries follow."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import everyday


@pytest.mark.parametrize("viewport", everyday([PHONE, LAPTOP], first=1), ids=["phone", "laptop"])
def test_names_are_offered_while_they_are_typed(table, settled, open_page, sign_in, accessibility, shoot, viewport):
    page = open_page(viewport=viewport)
    sign_in(page, table.gm)
    heard = heard_by(page)
    page.goto(f"/c/{table.campaign.pk}/chronicle/")
    entries = page.locator(".timeline > li")
    all_of_them = entries.count()
    army = page.get_by_label("Army", exact=True)
    army.press_sequentially("iron")
    expect(page.locator("#names-army option")).to_have_count(1)
    assert page.locator("#names-army option").get_attribute("value") == "Ironwatch"
    army.fill("Ironwatch")
    army.press("Enter")
    expect(entries).not_to_have_count(all_of_them)
    expect(page.get_by_label("Army", exact=True)).to_have_value("Ironwatch")
    assert "army=Ironwatch" in page.url
    assert overflow(page) <= 0
    shoot(page, f"chronicle-{viewport['width']}")
    assert heard == []
    assert accessibility(page) == []
    page.go_back()
    expect(entries).to_have_count(all_of_them)
    page.go_forward()
    expect(entries).not_to_have_count(all_of_them)
    assert heard == []
