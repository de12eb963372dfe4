"""A skirmish in a browser: set up, played and answered on the board, by mouse, keyboard and thumb, by two at once."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from kingdom.accounts.services import choose_settings
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.browsing import PHONE, overflow
from tests.everyday import everyday
from tests.rulesets.drivers import table_of
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.rulesets.skirmish.driver import NORTH
from tests.worlds import built_once

THUMB = 44  # pixels


@built_once
def field(transactional_db) -> SimpleNamespace:
    return table_of(hexes)


@built_once
def fresh(field) -> Battle:
    found = opened(field).battle
    assert found
    return found


@built_once
def met(field, fresh) -> Battle:
    """The riders of the raiders have come near; the watch is to act."""
    play(Client(field.gm, fresh), hexes.before_dice(field))
    return Battle.objects.get(pk=fresh.pk)


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


def at(army: Any, tag: str) -> str:
    return hexes.unit(army, tag).rpartition(":")[2]


def told(battle: Battle, user: Any) -> dict[str, str]:
    """Where every unit stands that somebody sees, by name."""
    return {unit["name"]: unit["at"] for unit in Client(user, battle).read()["units"]}


def test_in_setup_taps_place_one_unit_after_the_other(server, shown, field, fresh, shoot, accessibility):
    page = shown(field.ana, fresh)
    for hex_ in ("H12", "I12", "J12", "F12", "G12"):
        expect(page.locator(".l-choices .go.place").first).to_be_visible()
        page.locator(f'.l-choices a.place[href$="to={hex_}"]').click()
        expect(page.locator(f".l-tokens .tok[data-hex={hex_}]")).to_have_count(1)
    shoot(page, "skirmish-setup")
    assert accessibility(page, both=True) == []
    page.locator('.l-choices a.place[href$="to=A14"]').click()
    expect(page.locator("#go")).to_have_text("Ready")
    page.locator("#go").click()
    expect(page.locator("#go")).to_have_text("Place units again")
    assert told(fresh, field.ana)["Ironwatch S1"] == "A14"
    play(Client(field.bo, fresh), hexes.placing(field.raiders, NORTH))
    Client(field.bo, fresh).ok(type="ready", side=1)
    gm = shown(field.gm, fresh)
    gm.get_by_role("button", name="Begin the battle").click()
    expect(gm.locator("#battle")).to_contain_text("Round 1")
    expect(page.locator("#battle")).to_contain_text("You act")  # by the live stream


def test_on_a_phone_a_tap_a_tap_and_the_button_of_the_foot(server, shown, field, met, shoot, accessibility):
    page = shown(field.ana, met, viewport=PHONE)
    shoot(page, "skirmish-phone")
    page.locator("#next-unit").tap() if page.evaluate("'ontouchstart' in window") else page.locator(
        "#next-unit"
    ).click()
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'R1')}']").click()
    expect(page.locator("#unit-title")).to_contain_text("Ironwatch R1")
    page.locator(".l-over a[data-hex=F6]").click()
    expect(page.locator("#go")).to_have_text("Strike at Raiders R1")
    assert told(met, field.bo)["Ironwatch R1"] == "F12", "nothing is done before the button"
    shoot(page, "skirmish-phone-target")
    button = page.locator("#go").bounding_box()
    assert button
    assert button["height"] >= THUMB
    assert overflow(page) == 0
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(met.version + 1))
    assert told(met, field.bo).get("Ironwatch R1", "F7") == "F7"


def test_the_keyboard_goes_on_picks_confirms_and_takes_back(server, shown, field, met):
    page = shown(field.ana, met)
    page.locator("#battle").focus()
    page.keyboard.press("n")
    expect(page.locator("#unit-title")).to_contain_text("Ironwatch F1")
    for name in ("F2", "F3", "R1"):
        page.keyboard.press("n")
        expect(page.locator("#unit-title")).to_contain_text(f"Ironwatch {name}")
    page.keyboard.press("t")
    expect(page.locator("#go")).to_have_text("Strike at Raiders R1")
    page.keyboard.press("Escape")
    expect(page.locator("#unit-title")).to_have_count(0)
    page.locator(".l-tokens .tok[data-hex=H12]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#unit-title")).to_contain_text("Ironwatch F1")
    page.keyboard.press("PageDown")
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_have_text("Go to I13")
    page.locator("#board-frame").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_visible()
    assert told(met, field.ana)["Ironwatch F1"] == "I13"
    page.locator("#battle").focus()
    page.keyboard.press("u")
    expect(page.locator("#undo")).to_have_count(0)
    assert told(met, field.ana)["Ironwatch F1"] == "H12"


def test_enter_on_a_link_or_a_button_is_theirs_and_not_that_of_the_foot(server, shown, field, met):
    page = shown(field.ana, met, f"?unit={at(field.watch, 'F1')}&to=I13")
    expect(page.locator("#go")).to_have_text("Go to I13")
    version = str(met.version)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#battle")).to_be_focused()
    page.locator("#clear").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#unit-title")).to_have_count(0)
    expect(page.locator("#battle")).to_have_attribute("data-version", version)
    page.locator("#eyes > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#eyes").get_by_role("link", name="Order of battle").press("Enter")
    page.wait_for_url("**/order-of-battle/")
    assert told(met, field.ana)["Ironwatch F1"] == "H12"


def test_the_list_of_keys_names_those_of_the_board_and_g_confirms_from_a_hex(server, shown, field, met):
    page = shown(field.ana, met, f"?unit={at(field.watch, 'F1')}")
    page.keyboard.press("?")
    known = {*page.locator("#keys kbd").all_inner_texts()}
    assert {"n", "p", "t", "g", "Enter", "Esc", "←", "→", "↑", "↓"} <= known
    page.keyboard.press("Escape")
    page.locator(".l-choices a[href$='to=I13']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_have_text("Go to I13")
    page.keyboard.press("g")
    expect(page.locator("#undo")).to_be_visible()
    assert told(met, field.ana)["Ironwatch F1"] == "I13"


def test_two_browsers_play_and_who_flees_taps_a_hex(server, shown, field, met, shoot, accessibility):
    gm = Client(field.gm, met)
    ana, bo = shown(field.ana, met), shown(field.bo, met)
    expect(bo.locator(".whose")).to_contain_text("Crown acts")
    gm.ok(**hexes.thrown(field), dice=hexes.face(field.watch, "R1", 4))
    expect(bo.locator(".must")).to_have_text("Raiders R1 must flee.")
    expect(bo).to_have_title("Your turn · Raiders R1 must flee. · The ford · Warhost")
    shoot(bo, "skirmish-asked")
    assert accessibility(bo, both=True) == []
    bo.locator('.l-choices a.answer[href$="to=F4"]').click()
    expect(bo.locator("#go")).to_have_text("Choose F4")
    bo.locator("#go").click()
    expect(ana.locator(".l-tokens .tok[data-hex=F4]")).to_have_count(1)
    assert ana.locator(".l-tokens .tok[data-hex=P1]").count() == 0, "scouts lie hidden"
    expect(bo.locator(".whose")).to_contain_text("You act")


def test_the_board_speaks_french(server, shown, field, met, shoot):
    page = shown(field.ana, met, language="fr", dark=True)
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'R1')}']").click()
    expect(page.locator("#unit-title")).to_contain_text("Ironwatch R1")
    expect(page.locator(".find-next")).to_contain_text("unités à jouer")
    expect(page.locator(".boardkey")).to_contain_text("à portée, avec son coût")
    expect(page.locator("#go, .thumb").first).to_have_text("Choisissez un hexagone ou un ennemi")
    shoot(page, "skirmish-french-dark")


def test_what_was_played_is_gone_through_and_printed(server, shown, field, met, shoot):
    gm = Client(field.gm, met)
    gm.ok(**hexes.thrown(field), dice=[hexes.die(field)])
    falls = hexes.act(field.raiders, "R2", "F6", hexes.unit(field.watch, "R1"))
    gm.ok(**falls, dice=hexes.face(field.raiders, "R2", 1))
    page = shown(field.ana, met)
    expect(page.locator("#battle")).to_contain_text("Crown wins the battle.")
    shoot(page, "skirmish-over")
    page.goto(f"/battles/{met.pk}/aftermath/")
    expect(page.locator(".l-tokens .tok")).to_have_count(9)
    shoot(page, "skirmish-aftermath")
    page.goto(f"/battles/{met.pk}/replay/?step=3")
    expect(page.locator(".l-tokens .tok")).to_have_count(11)
    shoot(page, "skirmish-replay")
    page.goto(f"/battles/{met.pk}/order-of-battle/")
    page.emulate_media(media="print")
    shoot(page, "skirmish-print")


def strike(page: Page, field: Any) -> None:
    """Ironwatch R1 goes to F7 and strikes at the riders of the raiders: picked by links, sent by the foot."""
    page.locator(f".l-tokens a[href*='unit={at(field.watch, 'R1')}']").click()
    page.locator(".l-over a[data-hex=F6]").click()
    expect(page.locator("#go")).to_have_text("Strike at Raiders R1")
    page.locator("#go").click()


SETUPS: dict[str, dict[str, Any]] = {
    "desk": {},
    "phone-french-dark": {"viewport": PHONE, "dark": True, "language": "fr"},
    "no-scripts": {"java_script_enabled": False},
}


@pytest.mark.parametrize("device", everyday(list(SETUPS), keep=lambda device: device == "phone-french-dark"))
def test_the_map_of_a_battle_is_chosen_as_it_is_set_up(
    server, open_page, sign_in, field, shoot, accessibility, tmp_path, device
):
    page = open_page(**SETUPS[device])
    sign_in(page, field.gm)
    page.goto(f"/c/{field.campaign.pk}/battles/new/")
    page.locator("[name=name]").fill("Bridge")
    page.locator("[name=one]").fill("Crown")
    page.locator("[name=two]").fill("Horde")
    expect(page.locator(f"#side-0 [name=armies-one][value='{field.watch.pk}']")).to_have_count(1)
    expect(page.locator(f"#side-1 [name=armies-two][value='{field.raiders.pk}']")).to_have_count(1)
    expect(page.locator("[name=map-how][value=meadows]")).to_be_checked()
    expect(page.locator("[name=map-columns]")).to_be_hidden()
    page.locator("[name=map-how][value=made]").check(force=True)
    expect(page.locator("[name=map-columns]")).to_be_visible()
    shoot(page, f"skirmish-map-made-{device}")
    page.locator("[name=map-how][value=file]").check(force=True)
    wrong = tmp_path / "wrong.json"
    land = document(STARTERS["the-ford"])
    wrong.write_text(json.dumps({**land, "terrain": ["?" * 16, *land["terrain"][1:]]}))
    page.locator("[name=map-file]").set_input_files(wrong)
    page.locator("#open-battle").click()
    expect(page.locator("#id_map-file_error")).to_be_visible()
    expect(page.locator("[name=one]")).to_have_value("Crown")
    expect(page.locator("[name=map-how][value=file]")).to_be_checked()
    shoot(page, f"skirmish-map-{device}")
    if device != "no-scripts":
        assert accessibility(page) == []
    assert overflow(page) <= 0
    right = tmp_path / "right.json"
    right.write_text(json.dumps({**land, "name": "Tuskwater"}))
    page.locator("[name=map-file]").set_input_files(right)
    page.locator("#open-battle").click()
    expect(page.locator("#board-frame")).to_be_visible()
    assert Client(field.gm, Battle.objects.get(name="Bridge")).read()["map"]["name"] == "Tuskwater"


DEVICES: dict[str, dict[str, Any]] = {
    "desk": {},
    "phone": {"viewport": PHONE, "dark": True},
    "no-scripts": {"java_script_enabled": False},
}


@pytest.mark.parametrize("device", everyday(list(DEVICES), keep=lambda device: device == "phone"))
def test_whoever_types_their_dice_is_asked_for_them_beside_the_board(
    server, shown, field, met, shoot, accessibility, device
):
    choose_settings(by=field.ana, dice="typed")
    page = shown(field.ana, met, **DEVICES[device])
    strike(page, field)
    expect(page.locator(".dice-rows > li")).to_have_count(1)
    expect(page.locator(".dice-rows > li")).to_contain_text("Ironwatch R1 the strike")
    expect(page.locator(".l-tokens .tok").first).to_be_visible()
    expect(page.locator(".l-over .way").first).to_be_attached()
    expect(page.locator("#go")).to_have_count(0)
    assert met.version == Battle.objects.get(pk=met.pk).version, "nothing is done before the die lies"
    page.locator("#die-1").fill("7")
    page.locator("#apply-dice").click()
    expect(page.locator("#die-1-error")).to_have_text("A d6 rolls 1 to 6. You entered 7.")
    expect(page.locator("#die-1")).to_have_value("7")
    shoot(page, f"skirmish-dice-{device}")
    if device != "no-scripts":
        assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    page.locator("#die-1").fill("4")
    page.locator("#apply-dice").click()
    expect(page.locator(".dice-rows")).to_have_count(0)
    expect(page.locator("#battle")).to_contain_text("Raiders R1 must flee.")
    die = Battle.objects.get(pk=met.pk).records.latest("seq").dice[0]
    assert (die["value"], die["source"]) == (4, "typed")
    assert told(met, field.ana)["Ironwatch R1"] == "F7"


@pytest.mark.parametrize("scripts", everyday([True, False], first=1), ids=["scripts", "no-scripts"])
def test_dice_being_typed_outlive_a_reload_and_can_be_put_away(server, shown, field, met, scripts):
    choose_settings(by=field.ana, dice="typed")
    page = shown(field.ana, met, java_script_enabled=scripts)
    strike(page, field)
    page.locator("#die-1").fill("7")
    page.locator("#apply-dice").click()
    expect(page.locator("#die-1-error")).to_be_visible()
    page.goto(f"{server.url}/battles/{met.pk}/")
    expect(page.locator("#die-1")).to_have_value("7")
    page.locator("#die-1").fill("4")
    if scripts:
        page.reload()
        expect(page.locator("#die-1")).to_have_value("4")
    page.locator("#dice-away").click()
    expect(page.locator(".dice-rows")).to_have_count(0)
    expect(page.locator("#unit-title")).to_contain_text("Ironwatch R1")
    page.locator("#go").click()
    expect(page.locator(".dice-rows > li")).to_have_count(1)


def ground(page: Page, hex_: str) -> Any:
    return page.locator(f".l-ground [href$='hex={hex_}']")


def test_the_brush_paints_what_lies_between_hexes_names_and_zones(server, shown, field, fresh, shoot, accessibility):
    page = shown(field.gm, fresh, "?do=brush&layers=zones", viewport={"width": 1280, "height": 1500})
    gm = Client(field.gm, fresh)
    page.get_by_label("Brush", exact=True).select_option("edge")
    expect(page.get_by_label("Terrain")).to_be_hidden()
    page.get_by_label("Between two hexes").select_option("wall")
    ground(page, "H7").click()
    expect(page.locator("[name=hexes]")).to_have_value("H7")
    ground(page, "I7").click()
    expect(page.locator(".l-ground .wall")).to_have_count(1)
    assert gm.read()["map"]["edges"] == [{"between": ["H7", "I7"], "obstacle": "wall"}]
    expect(page.get_by_label("Brush", exact=True)).to_have_value("edge")
    page.locator("#undo").click()
    expect(page.locator(".l-ground .wall")).to_have_count(0)
    expect(page.get_by_label("Brush", exact=True)).to_have_value("edge")
    expect(page.locator("#board-frame")).to_be_focused()
    page.get_by_label("Brush", exact=True).select_option("label")
    ground(page, "E7").click()
    expect(page.locator("[name=hexes]")).to_have_value("E7")
    expect(page.get_by_label("Name (leave empty for none)")).to_be_focused()
    page.keyboard.type("Old bridge")
    shoot(page, "skirmish-brush")
    assert accessibility(page) == []
    page.keyboard.press("Enter")
    expect(page.locator(".l-ground .region")).to_have_text("Old bridge")
    page.get_by_label("Brush", exact=True).select_option("zone")
    page.get_by_label("Zone", exact=True).select_option(label="Crown: add these hexes")
    ground(page, "H10").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(fresh.version + 4))
    assert "H10" in gm.read()["map"]["zones"][0]
    page.get_by_role("link", name="Done").click()
    expect(page.locator("#board-brush")).to_have_count(0)
    assert not {"does=", "terrain=", "size=", "zone="} & set(re.findall(r"\w+=", page.url))


def test_the_brush_on_a_phone_in_french(server, shown, field, fresh, shoot, accessibility):
    page = shown(field.gm, fresh, "?do=brush&does=edge", viewport=PHONE, dark=True, language="fr")
    expect(page.locator("[name=look-obstacle]")).to_be_visible()
    shoot(page, "skirmish-brush-phone")
    page.locator(".paintkit").evaluate("kit => kit.scrollIntoView({block: 'start'})")
    assert accessibility(page) == []
    assert overflow(page) <= 0


def one_row(page: Page) -> bool:
    """Whether all that stands in the foot stands side by side."""
    shown = [one.bounding_box() for one in page.locator("#board-foot :is(button, .button)").all() if one.is_visible()]
    boxes = [box for box in shown if box]
    return max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes)


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_on_a_phone_three_steps_stand_below_the_board_and_the_foot_is_one_row(
    server, shown, field, met, shoot, accessibility, language
):
    page = shown(field.ana, met, viewport=PHONE, dark=True, language=language)
    steps = page.locator(".tapsteps li")
    expect(steps).to_have_count(3)
    expect(page.locator(".tapsteps [aria-current]")).to_have_count(1)
    expect(steps.nth(0)).to_have_attribute("aria-current", "step")
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'R1')}']").click()
    expect(steps.nth(0)).to_have_class("done")
    expect(steps.nth(0)).to_contain_text("R1")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    shoot(page, f"skirmish-phone-steps-{language}")
    page.locator(".l-over a[data-hex=F6]").click()
    expect(steps.nth(1)).to_contain_text("F6")
    expect(steps.nth(2)).to_have_attribute("aria-current", "step")
    shoot(page, f"skirmish-phone-foot-{language}")
    assert one_row(page)
    assert overflow(page) <= 0
    assert accessibility(page, both=True) == []
    page.locator("#clear").click()
    expect(steps.nth(0)).to_have_attribute("aria-current", "step")
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'R1')}']").click()
    page.locator('.l-choices a.go[href$="to=F11"]').click()
    expect(steps.nth(1)).to_contain_text("F11")
    page.locator("#go").click()
    expect(page.locator("#undo")).to_be_visible()
    assert one_row(page)


def test_on_a_phone_the_log_can_be_read_below_the_card_of_a_unit(server, shown, field, met):
    page = shown(field.ana, met, f"?unit={at(field.watch, 'R1')}", viewport=PHONE)
    box = page.locator(".side-col > .rail2").bounding_box()
    assert box
    assert box["height"] >= 3 * THUMB


def test_another_language_keeps_what_is_picked(server, shown, field, met):
    page = shown(field.ana, met)
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'F1')}']").click()
    page.locator('.l-choices a.go[href$="to=I13"]').click()
    expect(page.locator("#go")).to_have_text("Go to I13")
    page.locator(".account summary").click()
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator("#go")).to_have_text("Go to I13")  # this ruleset has no French


def test_nobody_sends_what_they_have_just_chosen_otherwise(server, shown, field, met):
    """On a slow line the foot still says what was chosen before."""
    page = shown(field.ana, met)
    page.locator(f".l-tokens a[href$='unit={at(field.watch, 'R1')}']").click()
    page.locator('.l-choices a.go[href$="to=F11"]').click()
    expect(page.locator("#go")).to_have_text("Go to F11")
    before, held = told(met, field.ana), list[Any]()
    page.route(re.compile(r"/battles/[^/]+/\?.*to=F10"), lambda route: held.append(route))
    page.locator('.l-choices a.go[href$="to=F10"]').click()
    expect(page.locator("#board-frame")).to_have_class(re.compile("htmx-request"))
    page.locator("#go").click()
    held[0].continue_()
    expect(page.locator("#go")).to_have_text("Go to F10")
    assert told(met, field.ana) == before


def test_on_a_phone_a_tap_answers_what_is_asked(server, shown, field, met, shoot, accessibility):
    Client(field.gm, met).ok(**hexes.thrown(field), dice=hexes.face(field.watch, "R1", 4))
    page = shown(field.bo, met, viewport=PHONE, dark=True)
    expect(page.locator(".must")).to_have_text("Raiders R1 must flee.")
    dot = page.locator('.l-choices a.answer[href$="to=F4"]')
    box = dot.bounding_box()
    assert box
    assert box["width"] >= THUMB
    dot.click()
    expect(page.locator("#go")).to_have_text("Choose F4")
    shoot(page, "skirmish-phone-asked")
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator(".l-tokens .tok[data-hex=F4]")).to_have_count(1)


def lay_a_way(page: Page, first: str, *hexes: tuple[str, str]) -> None:
    """By the keyboard: the choice is taken, then hex after hex with the arrows and Enter."""
    page.locator(".besides a[href*='pick=way']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".besides [aria-current=true]")).to_have_count(1)
    page.locator(f".l-choices a.go[href*='to={first}&']").focus()
    page.keyboard.press("Enter")
    for arrow, hex_ in hexes:
        expect(page.locator("#go")).to_be_visible()
        page.keyboard.press(arrow)
        expect(page.locator(f".l-choices a.go[href*='to={hex_}&']")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#go")).to_contain_text(hex_)


def test_a_way_is_laid_by_the_keyboard_and_gone(server, shown, field, met, shoot, accessibility):
    page = shown(field.ana, met, f"?unit={at(field.watch, 'F1')}")
    lay_a_way(page, "H11", ("ArrowRight", "I11"))
    shoot(page, "skirmish-way")
    assert accessibility(page, both=True) == []
    page.locator("#go").click()
    expect(page.locator("#battle")).to_have_attribute("data-version", str(met.version + 1))
    moved = Battle.objects.get(pk=met.pk).records.latest("seq")
    assert moved.command["path"] == ["H12", "H11", "I11"], "not the cheapest way"
