"""A battle calls its reader: title, sound, notification; only where they want it and never for what they did
themselves.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kingdom.accounts.services import choose_settings
from kingdom.models import User
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.browser.conftest import play
from tests.browsing import following

LISTENING = """
    window.heard = { notes: 0, notices: [] };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.heard.notes += 1; return start.apply(this, when); };
    window.Notification = class {
        static permission = "granted";
        static requestPermission() { return Promise.resolve("granted"); }
        constructor(title, { body }) { window.heard.notices.push([title, body]); }
    };
    window.away = false;
    Object.defineProperty(document, "hidden", { get: () => window.away });
"""


@pytest.fixture
def reading(table, running, open_page, sign_in):
    """Opens the battle for a player who wants everything, with its calls written down."""

    def opening(user, page: Page | None = None, **settings) -> Page:
        choose_settings(by=user, **settings)
        if page is None:
            page = open_page()
            page.add_init_script(LISTENING)
            sign_in(page, user)
        page.goto(f"/battles/{running.pk}/")
        following(page)
        page.locator("h1").click()  # a page sounds once it was touched
        return page

    return opening


def heard(page: Page) -> tuple[int, list[list[str]]]:
    found = page.evaluate("window.heard")
    return found["notes"], found["notices"]


def stage(page: Page, name: str) -> None:
    expect(page.locator(".phases [aria-current='step']")).to_contain_text(name)


def away(page: Page, gone: bool) -> None:
    page.evaluate("gone => { window.away = gone; document.dispatchEvent(new Event('visibilitychange')); }", gone)


def test_a_resolved_phase_marks_the_title_while_the_page_is_away_and_sounds_and_notifies_where_it_was_asked_to(
    table, running, reading
):
    """Nothing but the title calls whoever asked for nothing."""
    page = reading(table.ana)
    away(page, True)
    play(table, running, Resolve())
    stage(page, "2")
    assert page.title().startswith("● ")
    assert heard(page) == (0, [])

    page = reading(table.ana, page, sound=True, notices=True)
    play(table, running, Resolve())
    stage(page, "3")
    assert heard(page) == (2, []) or heard(page) == (1, [])
    assert not page.title().startswith("●")
    away(page, True)
    play(table, running, Resolve())
    stage(page, "4")
    assert page.title().startswith("● ")
    ((title, body),) = heard(page)[1]
    assert (title, bool(body)) == ("The ford", True)
    away(page, False)
    assert not page.title().startswith("●")


def test_the_gm_is_called_when_the_last_order_is_in_and_not_for_what_he_does_himself(table, running, reading):
    page = reading(table.gm, sound=True, notices=True)
    away(page, True)
    play(table, running, GiveOrder(Order(str(table.watch.pk))))
    expect(page.get_by_text("1 of 2 orders in")).to_be_visible()
    assert heard(page) == (0, [])
    play(table, running, GiveOrder(Order(str(table.raiders.pk))))
    expect(page.locator("#call")).to_have_attribute("data-turn", "")
    once = (2, [["The ford", "It is your turn."]])
    assert heard(page) == once
    page.locator("#go").click()
    stage(page, "2")
    assert heard(page) == once


def test_the_settings_try_the_sound_and_say_what_the_device_will_do_or_why_it_will_not(table, open_page, sign_in):
    page = open_page()
    page.add_init_script(LISTENING + "Notification.permission = 'default';")
    sign_in(page, table.ana)
    page.goto("/account/")
    expect(page.locator("#notices-said")).to_have_text("")
    page.get_by_label("Play a sound in battles").check()
    assert heard(page)[0] == 2
    page.get_by_label("Also send a notification").check()
    expect(page.locator("#notices-said")).to_contain_text("are not allowed on this device yet")
    page.evaluate("Notification.requestPermission = async () => { Notification.permission = 'denied'; }")
    page.locator("#notices-ask").click()
    expect(page.locator("#notices-said")).to_contain_text("blocks notifications")
    expect(page.locator("#notices-ask")).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Also send a notification")).to_be_checked()
    table.ana.refresh_from_db()
    assert (table.ana.sound, table.ana.notices) == (True, True)
    choose_settings(by=table.ana, notices=False)
    take_https_away(page)
    page.goto("/account/")
    page.get_by_label("Also send a notification").check()
    expect(page.locator("#notices-said")).to_contain_text("opened over https")


def take_https_away(page: Page) -> None:
    """And with it what notifies."""
    page.add_init_script(
        "delete window.Notification; Object.defineProperty(window, 'isSecureContext', { get: () => false });"
    )


def test_what_waits_marks_the_icon_and_the_app_and_the_offer_asks_the_device(table, running, open_page, sign_in):
    """The number of the installed app is that of the tabs; an answer is kept, and the offer is gone."""
    page = open_page()
    page.add_init_script(
        LISTENING
        + """
        Notification.permission = "default";
        Notification.requestPermission = async () => { Notification.permission = "granted"; };
        navigator.setAppBadge = async (number) => { window.badge = number; };
        navigator.clearAppBadge = async () => { window.badge = 0; };
        """
    )
    User.objects.filter(pk=table.ana.pk).update(call_offered=False)
    sign_in(page, table.ana)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    assert page.evaluate("window.badge") == 1, "their orders in this battle"
    assert "waits" in page.locator("link[rel=icon]").get_attribute("href")
    page.evaluate("document.querySelectorAll('.places .count').forEach((count) => { count.textContent = ''; })")
    page.wait_for_function("window.badge === 0")
    assert "waits" not in page.locator("link[rel=icon]").get_attribute("href")
    page.evaluate("document.querySelector('#battles-wait').textContent = '41'")
    page.wait_for_function("window.badge === 41")
    assert "waits" in page.locator("link[rel=icon]").get_attribute("href")
    page.get_by_role("button", name="Sound and notification").click()
    expect(page.locator("#call-offer")).to_have_count(0)
    table.ana.refresh_from_db()
    assert (table.ana.sound, table.ana.notices, table.ana.call_offered) == (True, True, True)
