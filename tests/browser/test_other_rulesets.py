"""The rulesets a battle can be fought by, in a browser: chosen, set up, its aftermath read."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from tests.battles.setup.bridging import LAW, begin, fight, open_bridged
from tests.browsing import PHONE, overflow
from tests.everyday import everyday
from tests.rulesets.drivers import driver_of, table_of
from tests.worlds import built_once


@built_once
def field(transactional_db) -> Any:
    return table_of(driver_of("combat-de-masse"))


@built_once
def over(field) -> Battle:
    return fight(field, begin(field, open_bridged(field)))


@pytest.mark.parametrize("width", everyday([PHONE, {"width": 1280, "height": 900}]))
def test_the_gm_chooses_by_which_rules_a_battle_is_fought(field, page: Page, server, sign_in, shoot, width):
    sign_in(page, field.gm)
    page.set_viewport_size(width)
    page.goto(f"{server.url}/c/{field.campaign.pk}/battles/new/")
    rules = page.get_by_label("Ruleset of this battle")
    expect(rules.locator("option:checked")).to_have_text("Mass combat")
    page.get_by_label("Name of the battle").fill("The ford")
    page.get_by_role("button", name="Spare back to the bench").click()
    expect(page.locator("#bench")).to_contain_text("Spare")
    rules.select_option(LAW)
    expect(page.get_by_role("heading", name="Map")).to_be_visible()
    expect(page.locator("#side-1 .seats")).to_have_text(re.compile("Raiders"))
    expect(page.locator("#bench")).to_contain_text("Spare")
    shoot(page, f"rules-of-a-battle-{width['width']}")
    assert overflow(page) == 0
    page.locator("#open-battle").click()
    page.wait_for_url("**/battles/*/")
    assert Battle.objects.get().ruleset == LAW


def test_its_aftermath_counts_in_the_armies_own_figures(field, over, page: Page, server, sign_in, shoot):
    sign_in(page, field.gm)
    page.goto(f"{server.url}/battles/{over.pk}/aftermath/")
    expect(page.get_by_text("Wing command: ").first).to_be_visible()
    expect(page.get_by_text("hit points").first).to_be_visible()
    shoot(page, "aftermath-by-other-rules")
