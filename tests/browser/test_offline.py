"""Without a line: the last seen sheets, marked as old; nobody else's, and none after the sign-out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armies.models import Army
from battles.models import Battle
from battles.play import services as play_services
from kingdom.sharing.services import create_share
from rules.pathfinder.battle.orders.commands import Resolve
from tests.browser.haste import HASTE
from tests.browsing import PATIENCE, PHONE, Chromium, following, overflow

CACHED = """async () => {
  const found = [];
  for (const name of await caches.keys()) if (name.startsWith("sheets:"))
    for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
  return found;
}"""


def until(page: Page, holds: Callable[[], bool], tries: int = 100) -> None:
    """What the worker does beside the page: it may take a moment. (The pages' policy lets no test wait inside them.)"""
    while not holds():
        tries -= 1
        assert tries, "It never came to that."
        page.wait_for_timeout(100)


@pytest.fixture
def phone(browser: Chromium, server: Any, sign_in: Any, table: Any) -> Iterator[Page]:
    """Ana's phone, the worker in charge. Nothing of it is left for another test."""
    context = browser.new_context(base_url=server.url, viewport=PHONE, locale="en")
    context.set_default_timeout(1_000 * PATIENCE)
    page = context.new_page()
    page.add_init_script(HASTE)
    sign_in(page, table.ana)
    page.goto("/")
    until(page, lambda: page.evaluate("navigator.serviceWorker.controller !== null"))
    yield page
    context.close()


def cached(page: Page, path: str) -> None:
    """Wait until the worker keeps this page."""
    until(page, lambda: path in page.evaluate(CACHED))


def test_what_could_not_be_sent_says_so_and_a_browser_installs_what_opens_without_a_line(phone, running):
    phone.goto(f"/battles/{running.pk}/")
    give = phone.locator(".foot .give")
    expect(give).to_be_enabled()
    give.click()  # leads to the choices
    expect(give.locator(".now")).to_be_visible()
    phone.context.set_offline(True)
    give.click()
    trouble = phone.locator("#messages .message.error")
    expect(trouble).to_contain_text("The server can’t be reached.")
    expect(give).to_be_enabled()  # what was written is there to be sent once more
    phone.context.set_offline(False)
    expect(trouble).to_have_count(0)
    give.click()
    expect(phone.locator(".host.own .lock.in")).to_be_visible()
    found_by_the_browser(phone)


def test_what_happened_while_the_line_was_lost_is_shown_once_it_is_back(phone, table, running):
    phone.goto(f"/battles/{running.pk}/")
    following(phone)
    phone.context.set_offline(True)
    version = Battle.objects.get(pk=running.pk).version
    play_services.play(by=table.gm, battle_id=running.pk, version=version, command=Resolve())
    phone.wait_for_timeout(500)
    phone.context.set_offline(False)
    expect(phone.locator(f"[data-version='{version + 1}']").first).to_be_attached()


def found_by_the_browser(phone: Page) -> None:
    """Chromium itself says what it would refuse: a manifest, icons that load and the worker."""
    line = phone.context.new_cdp_session(phone)
    found = line.send("Page.getAppManifest")
    assert (found["url"].endswith("/manifest.webmanifest"), found["errors"]) == (True, [])
    told = json.loads(found["data"])
    assert (told["name"], told["display"]) == ("Warhost", "standalone")
    for icon in told["icons"]:
        drawn = phone.evaluate(
            """async (address) => {
              const picture = new Image();
              picture.src = address;
              await picture.decode();
              return `${picture.naturalWidth}x${picture.naturalHeight}`;
            }""",
            icon["src"],
        )
        assert drawn == icon["sizes"]
    cached(phone, told["start_url"])
    phone.context.set_offline(True)
    phone.goto(told["start_url"])
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    expect(phone.locator("#seen-before")).to_be_visible()
    loaded = "document.fonts.ready.then((all) => [...all].filter((face) => face.status === 'loaded').length)"
    assert phone.evaluate(loaded) > 0
    assert phone.evaluate("getComputedStyle(document.documentElement).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_a_sheet_seen_before_is_read_without_a_line_and_renews_itself_and_is_gone_with_the_sign_out(
    table, phone, sign_in, accessibility
):
    """Read as old. What was not seen says so, and leads to what was. Another reader finds nothing."""
    sheet = f"/armies/{table.watch.pk}/"
    phone.goto(sheet)
    cached(phone, sheet)
    Army.objects.filter(pk=table.watch.pk).update(name="Ironwatch renamed")
    phone.goto(sheet)
    expect(phone.locator("h1")).to_have_text("Ironwatch renamed")  # the network comes first
    cached(phone, sheet)
    phone.context.set_offline(True)
    phone.goto(f"/kingdoms/{table.crown.pk}/")
    expect(phone.locator("h1")).to_have_text("No connection")
    phone.get_by_role("link", name="Ironwatch").first.click()
    expect(phone.locator("h1")).to_have_text("Ironwatch renamed")
    banner = phone.locator("#seen-before")
    expect(banner).to_contain_text(re.compile(r"You are offline\. This page was loaded at \d\d:\d\d"))
    assert phone.locator("main form button:enabled, form input:enabled").count() == 0
    assert overflow(phone) <= 0
    assert accessibility(phone) == []
    Army.objects.filter(pk=table.watch.pk).update(name="Ironwatch again")
    phone.context.set_offline(False)
    expect(phone.locator("h1")).to_have_text("Ironwatch again")
    expect(phone.locator("#seen-before")).to_be_hidden()
    nothing_is_left_by_the_sign_out(table, phone, sign_in, sheet)


def nothing_is_left_by_the_sign_out(table: Any, phone: Page, sign_in: Any, sheet: str) -> None:
    """Who looks at a share link keeps what they have seen."""
    chronicle = f"/c/{table.campaign.pk}/chronicle/"
    cached(phone, sheet)
    token = create_share(by=table.gm, campaign=table.campaign, kind="kingdom", thing=table.crown.pk).token
    phone.goto(f"/s/{token}/")
    phone.goto(chronicle)
    cached(phone, chronicle)  # the worker does one page after the other
    assert sheet in phone.evaluate(CACHED)
    phone.locator("details.account summary").click()
    phone.get_by_role("button", name="Sign out").click()
    expect(phone.get_by_role("link", name="Sign in").first).to_be_visible()
    until(phone, lambda: phone.evaluate(CACHED) == [])
    phone.context.set_offline(True)
    phone.goto(sheet)
    expect(phone.locator("h1")).to_have_text("No connection")

    sign_in(phone, table.ana)
    phone.context.set_offline(False)  # the page that could not be had asks again by itself
    expect(phone.locator("h1")).to_contain_text("Ironwatch")
    cached(phone, sheet)
    sign_in(phone, table.bo)  # on the same device, without a sign-out between
    phone.goto("/")
    cached(phone, "/")
    assert sheet not in phone.evaluate(CACHED)
    phone.context.set_offline(True)
    phone.goto(sheet)
    expect(phone.locator("h1")).to_have_text("No connection")
    assert "Ironwatch" not in phone.content()
