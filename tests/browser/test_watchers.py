"""A battle's page left open while its reader's right to it ends or shrinks."""

from __future__ import annotations

from playwright.sync_api import expect

from battles import live
from kingdom import services as kingdoms
from tests.kingdom.conftest import make_user, seat


def watching(page, sign_in, user, battle):
    """The battle's page of this user, with its stream standing."""
    sign_in(page, user)
    with page.expect_response("**/live/**"):
        page.goto(f"/battles/{battle.pk}/")
    page.wait_for_timeout(300)


def test_a_removed_member_s_page_says_so_and_calls_no_more(page, sign_in, running, table, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT", 0.2)
    watching(page, sign_in, table.ana, running)
    calls: list[str] = []
    page.on("request", lambda request: calls.append(request.url) if "/live/" in request.url else None)
    kingdoms.remove_member(by=table.gm, campaign=table.campaign, user=table.ana)
    expect(page.locator("#messages")).to_contain_text("not here any more")
    page.wait_for_timeout(5_000)  # the browser asks once more by itself, is refused, and that is that
    assert len(calls) == 1
    expect(page.locator("#connection-lost")).to_be_hidden()


def test_a_gm_who_is_one_no_more_loses_the_gm_s_forms_at_once(page, sign_in, running, table):
    second = seat(table.gm, table.campaign, make_user("second"), "gm")
    watching(page, sign_in, second, running)
    resolve = page.locator("form[action*=resolve] button, button:has-text('Resolve')").first
    expect(resolve).to_be_visible()
    kingdoms.set_role(by=table.gm, campaign=table.campaign, user=second, role="viewer")
    expect(resolve).to_be_hidden()
