"""Asking by phone and granting at the GM's desk, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from kingdom.models import Kingdom
from tests.browsing import LAPTOP, PHONE, overflow

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_player_asks_by_phone_and_the_gm_grants(court, open_page, sign_in, accessibility, shoot):
    phone = open_page(viewport=PHONE)
    sign_in(phone, court.ana)
    phone.goto(f"/kingdoms/{court.crown.pk}/edit/")
    expect(phone.get_by_text("This sends a request to the GM")).to_be_visible()
    assert accessibility(phone) == []
    shoot(phone, "leave-edit-phone")
    phone.get_by_label("Economy").fill("99")
    phone.get_by_label("Reason").fill("The harvest")
    phone.get_by_role("button", name="Ask the GM").click()
    expect(phone.get_by_text("Request sent to the GM. Nothing changes until it is approved.")).to_be_visible()
    expect(
        phone.locator(".petition").get_by_text("If approved: “Crown of Restov: The harvest”", exact=True)
    ).to_be_visible()
    request = phone.url
    assert overflow(phone) <= 0
    assert accessibility(phone) == []
    shoot(phone, "leave-asked-phone")
    assert Kingdom.objects.get(pk=court.crown.pk).economy == 22

    phone.goto(f"/kingdoms/{court.crown.pk}/")  # what its part sends leads to the request, too
    phone.get_by_text("New entry").click()
    phone.locator("#treasury").get_by_label("BP", exact=True).fill("100")
    phone.locator("#treasury").get_by_label("Reason").fill("Treasure")
    phone.locator("#treasury").get_by_role("button", name="Ask the GM").click()
    expect(phone).to_have_url(re.compile("/requests/"))
    expect(phone.get_by_text("Request sent to the GM")).to_be_visible()
    phone.get_by_role("button", name=re.compile("^Withdraw request")).click()
    expect(phone.get_by_text("Request withdrawn.")).to_be_visible()

    desk = phone  # one browser for both: who is signed in is all that changes
    sign_in(desk, court.gm)
    desk.goto(f"/c/{court.campaign.pk}/")
    shoot(desk, "leave-campaign-desk")
    expect(desk.locator("#now-requests")).to_contain_text("Crown of Restov: The harvest")
    desk.locator("#now-requests > details > summary, #now-requests .answering > summary").first.click()
    desk.locator("#now-requests").get_by_role("link", name="Crown of Restov: The harvest").click()
    expect(desk.locator(".proposal .after")).to_have_text("99")
    desk.goto(f"/c/{court.campaign.pk}/requests/")
    assert overflow(desk) <= 0  # long values wrap
    assert accessibility(desk) == []
    shoot(desk, "leave-requests-desk")
    desk.get_by_role("button", name=re.compile("^Approve")).click()
    expect(desk.get_by_text("Request approved and carried out.")).to_be_visible()
    assert Kingdom.objects.get(pk=court.crown.pk).economy == 99

    sign_in(phone, court.ana)
    phone.goto(request)
    expect(phone.locator(".petition .badge")).to_have_text("approved")


@pytest.mark.slow
def test_without_javascript_the_gm_refuses_in_french(court, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, java_script_enabled=False, language="fr")
    sign_in(page, court.ana)
    page.goto(f"/armies/{court.levy.pk}/disband/")
    page.get_by_role("button", name="Demander au MJ").click()
    expect(page.get_by_text("Demande envoyée au MJ.")).to_be_visible()
    desk = open_page(viewport=PHONE, java_script_enabled=False, language="fr", dark=True)
    sign_in(desk, court.gm)
    desk.goto(f"/c/{court.campaign.pk}/requests/")
    shoot(desk, "leave-requests-phone-dark")
    assert overflow(desk) <= 0  # long values wrap
    desk.locator("summary", has_text="Refuser").click()
    desk.get_by_label("Motif").fill("Pas encore.")
    desk.get_by_role("button", name="Refuser").click()
    expect(desk.get_by_text("Motif : Pas encore.")).to_be_visible()


def test_the_settings_fit_a_phone(court, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, court.gm)
    page.goto(f"/c/{court.campaign.pk}/edit/#players-may")
    group = page.locator("#players-may")
    expect(group.get_by_role("radio")).to_have_count(24)
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    shoot(page, "leave-settings-phone")
    page.set_viewport_size(LAPTOP)
    assert overflow(page) <= 0
    shoot(page, "leave-settings-desk")
    group.get_by_role("group", name="Buy and hand out").get_by_label("Needs GM approval").check()
    tabs = page.get_by_role("navigation", name="Campaign settings")
    tabs.get_by_role("link", name="Rules").click()
    expect(group).to_be_hidden()
    page.get_by_label("Campaign name", exact=True).fill("Northern march")
    page.go_back()
    expect(tabs.get_by_role("link", name="Permissions")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Northern march")).to_be_visible()
    page.goto(f"/c/{court.campaign.pk}/edit/#permissions")
    expect(page.get_by_role("group", name="Buy and hand out").get_by_label("Needs GM approval")).to_be_checked()
