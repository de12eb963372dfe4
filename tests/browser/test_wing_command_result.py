"""Result of a battle of wing command in a browser: who won, what decided it, losses, leaders, and what comes next."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from battles.models import Battle
from tests.battles.wing_command.conftest import build_hosts, fight_out
from tests.browsing import overflow
from tests.worlds import built_once


@built_once
def field(transactional_db) -> SimpleNamespace:
    return build_hosts()


@built_once
def ended(field) -> Battle:
    return fight_out(field)


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
