"""Wing command in a browser: commanded and fought on the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.accounts.services import choose_settings
from tests.battles.conftest import Client
from tests.browsing import LAPTOP, PHONE, overflow
from tests.rulesets.wing_command import hosts
from tests.worlds import built_once


@built_once
def table(transactional_db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def begun(table) -> Battle:
    return hosts.begun(table)


@pytest.fixture
def shown(open_page, sign_in) -> Any:
    """Opens the battle's page as somebody, and holds that no script fails there."""
    faults: list[str] = []

    def opened_by(user: Any, battle: Battle, query: str = "", **more: Any) -> Page:
        page = open_page(**more)
        page.on("pageerror", lambda error: faults.append(str(error)))
        sign_in(page, user)
        page.goto(f"/battles/{battle.pk}/{query}")
        return page

    yield opened_by
    assert faults == []


def short(battle: Battle, name: str) -> str:
    return hosts.unit(battle, name).rpartition(":")[2]


class Hand:
    """A player's hand on the board: what it clicks is counted, or taps where it is a finger. `faces` are what its dice
    show, over and over.
    """

    def __init__(self, page: Page, battle: Battle, *, finger: bool = False, faces: Sequence[int] = (3,)):
        self.page, self.battle, self.clicks, self.acts = page, battle, 0, 0
        self.finger, self.faces, self.throws = finger, cycle(faces), 0
        self.looking: Callable[[], None] = lambda: None

    def version(self) -> int:
        return Battle.objects.get(pk=self.battle.pk).version

    def click(self, place: str) -> None:
        """Taps go to the left and right of a button by turns: two at one place are a double click, and sent once."""
        self.clicks += 1
        found = self.page.locator(place).first
        if not self.finger:
            found.click()
        elif place == "#go":
            box = found.bounding_box()
            assert box is not None
            found.tap(position={"x": box["width"] * (0.2 if self.clicks % 2 else 0.8), "y": box["height"] / 2})
        else:
            found.tap()

    def choose(self, place: str, then: str) -> None:
        """Something on the board or in its column, until it stands."""
        self.click(place)
        expect(self.page.locator(then).first).to_be_visible()

    def go(self) -> None:
        """The button of the foot, and its dice where they are typed."""
        before = self.version()
        self.click("#go")
        rows = self.page.locator(".dice-rows > li")
        while self.version() == before:
            expect(rows.first.or_(self.page.locator(f"#battle:not([data-version='{before}'])"))).to_be_visible()
            if self.version() > before:
                break
            for field in self.page.locator(".dice-rows [name='face']").all():
                if not field.input_value():
                    field.fill(str(next(self.faces)))
            self.throws += 1
            self.looking()
            self.click("#apply-dice")
            expect(self.page.locator("[data-disabled-by-htmx]")).to_have_count(0)
        expect(self.page.locator("#battle")).to_have_attribute("data-version", str(self.version()))

    def has(self, place: str) -> bool:
        return self.page.locator(place).count() > 0

    def wing(self) -> None:
        """The wing that can act next does all it can."""
        self.choose(".w-name a", "#go:enabled")
        self.go()
        while self.has("#next-unit") or self.has(".l-tokens .tok.may"):
            before, at = self.clicks - self.throws, self.version()
            self.unit()
            if self.version() == at:
                break
            self.acts += 1
            assert self.clicks - self.throws - before <= CLICKS_A_UNIT  # besides one a throw, which the law decides
        if self.has("#clear"):
            self.click("#clear")
        expect(self.page.locator("#go:enabled")).to_be_visible()
        self.go()

    def unit(self) -> None:
        """The next one attacks if it can, else goes as far as its order lets it, else stays."""
        self.choose("#next-unit" if self.has("#next-unit") else ".l-tokens .tok.may", "#unit-title")
        if self.has(".acts a[href*='target=']"):
            self.choose(".acts a[href*='target=']", ".acts .chosen")
        elif self.has(".acts a[href*='pick=exit']"):
            self.choose(".acts a[href*='pick=exit']", "#go:enabled")
        elif self.has(".l-over a.onto"):  # where somebody stands whom it can join
            self.choose(".l-over a.onto", "#go:enabled")
        elif self.has(NEAR):
            self.choose(NEAR, "#go:enabled")
        elif self.has(".acts a[href*='pick=stand']"):
            self.choose(".acts a[href*='pick=stand']", "#go:enabled")
        else:
            return
        self.looking()
        self.go()


CLICKS_A_UNIT = 6
NEAR = ".l-choices a.go:not(.far, [aria-label$=', 0'])"  # its own hex is under its counter
TURNS_BY_PHONE = 3


def phase(table: Any, battle: Battle) -> str:
    return str(Client(table.gm, battle).read()["turn"]["phase"])


