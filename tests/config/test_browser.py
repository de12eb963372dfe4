from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import expect

from config import docs
from tests.browsing import NARROW, heard_by, overflow
from tests.everyday import FULL
from tests.manners.bodies import document

NIGHT = "rgb(20, 23, 27)"
SWAGGERS_OWN = ("nested-interactive", "scrollable-region-focusable")  # of its own lines and examples
SHORT = 4  # addresses, beside the next one
WITH_FIGURES = "/api/v1/commanders/"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day the document tells of its first addresses and what they name: each is drawn, and each is looked at."""
    if not FULL:
        whole = document()
        paths = {**dict(islice(whole["paths"].items(), SHORT)), WITH_FIGURES: whole["paths"][WITH_FIGURES]}
        others = {**whole["components"], "schemas": {}}
        shapes = whole["components"]["schemas"]
        few = {name: shapes[name] for name in shapes_of([paths, others], shapes)}
        told = {**whole, "paths": paths, "components": {**others, "schemas": few}}
        monkeypatch.setattr(docs, "_document", lambda _language, form: form().render(told, form.media_type, {}))


def shapes_of(told: Any, shapes: dict[str, Any]) -> list[str]:
    """What is named there, and what that names."""
    found: list[str] = []
    waiting = [told]
    while waiting:
        for name in named(waiting.pop()):
            if name in shapes and name not in found:
                found.append(name)
                waiting.append(shapes[name])
    return found


def named(told: Any) -> Iterator[str]:
    if isinstance(told, dict):
        if "$ref" in told:
            yield told["$ref"].rpartition("/")[2]
        told = [*told.values()]
    for member in told if isinstance(told, list) else ():
        yield from named(member)


def test_a_browser_reads_the_api_pages_under_the_strict_policy_on_a_phone_by_night(open_page, accessibility, short):
    page = open_page(viewport=NARROW, language="fr", dark=True)
    complaints = heard_by(page)
    page.goto("/api/v1/docs/")
    page.locator(".swagger-ui .opblock-summary-control").first.click()
    page.wait_for_selector(".swagger-ui .responses-table")
    assert complaints == []
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == NIGHT
    assert overflow(page) <= 0
    assert [fault for fault in accessibility(page) if not fault.startswith(SWAGGERS_OWN)] == []
    page.locator(f".opblock-post:has([data-path='{WITH_FIGURES}']) .opblock-summary-control").click()
    expect(page.locator(".opblock-post .microlight").first).to_contain_text("charisma_modifier")
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
