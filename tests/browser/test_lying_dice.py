"""The aftermath's dice in a real browser: taken back they lie, thrown again they fall anew and the log tells."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from battles.aftermath.services import confirm_aftermath
from battles.models import Battle
from battles.play.services import undo
from rules.core.dice import TypedDie
from rules.pathfinder.battle.orders.commands import End, Next, Override, Resolve
from tests.battles.conftest import open_ford
from tests.browser.conftest import play
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import everyday
from tests.kingdom.conftest import client_of
from tests.worlds import built_once


@built_once
def taken_back(table) -> Battle:
    """Gruk was killed by a typed 15; the aftermath is undone."""
    battle = open_ford(table)
    raiders = str(table.raiders.pk)
    beaten = Override(raiders, "status", "defeated", "For the test")
    play(table, battle, Next(), Resolve(), Resolve(), beaten, End("They drowned", 0))
    typed = [TypedDie(raiders, "commander-fate", (15,))]
    for change, given in ((confirm_aftermath, {"typed": typed}), (undo, {})):
        version = Battle.objects.get(pk=battle.pk).version
        change(by=table.gm, battle_id=battle.pk, version=version, **given)
    return battle


@pytest.mark.parametrize("viewport, dark", everyday([(PHONE, True), (LAPTOP, False)], first=1), ids=["phone", "laptop"])
def test_the_dice_lie_until_they_are_thrown_again(table, taken_back, open_page, sign_in, accessibility, viewport, dark):
    """R-69."""
    page = open_page(viewport=viewport, dark=dark)
    sign_in(page, table.gm)
    page.goto(f"/battles/{taken_back.pk}/aftermath/")
    expect(page.locator("#lying")).to_be_visible()
    expect(page.locator("#type-dice")).to_have_count(0)
    expect(page.get_by_text("Gruk is killed.").first).to_be_visible()
    assert overflow(page) <= 0
    assert accessibility(page) == []
    page.locator("#throw-again").click()
    expect(page.locator("#lying")).to_have_count(0)
    expect(page.locator("#type-dice")).to_be_visible()
    told = client_of(table.gm).get(f"/battles/{taken_back.pk}/").content.decode()
    assert "The dice of the aftermath are rolled again. These are the earlier ones." in told
