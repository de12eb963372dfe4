"""The rulesets a battle can be fought by, in a browser: chosen, set up, its aftermath read."""

from __future__ import annotations

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
    tabs = page.get_by_role("navigation", name="Ruleset of this battle")
    expect(tabs.locator("[aria-current]")).to_have_text("Mass combat")
    tabs.get_by_text("Wing command").click()
    expect(tabs.locator("[aria-current]")).to_have_text("Wing command")
    page.get_by_label("Name of the battle").fill("The ford")
    for side, name, army in ((1, "Crown", "Ironwatch (Crown)"), (2, "Horde", "Raiders (Horde)")):
        page.get_by_label(f"Side {side}", exact=True).fill(name)
        page.get_by_role("group", name=f"Armies of side {side}").get_by_label(army).check()
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
