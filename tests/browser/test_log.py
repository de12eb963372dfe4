"""The log in a browser: sums, luck and older parts come when they are asked for, and stay when the page moves on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from battles.models import Battle
from rules.pathfinder.battle.orders.commands import Next, Override, Resolve
from tests.battles.conftest import open_ford
from tests.browser.conftest import play
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import everyday
from tests.worlds import built_once


@built_once
def siege(table) -> Battle:
    """Nobody hits anybody for a long time."""
    battle = open_ford(table)
    walls = [Override(str(army.pk), "dv", 50, "Walls") for army in (table.watch, table.raiders)]
    play(table, battle, *walls, Next(), *[Resolve()] * 14)
    return battle


def test_sums_luck_and_older_parts_come_when_asked_for(table, siege, open_page, sign_in):
    page = open_page(viewport=LAPTOP)
    sign_in(page, table.bo)
    heard = heard_by(page)
    page.goto(f"/battles/{siege.pk}/")
    log = page.locator("[role=log]")
    lines = log.locator("details[id^=line-]")
    newest = lines.first.get_attribute("id")
    lines.first.locator("summary").click()
    expect(lines.first.locator("table.sum").first).to_be_visible()
    page.locator("#luck summary").click()
    expect(page.locator("#luck .chip")).to_have_count(2)
    shown = lines.count()
    log.get_by_role("link", name="Earlier events").click()
    expect(lines).not_to_have_count(shown)
    expect(log.get_by_text("Melee 10", exact=True)).to_be_focused()
    play(table, siege, Resolve())  # everybody's page moves on
    expect(log.get_by_text("Melee 13", exact=True)).to_be_visible()
    expect(log.get_by_text("Melee 9", exact=True)).to_be_visible()  # how far they had gone back is kept
    expect(page.locator(f"#{newest} table.sum").first).to_be_visible()
    expect(page.locator("#luck .chip")).to_have_count(2)
    assert heard == []


def test_a_replay_plays_by_itself_until_its_reader_takes_a_step(table, siege, open_page, sign_in):
    """Where its address says so, and never for who wants less motion."""
    page = open_page(viewport=LAPTOP)
    sign_in(page, table.bo)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/battles/{siege.pk}/replay/?play")
    button = page.locator("#play")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.locator("#play-speed").select_option("0.4")
    button.click()
    expect(page.locator("#step")).not_to_have_value("0")
    page.locator("#previous").click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"/battles/{siege.pk}/replay/?play&step=3")
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_the_log_has_pages_of_its_own_without_scripts(table, siege, open_page, sign_in):
    page = open_page(viewport=PHONE, java_script_enabled=False)
    sign_in(page, table.bo)
    page.goto(f"/battles/{siege.pk}/")
    page.get_by_role("link", name="Earlier events").click()
    expect(page.get_by_text("Melee 9", exact=True)).to_be_visible()
    page.locator("details[id^=line-] summary").first.click()
    page.get_by_role("link", name="Breakdown").first.click()
    expect(page.locator("table.sum").first).to_be_visible()
    page.go_back()
    page.go_back()
    page.locator("#luck summary").click()
    page.get_by_role("link", name="Dice results").click()
    expect(page.locator(".chip")).to_have_count(2)


@pytest.mark.parametrize("viewport", everyday([PHONE, LAPTOP], first=1), ids=["phone", "laptop"])
def test_the_log_is_accessible(table, siege, open_page, sign_in, accessibility, shoot, viewport):
    fallen = Override(str(table.raiders.pk), "dv", -50, "Asleep"), Override(str(table.raiders.pk), "hp", 1, "Hungry")
    play(table, siege, *fallen, Resolve())
    page = open_page(viewport=viewport)
    sign_in(page, table.gm)
    page.goto(f"/battles/{siege.pk}/log/")
    page.locator("details[id^=line-] summary").first.click()
    expect(page.locator("table.sum").first).to_be_visible()
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, f"log-{viewport['width']}")
