"""A page of the browser that another test has used is as empty as a new one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from tests.browsing import end_browsers

WATCHES = "[window.mine, typeof window.told, localStorage.theme, sessionStorage.dice]"


def test_nothing_of_one_test_is_left_in_the_page_of_the_next(profiles, server):
    kind, page = profiles.take(server.url, locale="en", timezone_id="Asia/Tokyo")
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.add_init_script("window.mine = 1")
    page.expose_function("told", lambda: None)
    page.route("**/probe/", lambda route: route.fulfill(body="played"))
    page.goto("/credits/")
    page.evaluate("localStorage.theme = 'dark'; sessionStorage.dice = 14; document.cookie = 'seen=yes'; console.log(1)")
    assert page.evaluate(WATCHES) == [1, "function", "dark", "14"]
    assert heard.count("1") == 1
    profiles.give_back(kind, page)

    kind, again = profiles.take(server.url, locale="en", timezone_id="Asia/Tokyo")
    assert again is page
    again.goto("/credits/")
    again.evaluate("console.log(1)")
    assert again.evaluate(WATCHES) == [None, "undefined", None, None]
    assert "seen" not in again.evaluate("document.cookie")
    assert heard.count("1") == 1
    assert again.goto("/probe/").status == 404
    profiles.give_back(kind, again)


def test_a_page_that_spoke_past_the_pages_is_not_used_again(profiles, server):
    kind, page = profiles.take(server.url, locale="en", timezone_id="Asia/Tokyo")
    page.context.new_cdp_session(page)
    profiles.give_back(kind, page)
    assert page.is_closed()


def test_another_browser_takes_the_place_of_one_that_was_ended(profiles, server):
    kind, page = profiles.take(server.url, locale="en")
    end_browsers()
    with pytest.raises(Error, match="closed"):
        page.evaluate("new Promise(() => {})")
    profiles.give_back(kind, page)

    kind, other = profiles.take(server.url, locale="en")
    assert other.goto("/healthz/").status == 200
    profiles.give_back(kind, other)


def test_a_page_without_scripts_is_used_again(profiles, server):
    """Nothing is asked of it that only a script could answer: the one who asks would wait for ever."""
    kind, page = profiles.take(server.url, java_script_enabled=False, timezone_id="Asia/Tokyo")
    page.goto("/healthz/")
    profiles.give_back(kind, page)
    assert profiles.take(server.url, java_script_enabled=False, timezone_id="Asia/Tokyo") == (kind, page)
    profiles.give_back(kind, page)
