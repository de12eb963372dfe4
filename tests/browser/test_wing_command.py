"""Wing command in a browser: commanded and fought on the board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from tests.battles.conftest import Client
from tests.browsing import PHONE
from tests.rulesets.wing_command import hosts
from tests.worlds import built_once


@built_once
def table(transactional_db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def begun(table) -> Battle:
    return hosts.begun(table)


@pytest.fixture
def shown(open_page, sign_in) -> Any:
    """Opens the battle's page as somebody, and holds that no script fails there."""
    faults: list[str] = []

    def opened_by(user: Any, battle: Battle, query: str = "", **more: Any) -> Page:
        page = open_page(**more)
        page.on("pageerror", lambda error: faults.append(str(error)))
        sign_in(page, user)
        page.goto(f"/battles/{battle.pk}/{query}")
        return page

    yield opened_by
    assert faults == []


def short(battle: Battle, name: str) -> str:
    return hosts.unit(battle, name).rpartition(":")[2]


def test_look(server, shown, table, begun, shoot):
    page = shown(table.ana, begun)
    shoot(page, "wc-command")
    page.locator(f".unit-rows a[href$='unit={short(begun, 'Chief C1')}']").click()
    expect(page.locator("#unit-title")).to_contain_text("Chief C1")
    shoot(page, "wc-command-chief")
    page.locator(".acts a[href*='pick=distribute']").click()
    expect(page.locator("#go")).to_be_enabled()
    shoot(page, "wc-distribute-ready")
    page.locator("#go").click()
    expect(page.locator(".must")).to_be_visible()
    shoot(page, "wc-distribute")
    page.locator(".l-over a.target").first.click()
    expect(page.locator(".price-rows .chosen")).to_be_visible()
    shoot(page, "wc-order-picked")
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(begun.version + 2))
    page.locator(
        f".unit-rows a[href$='unit={short(begun, 'Mirel')}'], .l-tokens a[href$='unit={short(begun, 'Mirel')}']"
    ).first.click()
    shoot(page, "wc-order-given")
    page.goto(f"/battles/{begun.pk}/")
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(begun.version + 3))
    page.locator(f".unit-rows a[href$='unit={short(begun, 'Mirel')}']").click()
    expect(page.locator("#unit-title")).to_contain_text("Mirel")
    shoot(page, "wc-mage")
    gm = Client(table.gm, begun)
    gm.ok(type="pass", side=0)
    gm.ok(type="pass", side=1)
    page.goto(f"/battles/{begun.pk}/")
    shoot(page, "wc-take-wing")
    page.locator(f".l-tokens a[href$='unit={short(begun, 'Riders 1')}']").click()
    shoot(page, "wc-take-wing-picked")
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(begun.version + 6))
    shoot(page, "wc-unit")
    page.locator(".l-choices a.go").nth(8).click()
    page.wait_for_timeout(300)
    shoot(page, "wc-way")
    foe = hosts.unit(begun, "Riders")
    gm.ok(type="override", what=foe, field="at", value="K8", reason="for a look")
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Riders 1')}")
    shoot(page, "wc-reach-foe")
    page.locator(".l-over a.target").first.click()
    page.wait_for_timeout(300)
    shoot(page, "wc-target")
    phone = shown(table.ana, begun, f"?unit={short(begun, 'Riders 1')}", viewport=PHONE)
    shoot(phone, "wc-phone")
    phone.locator(".l-over a.target").first.click()
    phone.wait_for_timeout(300)
    shoot(phone, "wc-phone-target")
