"""A battle's page left open while its reader's right to it ends or shrinks."""

from __future__ import annotations

import re
from dataclasses import replace
from time import monotonic, sleep

import pytest
from django.db import connection
from playwright.sync_api import expect

from battles.models import Battle
from config.ops import infrastructure_errors
from config.postgres import base
from config.postgres.base import Pulse
from kingdom.live import stream
from kingdom.members.services import remove_member, set_role
from rules.pathfinder.battle.orders.commands import Resolve
from tests.battles.conftest import cut_the_hub_off
from tests.browser.conftest import play
from tests.browser.haste import HASTE
from tests.browsing import OWN_LINE, following
from tests.kingdom.conftest import make_user, seat


def watching(page, sign_in, user, battle):
    """The battle's page of this user, with its stream standing."""
    sign_in(page, user)
    page.goto(f"/battles/{battle.pk}/")
    following(page)


def test_a_removed_member_s_page_says_so_and_calls_no_more(page, sign_in, running, table, monkeypatch):
    say = stream._say
    monkeypatch.setattr(stream, "HEARTBEAT", 0.2)
    monkeypatch.setattr(stream, "_say", lambda send, text: say(send, text.replace("retry: 2000", "retry: 200")))
    page.add_init_script(HASTE)
    page.add_init_script(OWN_LINE)
    watching(page, sign_in, table.ana, running)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url) if "/live/" in request.url else None)
    with page.expect_response(re.compile("/live/")) as refused:  # the browser asks once more by itself
        remove_member(by=table.gm, campaign=table.campaign, user=table.ana)
    assert refused.value.status == 404
    expect(page.locator("#messages")).to_contain_text("no longer exists")
    page.wait_for_timeout(500)  # five times what its script waits before it would call again
    assert len(calls) == 1
    expect(page.locator("#connection-lost")).to_be_hidden()


def test_a_gm_who_is_one_no_more_loses_the_gm_s_forms_at_once(page, sign_in, running, table):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    watching(page, sign_in, second, running)
    resolve = page.locator("form[action*=resolve] button, button:has-text('Resolve')").first
    expect(resolve).to_be_visible()
    set_role(by=table.gm, campaign=table.campaign, user=second, role="viewer")
    expect(resolve).to_be_hidden()


def test_a_page_says_that_the_server_lost_its_database_and_catches_up(page, sign_in, running, table, monkeypatch):
    """What is sent while it is away is answered on the page."""
    verdict = Pulse(lambda: None)
    watching(page, sign_in, table.gm, running)
    monkeypatch.setattr(base, "_pulse", verdict)
    connection.ensure_connection()
    verdict.away = True
    cut_the_hub_off()
    expect(page.locator("#connection-lost")).to_be_visible()
    resolve = page.locator("form[action*=resolve] button, button:has-text('Resolve')").first
    resolve.click()
    expect(page.locator("#messages")).to_contain_text("Nothing was saved.")
    expect(page.locator("#battle")).to_be_visible()
    play(table, running, Resolve())
    verdict.away = False
    expect(page.locator("#connection-lost")).to_be_hidden()
    caught_up = Battle.objects.get(pk=running.pk).version
    expect(page.locator(f"[data-version='{caught_up}']").first).to_be_visible()
    resolve.click()
    expect(page.locator("#messages [data-trouble]")).to_have_count(0)
    expect(page.locator(f"[data-version='{caught_up}']")).to_have_count(0)


def test_a_refresh_that_is_turned_away_comes_again_after_a_pause(page, sign_in, running, table):
    asked: list[float] = []

    def busy(route):
        if "hx-request" not in route.request.headers:
            return route.continue_()
        asked.append(monotonic())
        if len(asked) > 1:
            return route.continue_()
        headers = {"HX-Retarget": "#messages", "HX-Reswap": "innerHTML", "Retry-After": "1"}
        return route.fulfill(status=503, headers=headers, body="<p data-trouble>Server overloaded</p>")

    watching(page, sign_in, table.viewer, running)
    page.route(re.compile(f"/battles/{running.pk}/"), busy)
    play(table, running, Resolve())
    expect(page.locator("#messages")).to_contain_text("Server overloaded")
    version = Battle.objects.get(pk=running.pk).version
    expect(page.locator(f"[data-version='{version}']").first).to_be_visible()
    assert asked[1] - asked[0] > 2
    expect(page.locator("#messages")).not_to_contain_text("Server overloaded")


def test_a_page_of_a_database_that_is_away_comes_back_by_itself(page, sign_in, table, monkeypatch):
    verdict = Pulse(lambda: None)
    sign_in(page, table.gm)
    monkeypatch.setattr(base, "_pulse", verdict)
    monkeypatch.setattr(infrastructure_errors, "AWAY", replace(infrastructure_errors.AWAY, wait=1))
    verdict.away = True
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Database unavailable")
    verdict.away = False
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Database unavailable")


@pytest.mark.parametrize("cut", [False, True], ids=["told", "line cut"])
def test_news_that_come_while_a_refresh_is_under_way_are_not_lost(page, sign_in, running, table, cut):
    watching(page, sign_in, table.viewer, running)
    held = []

    def hold(route):
        """The first refresh is answered before the second change, and arrives after its news."""
        if held or "hx-request" not in route.request.headers:
            return route.continue_()
        held.append(route.fetch())
        if cut:  # what is told when it stands again names no version
            cut_the_hub_off()
        play(table, running, Resolve())
        sleep(1 if cut else 0.5)
        return route.fulfill(response=held[0])

    page.route(re.compile(f"/battles/{running.pk}/"), hold)
    play(table, running, Resolve())
    expect(page.locator(".phases [aria-current='step']")).to_contain_text("3")
    assert held
