"""The battle page as a table with a foot: what is on one screen, on a phone, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle
from battles.play.battle_state import load_state
from battles.setup.services import open_battle
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import RAIDER, SPEARMAN, demonstration, muster  # noqa: F401 (fixture)
from tests.browser.conftest import play
from tests.browsing import LAPTOP, NARROW, PHONE, following, heard_by, overflow
from tests.everyday import FULL, at_most, everyday
from tests.worlds import built_once


def opened(table, crowns: int, hordes: int) -> Battle:
    gm = table.gm
    crown = [muster(gm, table.crown, f"Company {n}", SPEARMAN, 2000, commander=f"Captain {n}") for n in range(crowns)]
    horde = [muster(gm, table.horde, f"Warband {n}", RAIDER, 1000, commander=f"Chief {n}") for n in range(hordes)]
    sides = [
        {"name": "Crown of Restov", "armies": [str(army.pk) for army in crown]},
        {"name": "Greenbelt horde", "armies": [str(army.pk) for army in horde]},
    ]
    rain = [{"condition": "rain"}]
    battle = open_battle(by=gm, campaign=table.campaign, name="The ford", sides=sides, conditions=rain)
    play(table, battle, Next(), Resolve(), Resolve(), Resolve())
    return battle


@built_once
def duel(table) -> Battle:
    return opened(table, 2, 2)


@built_once
def melee(table) -> Battle:
    return opened(table, 4, 4)


HALF = at_most(8, full=20)
"""Armies of each side: so many that the page is crowded."""


@built_once
def crowd(table) -> Battle:
    return opened(table, HALF, HALF)


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found, locator
    return {**found, "end": found["y"] + found["height"]}


def scrolls(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollHeight - innerHeight")


def seen_at(page: Page, user, battle: Battle, sign_in, query: str = "") -> Page:
    sign_in(page, user)
    page.goto(f"/battles/{battle.pk}/{query}")
    return page


@pytest.mark.parametrize("who, language", everyday([("gm", "fr"), ("ana", "en"), ("gm", "en"), ("ana", "fr")], first=1))
def test_two_against_two_stand_on_one_screen(table, duel, open_page, sign_in, who, language):
    page = seen_at(open_page(viewport=LAPTOP, language=language), getattr(table, who), duel, sign_in)
    assert scrolls(page) <= 0
    foot = box(page.locator(".foot"))
    assert foot["end"] <= LAPTOP["height"]
    for part in (".verdict", ".phases", ".unit >> nth=3", ".desk .orders", ".rail2"):
        assert box(page.locator(part))["end"] <= foot["y"], part
    words = page.locator(".steps .word").evaluate_all(
        "all => all.map((word) => [word.getClientRects().length, word.scrollWidth <= word.parentElement.clientWidth])"
    )
    assert words == [[1, True]] * 5
    assert box(page.locator(".foot .primary"))["end"] <= LAPTOP["height"]
    lines, rows = page.locator(".lines path:not(.point)"), page.locator(".unit")
    assert lines.count() == page.locator(".unit .aim").count()
    between = box(page.locator(".lines svg"))
    assert box(rows.first)["x"] + box(rows.first)["width"] <= between["x"]
    assert between["x"] + between["width"] <= box(rows.last)["x"]
    assert abs(between["y"] - box(rows.first)["y"]) <= 2 >= abs(between["end"] - box(rows.last)["end"])


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))  # the longer words
def test_the_demonstration_s_battle_stands_on_one_screen_whichever_army_is_ordered(
    demonstration,  # noqa: F811
    open_page,
    sign_in,
    language,
):
    ford = Battle.objects.get(campaign=demonstration.campaign, status="running")
    page = seen_at(open_page(language=language), demonstration.gm, ford, sign_in)
    for row in page.locator(".unit h3 a").all():
        row.click()
        expect(row).to_have_attribute("aria-current", "true")
        assert scrolls(page) <= 0
        assert box(page.locator(".desk .orders"))["end"] <= box(page.locator(".foot"))["y"]
    broken = page.locator(".unit .badge, .unit h3").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    )
    assert broken == []


@pytest.mark.parametrize("viewport", everyday([NARROW, PHONE], first=1), ids=["narrow", "phone"])
def test_no_word_of_the_verdict_breaks_on_a_phone(demonstration, open_page, sign_in, viewport):  # noqa: F811
    ford = Battle.objects.get(campaign=demonstration.campaign, status="running")
    page = seen_at(open_page(viewport=viewport, language="fr"), demonstration.gm, ford, sign_in)
    expect(page.locator(".verdict .toll.none").first).to_have_text("debout")
    lines = """told => {
      const range = document.createRange();
      const text = told.firstChild;
      return [...text.data.matchAll(/\\S+/g)].map((word) => {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return range.getClientRects().length;
      });
    }"""
    for told in page.locator(".verdict .toll").all():
        assert set(told.evaluate(lines)) == {1}, told.inner_text()
    assert overflow(page) <= 0


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_four_against_four_take_less_than_a_second_screen(table, melee, open_page, sign_in, language):
    """How many orders are in is told whole beside many crests."""
    page = seen_at(open_page(viewport=LAPTOP, language=language), table.gm, melee, sign_in)
    assert page.locator(".called li").count() == 8
    told, menu, crest = (box(page.locator(part)) for part in (".command .state b", "#eyes", ".called li >> nth=7"))
    assert crest["x"] + crest["width"] <= told["x"]
    assert told["x"] + told["width"] <= menu["x"]
    assert scrolls(page) <= LAPTOP["height"]
    page.mouse.wheel(0, 2000)
    expect(page.locator(".foot .primary")).to_be_in_viewport(ratio=1)


def test_a_crowd_of_armies_is_ordered_without_losing_sight_of_what_is_done(table, crowd, open_page, sign_in):
    page = seen_at(open_page(viewport=LAPTOP), table.gm, crowd, sign_in)
    assert page.evaluate("document.querySelectorAll('*').length") <= 400 * HALF
    last = page.get_by_role("article", name=f"Warband {HALF - 1}", exact=True)
    expect(last).not_to_be_in_viewport()
    last.locator("h3 a").click()
    expect(page.locator("#desk-title")).to_have_text(f"Orders of Warband {HALF - 1}")
    for part in (last, page.locator(".desk .steps"), page.locator(".desk .give"), page.locator(".foot .primary")):
        expect(part).to_be_in_viewport(ratio=1)
    page.locator(".desk .give").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    expect(page.locator(".desk .steps")).to_be_in_viewport(ratio=1)
    expect(last.locator(".lock.in")).to_be_attached()
    page.set_viewport_size(PHONE)
    page.get_by_role("article", name=f"Company {HALF - 2}", exact=True).locator("h3 a").click()
    expect(page.locator("#desk-title")).to_have_text(f"Orders of Company {HALF - 2}")
    for part in (page.locator(".unit.picked"), page.locator(".desk .steps"), page.locator(".foot .primary")):
        expect(part).to_be_in_viewport(ratio=1)
    assert overflow(page) <= 0


def test_a_phone_shows_the_choices_before_orders_are_given(table, duel, open_page, sign_in):
    page = seen_at(open_page(viewport=PHONE), table.ana, duel, sign_in)
    give = page.locator(".foot .give")
    expect(give.locator(".look")).to_be_visible()
    give.click()
    expect(give.locator(".now")).to_be_visible()
    expect(page.locator(".order-form :is(label, select):visible").first).to_be_in_viewport()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    give.click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 1")


def test_a_players_phone_has_the_news_his_army_and_one_thing_to_do(table, duel, open_page, sign_in):
    page = seen_at(open_page(viewport=PHONE), table.ana, duel, sign_in)
    verdict, desk = page.locator(".verdict"), page.locator(".desk")
    own, foes = page.locator(".host.own .unit"), page.locator(".host:not(.own) .unit")
    picked, other = box(own.first), box(own.last)
    assert box(verdict)["end"] <= picked["y"] < box(desk)["y"] < box(desk)["end"] <= other["y"] < box(foes.first)["y"]
    assert verdict.locator(".moment").count() == 2
    expect(verdict.locator(".moment").first).to_contain_text("Company 0")
    dock, foot = box(page.locator("nav.places")), box(page.locator(".foot"))
    assert (dock["end"], foot["end"]) == (PHONE["height"], dock["y"])
    assert page.locator("nav.places a").all_inner_texts() == [
        "Campaign", "Battles\n1\nwaits for you", "Map", "Units", "Arsenal", "Chronicle", "Codex",
    ]  # fmt: skip
    heights = page.locator("nav.places a").evaluate_all("all => all.map((a) => a.getBoundingClientRect().height)")
    assert min(heights) >= 44
    assert page.locator(".foot .primary").count() == 1
    expect(page.locator(".foot .primary")).to_have_text(re.compile("Give these orders"))
    assert overflow(page) <= 0
    page.locator(".foot .primary").click()  # leads to the choices
    expect(page.locator(".foot .give .now")).to_be_visible()
    page.locator(".foot .primary").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 1")
    expect(page.get_by_role("article", name="Company 0", exact=True).locator(".lock.in")).to_be_visible()


def test_on_a_phone_the_orders_lie_right_under_the_row_they_are_about(table, duel, open_page, sign_in):
    page = seen_at(open_page(viewport=PHONE, language="fr"), table.gm, duel, sign_in)
    foot = page.locator(".foot")
    expect(foot.locator("#undo")).to_have_text("Annuler : Corps à corps 1")
    assert box(foot)["height"] <= PHONE["height"] / 6, "two rows, though what would be undone is named"
    for army in ("Warband 0", "Company 1"):
        row = page.get_by_role("article", name=army, exact=True)
        row.locator("h3 a").click()
        expect(page.locator("#desk-title")).to_contain_text(army)
        expect(page.locator(".steps input:checked")).to_be_focused()
        desk, foot = box(page.locator(".desk")), box(page.locator(".foot"))
        assert 0 <= box(row)["y"] < box(row)["end"] <= desk["y"] < box(row)["end"] + 20
        assert box(page.locator(".steps"))["end"] < foot["y"]
    following = box(page.get_by_role("article", name="Warband 0", exact=True))
    assert following["y"] >= desk["end"]
    resolve = page.locator(".foot .primary")
    assert resolve.count() == 1
    assert resolve.evaluate("words => words.getBoundingClientRect().height") < 60, "two lines at most"
    page.locator(".desk .give").click()
    expect(page.locator("#desk-title")).to_contain_text("Warband 0")
    moved = page.get_by_role("article", name="Warband 0", exact=True)
    assert 0 <= box(moved)["y"] < box(page.locator(".steps"))["end"] < box(page.locator(".foot"))["y"]
    assert overflow(page) <= 0
    page.set_viewport_size({"width": 768, "height": 1024})
    assert overflow(page) <= 0


def test_an_army_is_picked_and_ordered_without_scripts_and_the_page_opens_where_the_work_goes_on(
    table, duel, open_page, sign_in
):
    page = seen_at(open_page(viewport=PHONE, java_script_enabled=False), table.gm, duel, sign_in)
    page.get_by_role("article", name="Warband 1", exact=True).locator("h3 a").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Warband 1")
    page.locator(".steps label", has_text="Reckless").click()
    page.locator(".aims label", has_text="Company 1").click()
    page.locator("button.give").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    army = page.locator(".order-form").get_attribute("id")
    assert page.url.endswith(f"#{army}")
    expect(page.locator(".steps")).to_be_in_viewport()
    row = page.get_by_role("article", name="Warband 1", exact=True)
    expect(row.locator(".order")).to_contain_text("Reckless → Company 1")
    page.locator("#rail-tools").click()
    expect(page.locator("#do-end")).to_be_visible()
    page.locator("#go").click()
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    assert page.url.endswith("#verdict")
    expect(page.locator("#verdict")).to_be_in_viewport()
    expect(page.locator("#do-end")).to_be_visible()
    expect(page).to_have_title("Melee 2 resolved · The ford · Warhost")


def test_what_was_typed_for_an_army_stays_and_the_focus_goes_where_the_work_goes_on(table, duel, open_page, sign_in):
    page = open_page()
    heard = heard_by(page)
    seen_at(page, table.gm, duel, sign_in)
    following(page)
    page.locator(".steps label", has_text="Cautious").click()
    page.get_by_role("article", name="Warband 0", exact=True).locator("h3 a").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Warband 0")
    expect(page.locator(".steps input[value='standard']")).to_be_checked()
    row = page.get_by_role("article", name="Warband 1", exact=True)
    play(table, duel, GiveOrder(Order(str(load_state(duel).sides[1].armies[1]))))
    expect(row.locator(".lock.in")).to_be_visible()
    expect(page.locator("#desk-title")).to_have_text("Orders of Warband 0")  # the desk stays with its army
    page.get_by_role("article", name="Company 0", exact=True).locator("h3 a").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    expect(page.locator(".steps input[value='cautious']")).to_be_checked()
    page.locator("button.give").click()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 1")
    expect(page.locator(".steps input:checked")).to_be_focused()
    orders = load_state(Battle.objects.get(pk=duel.pk)).orders
    assert [order.strategy for order in orders.values()].count("cautious") == 1
    page.locator("#go").click()
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    expect(page.locator("#verdict")).to_be_focused()
    page.locator("#undo").click()
    expect(page.locator("#verdict")).to_contain_text("Melee 1")
    expect(page.locator(".steps input:checked")).to_be_focused()
    assert heard == []


@pytest.mark.parametrize("viewport", everyday([LAPTOP, PHONE], first=1), ids=["laptop", "phone"])
def test_the_table_is_accessible_closed_and_open(table, duel, open_page, sign_in, accessibility, viewport):
    page = seen_at(open_page(viewport=viewport, language="fr"), table.gm, duel, sign_in, "?rail=tools")
    page.evaluate("document.querySelectorAll('.tray details').forEach((details) => { details.open = true; })")
    if FULL:
        assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    page.locator("button[popovertarget^='om-']").first.click()
    sums = page.locator("[id^='om-']").first
    expect(sums).to_be_visible()
    if FULL:
        assert accessibility(page, both=True) == []
    page.keyboard.press("Escape")
    page.locator("#eyes summary").click()
    menu = page.locator("#eyes .menu-body").bounding_box()
    assert menu["x"] >= 0, "the whole menu is on the screen"
    assert menu["x"] + menu["width"] <= viewport["width"]
    if not FULL:  # all at once
        sums.evaluate("sums => sums.showPopover()")
    assert accessibility(page, both=True) == []
