"""A board in a browser: a unit, a hex and a target are picked by mouse, by keyboard and on a phone; Back undoes it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from tests.battles.frame.conftest import opened
from tests.battles.hexes.conftest import show_the_ford
from tests.browsing import NARROW, PHONE, overflow
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.worlds import built_once


@built_once
def roadside(transactional_db) -> SimpleNamespace:
    return table_of(road)


@built_once
def upon_it(roadside) -> Battle:
    found = opened(roadside).battle
    assert found
    return found


@pytest.fixture
def ford(upon_it, monkeypatch) -> Battle:
    show_the_ford(monkeypatch)
    return upon_it


def test_look(server, open_page, sign_in, roadside, ford, shot):
    page = open_page()
    sign_in(page, roadside.ana)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.goto(f"/battles/{ford.pk}/")
    shot(page, "board-none")
    page.locator(".tok[data-hex=K13]").first.click()
    expect(page.locator("#unit-title")).to_contain_text("Riders")
    shot(page, "board-unit")
    page.locator(".l-over a[data-hex=M9]").click()
    expect(page.locator("#go")).to_contain_text("Charge the Levy")
    shot(page, "board-target")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    shot(page, "board-target-dark")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.go_back()
    expect(page.locator("#go")).to_have_count(0)
    shot(page, "board-back")
    print(errors)
    phone = open_page(viewport=PHONE)
    sign_in(phone, roadside.ana)
    phone.goto(f"/battles/{ford.pk}/")
    shot(phone, "board-phone-none")
    phone.locator("#next-unit").click()
    expect(phone.locator("#unit-title")).to_contain_text("Riders")
    shot(phone, "board-phone-unit")
    phone.locator(".l-over a[data-hex=M9]").click()
    expect(phone.locator("#go")).to_contain_text("Charge the Levy")
    shot(phone, "board-phone-target")
    assert errors == []
