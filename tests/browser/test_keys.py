"""A battle by the keyboard: a whole phase counted in keystrokes, where the focus goes, and what leaves it alone."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from battles.models import Battle
from battles.play.battle_state import load_state
from kingdom.accounts.services import choose_settings
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import open_ford
from tests.browser.conftest import play
from tests.browser.test_table import duel, melee, seen_at  # noqa: F401 (fixtures)
from tests.browsing import PHONE, heard_by
from tests.everyday import everyday
from tests.kingdom.conftest import client_of


class Keyboard:
    """Presses keys and counts them."""

    def __init__(self, page: Page):
        self.page, self.strokes = page, 0

    def __call__(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.strokes += 1


class SlowLine:
    """Keeps the pages and pieces that are asked for until it is let through; what is asked for then goes on at once."""

    def __init__(self, page: Page):
        self.page = page
        self.held: list[Route] = []
        self.holds = True
        page.route(re.compile("^(?!.*/static/)"), self._takes)

    def _takes(self, route: Route) -> None:
        if self.holds:
            self.held.append(route)
        else:
            route.continue_()

    def keeps(self, deed: str) -> None:
        """Do this in the page and wait until something more is asked for."""
        before = len(self.held)
        self.page.keyboard.press(deed) if len(deed) == 1 else self.page.evaluate(deed)
        self.waits(before, deed)

    def waits(self, before: int, deed: str) -> None:
        """Until more is kept than was before this deed."""
        deadline = time.monotonic() + 10
        while len(self.held) == before:
            assert time.monotonic() < deadline, f"{deed}: nothing is asked for"
            self.page.wait_for_timeout(5)

    def hold(self) -> None:
        self.holds = True

    def answer(self, status: int = 200) -> None:
        """Let it through; another status: the first thing that was asked for is answered so, 0 being not at all."""
        self.holds = False
        while self.held:
            one = self.held.pop(0)
            if one.request.failure:  # the page waits no longer: for it this would wait for ever
                continue
            if status == 200:
                one.continue_()
            elif status:
                one.fulfill(status=status)
            else:
                one.abort()
            status = 200


TAKEN_OUT = """() => {
  const remove = Element.prototype.remove;
  window.takenOut = [];
  Element.prototype.remove = function () { takenOut.push(this.contains(document.activeElement)); remove.call(this); };
}"""
"""Keeps of each part that is taken out of the page whether it had the focus."""


def focused(page: Page) -> str:
    """What has the focus: its id, else its kind."""
    return page.evaluate("document.activeElement.id || document.activeElement.tagName")


def test_a_battle_is_led_by_the_keyboard_and_the_focus_is_where_work_can_be_done(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.gm, duel, sign_in)
    page.evaluate(TAKEN_OUT)
    heard, press = heard_by(page), Keyboard(page)
    desk, verdict, stance = page.locator("#desk-title"), page.locator("#verdict"), page.locator(".steps input:checked")
    press("Tab", "Enter")  # past the navigation, onto the battle
    expect(page.locator("#battle")).to_be_focused()
    for key, army in zip("pn", ["Warband 1", "Company 0"], strict=True):  # round the ends of the row
        press(key)
        expect(desk).to_have_text(f"Orders of {army}")
        expect(stance).to_be_focused()
    press("g")
    expect(desk).to_have_text("Orders of Company 1")
    press("u")  # the army whose order was taken back
    expect(desk).to_have_text("Orders of Company 0")
    expect(stance).to_be_focused()
    order_all_and_resolve(page, press, duel, 4)
    press("u")
    expect(verdict).to_contain_text("Melee 1")
    expect(stance).to_be_focused()
    page.keyboard.press("l")
    expect(page.locator("#log-box")).to_be_focused()
    page.locator("#rail-tools").click()
    expect(page.locator("#rail-tools")).to_be_focused()
    page.keyboard.press("l")
    expect(page.locator("#log-box")).to_be_focused()
    assert heard == []
    # What has the focus let go of it first: the browser would lay out the old page beside the new one.
    parts = page.evaluate("takenOut")
    assert len(parts) > 10
    assert not any(parts)
    # And has it again without the page being moved.
    page.set_viewport_size({"width": 900, "height": 420})
    page.locator("#go").focus()
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("f")
    expect(page.locator("#odds")).to_be_visible()
    expect(page.locator("#go")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def order_all_and_resolve(page: Page, press: Keyboard, battle: Battle, number: int) -> None:
    """Five keystrokes an army at most, all told."""
    press.strokes = 0
    armies = [card.inner_text().strip() for card in page.locator(".unit h3").all()]
    assert len(armies) == number
    for place, army in enumerate(armies):
        expect(page.locator("#desk-title")).to_have_text(f"Orders of {army}")
        press("2" if place % 2 else "4", "t", "g")
    expect(page.locator("#go")).to_be_focused()
    orders = load_state(Battle.objects.get(pk=battle.pk)).orders
    assert [order.strategy for order in orders.values()] == ["aggressive", "cautious"] * (number // 2)
    assert all(order.target for order in orders.values())
    press("r")
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    expect(page.locator("#verdict")).to_be_focused()
    assert press.strokes <= 5 * number


@pytest.mark.slow
def test_a_phase_of_eight_armies_takes_at_most_forty_keystrokes(table, melee, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.gm, melee, sign_in)
    heard, press = heard_by(page), Keyboard(page)
    press("Tab", "Enter")  # past the navigation, onto the battle
    expect(page.locator("#battle")).to_be_focused()
    order_all_and_resolve(page, press, melee, 8)
    assert press.strokes + 2 <= 40
    assert heard == []


def test_out_of_a_list_orders_are_given_with_control_and_enter(table, open_page, sign_in):
    page = seen_at(open_page(), table.gm, open_ford(table), sign_in)
    page.locator("#go").click()
    expect(page.locator(".phases [aria-current]")).to_contain_text("Tactics")
    expect(page.locator("#verdict")).to_be_focused()
    page.keyboard.press("g")
    expect(page.locator("#desk-title")).to_have_text("Orders of Raiders")
    expect(page.locator(".order-form select").first).to_be_focused()
    page.keyboard.press("g")  # a list takes it for its own
    expect(page.locator("#desk-title")).to_have_text("Orders of Raiders")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#go")).to_be_focused()


def test_keys_pressed_before_the_page_is_there_are_answered_by_it_but_nothing_is_sent(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.gm, duel, sign_in)
    line = SlowLine(page)
    page.locator("#rail-tools").click()
    for key in "lzn":  # one of them means nothing here
        page.keyboard.press(key)
    page.keyboard.press("n")
    line.answer()
    expect(page.locator("#log-box")).to_be_visible()
    expect(page.locator("#desk-title")).to_have_text("Orders of Warband 0")
    line.hold()
    page.keyboard.press("r")
    page.keyboard.press("r")  # nobody has seen the next phase yet
    line.answer()
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    expect(page.locator("#verdict")).to_be_focused()
    expect(page.locator("#go")).to_have_text("Resolve Melee 3")


def test_whatever_else_is_done_meanwhile_comes_before_keys_that_wait(table, duel, open_page, sign_in):  # noqa: F811
    """A click, a page that tells of something wrong, one that did not come, typing."""
    page = seen_at(open_page(), table.gm, duel, sign_in)
    desk = page.locator("#desk-title")
    line = SlowLine(page)
    page.locator("#battle").focus()

    def press(*keys: str) -> None:
        line.hold()
        for key in keys:
            page.keyboard.press(key)
        line.waits(0, keys[0])

    press("n", "n")
    page.locator("button.give").click()
    line.answer()
    expect(page.locator(".lock.in")).to_have_count(1)
    expect(desk).to_have_text("Orders of Company 1")
    press("n", "p")
    line.answer(status=500)
    expect(page.locator("#messages .message.error")).to_be_visible()
    page.keyboard.press("n")
    expect(desk).to_have_text("Orders of Warband 0")
    page.locator("#rail-tools").click()
    page.locator("#do-end summary").click()
    page.locator("#battle").focus()
    press("n", "n")
    page.locator("#end-reason").focus()
    line.answer()
    expect(desk).to_have_text("Orders of Warband 1")
    page.wait_for_timeout(100)
    expect(desk).to_have_text("Orders of Warband 1")


def test_whoever_goes_back_sees_what_he_went_back_to_and_keys_are_answered_there(table, duel, open_page, sign_in):  # noqa: F811
    """Not what they had asked for before; and where no page came, it is asked for anew."""
    page = seen_at(open_page(), table.gm, duel, sign_in)
    desk, line = page.locator("#desk-title"), SlowLine(page)
    line.holds = False
    page.locator("#battle").focus()

    def step() -> None:
        """An army further than going back leads; from then on the line is kept."""
        page.keyboard.press("n")
        expect(desk).to_have_text("Orders of Company 1")
        expect(page.locator(".steps input:checked")).to_be_focused()
        line.hold()

    step()
    line.keeps("n")
    with page.expect_event("requestfailed"):
        line.keeps("history.back()")
    line.answer()
    expect(desk).to_have_text("Orders of Company 0")
    step()
    line.keeps("history.back()")
    for key in "nnn":
        page.keyboard.press(key)
    line.answer()
    expect(desk).to_have_text("Orders of Warband 1")
    for status in (500, 0):  # an error, and no line
        seen_at(page, table.gm, duel, sign_in)
        page.locator("#battle").focus()
        step()
        line.keeps("history.back()")
        line.answer(status)
        expect(desk).to_have_text("Orders of Company 0")


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_a_question_mark_lists_the_keys(table, duel, open_page, sign_in, accessibility, language):  # noqa: F811
    """And once the list is closed the battle hears them again."""
    page = seen_at(open_page(language=language), table.gm, duel, sign_in)
    dialog, desk, battle = page.locator("#keys"), page.locator("#desk-title"), page.locator("#battle")
    expect(dialog).to_be_hidden()
    page.keyboard.press("?")  # the focus is on the page itself
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(battle).to_be_focused()
    page.keyboard.press("n")
    expect(desk).to_contain_text("Company 1")
    page.locator(".steps input:checked").focus()
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    assert accessibility(page) == []
    known = {*dialog.locator("kbd").all_inner_texts()} - {"Ctrl", "Enter"}
    assert known == {"?", "n", "p", "1", "2", "3", "4", "5", "t", "g", "c", "m", "a", "r", "e", "u", "l", "f"}
    page.keyboard.press("r")  # nothing behind it moves
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".steps input:checked")).to_be_focused()
    assert Battle.objects.get(pk=duel.pk).version == duel_version(duel)
    page.locator("#eyes summary").click()
    page.get_by_role("button", name=re.compile("Keyboard|Clavier")).click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name=re.compile("Close|Fermer")).click()
    expect(dialog).to_be_hidden()  # and so is the menu it was opened from
    expect(battle).to_be_focused()
    page.keyboard.press("p")
    expect(desk).to_contain_text("Company 0")


@pytest.mark.slow
@pytest.mark.parametrize("closing", ["Escape", "Close"])
def test_the_battle_hears_its_keys_again_once_their_list_is_closed(table, duel, open_page, sign_in, closing):  # noqa: F811
    """Opened from the menu, which closes meanwhile; and by its key while nothing had the focus."""
    page = seen_at(open_page(), table.gm, duel, sign_in)
    dialog, desk = page.locator("#keys"), page.locator("#desk-title")

    def close() -> None:
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape") if closing == "Escape" else dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_be_hidden()
        expect(page.locator("#battle")).to_be_focused()

    page.keyboard.press("?")
    close()
    page.keyboard.press("n")
    expect(desk).to_have_text("Orders of Company 1")
    page.locator("#eyes summary").click()
    page.get_by_role("button", name="Keyboard").click()
    close()
    page.keyboard.press("p")
    expect(desk).to_have_text("Orders of Company 0")


def test_many_are_ordered_by_the_keyboard_and_taken_back_in_one_step(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.gm, duel, sign_in)
    press = Keyboard(page)
    page.locator("#battle").focus()
    press("m")
    expect(page.locator("#together-sides_0")).to_be_focused()
    press("Space", "Tab", "Space")  # both sides
    page.locator("#together-strategy").select_option("aggressive")
    page.locator("#together-strategy").focus()
    press("Control+Enter")
    expect(page.locator("#messages .message.success")).to_contain_text("4 armies have their orders.")
    expect(page.locator("#go")).to_be_focused()
    assert {o.strategy for o in load_state(Battle.objects.get(pk=duel.pk)).orders.values()} == {"aggressive"}
    press("r")
    expect(page.locator("#verdict")).to_contain_text("Melee 2")
    press("a")  # what they were ordered in that phase
    expect(page.locator("#go")).to_be_focused()
    assert len(load_state(Battle.objects.get(pk=duel.pk)).orders) == 4
    press("u")
    expect(page.locator(".lock.in")).to_have_count(0)
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    press("5", "g")
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 1")
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0  # with the neighbour's, too
    press("c")
    expect(page.locator("#desk-title")).to_have_text("Orders of Warband 0")
    expect(page.locator(".steps input:checked")).to_be_focused()
    given = load_state(Battle.objects.get(pk=duel.pk)).orders.values()
    assert [order.strategy for order in given] == ["reckless", "reckless"]


def duel_version(battle: Battle) -> int:
    return battle.records.latest("seq").version


def test_keys_are_silent_outside_the_battle_while_typing_and_when_turned_off(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.gm, duel, sign_in, "?rail=tools")
    page.keyboard.press("g")  # the focus is on the page itself
    page.locator("#do-end summary").click()
    page.locator("#end-reason").fill("")
    page.locator("#end-reason").press_sequentially("grun")
    expect(page.locator("#end-reason")).to_have_value("grun")
    choose_settings(by=table.gm, keys=False)
    page.reload()
    page.locator("#battle").focus()
    page.keyboard.press("g")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#desk-title")).to_have_text("Orders of Company 0")
    assert Battle.objects.get(pk=duel.pk).version == duel_version(duel)


def test_a_refresh_by_others_leaves_the_focus_where_it_was(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(), table.ana, duel, sign_in)
    heard_by(page)
    for place in ("#luck summary", ".steps input:checked", ".warline a", "#log-box"):
        page.locator(place).first.focus()
        before = focused(page)
        version = page.locator("#battle").get_attribute("data-version")
        play(table, duel, order_of(duel, "Warband 1"))
        expect(page.locator("#battle")).not_to_have_attribute("data-version", version)
        expect(page.locator("body")).not_to_be_focused()
        assert page.evaluate("Boolean(document.activeElement.closest('#battle'))"), before


def order_of(battle: Battle, name: str) -> GiveOrder:
    state = load_state(Battle.objects.get(pk=battle.pk))
    army = next(army for army in state.armies.values() if army.name == name)
    return GiveOrder(Order(army.id))


def test_messages_come_where_one_looks_and_take_no_focus(table, duel, open_page, sign_in):  # noqa: F811
    page = seen_at(open_page(viewport=PHONE), table.gm, duel, sign_in)
    page.evaluate("document.getElementById('messages').dataset.mine = 'kept'")
    play(table, duel, order_of(duel, "Company 0"), order_of(duel, "Company 0"))
    version = str(Battle.objects.get(pk=duel.pk).version)
    expect(page.locator("#battle")).to_have_attribute("data-version", version)  # no refresh is still to come
    page.evaluate("document.querySelector('#undo').scrollIntoView()")
    page.evaluate("document.querySelectorAll('[name=version]').forEach((field) => { field.value = 1; })")
    page.locator("#undo").click()
    message = page.locator("#messages .message.warning")
    expect(message).to_contain_text("Someone else acted first")
    expect(message).to_be_in_viewport(ratio=1)
    expect(page.locator("#messages")).to_have_attribute("data-mine", "kept")  # a live region speaks while it stays
    expect(page.locator("#undo")).to_be_focused()


SUCCEEDED = """() => document.getElementById("messages").insertAdjacentHTML("beforeend",
  '<div class="message success"><p>Reminded</p></div><div class="message success"><p>Named</p><form></form></div>')"""


def test_what_succeeded_leaves_the_field_by_itself(table, duel, open_page, sign_in):  # noqa: F811
    page = open_page(viewport=PHONE)
    page.clock.install()
    seen_at(page, table.gm, duel, sign_in)
    messages = page.locator("#messages")
    page.evaluate(SUCCEEDED)
    expect(messages).to_contain_text("Reminded")
    assert messages.evaluate("(box) => getComputedStyle(box).position") == "static", "covers no field"
    page.evaluate("complain('No line')")
    page.evaluate(SUCCEEDED)
    page.clock.fast_forward(10_000)
    expect(messages).not_to_contain_text("Reminded")
    expect(messages).to_contain_text("Named")  # it can be undone
    expect(messages).to_contain_text("No line")


def test_who_buys_for_an_army_stays_at_what_he_bought(table, open_page, sign_in):
    page = open_page(viewport=PHONE)
    sign_in(page, table.gm)
    page.goto(f"/armies/{table.watch.pk}/")
    offer = page.locator("[id^='buy-']").first
    place = offer.get_attribute("id")
    offer.focus()
    page.keyboard.press("Enter")
    message = page.locator("#messages .message.success")
    expect(message).to_contain_text("Purchase made")
    expect(message).to_be_in_viewport(ratio=1)
    assert focused(page) in (place, "army-resources")


def test_what_is_ordered_of_an_army_without_scripts_leads_to_its_place(table):
    client, address = client_of(table.gm), f"/armies/{table.watch.pk}/"
    page = client.get(address).content.decode()
    form = re.search(r'<form[^>]* action="([^"]+)"(?:(?!</form>).)*id="buy-([^"]+)"', page, re.DOTALL)
    assert form
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))
    answer = client.post(form[1], hidden)
    assert answer["Location"] == f"{address}#army-resources"
    shown = client.get(address).content.decode()
    assert 'id="army-resources"' in shown
    assert "Purchase made" in shown


@pytest.mark.slow
def test_what_is_ordered_of_an_army_without_scripts_is_shown_in_its_place(table, open_page, sign_in):
    page = open_page(viewport=PHONE, java_script_enabled=False)
    sign_in(page, table.gm)
    page.goto(f"/armies/{table.watch.pk}/")
    page.locator("[id^='buy-']").first.click()
    assert page.url.endswith("#army-resources")
    expect(page.locator("#army-resources")).to_be_in_viewport()
    expect(page.locator("#messages .message.success")).to_be_in_viewport()


pytestmark = pytest.mark.django_db(transaction=True)
