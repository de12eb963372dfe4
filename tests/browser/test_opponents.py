"""The engine at the head of a side, in a real browser: the GM sets it, reads why, gives it, and leaves it to it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from battles.models import ENGINE, Battle, BattleRecord
from rules.pathfinder.battle.orders.commands import Next, Resolve
from tests.battles.conftest import open_ford
from tests.browser.conftest import play
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.everyday import FULL, everyday
from tests.worlds import built_once


@built_once
def fought(table) -> Battle:
    """The first melee phase, nobody has ordered anything."""
    battle = open_ford(table)
    play(table, battle, Next(), Resolve(), Resolve())
    battle.refresh_from_db()
    return battle


@pytest.mark.parametrize("viewport, dark", everyday([(PHONE, True), (LAPTOP, False)], first=1), ids=["phone", "laptop"])
def test_the_gm_lets_the_engine_command_the_horde(
    table, fought, open_page, sign_in, accessibility, shoot, viewport, dark
):
    page = open_page(viewport=viewport, dark=dark)
    heard = heard_by(page)
    sign_in(page, table.gm)
    page.goto(f"/battles/{fought.pk}/?rail=tools&army={table.raiders.pk}")
    page.locator("#do-heads > summary").click()
    page.locator("#leaning-1").select_option("cautious")
    page.locator("#left-1").check()
    page.locator("#do-heads").evaluate("fold => fold.scrollIntoView({block: 'center'})")
    if FULL:
        assert accessibility(page, both=True) == []
    page.locator("#head-1 button").click()
    expect(page.get_by_text("The computer commands Horde.").first).to_be_visible()
    expect(page.locator("#do-heads > summary")).to_be_focused()
    expect(page.locator("#counsel-1 dd")).not_to_be_empty()  # in a test the request weighs it
    page.locator("#do-heads").evaluate("fold => fold.scrollIntoView({block: 'center'})")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    page.locator("#give-counsel-1").click()
    expect(page.get_by_text("1 army has its orders.").first).to_be_visible()
    expect(page.locator("#counsel-1")).to_contain_text("All armies of this side have orders.")
    assert BattleRecord.objects.filter(command__has_key=ENGINE).count() == 1
    assert heard == []
    shoot(page, f"opponents-{'phone' if viewport == PHONE else 'laptop'}")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#counsel-1 dd")).not_to_be_empty()  # in a test the request weighs it
    shoot(page, f"opponents-counsel-{'phone' if viewport == PHONE else 'laptop'}")
    page.locator("#go").click()
    expect(page.get_by_role("button", name="Undo Melee 1")).to_be_visible()
    why = page.locator("#log-box details[id^=line-]", has_text="The computer gives orders to Raiders.")
    why.locator("summary").click()
    expect(why.locator(".sums")).to_contain_text("at worst")
    shoot(page, f"opponents-log-{'phone' if viewport == PHONE else 'laptop'}")


def test_the_page_of_its_own_gives_what_it_proposes(table, fought, open_page, sign_in, shoot):
    page = open_page()
    heard = heard_by(page)
    sign_in(page, table.gm)
    page.goto(f"/battles/{fought.pk}/opponents/")
    page.locator("form.head").nth(1).locator("select").select_option("bold")
    page.locator("form.head").nth(1).get_by_role("checkbox").check()
    page.locator("form.head").nth(1).get_by_role("button").click()
    expect(page.locator("#counsel-1 dd")).not_to_be_empty()  # in a test the request weighs it
    shoot(page, "opponents-page")
    page.locator("#give-counsel-1").click()
    expect(page.get_by_text("1 army has its orders.").first).to_be_visible()
    assert f"/battles/{fought.pk}/#orders-" in page.url
    assert heard == []