def turns_by(hand: Hand, table: Any, battle: Battle, turns: int) -> None:
    """Whole turns of both sides by one hand, the GM's."""
    until = Client(table.gm, battle).read()["turn"]["number"] + turns
    while (now := Client(table.gm, battle).read()) and now["status"] == "running" and now["turn"]["number"] < until:
        hand.looking()
        if now["turn"]["phase"] == "action" and not now["turn"]["active"]:
            hand.wing()
        else:
            expect(hand.page.locator("#go:enabled")).to_be_visible()
            hand.go()


@pytest.mark.slow
def test_an_evening_by_mouse_takes_few_clicks_a_unit(server, shown, table, begun, shoot):
    """Two whole turns of twelve against twelve and their characters."""
    page = shown(table.gm, begun)
    hand = Hand(page, begun)
    turns_by(hand, table, begun, 2)
    shoot(page, "wc-evening")
    assert hand.acts > 40
    assert hand.clicks / hand.acts <= CLICKS_A_UNIT
    print(f"clicks: {hand.clicks}, units that acted: {hand.acts}")


@pytest.mark.slow
def test_an_evening_by_phone_in_french_with_typed_dice_takes_few_taps_a_unit(
    server, shown, table, begun, shoot, accessibility
):
    """Turns of twelve against twelve; whatever is thrown is typed, and every step of the page fits and can be read."""
    choose_settings(by=table.gm, dice="typed")
    page = shown(table.gm, begun, viewport=PHONE, language="fr", has_touch=True)
    hand = Hand(page, begun, finger=True, faces=(4, 6, 3, 5, 2, 6, 1, 5))
    looked: set[tuple[str, ...]] = set()

    def looking() -> None:
        """Before every act; by axe where the column holds what it did not before."""
        assert overflow(page) <= 0
        kind = tuple(page.locator(".side-col section").evaluate_all("found => found.map(one => one.className)"))
        if kind not in looked:
            looked.add(kind)
            assert accessibility(page, both=True, contrasts=True) == []

    hand.looking = looking
    turns_by(hand, table, begun, TURNS_BY_PHONE)
    shoot(page, "wc-phone-evening")
    print(f"taps: {hand.clicks}, units that acted: {hand.acts}, throws: {hand.throws}, looks: {len(looked)}")
    assert hand.acts > 60
    assert hand.throws > 20
    assert hand.clicks / hand.acts <= CLICKS_A_UNIT
    thrown = [die for record in begun.records.all() for die in record.dice]
    assert {die["source"] for die in thrown} == {"typed"}


def commanded(table: Any, battle: Battle) -> Client:
    """Both sides have passed; the crown chooses a wing."""
    gm = Client(table.gm, battle)
    gm.ok(type="pass", side=0)
    gm.ok(type="pass", side=1)
    return gm


def came_near(table: Any, battle: Battle) -> Client:
    """The crown's riders act; riders of the horde stand before them."""
    gm = commanded(table, battle)
    gm.ok(type="take_wing", wing=str(table.crown.armies[2].pk))
    gm.ok(type="override", what=hosts.unit(battle, "Riders"), field="at", value="K8", reason="near")
    return gm


def test_on_a_phone_riders_charge_in_three_taps(server, shown, table, begun, shoot, accessibility):
    came_near(table, begun)
    page = shown(table.ana, begun, viewport=PHONE)
    page.locator("#next-unit").click()
    page.wait_for_url("**unit=*")  # a board that is drawn anew between press and release has no click
    page.locator(f".l-tokens a[href*='unit={short(begun, 'Riders 1')}']").click()
    expect(page.locator("#unit-title")).to_contain_text("Riders 1")
    page.locator(".l-over a.target[data-hex=K8]").click()
    expect(page.locator("#go")).to_have_text("Charge Riders")
    shoot(page, "wc-phone-charge")
    assert overflow(page) == 0
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator("#verdict")).to_contain_text("Charge of Riders 1 against Riders")


CUT = """() => [...document.querySelectorAll(".w-name")].filter((name) =>
  name.scrollHeight > name.clientHeight + 2 || name.scrollWidth > name.clientWidth + 1
  || name.getBoundingClientRect().right > name.parentElement.getBoundingClientRect().right
).map((name) => name.innerText)"""


RENAME = """() => document.querySelectorAll(".w-name a, .w-name:not(:has(a))").forEach((name) => {
  name.textContent = "Aile gauche de la Couronne"; })"""


