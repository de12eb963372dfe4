"""Result of a battle of wing command in a browser: who won, what decided it, losses, leaders, and what comes next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from battles.models import Battle
from tests.battles.wing_command.conftest import build_hosts, build_over
from tests.browsing import PHONE, overflow
from tests.worlds import built_once


@built_once
def field(transactional_db) -> SimpleNamespace:
    return build_hosts()


@built_once
def ended(field) -> Battle:
    return build_over(field)


@pytest.fixture
def shown(open_page, sign_in) -> Any:
    def opened_by(user: Any, battle: Battle, **more: Any) -> Any:
        page = open_page(**more)
        sign_in(page, user)
        page.goto(f"/battles/{battle.pk}/")
        return page

    return opened_by


def test_a_player_reads_that_they_won(server, shown, field, ended, shoot, accessibility):
    page = shown(field.ana, ended)
    shoot(page, "wc-result-won")
    expect(page.locator("#result-title")).to_have_text("You won the battle.")
    expect(page.locator("#go, .board-foot .primary")).to_have_count(1)
    assert overflow(page) == 0
    assert accessibility(page, both=True) == []


def test_whoever_lost_reads_it_on_a_phone_in_french_in_the_dark(server, shown, field, ended, shoot, accessibility):
    page = shown(field.bo, ended, viewport=PHONE, language="fr", dark=True)
    expect(page.locator("#result-title")).to_have_text("Vous avez perdu la bataille.")
    expect(page.locator(".moment-line a")).to_be_visible()
    shoot(page, "wc-result-lost-phone")
    assert overflow(page) == 0
    assert accessibility(page) == []
    page.locator(".moment-line a").click()
    page.wait_for_url("**/replay/?play&step=*")


def test_the_gm_goes_on_to_the_aftermath_and_back(server, shown, field, ended, shoot):
    page = shown(field.gm, ended)
    expect(page.locator("#result-title")).to_contain_text("wins the battle.")
    shoot(page, "wc-result-gm")
    page.get_by_role("link", name="Settle the aftermath").last.click()
    page.wait_for_url("**/aftermath/")
    page.go_back()
    expect(page.locator(".leader-fates li").first).to_be_visible()
