"""The odds workshop of breaking points in a real browser: changed in place, on a phone in French, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.battles.workshop.test_page import quick  # noqa: F401 - a fixture
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import everyday

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 120_000


def address(river, tail=""):
    return f"/c/{river.campaign.pk}/odds/{tail}?a-army={river.host.pk}&b-army={river.swords.pk}"


VIEWS = [(PHONE, True, "fr"), (PHONE, False, "fr"), (LAPTOP, False, "en"), (LAPTOP, True, "en")]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("viewport, dark, language", everyday(VIEWS, first=1))
def test_the_odds_follow_what_is_changed_in_place_and_many_are_set_against_many(
    river, open_page, sign_in, accessibility, shoot, viewport, dark, language
):
    page = open_page(viewport=viewport, dark=dark, language=language)
    heard = heard_by(page)
    sign_in(page, river.gm)
    page.goto(address(river), timeout=PATIENCE)
    first = page.locator(".big-odds b").first
    expect(first).to_contain_text("%", timeout=PATIENCE)
    before = first.inner_text()
    page.locator("#units-a > summary").click()
    heads = page.locator("[name=a-u0-strength]")
    heads.fill("10")  # few who are thrown for tell these apart, whatever falls
    heads.press("Tab")
    expect(first).not_to_have_text(before, timeout=PATIENCE)
    expect(page.locator("#units-a")).to_have_attribute("open", "")
    expect(page.locator("[name=a-u0-strength]")).to_have_value("10")
    assert "a-u0-strength=10" in page.url
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    name = f"{'phone' if viewport == PHONE else 'laptop'}-{'dark' if dark else 'light'}"
    shoot(page, f"workshop-bp-{name}")
    set_many_against_many(page, river)
    assert overflow(page) <= 0
    assert heard == []
    shoot(page, f"workshop-bp-many-{name}")


def set_many_against_many(page, river):
    page.goto(f"/c/{river.campaign.pk}/odds/many/")
    page.locator("[name=what][value=every]").check()
    page.locator("#begin").click()
    expect(page.locator("#sweep .heat td b").first).to_be_visible(timeout=PATIENCE)


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_an_army_is_written_and_met_without_scripts_in_french(river, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, language="fr", java_script_enabled=False)
    sign_in(page, river.dru)
    page.goto(f"/c/{river.campaign.pk}/odds/army/b/?a-army={river.host.pk}")
    page.locator("[name=starter]").select_option("orcs")
    page.locator("[name=add]").click()
    page.locator("[name=name]").fill("Horde")
    last = page.locator("details.levy").last
    expect(last).to_have_attribute("open", "")
    assert overflow(page) <= 0
    shoot(page, "workshop-bp-written")
    page.locator("#army-form button.primary").click()
    expect(page.locator(".big-odds b").first).to_contain_text("%", timeout=PATIENCE)
    expect(page.locator("main")).to_contain_text("Horde")
    page.locator("#ground > summary").click()
    page.locator("[name=field-mud]").check()
    page.locator("#ask").click()
    expect(page.locator("#ground")).to_have_attribute("open", "", timeout=PATIENCE)
    expect(page.locator("[name=field-mud]")).to_be_checked()
    assert overflow(page) <= 0
