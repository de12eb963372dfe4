"""THUCIDIDE fantasy in a browser: an evening on a phone in French, with the dragon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.accounts.services import choose_settings
from kingdom.models import Kingdom
from rules.odds import tasks
from tests.battles.conftest import Client
from tests.battles.forecast.test_jobs import Threads, flights  # noqa: F401 - a fixture
from tests.browsing import LAPTOP, PHONE, following, overflow
from tests.everyday import everyday
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_play import Evening, casting, dealt
from tests.rulesets.thucidide_fantasy.test_reroll import favoured
from tests.worlds import built_once


@built_once
def table(transactional_db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def setting_up(table) -> Battle:
    return hosts.opened(table)


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


WRITTEN = """(input) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(input).font;
  return pen.measureText(input.value || input.placeholder).width;
}"""


def test_the_names_of_both_sides_can_be_read_on_a_phone_in_french(server, table, open_page, sign_in):
    for side, name in ((table.realm, "Royaume de Valombre"), (table.dark, "Royaume de Valdor")):
        Kingdom.objects.filter(pk=side.kingdom.pk).update(name=name)
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, table.gm)
    page.goto(f"/c/{table.campaign.pk}/battles/new/")
    for name in page.locator(".seat-name > input").all():
        assert name.evaluate(WRITTEN) <= name.evaluate("(input) => input.clientWidth")
    assert overflow(page) <= 0


CUT = "(found) => found.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_no_button_of_the_foot_is_cut_on_a_phone_while_units_are_placed(server, shown, table, setting_up, language):
    page = shown(table.ana, setting_up, viewport=PHONE, language=language)
    buttons = page.locator(".board-foot .end :is(button, .button)")
    assert buttons.evaluate_all(CUT) == []
    page.locator(".l-choices a.place").first.dispatch_event("click")
    expect(page.locator("#undo")).to_be_visible()
    assert buttons.evaluate_all(CUT) == []
    assert overflow(page) <= 0


def test_a_side_lines_up_and_chooses_its_cards(server, shown, table, setting_up, shoot):
    page = shown(table.ana, setting_up)
    shoot(page, "tf-setup")
    page.locator("#line-up").click()
    expect(page.locator("#go")).to_be_enabled()
    shoot(page, "tf-setup-lined-up")
    page.goto(f"/battles/{setting_up.pk}/?unit={short(setting_up, 'Court mage')}")
    page.locator(".cards-form summary").click()
    shoot(page, "tf-setup-cards")
    page.locator(".cards-form select[name='copies-fear']").select_option("2")
    page.locator(".cards-form button").click()
    expect(page.locator(".cards-form [role=alert], .cards-form .errors").first).to_contain_text("8")
    for slug in ("magic-arrows", "word-of-power"):
        page.locator(f".cards-form select[name='copies-{slug}']").select_option("0")
    page.locator(".cards-form button").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(setting_up.version + 2))
    state = hosts.state_of(setting_up)
    assert state.people[hosts.unit(setting_up, "Court mage")].cards.count("fear") == 2


def test_the_end_of_a_phase_does_not_stand_out_while_a_leader_can_act(server, shown, table, begun):
    page = shown(table.ana, begun, viewport=PHONE)
    expect(page.locator(".board-foot .state")).to_contain_text("Choose a leader, or end the phase")
    expect(page.locator("#go")).to_be_visible()
    expect(page.locator("#go.primary")).to_have_count(0)
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Chief Realm')}")
    page.locator(".l-over a.target:not([aria-current])").first.click()
    expect(page.locator("#go.primary")).to_be_visible()
    assert overflow(page) <= 0
    gm = shown(table.gm, begun, viewport=PHONE, language="fr")  # who reads whose phase it ends
    expect(gm.locator("#go")).to_contain_text("Finir la phase de commandement : ")
    gm.locator("#go").evaluate("(button) => { button.textContent += ' de Valombre-sur-Sellen'; }")
    assert overflow(gm) <= 0


def test_who_waits_reads_for_whom_on_a_phone_too(server, shown, table, begun):
    page = shown(table.bo, begun, viewport=PHONE)
    expect(page.locator(".board-foot .state small")).to_be_visible()
    expect(page.locator(".board-foot .state")).to_contain_text("Host of the Realm")
    assert overflow(page) <= 0


def test_a_leader_activates_units_by_taps(server, shown, table, begun, shoot):
    page = shown(table.ana, begun)
    shoot(page, "tf-command")
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Chief Realm')}")
    shoot(page, "tf-leader")
    for _tap in range(2):
        page.locator(".l-over a.target:not([aria-current])").first.click()
        page.wait_for_timeout(300)
    shoot(page, "tf-activate")
    expect(page.locator(".l-over a.target[aria-current]")).to_have_count(2)
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(begun.version + 1))
    assert len(hosts.state_of(begun).activations[0].units) == 2


@pytest.mark.slow
def test_units_their_reach_and_targets_are_shown_on_a_page_that_fits(server, shown, table, begun, shoot):
    gm = Client(table.gm, begun)
    foot = [one for one, own in hosts.state_of(begun).units.items() if own.own.type in ("foot-heavy", "pike")]
    realm = [one for one in foot if hosts.state_of(begun).side_of(one) == 0]
    chief, mage = hosts.unit(begun, "Chief Realm"), hosts.unit(begun, "Court mage")
    gm.ok(type="activate", leader=chief, units=realm[:3])
    gm.ok(type="activate", leader=None, units=[], characters=[mage])
    gm.ok(type="end_phase")
    page = shown(table.ana, begun)
    shoot(page, "tf-movement")
    page.goto(f"/battles/{begun.pk}/?unit={realm[0].rpartition(':')[2]}")
    shoot(page, "tf-reach")
    page.locator(".l-choices a.go").first.click()
    page.wait_for_timeout(300)
    shoot(page, "tf-way")
    gm.ok(type="announce", caster=mage)
    gm.ok(type="end_phase")
    at = hosts.state_of(begun).at(realm[0])
    ground = hosts.state_of(begun).field.ground
    near = next(one for one in ground.around(at) if not hosts.state_of(begun).field.at(one))
    gm.ok(type="override", what=hosts.unit(begun, "Vexar"), field="at", value=near, reason="for a look")
    others = [one for one in ground.around(at) if not hosts.state_of(begun).field.at(one)]
    gm.ok(type="override", what=hosts.unit(begun, "Ogres"), field="at", value=others[0], reason="for a look")
    page.goto(f"/battles/{begun.pk}/?unit={realm[0].rpartition(':')[2]}")
    shoot(page, "tf-targets")
    page.locator(".l-over a.target").first.click()
    page.wait_for_timeout(300)
    shoot(page, "tf-target")
    dark = shown(table.ana, begun, f"?unit={realm[0].rpartition(':')[2]}&target={short(begun, 'Ogres')}", dark=True,
                 language="fr")  # fmt: skip
    shoot(dark, "tf-target-dark")
    phone = shown(table.ana, begun, f"?unit={realm[0].rpartition(':')[2]}&target={short(begun, 'Ogres')}",
                  viewport=PHONE, language="fr")  # fmt: skip
    shoot(phone, "tf-phone")
    assert [overflow(shown_page) for shown_page in (page, dark, phone)] == [0, 0, 0]
    gm_page = shown(table.gm, begun, "?rail=tools")
    shoot(gm_page, "tf-gm")
    gm.ok(type="override", what=hosts.unit(begun, "Vexar"), field="at", value="A2", reason="away")
    gm.ok(type="override", what=hosts.unit(begun, "Ogres"), field="at", value="A4", reason="away")
    gm.ok(type="end_phase")
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Court mage')}")
    shoot(page, "tf-spells")
    page.locator(".acts a[href*='pick=spell:armour']").first.click()
    page.wait_for_timeout(300)
    shoot(page, "tf-spell-targets")
    page.locator(".l-over a.target").first.click()
    page.wait_for_timeout(300)
    shoot(page, "tf-spell-aimed")


@pytest.mark.slow
def test_the_gms_hand_on_traits_cards_effects_and_graves_fits(server, shown, table, begun, shoot, accessibility):
    gm = Client(table.gm, begun)
    gm.ok(type="override", what=hosts.unit(begun, "Giant spider"), field="stands", value=0, reason="a look")
    wide = shown(table.gm, begun, "?rail=tools")
    phone = shown(table.gm, begun, "?rail=tools", viewport=PHONE, language="fr", dark=True)
    for page, name in ((wide, "wide"), (phone, "phone")):
        page.locator("#do-by_hand summary").click()
        page.locator("#do-by_hand-hex summary").click()
        shoot(page, f"tf-hand-{name}")
        page.locator("#by_hand-who").select_option(hosts.unit(begun, "Court mage"))
        page.locator("#do-by_hand button").click()
        expect(page.locator("#by_hand-deed")).to_be_visible()
        page.locator("#by_hand-deed").select_option("begin:rebound")
        page.locator("#by_hand-reason").fill("The story")
        shoot(page, f"tf-hand-form-{name}")
        page.locator("#tray button.primary").click()
        expect(page.locator("#by_hand-turns_error, #tray .errors").first).to_be_visible()
        shoot(page, f"tf-hand-refused-{name}")
        assert accessibility(page) == []
        assert overflow(page) == 0
        page.locator("#by_hand-turns").fill("2")
        page.locator("#tray button.primary").click()
        expect(page.locator("#tray-title")).to_have_count(0)
        gm.ok(type="undo")
        page.goto(f"/battles/{begun.pk}/?rail=tools&do=by_hand&army={hosts.unit(begun, 'Giant spider')}")
        shoot(page, f"tf-hand-grave-{name}")
        page.goto(f"/battles/{begun.pk}/?rail=tools&do=by_hand&army=Z99")
        shoot(page, f"tf-hand-nothing-{name}")
    wide.goto(f"/battles/{begun.pk}/?rail=tools")
    wide.locator("#do-by_hand-hex summary").click()
    wide.locator("#by_hand-hex").fill("e7")
    wide.locator("#do-by_hand-hex button").click()
    expect(wide.locator("#tray")).to_contain_text("E7")


def test_an_evening_on_a_phone_in_french_with_the_dragon(server, shown, table, begun, shoot):
    """Activated, flown and let loose by taps alone: unit, hex or enemy, button."""
    gm = Client(table.gm, begun)
    foot = next(one for one, own in hosts.state_of(begun).units.items() if own.own.type == "foot-medium")
    gm.ok(type="override", what=foot, field="at", value="H7", reason="une embuscade")
    gm.ok(type="override", what=hosts.unit(begun, "Vexar"), field="at", value="H5", reason="une embuscade")
    for _phase in range(3):
        gm.ok(type="end_phase")
    page = shown(table.bo, begun, viewport=PHONE, language="fr")
    version = Battle.objects.get(pk=begun.pk).version

    def goes() -> None:
        nonlocal version
        page.locator("#go").click()
        version += 1
        expect(page.locator("#battle")).to_have_attribute("data-version", str(version))

    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Chief Dark host')}")
    page.locator(f".l-over a.target[href*='{short(begun, 'Vexar')}']").click()
    expect(page.locator("#go")).to_contain_text("Activer 1")
    shoot(page, "tf-phone-activate")
    goes()
    page.goto(f"/battles/{begun.pk}/")
    expect(page.locator("#go")).to_contain_text("Finir")
    goes()
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Vexar')}")
    page.locator(".l-choices a.go[href*='to=H6']").click()
    expect(page.locator("#go")).to_contain_text("H6")
    shoot(page, "tf-phone-way")
    goes()
    page.goto(f"/battles/{begun.pk}/")
    goes()
    page.goto(f"/battles/{begun.pk}/?unit={short(begun, 'Vexar')}")
    page.locator(".l-over a.target").first.click()
    expect(page.locator("#go")).to_be_enabled()
    shoot(page, "tf-phone-dragon")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(version + 1))
    shoot(page, "tf-phone-after")
    assert hosts.state_of(begun).doing(hosts.unit(begun, "Vexar")).fought


def dice_by_tap(page: Page, *sides: str) -> list[str]:
    """Types the dice that are asked for by tapping symbols, in turn, until none is asked for; what was asked."""
    found: list[str] = []
    while page.locator("#dice-form").count():
        rows = page.locator(".dice-rows > li")
        for place in range(rows.count()):
            row = rows.nth(place)
            row.locator(f"label.{sides[len(found) % len(sides)]}").click()
            found.append(row.locator(".die-name").inner_text())
        expect(page.locator("[data-count='typed']")).to_have_text(str(rows.count()))
        before = page.locator("#dice-form").evaluate("form => form.dataset.dice + form.elements.settled.value")
        page.locator("#apply-dice").click()
        page.wait_for_function(
            "before => { const form = document.getElementById('dice-form');"
            " return !form || form.dataset.dice + form.elements.settled.value !== before; }",
            arg=before,
        )
    return found


@pytest.mark.slow
def test_the_dragons_evening_on_a_phone_in_french_with_dice_by_tap_a_spell_and_a_pursuit(
    server, shown, table, begun, shoot, accessibility
):
    """The dark host's owner types all dice. Nothing is wider than the phone, and each page is accessible."""
    gm = Client(table.gm, begun)
    seats = {"Vexar": "H5", "Goblins on wargs 1": "K6", "Necromancer": "G4", "Chief Dark host": "J4"}
    for name, at in seats.items():
        gm.ok(type="override", what=hosts.unit(begun, name), field="at", value=at, reason="une embuscade")
    tokens = hosts.state_of(begun).field.tokens.values()
    mine = {str(token.name): token.id for token in tokens if token.side == 0}
    prey = {"Medium foot 1": "H7", "Bows 1": "K7", "Bows 2": "K8"}
    for name, at in prey.items():
        gm.ok(type="override", what=mine[name], field="at", value=at, reason="une embuscade")
    gm.ok(type="override", what=mine["Bows 1"], field="stands", value=1, reason="une embuscade")
    gm.ok(type="override", what="1", field="counters", value=3, reason="une embuscade")
    for _phase in range(3):
        gm.ok(type="end_phase")
    choose_settings(by=table.bo, dice="typed")
    page = shown(table.bo, begun, viewport=PHONE, language="fr")

    def at(query: str = "") -> None:
        page.goto(f"/battles/{begun.pk}/{query}")

    def looks_right(name: str) -> None:
        shoot(page, f"tf-evening-{name}")
        assert overflow(page) <= 0, name
        assert accessibility(page) == [], name

    def goes() -> None:
        version = Battle.objects.get(pk=begun.pk).version
        page.locator("#go").click()
        expect(page.locator("#battle")).not_to_have_attribute("data-version", str(version))

    at(f"?unit={short(begun, 'Chief Dark host')}")
    for number, name in enumerate(("Vexar", "Goblins on wargs 1"), start=1):
        page.locator(f".l-over a.target[href*='{short(begun, name)}']").click()
        expect(page.locator("#go")).to_contain_text(f"Activer {number}")
    looks_right("activate")
    goes()
    at(f"?unit={short(begun, 'Necromancer')}")
    expect(page.locator("#go")).to_contain_text("Activer")
    goes()
    at()
    goes()
    at(f"?unit={short(begun, 'Vexar')}")
    page.locator(".l-choices a.go[href*='to=H6']").click()
    expect(page.locator("#go")).to_contain_text("H6")
    looks_right("way")
    goes()
    at(f"?unit={short(begun, 'Necromancer')}")
    page.get_by_role("link", name="Annoncer un sort").click()
    expect(page.locator("#go")).to_contain_text("Annoncer")
    looks_right("announce")
    goes()
    at()
    goes()
    at(f"?unit={short(begun, 'Vexar')}")
    page.locator(".l-over a.target").first.click()
    expect(page.locator("#go")).to_have_text("Donner l’assaut à Infanterie moyenne 1")
    looks_right("target")
    page.locator("#go").click()
    expect(page.locator(".die-sides").first).to_be_visible()
    looks_right("dice")
    boxes = [label.bounding_box() for label in page.locator(".die-side").all()]
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    asked = dice_by_tap(page, "red", "green", "letter")
    assert len(asked) == 9, "five dice of the dragon, three of the riposte, one that confirms"
    looks_right("after-dice")
    at(f"?unit={short(begun, 'Goblins on wargs 1')}")
    page.locator(".l-over a.target").first.click()
    page.locator("#go").click()
    expect(page.locator(".die-sides").first).to_be_visible()
    dice_by_tap(page, "red")
    looks_right("answered-elsewhere")
    mage = hosts.state_of(begun).fight
    gm.ok(type="flee", character=mage.todo[0].unit, hex=mage.options[0])
    at()
    looks_right("pursuit")
    page.locator("#turn input[type='radio']").first.check()
    page.get_by_role("button", name="Confirmer").click()
    expect(page.locator("#dice-form")).to_be_visible()
    dice_by_tap(page, "blue", "red")
    looks_right("pursued")
    at()
    goes()
    at(f"?unit={short(begun, 'Necromancer')}")
    looks_right("spells")
    page.locator(".acts a[href*='spell:slowness']").click()
    page.locator(".l-over a.target").first.click()
    expect(page.locator("#go")).to_contain_text("Lancer")
    looks_right("spell")
    page.locator("#go").click()
    dice_by_tap(page, "red", "green")
    looks_right("cast")
    assert hosts.state_of(begun).doing(hosts.unit(begun, "Necromancer")).cast


