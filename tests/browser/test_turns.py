"""A turn is handed over between two browsers: page, title and badge say whose it is, and notices call."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from battles.opponents.services import play_turn, set_head
from kingdom.accounts.services import choose_settings
from tests.battles.frame.conftest import opened
from tests.browser.test_call import LISTENING, away, heard
from tests.browsing import following
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.worlds import built_once


@built_once
def table(transactional_db) -> Any:
    return table_of(road)


@built_once
def running(table) -> Battle:
    found = opened(table).battle
    assert found
    return found


@pytest.fixture
def reading(running, open_page, sign_in):
    def opening(user: Any) -> Page:
        choose_settings(by=user, sound=True, notices=True)
        page = open_page()
        page.add_init_script(LISTENING)
        sign_in(page, user)
        page.goto(f"/battles/{running.pk}/")
        following(page)
        page.locator("h1").click()
        return page

    return opening


def called(page: Page) -> None:
    expect(page.locator("#turn-title")).to_contain_text("Your turn")
    expect(page.locator("#battles-wait")).to_contain_text("1")
    expect(page.locator("#call")).to_have_attribute("data-turn", "")


def waits(page: Page) -> None:
    expect(page.locator("#turn-title")).to_contain_text("Waiting")
    expect(page.locator("#battles-wait")).to_be_empty()
    expect(page.locator("#call")).not_to_have_attribute("data-turn", "")


def test_a_turn_is_handed_over_between_two_browsers(table, running, reading):
    ana, bo = reading(table.ana), reading(table.bo)
    called(ana)
    waits(bo)
    assert ana.title().startswith("Your turn · The ford")
    assert bo.title().startswith("The ford")
    away(bo, True)
    ana.get_by_role("link", name="Ironwatch, line").click()
    ana.get_by_role("button", name="to place 5").click()
    waits(ana)
    called(bo)
    expect(bo).to_have_title("● Your turn · Ironwatch, line has moved · The ford · Warhost")
    assert heard(bo) == (2, [["The ford", "It is your turn."]])
    expect(ana).to_have_title("Ironwatch, line has moved · The ford · Warhost")
    assert heard(ana)[1] == []
    ana.get_by_role("button", name="Undo the move").click()
    called(ana)
    waits(bo)


def test_the_gm_pauses_the_engine_and_it_plays_once_it_may_go_on(table, running, reading):
    set_head(by=table.gm, battle_id=running.pk, side=1, leaning="balanced", left=True)
    gm, ana = reading(table.gm), reading(table.ana)
    gm.locator("#engine-pause").click()
    expect(gm.locator("#engine")).to_contain_text("Paused.")
    ana.get_by_role("link", name="Ironwatch, scouts").click()
    ana.get_by_role("button", name="to place 2").click()
    waits(ana)
    assert not play_turn(running.pk)
    gm.locator("#engine-pause").click()
    expect(gm.locator("#engine")).not_to_contain_text("Paused.")
    assert play_turn(running.pk)
    called(ana)
    expect(gm.locator("#undo")).to_contain_text("Undo the computer’s turn")
