"""What other programs write, brought in on a phone: a stat block, a table with its own headings, a Kanka export."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.pathfinder.models import PathfinderArmy, UnitType
from kingdom.models import Kingdom
from tests.armies.conftest import campaign, crown, gm, table, war  # noqa: F401 - fixtures
from tests.armies.kanka.test_kanka import EXPORT
from tests.armies.tables.test_headings import FRENCH
from tests.browsing import PHONE, overflow
from tests.rules.pathfinder.monsters.test_stat_blocks import WYRM


@pytest.fixture
def page(war, open_page, sign_in):  # noqa: F811
    found = open_page(viewport=PHONE)
    sign_in(found, war.gm)
    return found


def test_a_stat_block_fills_in_a_unit_type(war, page, accessibility, shoot):  # noqa: F811
    page.goto(reverse("armies:unit_type_new", args=[war.campaign.pk]))
    page.get_by_text("From a stat block or Foundry").click()
    page.get_by_label("or paste a stat block").fill(WYRM)
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_label("Unit", exact=True)).to_have_value("Mire wyrm")
    page.get_by_label("Another ability").select_option("trip")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Remove Trip").wait_for()
    expect(page.get_by_text("Not used: acid, sleep")).to_be_visible()
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    shoot(page, "stat-block-read")
    page.locator("#unit-form").get_by_role("button", name="Save").last.click()
    page.get_by_text("Saved.").wait_for()
    assert {"trip", "breath-weapon"} <= {
        one["ability"] for one in UnitType.objects.get(name="Mire wyrm").unit["abilities"]
    }


def test_a_table_with_its_own_headings_is_corrected_and_comes_in(war, page, accessibility, shoot):  # noqa: F811
    page.goto(reverse("armies:table_in", args=[war.campaign.pk, "armies"]))
    page.get_by_label("or paste its text").fill(FRENCH)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_label("effectif")).to_have_value("count")
    page.get_by_label("effectif").select_option("")
    page.locator("section", has=page.get_by_role("heading", name="Your columns")).get_by_role("button").click()
    page.get_by_text("Required for a new army.").wait_for()
    page.get_by_label("effectif").select_option("count")
    page.locator("section", has=page.get_by_role("heading", name="Your columns")).get_by_role("button").click()
    page.get_by_role("button", name="Import", exact=True).wait_for()
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    shoot(page, "headings-proposed")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Armies imported from a table").first.wait_for()
    assert PathfinderArmy.objects.get(campaign=war.campaign, name="Gardes").count == 1200


def test_a_kanka_export_is_shown_and_comes_in(war, page, accessibility, shoot):  # noqa: F811
    page.goto(reverse("armies:kanka_in", args=[war.campaign.pk]))
    page.get_by_label("or paste the JSON").fill(json.dumps(EXPORT))
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("Not imported: locations (12), quests (1).").wait_for()
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    shoot(page, "kanka-proposed")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported from Kanka").first.wait_for()
    assert Kingdom.objects.filter(campaign=war.campaign, name="Silver Guild").exists()