class Phone:
    """A page of a battle on a phone in French, its owner typing the dice: what was shot is accessible and fits."""

    def __init__(self, page: Page, battle: Battle, shoot: Any, accessibility: Any):
        self.page, self.battle, self.shoot, self.accessibility = page, battle, shoot, accessibility

    def open(self, query: str = "") -> None:
        self.page.goto(f"/battles/{self.battle.pk}/{query}")

    def looks_right(self, name: str) -> None:
        self.shoot(self.page, f"tf-phone-{name}")
        assert overflow(self.page) <= 0, name
        assert self.accessibility(self.page) == [], name

    def go(self) -> None:
        """Presses the button of the foot, whatever it asks for."""
        version = Battle.objects.get(pk=self.battle.pk).version
        self.page.locator("#go").click()
        expect(self.page.locator(f"#dice-form, #battle:not([data-version='{version}'])").first).to_be_visible()


@pytest.fixture
def phone(shown, shoot, accessibility) -> Any:
    def opened_by(user: Any, battle: Battle) -> Phone:
        choose_settings(by=user, dice="typed")
        return Phone(shown(user, battle, viewport=PHONE, language="fr"), battle, shoot, accessibility)

    return opened_by


@pytest.mark.slow
def test_a_die_is_thrown_again_by_taps_after_a_reload_and_after_undo(server, table, phone):
    evening, ours, ogres = favoured(table)
    seen = phone(table.ana, evening.battle)
    page = seen.page

    def attack() -> None:
        seen.open(f"?unit={ours.rpartition(':')[2]}&target={ogres.rpartition(':')[2]}")
        seen.go()
        dice_by_tap(page, "green", "green", "red", "green", "green")
        expect(page.locator("#turn")).to_contain_text("Vous pouvez relancer un de ces dés.")
        page.reload()
        expect(page.locator("#turn")).to_contain_text("Vous pouvez relancer un de ces dés.")

    attack()
    seen.looks_right("reroll")
    evening.gm.ok(type="undo")
    page.reload()
    expect(page.locator("#turn input[type='radio']")).to_have_count(0)
    attack()
    page.locator("#turn input[value='0']").check()
    page.get_by_role("button", name="Confirmer").click()
    expect(page.locator("#dice-form")).to_be_visible()
    dice_by_tap(page, "red")
    assert evening.state.units[ogres].stands == 3
    seen.looks_right("rerolled")
    evening.gm.ok(type="undo")
    page.reload()
    page.locator("#turn input[value='']").check()
    page.get_by_role("button", name="Confirmer").click()
    expect(page.locator("#turn input[type='radio']")).to_have_count(0)
    assert evening.state.units[ogres].stands == 4


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False], ids=["keys", "no-scripts"])
def test_dice_with_symbols_are_typed_by_keys_and_without_scripts(server, table, shown, scripts):
    """1 to 6 choose a side and go on to the next die; Backspace empties it. Without scripts buttons do all of it."""
    evening, ours, ogres = favoured(table)
    choose_settings(by=table.ana, dice="typed")
    page = shown(table.ana, evening.battle, java_script_enabled=scripts)
    page.goto(f"/battles/{evening.battle.pk}/?unit={ours.rpartition(':')[2]}&target={ogres.rpartition(':')[2]}")
    page.locator("#go").click()
    first = page.locator("#die-1")
    expect(first).to_be_attached()
    if scripts:
        expect(first).to_be_focused()
        for key in "41313":
            page.keyboard.press(key)
        expect(page.locator("[data-count='typed']")).to_have_text("5")
        page.locator("#die-1-4").focus()
        page.keyboard.press("Backspace")
        expect(page.locator("[data-count='empty']")).to_have_text("1")
        page.keyboard.press("1")
        expect(page.locator("#die-2")).to_be_focused()
        page.reload()
        expect(page.locator("[data-count='typed']")).to_have_text("5")
    else:
        for place, side in enumerate(("green", "green", "red", "green", "red")):
            page.locator(".dice-rows > li").nth(place).locator(f"label.{side}").click()
    chosen = page.locator(".die-sides :checked")
    assert [chosen.nth(place).get_attribute("value") for place in range(5)] == ["green", "green", "red", "green", "red"]
    page.locator("#apply-dice").click()
    expect(page.locator("#turn")).to_contain_text("You can reroll one of these dice")
    assert [roll.value for roll in evening.state.fight.todo[0].rolls] == [1, 1, 3, 1, 3]


