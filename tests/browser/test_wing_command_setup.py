"""Setup of wing command in a browser: opened from the form, lined up in a tap, placed by thumb, orders on the trays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from tests.battles.conftest import Client
from tests.battles.wing_command.conftest import build_hosts, open_ford, sides_of
from tests.browsing import PHONE, overflow
from tests.worlds import built_once

THUMB = 44  # pixels
TALL = {"width": 1280, "height": 1200}  # nothing of the column lies under the foot


@built_once
def field(transactional_db) -> SimpleNamespace:
    return build_hosts()


@built_once
def fresh(field) -> Battle:
    return open_ford(field)


@pytest.fixture
def shown(open_page, sign_in) -> Any:
    """Opens the battle's page as somebody, and holds that no script fails there."""
    faults: list[str] = []

    def opened_by(user: Any, address: str, **more: Any) -> Page:
        page = open_page(**more)
        page.on("pageerror", lambda error: faults.append(str(error)))
        sign_in(page, user)
        page.goto(address)
        return page

    yield opened_by
    assert faults == []


def lined_up(field: Any, battle: Battle, side: int) -> None:
    Client(field.gm, battle).ok(type="line_up", wings=sides_of(field)[side]["armies"])


def test_the_opening_form_asks_for_leaders_map_and_rules(server, shown, field, shoot, accessibility):
    page = shown(field.gm, f"/c/{field.campaign.pk}/battles/new/")
    page.get_by_label("Name of the battle").fill("The ford at Tuskwater")
    for side, name in ((0, "one"), (1, "two")):
        for army in sides_of(field)[side]["armies"]:
            expect(page.locator(f'#side-{side} [name="armies-{name}"][value="{army}"]')).to_have_count(1)
    page.locator('[name="leader-one"]').select_option(sides_of(field)[0]["armies"][1])
    page.locator('[name="map-how"][value="the-ford"]').check()
    page.locator('[name="turn_limit"]').fill("9")
    assert accessibility(page, both=True) == []
    shoot(page, "wing-opening")
    page.locator("#open-battle").click()
    expect(page.get_by_role("heading", name="The ford at Tuskwater")).to_be_visible()
    page.goto(f"/c/{field.campaign.pk}/battles/new/")


def test_the_gm_lines_everybody_up_and_begins(server, shown, field, fresh, shoot, accessibility):
    page = shown(field.gm, f"/battles/{fresh.pk}/")
    expect(page.locator(".tray-wing")).to_have_count(6)
    shoot(page, "wing-setup-gm")
    page.locator("#line-up").click()
    expect(page.locator(".tray-wing .left.good")).to_have_count(6)
    expect(page.locator("#line-up")).to_have_count(0)
    assert accessibility(page, both=True) == []
    shoot(page, "wing-setup-gm-placed")
    page.get_by_role("button", name="Begin the battle").click()
    expect(page.locator(".wings-strip")).to_be_visible()


def test_a_player_chooses_orders_and_places_one_by_one(server, shown, field, fresh, shoot, accessibility):
    lined_up(field, fresh, 1)
    page = shown(field.ana, f"/battles/{fresh.pk}/", viewport=TALL)
    expect(page.locator(".tray-wing")).to_have_count(3)
    tray = page.locator(".tray-wing").first
    tray.get_by_role("button", name="Hold fast").click()
    expect(tray.get_by_role("button", name="Hold fast")).to_have_attribute("aria-pressed", "true")
    page.locator('.l-choices a.place[href$="to=H13"]').click()
    expect(page.locator(".l-tokens .tok[data-hex=H13]")).to_have_count(1)
    expect(page.locator(".l-tokens .tok")).to_have_count(1)
    assert accessibility(page, both=True) == []
    shoot(page, "wing-setup-player")
    page.locator("#line-up").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    expect(page.get_by_role("button", name="Place units again")).to_be_visible()
    shoot(page, "wing-setup-ready")


def test_setup_on_a_phone_in_french(server, shown, field, fresh, shoot, accessibility):
    page = shown(field.ana, f"/battles/{fresh.pk}/", viewport=PHONE, language="fr")
    expect(page.locator(".tray-wing")).to_have_count(3)
    assert overflow(page) == 0
    shoot(page, "wing-setup-phone")
    for name in ("#line-up", ".order-pick button", ".counters a"):
        box = page.locator(name).first.bounding_box()
        assert box is not None
        assert min(box["height"], box["width"]) >= THUMB - 1, name
    page.locator('.l-choices a.place[href$="to=H13"]').dispatch_event("click")
    expect(page.locator(".l-tokens .tok[data-hex=H13]")).to_have_count(1)
    page.locator("#line-up").click()
    expect(page.locator(".tray-wing .left.good")).to_have_count(3)
    page.locator(".tray-wing").first.get_by_role("button", name="Tenir").click()
    expect(page.locator('.tray-wing [aria-pressed="true"]').first).to_have_text("Tenir")
    page.locator(".tray-wing").first.evaluate("tray => tray.scrollIntoView()")  # nothing lies half under the foot
    assert accessibility(page, both=True) == []
    shoot(page, "wing-setup-phone-placed")
    page.locator("#go").click()
    expect(page.locator(".order-pick")).to_have_count(0)
