"""Fairness in a real browser: the report asks for it by itself, in both schemes, on a phone, and without scripts."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from armies.forces.services import raise_army
from battles.models import Battle
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import everyday
from tests.kingdom.conftest import client_of
from tests.rulesets.drivers import driver_of, table_of
from tests.worlds import built_once

PATIENCE = 30_000  # whoever reckons is started for the first who asks
FELL = ("heads", "heads", "tails", "heads", "tails", "heads", "heads")


@built_once
def tossed(transactional_db: Any) -> SimpleNamespace:
    """Two companies of five men, one calling heads and one tails, until the first has won."""
    driver = driver_of("coin")
    table = table_of(driver)
    table.watch = raise_army(by=table.gm, kingdom=table.crown, name="The watch of the ford", sheet={"men": 5})
    table.raiders = raise_army(by=table.gm, kingdom=table.horde, name="Raiders of the plain", sheet={"men": 5})
    gm = opened(table)
    for face in FELL:
        toss(gm, driver, table, face)
    assert gm.read()["status"] == "aftermath"
    table.battle = Battle.objects.get(pk=gm.battle.pk)  # type: ignore[union-attr]
    return table


def toss(gm: Client, driver: Any, table: Any, face: str) -> None:
    for command in driver.before_dice(table):
        gm.ok(**command)
    gm.ok(**{**driver.thrown(table), "dice": [{**driver.die(table), "values": [face]}]})


@pytest.mark.parametrize("viewport, dark", everyday([(PHONE, True), (LAPTOP, False)], first=1), ids=["phone", "laptop"])
def test_the_replay_asks_for_the_luck_of_its_dice(tossed, open_page, sign_in, accessibility, shoot, viewport, dark):
    page = open_page(viewport=viewport, dark=dark)
    heard = heard_by(page)
    sign_in(page, tossed.ana)
    page.goto(f"/battles/{tossed.battle.pk}/replay/")
    section = page.locator("#fairness")
    expect(section.locator("svg polyline")).to_have_count(2, timeout=PATIENCE)
    expect(section).to_contain_text("The dice favored Crown")
    expect(section.locator("tbody tr")).to_have_count(len(FELL))
    expect(section.locator("tbody tr.turn")).to_have_count(1)
    page.locator("#next").click()
    expect(page.locator(".replay-bar + .help")).to_contain_text("Step 1 of")
    expect(section.locator("svg polyline")).to_have_count(2)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    assert heard == []
    shoot(page, f"fairness-replay-{'phone' if viewport == PHONE else 'laptop'}")


def test_the_report_and_its_own_page_tell_it(tossed, open_page, sign_in, accessibility, shoot):
    """A link to it stands in the report for whoever has no scripts."""
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, tossed.gm)
    page.goto(f"/battles/{tossed.battle.pk}/report/")
    expect(page.locator("#fairness")).to_contain_text("Les dés ont favorisé Crown", timeout=PATIENCE)
    shoot(page, "fairness-report-phone")
    page.goto(f"/battles/{tossed.battle.pk}/fairness/")
    expect(page.locator("h1")).to_have_text("Équité des dés")
    expect(page.locator("#fairness svg polyline")).to_have_count(2, timeout=PATIENCE)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "fairness-phone")
    page.set_viewport_size(LAPTOP)
    page.emulate_media(color_scheme="dark")
    shoot(page, "fairness-laptop")
    follow_the_link(client_of(tossed.bo), tossed.battle)


def follow_the_link(client, battle):
    address = f"/battles/{battle.pk}/fairness/"
    report = client.get(f"/battles/{battle.pk}/report/").content.decode()
    section = re.search(r'<(\w+)[^>]* id="fairness".*?</\1>', report, re.DOTALL)
    assert section
    assert f'href="{address}"' in section[0]
    assert client.get(address).status_code == 200


@pytest.mark.slow
def test_without_scripts_a_link_leads_to_it(tossed, open_page, sign_in):
    page = open_page(java_script_enabled=False)
    sign_in(page, tossed.bo)
    page.goto(f"/battles/{tossed.battle.pk}/report/")
    page.locator("#fairness a").click()
    expect(page).to_have_url(re.compile(r"/fairness/$"))
    expect(page.locator("#fairness svg polyline")).to_have_count(2)
    page.go_back()
    expect(page.locator("#fairness svg polyline")).to_have_count(2)
