"""The odds workshop in a real browser: it follows what is changed, and stands on a phone and without scripts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from rules.core.workshop import WorkshopLaw
from tests.battles.workshop.test_page import quick  # noqa: F401 - a fixture
from tests.browser.haste import HASTE
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import at_most


def address(table: Any, tail: str = "") -> str:
    return f"/c/{table.campaign.pk}/odds/{tail}"


@pytest.mark.slow
@pytest.mark.parametrize("viewport, dark", [(LAPTOP, False), (PHONE, True)], ids=["laptop", "phone"])
def test_the_odds_follow_what_is_changed(table, open_page, sign_in, accessibility, shoot, viewport, dark):
    page = open_page(viewport=viewport, dark=dark)
    heard = heard_by(page)
    sign_in(page, table.gm)
    page.goto(address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"), timeout=60_000)
    first = page.locator(".big-odds b").first
    expect(first).to_contain_text("%")
    before = first.inner_text()
    page.locator("[name=a-strategy]").select_option("reckless")
    expect(first).not_to_have_text(before, timeout=60_000)  # in a test the request reckons it
    assert "a-strategy=reckless" in page.url
    expect(page.locator(".matrix").first).to_be_visible(timeout=60_000)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    assert heard == []
    shoot(page, f"workshop-{'phone' if viewport == PHONE else 'laptop'}")


def test_the_odds_and_what_explains_them_are_accessible_and_fit_a_phone(
    table, open_page, sign_in, accessibility, monkeypatch
):
    monkeypatch.setattr(WorkshopLaw, "thrown", at_most(20, full=200))  # here nobody asks what they come to
    page = open_page(viewport=PHONE, dark=True)
    heard = heard_by(page)
    sign_in(page, table.gm)
    page.goto(address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"), timeout=60_000)
    expect(page.locator(".big-odds b").first).to_contain_text("%")
    expect(page.locator(".matrix").first).to_be_visible(timeout=60_000)  # in a test the request reckons it
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    assert heard == []


def polled(page: Any, url: str) -> None:
    """Open the workshop as it stands while the rest of the answer is being reckoned: it asks again by itself."""
    asks = f'hx-get="{url}" hx-trigger="load delay:50ms" hx-target="#answers" hx-select="#answers" hx-swap="outerHTML"'

    def drawn(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('<div id="answers"', f'<div id="answers" {asks}'))

    page.route("**/odds/?*", drawn, times=1)
    page.goto(url)


def wait_for(page: Any, found: list[Any], count: int = 1) -> None:
    for _look in range(200):
        if len(found) >= count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{len(found)} of {count} requests came")


@pytest.mark.usefixtures("quick")
def test_an_answer_that_comes_late_overtakes_no_newer_one(table, open_page, sign_in):
    page = open_page()
    heard = heard_by(page)
    sign_in(page, table.gm)
    held: list[Any] = []
    page.route(
        "**/odds/?*",
        lambda route: held.append(route) if route.request.headers.get("hx-target") == "answers" else route.continue_(),
    )
    polled(page, address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"))
    first = page.locator(".big-odds b").first
    before = first.inner_text()
    wait_for(page, held)
    page.locator("[name=a-strategy]").select_option("reckless")
    expect(first).not_to_have_text(before, timeout=60_000)
    assert "a-strategy=reckless" in page.url
    newer = first.inner_text()
    with page.expect_response("**/odds/?*"):
        held[0].continue_()
    page.wait_for_timeout(300)
    assert first.inner_text() == newer
    assert page.locator("#answers").count() == 1
    assert page.locator("[name=a-strategy]").input_value() == "reckless"
    assert heard == []


@pytest.mark.usefixtures("quick")
def test_a_page_that_asks_again_goes_on_after_trouble(table, open_page, sign_in):
    page = open_page()
    page.add_init_script(HASTE)
    sign_in(page, table.gm)
    asked: list[Any] = []

    def trouble(route: Any) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.abort("connectionrefused")
        elif len(asked) > 2:
            route.continue_()

    page.route(
        "**/odds/?*",
        lambda route: trouble(route) if route.request.headers.get("hx-target") == "answers" else route.continue_(),
    )
    polled(page, address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"))
    wait_for(page, asked, 2)
    expect(page.locator("#messages .message")).to_contain_text("can’t be reached")
    asked[1].fulfill(status=503, body="", headers={"HX-Reswap": "none"})
    wait_for(page, asked, 3)
    expect(page.locator("#answers[hx-get]")).to_have_count(0)
    expect(page.locator("#messages .message")).to_have_count(0)
    expect(page.locator(".big-odds b").first).to_contain_text("%")


@pytest.mark.usefixtures("quick")
def test_what_is_typed_while_the_odds_are_reckoned_stays_and_is_asked(table, open_page, sign_in):
    page = open_page()
    sign_in(page, table.gm)
    page.goto(address(table, f"?a-army={table.watch.pk}&b-army={table.raiders.pk}"))
    page.locator("#more-a > summary").click()
    held: list[Any] = []
    page.route("**/odds/?*", lambda route: route.continue_() if held else held.append(route))
    page.locator("[name=a-om]").fill("3")
    page.keyboard.press("Tab")
    wait_for(page, held)
    page.keyboard.type("7")
    with page.expect_response("**/odds/?*"):
        held[0].continue_()
    expect(page.locator("[name=a-om]")).to_have_attribute("value", "3", timeout=60_000)
    dv = page.locator("[name=a-dv]")
    expect(dv).to_have_value("7")
    expect(dv).to_be_focused()
    page.keyboard.press("Tab")
    expect(dv).to_have_attribute("value", "7", timeout=60_000)
    assert "a-dv=7" in page.url


@pytest.mark.slow
def test_many_are_set_against_many_without_scripts_in_french(table, open_page, sign_in):
    page = open_page(viewport=PHONE, language="fr", java_script_enabled=False)
    sign_in(page, table.gm)
    page.goto(address(table, "many/"))
    expect(page.locator("h1")).to_contain_text("Chances")
    assert overflow(page) <= 0
    page.locator("[name=what][value=every]").check()
    page.locator("#begin").click()
    told = page.locator("main td")
    for _look in range(100):
        if told.count():
            break
        page.wait_for_timeout(200)
        page.reload()
    expect(told.first).to_be_visible()
    assert overflow(page) <= 0
