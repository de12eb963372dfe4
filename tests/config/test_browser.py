from __future__ import annotations

import pytest
from playwright.sync_api import expect

from armies.forces.api import CommanderViewSet
from config import docs
from kingdom.campaign.api import CampaignViewSet
from tests.browsing import NARROW, heard_by, overflow
from tests.everyday import FULL
from tests.kingdom.conftest import document_of

NIGHT = "rgb(20, 23, 27)"
SWAGGERS_OWN = ("nested-interactive", "scrollable-region-focusable", "select-name")  # of its own lines and examples
WITH_FIGURES = "/api/v1/commanders/"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day the document tells of two addresses: each is drawn, and each is looked at. Of what each may answer it
    tells what is done and one of the refusals, which are all drawn alike.
    """
    if not FULL:
        told = document_of(campaigns=CampaignViewSet, commanders=CommanderViewSet)
        told["paths"] = {address: told["paths"][address] for address in ("/api/v1/campaigns/", WITH_FIGURES)}
        for operation in (one for methods in told["paths"].values() for one in methods.values()):
            operation["responses"] = dict(sorted(operation["responses"].items())[:2])
        monkeypatch.setattr(docs, "_document", lambda _language, form: form().render(told, form.media_type, {}))


def test_a_browser_reads_the_api_pages_under_the_strict_policy_on_a_phone_by_night(open_page, accessibility, short):
    page = open_page(viewport=NARROW, language="fr", dark=True)
    complaints = heard_by(page)
    page.goto("/api/v1/docs/")
    page.locator(".swagger-ui .opblock-summary-control").first.click()
    page.wait_for_selector(".swagger-ui .responses-table")
    assert complaints == []
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == NIGHT
    assert overflow(page) <= 0
    page.locator(f".opblock-post:has([data-path='{WITH_FIGURES}']) .opblock-summary-control").click()
    expect(page.locator(".opblock-post .microlight").first).to_contain_text("charisma_modifier")
    expect(page.locator(".opblock.is-open")).to_have_count(2)  # what was opened first is looked at, too
    assert [fault for fault in accessibility(page, contrasts=True) if not fault.startswith(SWAGGERS_OWN)] == []
    page.get_by_role("link", name="Retour aux campagnes").click()
    page.wait_for_url("**/")


def test_signing_in_by_session_reaches_the_account_pages(page, sign_in, django_user_model):
    sign_in(page, django_user_model.objects.create_user("sella", password="x"))
    page.goto("/accounts/password/change/")
    assert "/login/" not in page.url


def test_axe_finds_what_is_wrong(page, accessibility):
    page.goto("/healthz/")
    page.set_content("<html lang=en><title>t</title><main><h1>t</h1><img src=/x.png></main></html>")
    assert any(line.startswith("image-alt") for line in accessibility(page))