@pytest.mark.slow
def test_spells_of_the_dead_are_cast_by_taps(server, table, phone):
    """901 to 904, each from the same hand, taken back by the GM."""
    evening = dealt(table, "army-of-the-dead")
    mage, bones = evening.id("Court mage"), evening.id("Bones")
    for card in ("animate-dead", "dust-warriors", "turn"):
        evening.set(mage, "card", f"+{card}")
    for what, at in (
        (mage, "G8"),
        (evening.id("Pikes"), "F8"),
        (bones, "G6"),
        (evening.id("Necromancer"), "G4"),
    ):
        evening.put(what, at)
    evening.set(evening.id("Pikes"), "stands", 0)
    casting(evening)
    seen = phone(table.ana, evening.battle)
    page = seen.page
    for spell in ("animate-dead", "dust-warriors", "army-of-the-dead", "turn"):
        before = evening.state
        seen.open(f"?unit={mage.rpartition(':')[2]}")
        page.locator(f".acts a[href*='spell:{spell}']").click()
        expect(page.locator(".acts .chosen")).to_have_count(1)
        if spell == "army-of-the-dead":
            page.locator(".l-over a.target, .l-choices a.go").first.click()
            page.get_by_text("Choisir le reste à ma place").click()
        else:
            page.locator(".l-over a.target, .l-choices a.go").first.click()
        expect(page.locator("#go")).to_be_enabled()
        seen.looks_right(spell)
        seen.go()
        dice_by_tap(page, "red", "green")
        seen.looks_right(f"{spell}-cast")
        assert evening.state.people[mage].cards != before.people[mage].cards, spell
        evening.gm.ok(type="undo")
        assert evening.state == before, spell


