"""The frame of every page in a real browser: themes, menus, refused forms, live refresh, accessibility."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from kingdom.campaign.services import create_campaign
from tests.browser.haste import HASTE
from tests.browsing import NARROW, OWN_LINE, heard_by, overflow
from tests.everyday import at_most

PUBLIC = ["/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/credits/"]
OWN = [
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/logout/",
    "/accounts/2fa/webauthn/",
]
"""The last one is looked at every day where something stands on it (test_passkeys.py)."""


MIDDLES = """(rows) => rows.filter((row) => row.matches(".check")).map((box) => {
  const middle = (row) => {
    const at = row.querySelector("input, select").getBoundingClientRect();
    return at.top + at.height / 2;
  };
  const beside = rows.find((row) => !row.matches(".check") && row.offsetTop === box.offsetTop);
  return [middle(box), beside ? middle(beside) : 0];
})"""
"""Of each box: where its middle is, and that of a field in the same row; 0 where there is none."""


@pytest.fixture
def reader(django_user_model):
    return django_user_model.objects.create_user("ana", email="ana@example.org", password="a long enough word")


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["light", "dark"])
def test_the_pages_of_the_entrance_are_accessible_and_fit_a_narrow_phone(open_page, accessibility, dark):
    """To a reader of France they are French."""
    page = open_page(viewport=NARROW, dark=dark, language="fr")
    of_france = Client(headers={"accept-language": "fr-FR"})
    heard = heard_by(page)
    for address in PUBLIC:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == "fr", address
        assert '<html lang="fr"' in of_france.get(address).content.decode(), address
        assert page.locator("main h1").count() == 1, address
        assert accessibility(page) == [], address
        assert overflow(page) <= 0, address
        shown = page.locator(".picture img:visible").evaluate_all("all => all.map((one) => one.getAttribute('src'))")
        assert bool(shown) == (address == "/")
        assert all(source.endswith("-dark.webp" if dark else "-light.webp") for source in shown)
    assert heard == []


def test_the_account_pages_wear_the_look(open_page, sign_in, reader, accessibility):
    page = open_page(viewport=NARROW, timezone_id="Asia/Tokyo")
    sign_in(page, reader)
    heard = heard_by(page)
    for address in OWN[: at_most(4, full=5)]:
        page.goto(address)
        assert page.locator(".masthead").count() == 1, address
        assert accessibility(page) == [], address
        assert overflow(page) <= 0, address
    assert heard == []
    assert "Asia/Tokyo" in [cookie["value"] for cookie in page.context.cookies()], "the device says where it is"


def test_the_skip_link_comes_first_menus_close_and_the_theme_is_chosen_and_remembered(open_page):
    """A menu closes by Escape and by a click elsewhere."""
    page = open_page(dark=False)
    page.goto("/credits/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    close_a_menu(page)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.click("details.account summary")
    page.click("[data-theme-choice=dark]")
    assert page.locator("[data-theme-choice=dark]").get_attribute("aria-pressed") == "true"
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    page.click("details.account summary")
    page.click("[data-theme-choice=auto]")
    assert page.evaluate(paper) == light


def close_a_menu(page):
    menu = page.locator("details.account")
    menu.locator("summary").click()
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert menu.locator("summary").evaluate("summary => summary === document.activeElement")
    menu.locator("summary").click()
    page.click("main h1")
    assert menu.get_attribute("open") is None


def test_the_language_is_switched_by_a_form_without_scripts(open_page):
    page = open_page(java_script_enabled=False)
    page.goto("/credits/")
    page.click("details.account summary")
    assert page.locator("[data-theme-choice=dark]").is_hidden()
    page.click("button[name=language][value=fr]")
    assert page.url.endswith("/credits/")
    assert page.locator("html").get_attribute("lang") == "fr"


def test_a_refused_form_puts_the_focus_on_the_field(page):
    page.goto("/accounts/signup/")
    page.fill("#id_username", "bela")
    page.fill("#id_password1", "one good password")
    page.fill("#id_password2", "another password")
    page.click("main button[type=submit]")
    assert page.locator("#id_password2").get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "id_password2"


def test_back_to_a_refused_form_opens_the_form_and_sends_nothing(page):
    page.goto("/accounts/signup/?next=/help/")
    page.fill("#id_username", "bela")
    page.fill("#id_password1", "one good password")
    page.fill("#id_password2", "another password")
    page.click("main button[type=submit]")
    assert page.locator("#id_password2").get_attribute("aria-invalid") == "true"
    assert page.evaluate("location.pathname + location.search") == "/accounts/signup/?next=/help/"
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    page.goto("/credits/")
    page.go_back()
    page.wait_for_selector("#id_username")
    page.reload()
    page.wait_for_selector("#id_username")
    assert [one for one in sent if one.startswith("POST")] == []


# Live refresh, on a page whose main listens to a stream the test plays

PART = """<section id="part" hx-get="/probe/part/" hx-trigger="battle-changed from:body" hx-swap="outerHTML">
<p id="round">%d</p>
<details id="sum"><summary>7</summary>lines</details>
<form data-keep><input type="hidden" id="version" value="%d"><input id="note" value="">
<select id="tactic"><option>standard<option>taunt</select></form></section>"""


class Probe:
    """A page with a live part, and the stream it hears."""

    def __init__(self, page) -> None:
        self.round, self.stream_up, self.told_when, self.broken = 1, True, False, False
        page.add_init_script(OWN_LINE)
        page.route("**/credits/", self.whole)
        page.route("**/probe/part/", self.part)
        page.route("**/probe/live/", self.live)

    def whole(self, route) -> None:
        html = route.fetch().text()
        html = html.replace('<main id="main"', '<main data-live-url="/probe/live/" id="main"')
        html = re.sub(
            r"(<main.*?>).*</main>", lambda match: match[1] + PART % (1, 1) + "</main>", html, flags=re.DOTALL
        )
        route.fulfill(body=html, content_type="text/html")

    def part(self, route) -> None:
        if self.broken:
            route.fulfill(status=500, body="broken")
        else:
            route.fulfill(body=PART % (self.round, self.round))

    def live(self, route) -> None:
        if self.stream_up:
            route.fulfill(body="retry: 100\ndata: changed\n\n", content_type="text/event-stream")
        elif not self.told_when:
            self.told_when = True
            route.fulfill(body="retry: 500\ndata: changed\n\n", content_type="text/event-stream")
        else:
            route.abort()


def test_a_live_refresh_keeps_what_was_typed_and_no_trouble_of_the_line_or_the_server_is_silent(page):
    """A message of the stream refreshes the page; a lost connection says so and catches up, and a refresh that fails is
    told.
    """
    page.add_init_script(HASTE)
    probe = Probe(page)
    probe.round, probe.stream_up = 2, False  # it tells one thing, and is lost
    page.goto("/credits/")
    page.wait_for_function("document.getElementById('round').textContent === '2'")
    keep_what_was_typed_and_opened(page, probe)
    page.wait_for_selector("#connection-lost:not([hidden])")
    probe.round, probe.stream_up = 4, True
    page.wait_for_function("document.getElementById('round').textContent === '4'")
    probe.broken = True
    page.wait_for_selector("#messages .message.error")


def keep_what_was_typed_and_opened(page, probe):
    page.fill("#note", "half an ord")
    page.select_option("#tactic", "taunt")
    page.click("#sum summary")
    probe.round = 3
    page.evaluate("htmx.trigger(document.body, 'battle-changed')")
    page.wait_for_function("document.getElementById('round').textContent === '3'")
    assert page.input_value("#note") == "half an ord"
    assert page.input_value("#tactic") == "taunt"
    assert page.locator("#sum").get_attribute("open") is not None
    assert page.input_value("#version") == "3"


@pytest.mark.parametrize("ruleset", at_most(["wing-command"], full=["wing-command", "breaking-point"]))
def test_a_box_is_level_with_the_fields_beside_it(transactional_db, reader, open_page, sign_in, ruleset):
    """Not with their labels: the eye goes along a row of what is typed."""
    campaign = create_campaign(by=reader, name="Marches", ruleset=ruleset)
    kind = {"wing-command": "troops", "breaking-point": "unit_types"}[ruleset]
    page = open_page()
    sign_in(page, reader)
    page.goto(f"/c/{campaign.pk}/arsenal/{kind}/new/")
    middles = page.locator(".fields > .field-row").evaluate_all(MIDDLES)
    boxes = [(box, typed) for box, typed in middles if box]
    assert boxes
    for top, beside in boxes:
        assert not beside or abs(top - beside) <= 4, middles


def test_a_figure_beside_a_long_name_stays_in_one_line(page):
    page.set_viewport_size(NARROW)
    page.goto("/accounts/login/")
    chip = "<li class='chip'><span>Grand-Duché de Montreuil-sur-Yser-la-Vieille et Outre-Monts</span> <b>+4,5</b></li>"
    page.locator("main").evaluate("(main, chip) => { main.innerHTML = `<ul class='chips'>${chip}</ul>` }", chip)
    name, figure = (page.locator(f".chip > {one}").bounding_box() for one in ("span", "b"))
    assert name
    assert figure
    assert figure["height"] < name["height"], "the name has several lines, the figure one"
    assert overflow(page) <= 0


@pytest.mark.parametrize("head", ["<small><a>Marches</a></small><h1>T</h1>", "<h1><small><a>Marches</a></small>T</h1>"])
def test_links_above_a_title_are_targets_for_a_finger(page, head):
    """WCAG 2.5.8."""
    page.set_viewport_size(NARROW)
    page.goto("/accounts/login/")
    page.locator("main").evaluate("(main, head) => { main.innerHTML = `<div>${head}</div>` }", head)
    place = page.locator("main a").bounding_box()
    assert place
    assert place["height"] >= 24
