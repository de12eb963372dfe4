"""All tabs of a browser share one line to the server: over plain HTTP/1.1 it has six, and pages need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from config.postgres import base
from config.postgres.base import Pulse
from config.web.server import ENDLESS
from kingdom.members.services import remove_member
from kingdom.realms.services import update_kingdom
from rules.pathfinder.battle.orders.commands import Resolve
from tests.battles.conftest import cut_the_hub_off
from tests.browser.conftest import play
from tests.browsing import Server, await_script, following
from tests.config.web.wire import eventually

BATTLES = 4


@pytest.fixture
def tabs(page, sign_in, running, table) -> Iterator[list[Page]]:
    """Eight tabs of the GM's browser: a battle four times, and four pages of its campaign."""
    sign_in(page, table.gm)
    campaign = f"/c/{table.campaign.pk}/"
    paths = [f"/battles/{running.pk}/"] * BATTLES
    paths += [campaign, f"{campaign}chronicle/", f"/kingdoms/{table.crown.pk}/", f"/armies/{table.watch.pk}/"]
    with ExitStack() as stack:
        opened = [page, *(page.context.new_page() for _ in paths[1:])]
        for other in opened[1:]:
            stack.callback(other.close)
        for tab, path in zip(opened, paths, strict=True):
            tab.goto(path)
        for tab in opened:
            following(tab)
        yield opened


def streams(server: Server) -> int:
    running = (one.running for one in server.uvicorn.server_state.connections)
    return sum(
        bool(cycle.scope.get("state", {}).get(ENDLESS)) and not (cycle.response_complete or cycle.disconnected)
        for cycle in running
        if cycle
    )


def see_changes(tabs: list[Page], table, battle: Battle, name: str) -> None:
    """A phase and a name: each tab shows what concerns it."""
    play(table, battle, Resolve())
    update_kingdom(by=table.gm, kingdom=table.crown, name=name)
    version = Battle.objects.get(pk=battle.pk).version
    for tab in tabs:
        if "/battles/" in tab.url:
            expect(tab.locator(f"[data-version='{version}']").first).to_be_visible()
        else:
            expect(tab.locator("main")).to_contain_text(name)


def test_eight_tabs_share_one_line_are_told_when_it_is_lost_and_each_follows_whichever_is_closed(
    tabs, server, table, running, monkeypatch
):
    assert eventually(lambda: streams(server) == 1)
    verdict = Pulse(lambda: None)
    monkeypatch.setattr(base, "_pulse", verdict)
    verdict.away = True
    cut_the_hub_off()
    for tab in tabs:
        expect(tab.locator("#connection-lost")).to_be_visible()
    verdict.away = False
    for tab in tabs:
        expect(tab.locator("#connection-lost")).to_be_hidden()
    see_changes(tabs, table, running, "Crown of Restov")
    assert eventually(lambda: streams(server) == 1)
    tabs[-1].close()
    tabs[0].goto("/credits/")  # follows nothing any more
    see_changes(tabs[1:-1], table, running, "Crown of Pitax")
    assert streams(server) == 1


def test_a_tab_that_may_follow_no_more_is_told_so_and_the_others_go_on(page, sign_in, running, table):
    sign_in(page, table.ana)
    page.goto(f"/battles/{running.pk}/")
    other = page.context.new_page()
    other.goto(f"/kingdoms/{table.crown.pk}/")
    for tab in (page, other):
        following(tab)
    remove_member(by=table.gm, campaign=table.campaign, user=table.ana)
    expect(page.locator("#messages")).to_contain_text("no longer exists")
    await_script(page, "live.source === null", patience=30)  # it asked once more
    page.wait_for_timeout(500)
    expect(page.locator("#connection-lost")).to_be_hidden()
    other.close()


def test_a_page_without_shared_workers_has_its_own_line(page, sign_in, running, table):
    page.add_init_script("window.SharedWorker = class { constructor() { throw new DOMException('refused'); } }")
    sign_in(page, table.gm)
    with page.expect_response(re.compile(f"/live/battle/{running.pk}/")):
        page.goto(f"/battles/{running.pk}/")
    following(page)
    see_changes([page], table, running, "Crown of Restov")