@pytest.mark.slow
def test_a_combat_at_the_table_is_reported_on_a_phone(server, table, phone):
    evening = Evening(table, hosts.begun(table, combat="table"))
    ours, ogres = evening.id("Heavy foot 1", 0), evening.id("Ogres")
    evening.put(ours, "H8")
    evening.put(ogres, "H7")
    evening.activate("Heavy foot 1")
    evening.end(2)
    player, gm = phone(table.ana, evening.battle), phone(table.gm, evening.battle)
    player.open(f"?unit={ours.rpartition(':')[2]}&target={ogres.rpartition(':')[2]}")
    player.go()
    player.looks_right("table-waits")
    gm.open()
    for name, number in (("stands", 2), ("flags", 1), ("hexes", 1), ("counters", 1)):
        gm.page.locator(f"#turn input[name='answer-{name}']").fill(str(number))
    gm.looks_right("table-report")
    gm.page.get_by_role("button", name="Saisir le résultat").click()
    expect(gm.page.locator("#turn input[name='answer-stands']")).to_have_count(0)
    gm.looks_right("table-reported")
    assert evening.state.units[ogres].stands == 3


@pytest.fixture
def pool() -> Iterator[Threads]:
    made = Threads()
    yield made
    made.stop()


def test_the_tab_tells_how_a_battle_goes_on_where_a_unit_has_fallen(server, table, begun, shown):
    """The map's drawing has titles of its own: the page's must not be lost behind them."""
    page = shown(table.ana, begun)
    following(page)
    gm = Client(table.gm, begun)
    gm.ok(type="override", what=hosts.unit(begun, "Bows 1"), field="stands", value=0, reason="for a test")
    expect(page.locator("#battle .grave title")).to_have_count(1)
    gm.ok(type="end", winner=0, reason="Night falls")
    expect(page.locator("#result-title")).to_be_visible()
    expect(page).to_have_title(re.compile("wins the battle"))


