"""From nothing to a battle that runs: counted in clicks and in fields, on a phone, in French, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from armies.models import Army
from battles.models import Battle
from kingdom.campaign.services import create_campaign
from kingdom.models import Invitation, Kingdom
from kingdom.onboarding.steps import found_young_kingdom
from tests.browsing import NARROW, PHONE, OpenPage, overflow
from tests.everyday import everyday
from tests.kingdom.conftest import make_user

CLICKS, FIELDS = 14, 8
COUNTING = """
  const add = (name) => sessionStorage.setItem(name, Number(sessionStorage.getItem(name) ?? 0) + 1);
  addEventListener("click", (event) => { if (event.isTrusted && event.detail) add("clicks"); }, true);
  addEventListener("change", (event) => { if (event.isTrusted) add("fields"); }, true);
"""


class Newcomer:
    """Somebody who counts what they do. They open one address; everywhere else they are led."""

    def __init__(self, page: Page):
        self.page, self.clicks, self.fields = page, 0, 0

    def click(self, place: Locator | str, then: str) -> None:
        where = self.page.locator(place) if isinstance(place, str) else place
        self.clicks += 1
        where.click()
        self.page.wait_for_url(re.compile(then))

    def fill(self, name: str, text: str) -> None:
        self.fields += 1
        self.page.locator(f"main input[name='{name}']").fill(text)


def signed_up(one: Newcomer) -> None:
    page = one.page
    page.goto("/")
    one.click("main a[href='/accounts/signup/']", "/accounts/signup/$")
    one.fill("username", "nouvelle")
    for field in ("password1", "password2"):
        one.fill(field, "un pont sur la rivière")
    one.click(page.locator("main form button[type=submit], main form .button.primary, main form button").last, r"/$")


def led(one: Newcomer, begins: str = "", invited: Callable[[], None] = lambda: None) -> None:
    """From the choice of a beginning to a battle that runs. `invited`: when a link for the players stands there."""
    page = one.page
    one.click(f"#begin button[value='{begins}']", r"/c/[0-9a-f-]+/\?step=next$")
    while page.locator("#first-steps").count():
        one.click("#first-steps .open .primary", "#first-steps$|/battles/")
        if "/battles/" in page.url:
            break
        page.wait_for_load_state()
        if page.locator("#first-link").count():
            invited()
    one.clicks += 1
    page.locator("#go").click()


@pytest.mark.parametrize("scripts", everyday([True, False], first=1))
def test_a_battle_runs_after_fourteen_clicks_and_eight_fields_on_a_phone_in_french(
    open_page: OpenPage, accessibility, scripts
):
    page = open_page(viewport=NARROW, language="fr", java_script_enabled=scripts)
    seen: list[str] = []

    def invited() -> None:
        assert overflow(page) <= 0
        if scripts:
            assert accessibility(page, both=True) == []
        seen.append(page.url)

    if scripts:
        page.add_init_script(COUNTING)
    one = Newcomer(page)
    signed_up(one)
    led(one, invited=invited)
    assert len(seen) == 1
    expect(page.locator(".phases [aria-current='step']")).not_to_have_text("")
    expect(page.locator(".phases .done")).not_to_have_count(0)  # the setup is over
    assert Battle.objects.get().records.exists()
    assert (Kingdom.objects.count(), Army.objects.count(), Invitation.objects.count()) == (2, 2, 1)
    assert Kingdom.objects.filter(name="Couronne d’Estmère").exists()
    assert one.clicks <= CLICKS
    assert one.fields <= FIELDS
    if scripts:  # the browser counted the same
        counted = page.evaluate("() => ['clicks', 'fields'].map((name) => Number(sessionStorage.getItem(name)))")
        assert counted == [one.clicks, one.fields]


def test_from_the_sign_up_to_a_battle_of_a_template_it_takes_six_clicks_and_three_fields(
    open_page: OpenPage, accessibility
):
    page = open_page(viewport=NARROW, language="fr")
    one = Newcomer(page)
    signed_up(one)
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    led(one, "besieged-town")
    expect(page.locator(".phases .done")).not_to_have_count(0)
    assert Battle.objects.get().seats.count() == 2
    assert one.clicks <= 6
    assert one.fields <= 3


def test_a_unit_is_found_and_taken_by_the_keyboard_and_what_was_typed_stays(
    open_page: OpenPage, sign_in, accessibility
):
    gm = make_user("gm")
    kingdom = found_young_kingdom(gm, create_campaign(by=gm, name="Marches", ruleset="combat-de-masse"), "Crown")
    page = open_page(viewport=PHONE)
    sign_in(page, gm)
    page.goto(f"/kingdoms/{kingdom.pk}/armies/new/")
    assert page.evaluate("() => document.documentElement.scrollHeight") < 4500
    page.locator("#id_name").fill("Night watch")
    page.locator("#id_find-query").press_sequentially("troll")
    expect(page.locator(".unit-picks button")).to_have_count(1)
    assert accessibility(page) == []
    with page.expect_response(lambda answer: "list=1" in answer.url):
        page.keyboard.press("Enter")  # searches, and raises nothing
    expect(page.locator(".htmx-request")).to_have_count(0)
    expect(page.locator(".unit-picks button")).to_have_count(1)
    page.locator("#id_find-query").press("ArrowDown")
    expect(page.locator(".unit-picks button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#id_unit_name")).to_have_value("Trolls")
    expect(page.locator("#id_name")).to_have_value("Night watch")
    expect(page.locator("#id_count")).to_be_focused()
    assert not Army.objects.exists()
