"""THUCIDIDE fantasy in a browser: an evening on a phone in French, with the dragon."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from battles.models import Battle
from tests.battles.conftest import Client
from tests.browsing import PHONE, overflow
from tests.rulesets.thucidide_fantasy import hosts
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