STRIP = """() => {
  const box = (one) => one.getBoundingClientRect();
  const whose = box(document.querySelector(".whose b"));
  const units = [...document.querySelectorAll(".acting-row li")].filter((one) => box(one).right > whose.left + 1
    && box(one).left < whose.right - 1).length;
  return {units, crests: [...document.querySelectorAll(".force .arms")].map((one) => Math.round(box(one).width))};
}"""


def test_long_names_of_sides_cover_no_unit_and_no_crest(server, table, shown):
    names = ("Royaume de Haute-Ysgard-sur-Meuse-la-Vaillante", "Horde des Collines-Cendrées-d’Outre-Monts")
    armies = (table.realm.army, table.dark.army)
    sides = [{"name": name, "armies": [str(army.pk)]} for name, army in zip(names, armies, strict=True)]
    battle = hosts.begun(table, sides=sides)
    led = [hosts.unit(battle, f"Medium foot {number}") for number in (1, 2)]
    Client(table.gm, battle).ok(type="activate", leader=hosts.unit(battle, "Chief Realm"), units=led, characters=[])
    page = shown(table.gm, battle)
    assert page.locator(".acting-row li").count() > 0
    measured = page.evaluate(STRIP)
    assert measured["units"] == 0
    assert min(measured["crests"]) > 20
    assert overflow(page) <= 0


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "dark"), [(PHONE, False), (LAPTOP, True)], ids=["390", "1280-dark"])
def test_a_battle_is_played_out_on_its_page_in_french(
    server,
    shown,
    table,
    begun,
    shoot,
    accessibility,
    flights,  # noqa: F811
    monkeypatch,
    viewport,
    dark,
):
    monkeypatch.setattr(tasks, "SLICES", (tasks.BattleRange(0, 6),))
    size = "dark" if dark else "phone"
    page = shown(table.ana, begun, "?rail=forecast", viewport=viewport, dark=dark, language="fr")
    shoot(page, f"tf-odds-{size}-before")
    page.get_by_role("button", name="Jouer la suite").click()
    expect(page.locator(".odds-bar")).to_be_visible(timeout=120_000)
    shoot(page, f"tf-odds-{size}")
    assert overflow(page) <= 0
    page.evaluate("scrollTo(0, 0)")
    assert accessibility(page) == []