def test_whatever_the_button_of_the_foot_says_it_fits_a_phone_and_so_do_names_of_wings(server, shown, table, begun):
    commanded(table, begun)
    page = shown(table.ana, begun, viewport=PHONE, language="fr")
    expect(page.locator(".board-foot .thumb")).to_have_text("Choisissez l’aile qui agit, ou l’une de ses unités.")
    assert overflow(page) == 0
    for viewport in (PHONE, LAPTOP):
        page.set_viewport_size(viewport)
        page.evaluate(RENAME)
        assert page.evaluate(CUT) == [], viewport
        assert overflow(page) == 0
    waits = shown(table.bo, begun, viewport=PHONE, language="fr")
    waits.goto(f"/battles/{begun.pk}/{waits.locator('main a[href*="unit="]').first.get_attribute('href')}")
    expect(waits.locator(".command .aside")).to_be_visible()  # its words are read out, and take no room
    assert overflow(waits) == 0


def test_typed_dice_in_french_of_a_charge(server, shown, table, begun, shoot, accessibility):
    came_near(table, begun)
    choose_settings(by=table.ana, dice="typed")
    page = shown(table.ana, begun, f"?unit={short(begun, 'Riders 1')}", language="fr")
    page.locator(".l-over a.target[data-hex=K8]").click()
    expect(page.locator("#go")).to_contain_text("Charger")
    shoot(page, "wc-french")
    assert overflow(page) == 0
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator(".dice-rows > li")).to_have_count(2)
    expect(page.locator(".dice-rows > li").first).to_contain_text("Choc")
    shoot(page, "wc-french-dice")
    page.locator("#die-1").fill("1")
    page.locator("#die-2").fill("6")
    page.locator("#apply-dice").click()
    expect(page.locator(".dice-rows")).to_have_count(0)
    dice = Battle.objects.get(pk=begun.pk).records.latest("seq").dice
    assert [(die["value"], die["source"]) for die in dice][:2] == [(1, "typed"), (6, "typed")]


def test_special_orders_are_given_on_the_board(server, shown, table, begun, shoot, accessibility):
    page = shown(table.ana, begun)
    page.locator(f".unit-rows a[href$='unit={short(begun, 'Chief C1')}']").click()
    page.locator(".acts a[href*='pick=distribute']").click()
    expect(page.locator("#go")).to_be_enabled()
    shoot(page, "wc-chief")
    page.locator("#go").click()
    expect(page.locator(".price-rows a").first).to_be_visible()
    page.locator(".l-over a.target").first.click()
    expect(page.locator(".price-rows .chosen")).to_be_visible()
    shoot(page, "wc-orders")
    assert overflow(page) == 0
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(begun.version + 2))
    expect(page.locator(".price-rows .barred").first).to_contain_text("The unit already has a special order.")
    dark = shown(table.ana, begun, dark=True)
    shoot(dark, "wc-orders-dark")


@pytest.mark.slow
def test_the_gms_hand_on_spells_and_effects_fits(server, shown, table, begun, shoot, accessibility):
    wide = shown(table.gm, begun, "?rail=tools", dark=True)
    phone = shown(table.gm, begun, "?rail=tools", viewport=PHONE, language="fr")
    for page, name in ((wide, "wide"), (phone, "phone")):
        page.locator("#do-by_hand summary").click()
        page.locator("#by_hand-who").select_option(hosts.unit(begun, "Riders"))
        page.locator("#do-by_hand button").click()
        page.locator("#by_hand-deed").select_option("begin:ward")
        page.locator("#by_hand-turns").fill("2")
        page.locator("#by_hand-reason").fill("The story")
        shoot(page, f"wc-hand-{name}")
        assert accessibility(page) == []
        assert overflow(page) == 0
        page.locator("#tray button.primary").click()
        expect(page.locator("#tray-title")).to_have_count(0)
        Client(table.gm, begun).ok(type="undo")


def test_the_gm_has_a_state_by_hand_and_the_rout_phase_one_button(server, shown, table, begun, shoot, accessibility):
    gm = Client(table.gm, begun)
    gm.ok(type="pass", side=0)
    gm.ok(type="pass", side=1)
    for number in range(3):
        for side in (table.crown, table.horde):
            gm.ok(type="override", what=str(side.armies[number].pk), field="order", value="hold", reason="a look")
    gm.ok(type="override", what=hosts.unit(begun, "Riders"), field="morale", value=2, reason="a look")
    for number in range(3):
        for side in (table.crown, table.horde):
            gm.ok(type="take_wing", wing=str(side.armies[number].pk))
            gm.ok(type="end_wing")
    page = shown(table.gm, begun, "?rail=tools")
    expect(page.get_by_role("button", name="Resolve routs and rallies")).to_have_count(1)
    shoot(page, "wc-rout")
    assert overflow(page) == 0
    assert accessibility(page) == []
    page.locator("#do-override-unit summary").click()
    page.locator("#override-unit-what").select_option("fatigue")
    page.locator("#do-override-unit button").click()
    expect(page.locator("#tray")).to_contain_text("Fatigue")
    page.goto(f"/battles/{begun.pk}/")
    page.locator("#go").click()
    expect(page.locator("#battle")).to_contain_text("Turn 2 of 12")
    shoot(page, "wc-after-rout")
