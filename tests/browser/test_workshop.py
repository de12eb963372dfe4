"""The odds workshop in a real browser: it follows what is changed, and stands on a phone and without scripts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_battle_pages import heard_by, overflow
from tests.browsing import LAPTOP, PHONE


def address(table: Any, tail: str = "") -> str:
    return f"/c/{table.campaign.pk}/odds/{tail}"


@pytest.mark.parametrize("viewport, dark", [(LAPTOP, False), (PHONE, True)], ids=["laptop", "phone"])
def test_the_odds_follow_what_is_changed(table, open_page, sign_in, accessibility, shoot, viewport, dark):
    page = open_page(viewport=viewport, dark=dark)
    heard = heard_by(page)
    sign_in(page, table.gm)
    page.goto(address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"))
    first = page.locator(".big-odds b").first
    expect(first).to_contain_text("%")
    before = first.inner_text()
    page.locator("[name=a-strategy]").select_option("reckless")
    expect(first).not_to_have_text(before, timeout=60_000)  # other processes reckon it
    assert "a-strategy=reckless" in page.url
    expect(page.locator(".matrix").first).to_be_visible(timeout=60_000)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    assert heard == []
    shoot(page, f"workshop-{'phone' if viewport == PHONE else 'laptop'}")


def test_many_are_set_against_many_without_scripts_in_french(table, open_page, sign_in):
    page = open_page(viewport=PHONE, language="fr", java_script_enabled=False)
    sign_in(page, table.gm)
    page.goto(address(table, "many/"))
    expect(page.locator("h1")).to_contain_text("Chances")
    assert overflow(page) <= 0
    page.locator("[name=what][value=every]").check()
    page.locator("#begin").click()
    told = page.locator("main td")
    for _look in range(100):
        if told.count():
            break
        page.wait_for_timeout(200)
        page.reload()
    expect(told.first).to_be_visible()
    assert overflow(page) <= 0
