"""The forecast beside the battle: it follows what is typed, fits where it stands, and can be read by everybody."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from rules.pathfinder.battle.battle_law import Battles
from tests.battles.forecast.foreseeing import Told
from tests.browser.test_table import duel, melee  # noqa: F401 (fixtures)
from tests.browsing import LAPTOP, NARROW, PHONE, overflow
from tests.everyday import everyday


@pytest.fixture(autouse=True)
def foretold(monkeypatch) -> None:
    monkeypatch.setattr(Battles, "forecast", Told())


LOOKS = [*product(("gm", "ana"), ("en", "fr"), ("laptop", "phone"), ("light", "dark"))]


@pytest.mark.slow
@pytest.mark.parametrize("who, language, size, scheme", LOOKS)
def test_it_fits_and_can_be_read(
    table,
    duel,  # noqa: F811
    open_page,
    sign_in,
    accessibility,
    shoot,
    who,
    language,
    size,
    scheme,
    request,
):
    viewport = {"laptop": LAPTOP, "phone": PHONE}[size]
    page = open_page(viewport=viewport, dark=scheme == "dark", language=language)
    sign_in(page, getattr(table, who))
    page.goto(f"/battles/{duel.pk}/?rail=forecast")
    expect(page.locator(".odds-bar")).to_be_visible()
    expect(page.locator(".odds-of tbody tr")).to_have_count(5)
    shoot(page, f"forecast-{request.node.callspec.id}")
    assert overflow(page) <= 0
    assert accessibility(page) == []


def test_many_armies_are_told_of_by_who_stands(table, melee, open_page, sign_in, accessibility, shoot):  # noqa: F811
    page = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(page, table.gm)
    page.goto(f"/battles/{melee.pk}/?rail=forecast")
    expect(page.locator(".odds-bar")).to_be_visible()
    expect(page.locator(".odds-of tbody tr")).to_have_count(5)
    expect(page.locator(".survive tbody tr")).to_have_count(8)
    shoot(page, "forecast-many")
    assert overflow(page) <= 0
    assert accessibility(page) == []


def test_it_follows_what_is_typed_and_sends_no_order(table, duel, open_page, sign_in):  # noqa: F811
    before = duel.records.count()
    page = open_page(viewport=LAPTOP)
    sign_in(page, table.gm)
    page.goto(f"/battles/{duel.pk}/?rail=forecast")
    expect(page.locator(".odds-bar")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/forecast/")) as told:
        page.locator(".steps label").nth(3).click()
    assert "strategy=aggressive" in (told.value.request.post_data or "")
    expect(page.get_by_text("With the orders entered here.")).to_be_visible()
    with page.expect_response(lambda answer: answer.url.endswith("/forecast/")) as told:
        page.locator("summary", has_text="What if").click()
        page.locator("#wi-unknown").select_option("worst")
    assert "unknown=worst" in (told.value.request.post_data or "")
    assert "strategy=aggressive" in (told.value.request.post_data or "")
    expect(page.locator(".steps input:checked").first).to_have_value("aggressive")
    assert duel.records.count() == before
    with page.expect_response(lambda answer: answer.url.endswith("/forecast/")) as told:
        page.locator("#odds-tactic").click()
    assert "strategy=aggressive" in (told.value.request.post_data or "")
    expect(page.locator("#odds-tactic[aria-current]")).to_be_visible()
    page.locator(".steps label").nth(1).click()
    expect(page.locator(".steps input:checked").first).to_have_value("cautious")
    expect(page.locator("#odds.htmx-request")).to_have_count(0)
    expect(page.locator("#odds-tactic[aria-current]")).to_be_visible()


@pytest.mark.parametrize("viewport", everyday([NARROW, PHONE, LAPTOP], first=1), ids=["narrow", "phone", "laptop"])
def test_a_page_of_its_own_needs_no_scripts(table, duel, open_page, sign_in, shoot, viewport, request):  # noqa: F811
    page = open_page(viewport=viewport, java_script_enabled=False)
    sign_in(page, table.ana)
    page.goto(f"/battles/{duel.pk}/?rail=forecast")
    page.get_by_role("region", name="View selected above").get_by_role("link", name="Forecast").click()
    expect(page.locator(".odds-bar")).to_be_visible()
    page.get_by_label("Stop after this many phases").fill("3")
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#wi-phases")).to_have_value("3")
    shoot(page, f"forecast-alone-{request.node.callspec.id}")
    page.locator(".odds-head b").evaluate_all("those => those.forEach((one) => { one.textContent = '100%'; })")
    assert overflow(page) <= 0, "whatever falls"
