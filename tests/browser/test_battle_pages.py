"""The pages of a battle in a real browser: live, accessible, on small screens, by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle
from battles.play.battle_state import load_state
from battles.play.services import undo
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.browser.conftest import play
from tests.browser.haste import DEAF
from tests.browser.test_offline import until
from tests.browsing import LAPTOP, NARROW, PHONE, following, heard_by, overflow
from tests.everyday import FULL, at_most, everyday


def addresses(table, battle: Battle) -> list[str]:
    """The last ones are looked at every day where something happens on them."""
    campaign, here = f"/c/{table.campaign.pk}/", f"/battles/{battle.pk}/"
    return [
        f"{campaign}battles/",
        f"{campaign}codex/?kind=tactics",
        f"{here}?do=override&army={table.watch.pk}&what=mark",
        f"{here}?do=condition&what=fortification",
        f"{here}?as=0",
        here,
        f"{here}?rail=tools&army={table.raiders.pk}",
        f"{campaign}battles/new/",
        f"{here}aftermath/",
        f"{here}replay/?step=5",
    ]


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")


@pytest.mark.parametrize("language, dark", everyday([("fr", False), ("en", True)], first=1))
def test_every_page_of_a_battle_is_accessible_and_fits_when_it_is_made_narrow(
    table, running, open_page, sign_in, accessibility, language, dark
):
    """Every day it is looked at where it is narrowest."""
    page = open_page(viewport=at_most(NARROW, full=LAPTOP), language=language, dark=dark)
    sign_in(page, table.gm)
    heard = heard_by(page)
    for address in addresses(table, running)[: at_most(4, full=10)]:
        page.goto(address)
        assert page.locator("main h1").count() == 1, address
        unfold(page)
        assert accessibility(page) == [], address
        if FULL:
            page.set_viewport_size(NARROW)
        assert overflow(page) <= 0, f"{address} unfolded"
        if FULL:
            page.set_viewport_size(LAPTOP)
    assert heard == []


def test_one_menu_is_open_at_a_time_and_stays_on_a_small_screen(table, running, open_page, sign_in, accessibility):
    page = open_page(viewport=NARROW, language="fr")
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/?as=0")
    unfold(page)
    assert overflow(page) <= 0
    menu = page.locator("details.menu[open]")
    menu.evaluate("menu => { menu.open = false; }")
    assert accessibility(page) == []
    unfold(page)
    behind = "target-size"  # the open menu covers parts of what lies behind it
    assert [fault for fault in accessibility(page) if not fault.startswith(behind)] == []
    expect(page.locator("details.menu[open]")).to_have_count(1)
    assert page.locator("#eyes .menu-body").evaluate("menu => menu.getBoundingClientRect().top") >= 0
    page.locator("details.account summary").press("Enter")
    expect(page.locator("#eyes")).not_to_have_attribute("open", "")


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [NARROW, PHONE], ids=["320", "390"])
def test_no_page_of_a_battle_scrolls_sideways_on_a_phone(table, running, open_page, sign_in, viewport):
    page = open_page(viewport=viewport, language="fr")
    sign_in(page, table.gm)
    for address in addresses(table, running):
        page.goto(address)
        assert overflow(page) <= 0, address
        unfold(page)
        assert overflow(page) <= 0, f"{address} unfolded"


def test_the_fought_battle_and_its_replay_are_accessible_on_a_phone_and_every_step_has_a_link(
    table, settled, open_page, sign_in, accessibility
):
    """And its aftermath, at which test_aftermath_page.py looks every day."""
    page = open_page(viewport=PHONE)
    sign_in(page, table.ana)
    here = f"/battles/{settled.pk}/"
    for address in (*at_most((), full=(f"{here}aftermath/",)), here, f"{here}replay/"):
        page.goto(address)
        assert accessibility(page) == [], address
        assert overflow(page) <= 0, address
    expect(page.locator(".headline")).to_contain_text("face to face")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"step=1$"))
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile(r"step=2$"))
    told = page.locator(".headline").inner_text()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile(r"step=1$"))
    page.goto(f"{here}replay/?step=2")
    assert page.locator(".headline").inner_text() == told


def test_a_players_page_follows_the_gm_and_keeps_a_half_typed_order(table, running, open_page, sign_in):
    page = open_page(viewport=PHONE)
    sign_in(page, table.ana)
    heard = heard_by(page)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    watch = page.get_by_role("article", name="Ironwatch", exact=True)
    hold = page.locator("input[name='target'][value='hold']")
    hold.check(force=True)
    watch.locator("button[popovertarget^='om-']").click()
    expect(page.locator("[id^='om-']")).to_be_visible()
    expect(page.locator(".phases [aria-current='step']")).to_have_text("Melee 1")
    play(table, running, Resolve())
    expect(page.locator(".phases [aria-current='step']")).to_have_text("Melee 2")
    expect(hold).to_be_checked()
    expect(page.locator("[id^='om-']")).to_be_visible()
    expect(page.locator("#live-region")).to_contain_text("Melee 2")
    expect(page).to_have_title("Melee 1 resolved · The ford · Warhost")
    page.keyboard.press("Escape")
    page.locator("button.give").click()
    expect(watch.locator(".lock.in")).to_be_visible()
    assert load_state(Battle.objects.get(pk=running.pk)).orders[str(table.watch.pk)].target is None
    play(table, running, Resolve())
    expect(page.locator("#verdict .moment")).to_contain_text("Ironwatch")
    expect(page.locator("#verdict")).to_be_in_viewport()
    assert overflow(page) <= 0
    assert heard == []


@pytest.mark.slow
def test_two_phones_and_a_laptop_follow_each_other_without_touching_anything(table, running, open_page, sign_in):
    gm, ana, bo = open_page(), open_page(viewport=PHONE), open_page(viewport=PHONE, dark=True)
    for page, user in ((gm, table.gm), (ana, table.ana), (bo, table.bo)):
        sign_in(page, user)
        page.goto(f"/battles/{running.pk}/")
        following(page)
    raiders = gm.get_by_role("article", name="Raiders", exact=True)
    expect(raiders.locator(".lock")).to_contain_text("no orders yet")
    bo.locator("form.order-form label", has_text="Reckless").click()
    bo.locator("button.give").click()
    expect(raiders.locator(".lock.in")).to_be_visible()
    expect(ana.get_by_role("article", name="Raiders", exact=True).locator(".lock.in")).to_be_visible()
    expect(ana.locator("main")).not_to_contain_text("Reckless →")  # secret until it is resolved
    gm.locator("#go").click()
    for phone, own in ((ana, "Ironwatch"), (bo, "Raiders")):
        expect(phone.locator("#verdict")).to_contain_text("Melee 1")
        expect(phone.locator("#verdict .moment")).to_contain_text(own)
        expect(phone.locator("#verdict")).to_be_in_viewport()
        assert overflow(phone) <= 0
    expect(gm.locator("#verdict")).to_be_focused()


def test_an_order_on_a_battle_that_moved_on_is_kept_and_said(table, running, open_page, sign_in):
    page = open_page()
    page.add_init_script(DEAF)
    sign_in(page, table.ana)
    page.goto(f"/battles/{running.pk}/")
    form = page.locator("form.order-form")
    form.locator("select[name='tactic']").select_option("withdraw")
    expect(form.locator("select[name='withdraw']")).to_be_visible()
    play(table, running, Resolve())
    page.locator("button.give").click()
    expect(page.locator("#messages")).to_contain_text("Someone else acted first")
    expect(page.locator(".phases [aria-current='step']")).to_have_text("Melee 2")
    expect(form.locator("select[name='tactic']")).to_have_value("withdraw")
    page.locator("button.give").click()
    expect(page.get_by_role("article", name="Ironwatch", exact=True).locator(".lock.in")).to_be_visible()


def test_orders_chosen_but_not_given_are_asked_about_before_the_phase_is_resolved(table, running, open_page, sign_in):
    page = open_page(viewport=LAPTOP)
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/?army={table.watch.pk}#desk")
    chosen = page.locator(".order-form input[type=radio]:not(:checked)").first
    chosen.check(force=True)
    before = Battle.objects.get(pk=running.pk).version
    page.locator("#go").click()
    expect(page.locator("#not-given")).to_contain_text("aren’t given yet")
    assert Battle.objects.get(pk=running.pk).version == before
    page.locator("#go").click()
    until(page, lambda: Battle.objects.get(pk=running.pk).version > before)
    expect(page.locator("#not-given")).to_be_hidden()


def test_a_click_while_another_is_carried_out_says_so_and_ends_nothing(table, running, open_page, sign_in):
    page, held = open_page(viewport=LAPTOP), []
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    heard, shown = heard_by(page), page.locator("#battle").get_attribute("data-version")
    page.route("**/command/", lambda route: held.append((route, route.fetch())))
    page.click("#go")
    page.click(f"#pick-{table.raiders.pk}")
    expect(page.locator("#messages")).to_contain_text("Your last click is still being carried out.")
    until(page, lambda: held)
    (route, answer) = held[0]
    route.fulfill(response=answer)
    expect(page.locator("#battle")).not_to_have_attribute("data-version", str(shown))
    expect(page.locator("#messages")).not_to_contain_text("Your last click")
    assert len(held) == 1
    waiting = []
    page.route(re.compile(rf"army={table.watch.pk}"), lambda route: waiting.append(route))
    page.click(f"#pick-{table.watch.pk}")
    page.click(f"#pick-{table.raiders.pk}")
    expect(page.locator(f"#pick-{table.raiders.pk}")).to_have_attribute("aria-current", "true")
    assert len(waiting) == 1
    assert heard == [], "a newer request that replaces one is no error"


def test_the_codex_answers_as_one_types(table, open_page, sign_in):
    page = open_page()
    sign_in(page, table.viewer)
    page.goto(f"/c/{table.campaign.pk}/codex/")
    page.locator("#q").press_sequentially("hold the line")
    expect(page.locator("#boons-hold-the-line")).to_be_visible()
    expect(page.locator("article.entry")).to_have_count(1)
    page.wait_for_url(re.compile(r"q=hold"))


def test_a_battle_ended_by_the_gm_leads_to_its_aftermath_and_its_undo_reaches_the_page(
    table, running, open_page, sign_in
):
    page = open_page()
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/?rail=tools")
    page.locator("#do-end summary").click()
    page.locator("#do-end [name='reason']").fill("Night falls")
    page.locator("#do-end button").click()
    page.get_by_role("link", name="Settle the aftermath").last.click()
    expect(page.locator("#confirm")).to_be_visible()
    assert Battle.objects.get(pk=running.pk).status == "aftermath"
    sign_in(page, table.viewer)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    expect(page.locator(".triumph")).to_be_visible()
    undo(by=table.gm, battle_id=running.pk, version=Battle.objects.get(pk=running.pk).version)
    expect(page.locator(".triumph")).to_have_count(0)


def hold_down(page: Page, button: Locator) -> None:
    """Press the mouse on it and keep it pressed."""
    button.hover()
    page.mouse.down()


def test_a_press_into_which_a_refresh_falls_is_not_lost(table, running, page, sign_in):
    """Orders that others have given to their own armies leave these as they were meant."""
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    give = page.locator(f"#give-{table.watch.pk}")
    expect(give).to_be_visible()
    hold_down(page, give)
    play(table, running, GiveOrder(Order(str(table.raiders.pk))))
    running.refresh_from_db()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_be_visible()
    page.mouse.up()
    expect(page.get_by_role("article", name="Ironwatch", exact=True).locator(".lock.in")).to_be_visible()


def test_a_link_is_followed_though_the_page_is_drawn_anew_while_it_is_pressed(table, running, page, sign_in):
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    raiders = page.get_by_role("article", name="Raiders", exact=True).locator("h3 a")
    hold_down(page, raiders)
    play(table, running, GiveOrder(Order(str(table.watch.pk))))
    running.refresh_from_db()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#desk-title")).to_have_text("Orders of Raiders")


def test_a_press_does_nothing_if_its_button_would_do_something_else(table, running, page, sign_in):
    """The version says what others did, not what this reader chose meanwhile, nor what another GM has switched."""
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    running.refresh_from_db()
    hold_down(page, page.locator("#go"))
    page.evaluate(DRAWN_ANEW, "otherwise")
    page.mouse.up()
    hold_down(page, page.locator("#go"))
    page.evaluate(DRAWN_ANEW, "")
    page.mouse.up()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_have_count(0)
    assert Battle.objects.get(pk=running.pk).version == running.version + 1, "once, by the second press"


def test_a_press_in_a_form_without_an_address_breaks_no_script(table, running, page, sign_in):
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    heard = heard_by(page)
    page.evaluate("""document.querySelector("h1").append(Object.assign(document.createElement("form"),
        {innerHTML: "<button type=button id=plain>Plain</button>"}))""")
    page.locator("#plain").click()
    assert heard == []


DRAWN_ANEW = """note => {
  const form = document.getElementById("go").form, next = form.cloneNode(true);
  if (note) next.append(Object.assign(document.createElement("input"), {type: "hidden", name: "to", value: note}));
  form.replaceWith(next);
  htmx.process(next);
}"""
"""A refresh, at the moment the test says: the same form, or with one more field."""


def test_a_press_that_is_held_back_leaves_the_next_one_as_it_stands(table, running, page, sign_in):
    """Resolving asks once whether to go on without the orders that were chosen but not given."""
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    page.locator(".steps label", has_text="Cautious").click()
    hold_down(page, page.locator("#go"))
    play(table, running, GiveOrder(Order(str(table.raiders.pk))))
    running.refresh_from_db()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#not-given")).to_be_visible()
    page.locator("#go").click()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_have_count(0)
    assert Battle.objects.get(pk=running.pk).version == running.version + 1


def test_a_press_that_has_come_to_mean_something_else_is_refused(table, running, page, sign_in):
    sign_in(page, table.gm)
    page.goto(f"/battles/{running.pk}/")
    following(page)
    hold_down(page, page.locator("#go"))
    play(table, running, Resolve())
    running.refresh_from_db()
    expect(page.locator(f"#battle[data-version='{running.version}']")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#messages")).to_contain_text("Someone else acted first")
    assert Battle.objects.get(pk=running.pk).version == running.version
