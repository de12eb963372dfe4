"""The page on which time passes, in a real browser: by mouse, with typed dice, twice at once, without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from kingdom.models import Campaign, ChronicleEntry
from tests.armies.weeks.conftest import now, set_army
from tests.browsing import LAPTOP, PHONE, overflow

LOOKS = {"laptop": (LAPTOP, False), "phone": (PHONE, True)}


@pytest.fixture
def at_time(war, sign_in):
    """Brings a GM's page to the time page of the campaign at war."""

    def opened(page: Page) -> Page:
        sign_in(page, war.gm)
        page.goto(reverse("armies:time", args=[war.campaign.pk]))
        return page

    set_army(war.levy, hp=5)
    return opened


def day(campaign: Campaign) -> int:
    found: int = now(campaign).day
    return found


def titled(page: Page) -> Any:
    return page.get_by_role("heading", level=1)


def test_days_pass_are_seen_first_and_taken_back(war, at_time, open_page, accessibility):
    page = at_time(open_page(viewport=PHONE, dark=True))
    number = page.get_by_label("Number of days")
    expect(number).to_be_hidden()
    page.get_by_text("Several days").click()
    number.fill("9")
    page.locator("main summary", has_text="Choices").click()
    page.get_by_role("button", name="Show preview").click()
    page.get_by_role("heading", name="Preview").wait_for()
    page.get_by_text("From day 0 to day 9").wait_for()
    expect(page.get_by_role("heading", name="Preview")).to_be_in_viewport()
    assert day(war.campaign) == 0
    assert accessibility(page) == []
    assert overflow(page) <= 0
    page.get_by_role("button", name="Confirm").click()
    expect(titled(page)).to_contain_text("10 January")
    assert (day(war.campaign), now(war.levy).hp > 5) == (9, True)
    page.get_by_role("button", name="Undo").click()
    expect(titled(page)).to_contain_text("1 January")
    assert (day(war.campaign), now(war.levy).hp) == (0, 5)


@pytest.mark.slow
def test_dice_of_the_table_are_asked_for_and_kept(war, at_time, page):
    at_time(page)
    page.get_by_text("Several days").click()
    page.get_by_label("Number of days").fill("31")
    page.get_by_text("Rolled at the table").click()
    page.get_by_role("button", name="Show preview").click()
    asked = page.locator(".dice-rows input[name=face]:not([type=hidden])")
    expect(asked).to_have_count(2)
    asked.nth(0).fill("99")
    asked.nth(1).fill("19")
    page.locator("#apply-dice").click()
    page.get_by_text("A d20 rolls 1 to 20.").first.wait_for()
    expect(asked.nth(1)).to_have_value("19")
    asked.nth(0).fill("20")
    page.locator("#apply-dice").click()
    page.get_by_role("button", name="Confirm").click()
    expect(titled(page)).to_contain_text("1 February")
    assert day(war.campaign) == 31


@pytest.mark.slow
def test_a_second_gm_does_not_let_the_same_week_pass_again(war, at_time, open_page):
    pages = [at_time(open_page()) for _gm in range(2)]
    for page in pages:
        page.get_by_role("button", name="Show preview").click()
        page.get_by_role("button", name="Confirm").wait_for()
    pages[0].get_by_role("button", name="Confirm").dblclick()
    expect(titled(pages[0])).to_contain_text("8 January")
    pages[1].get_by_role("button", name="Confirm").click()
    pages[1].get_by_text("because time has passed").first.wait_for()
    assert day(war.campaign) == 7
    assert ChronicleEntry.objects.filter(campaign=war.campaign, kind="week").count() == 1


@pytest.mark.slow
def test_a_week_passes_without_javascript_and_in_french(war, at_time, open_page):
    page = at_time(open_page(java_script_enabled=False, language="fr"))
    page.get_by_role("button", name="Voir l’aperçu").click()
    page.get_by_role("button", name="Confirmer").click()
    expect(titled(page)).to_contain_text("8 janvier")
    assert day(war.campaign) == 7


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_time_and_calendar_are_for_everyone(war, at_time, open_page, accessibility, shoot, look):
    viewport, dark = LOOKS[look]
    page = at_time(open_page(viewport=viewport, dark=dark))
    page.locator("main summary", has_text="Choices").click()
    page.get_by_role("button", name="Show preview").click()
    page.get_by_role("button", name="Confirm").wait_for()
    for address in ("", reverse("kingdom:calendar", args=[war.campaign.pk])):
        if address:
            page.goto(address)
        shoot(page, f"time-{'calendar' if address else 'proposal'}-{look}")
        assert accessibility(page) == []
        assert overflow(page) <= 0


def test_the_calendar_is_renamed_and_the_date_follows(war, open_page, sign_in, accessibility):
    page = open_page(viewport=PHONE)
    sign_in(page, war.gm)
    page.goto(reverse("kingdom:calendar", args=[war.campaign.pk]))
    assert accessibility(page) == []
    assert overflow(page) <= 0
    page.get_by_label("Months", exact=True).fill("Frost 40\nThaw 40")
    page.get_by_label("Year", exact=True).fill("812")
    page.get_by_role("button", name="Save").click()
    page.goto(reverse("armies:time", args=[war.campaign.pk]))
    expect(titled(page)).to_contain_text("1 Frost 812")
