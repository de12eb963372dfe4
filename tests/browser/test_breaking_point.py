"""Battles of breaking points in a real browser: in the field and of fleets, to their undone aftermath; no scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from armies.models import Army
from battles.models import Battle
from battles.play.battle_state import load_state
from kingdom.accounts.services import choose_settings
from rules.breaking_point.battle.orders.commands import End, GiveOrder, Override, Resolve
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from tests.armies.weeks.test_pages import text_of
from tests.browser.conftest import play
from tests.browser.evening import Evening
from tests.browsing import LAPTOP, NARROW, PHONE, heard_by, overflow
from tests.worlds import built_once

pytestmark = pytest.mark.django_db(transaction=True)
MOST_ROUNDS = 14
STOOD = (("contact", 1_700), ("shooting", 350))


@built_once
def nearly_broken(river):
    """Mivon has stood all it can: whatever strikes it now decides the day."""
    swords = river.swords.pk
    worn = [Override(f"{swords}:{body}", "losses", lost, "For the test") for body, lost in STOOD]
    play(river, river.bridge, *worn)
    return river


def pick(page, battle, army):
    """The army's orders lie on the desk."""
    page.goto(f"/battles/{battle.pk}/?army={army.pk}")
    return page.locator(f"#orders-{army.pk}")


def fight(page, river, words):
    """Drelev attacks and Mivon holds, round after round, until one of them has the field."""
    for number in range(2, MOST_ROUNDS):
        attack(page, river)
        page.locator("#go").click()
        fought, over = page.locator(".verdict h2", has_text=f"{words} {number}"), page.locator("#result-title")
        expect(fought.or_(over)).to_be_visible()
        if over.count():
            assert Battle.objects.get(pk=river.bridge.pk).status == "aftermath"
            return
    raise AssertionError("nobody broke")


def attack(page, river):
    """Drelev is ordered to attack, while there is somebody to be attacked."""
    form = pick(page, river.bridge, river.host)
    deed = form.locator(f'[name="do-contact"][value="attack|{river.swords.pk}:contact"]')
    if deed.count():
        deed.check()
        page.locator(f"#give-{river.host.pk}").click()
        expect(page.locator(f"#army-{river.host.pk} .lock.in")).to_be_visible()


def settle_and_take_back(page, river):
    page.goto(f"/battles/{river.bridge.pk}/aftermath/")
    confirm_and_undo(page, river.swords)


def confirm_and_undo(page, beaten):
    """The army pays for the battle, and has it all back."""
    before = Army.objects.values_list("health", "status").get(pk=beaten.pk)
    page.locator("#confirm").click()
    expect(page.locator("#undo-aftermath")).to_be_visible()
    assert Army.objects.get(pk=beaten.pk).health < before[0]
    page.locator("#undo-aftermath").click()
    expect(page.locator("#confirm")).to_be_visible()
    assert Army.objects.values_list("health", "status").get(pk=beaten.pk) == before


def test_the_aftermath_tells_the_wounded_of_each_unit(nearly_broken):
    play(nearly_broken, nearly_broken.bridge, End("Night falls"))
    page = nearly_broken.as_(nearly_broken.gm).get(f"/battles/{nearly_broken.bridge.pk}/aftermath/")
    assert re.search(r"\d+, \d+ wounded", text_of(page))


CUT = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.trim())"


def test_an_attack_is_ordered_and_nothing_that_decides_the_battle_is_cut_nor_what_its_dice_need(
    nearly_broken, open_page, sign_in, accessibility, shoot
):
    """Its conditions on a laptop; on a phone what each body is ordered, as far as it is long, the seven places, and the
    longest of what stands at the rows of the dice (BP-4.4).
    """
    page = open_page(viewport=LAPTOP, language="fr")
    heard = heard_by(page)
    sign_in(page, nearly_broken.gm)
    attack(page, nearly_broken)
    pick(page, nearly_broken.bridge, nearly_broken.swords)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "breaking-point-laptop")
    assert page.locator(".field-conditions .chip").count() >= 2
    assert page.locator(".field-conditions .chip").evaluate_all(CUT) == []
    for viewport in (PHONE, NARROW):
        page.set_viewport_size(viewport)
        expect(page.locator(".block .order").first).to_contain_text("attaque")
        assert page.locator(".block .order, .unit.block").evaluate_all(CUT) == []
        assert overflow(page) <= 0
    page.set_viewport_size(PHONE)
    assert page.locator("nav.places a").evaluate_all(CUT) == []
    ask_for_dice(page, nearly_broken, shoot)
    assert heard == []


@pytest.mark.slow
def test_what_dice_need_stands_at_their_rows_on_a_laptop(nearly_broken, open_page, sign_in, shoot):
    """BP-4.4"""
    page = open_page(viewport=LAPTOP)
    sign_in(page, nearly_broken.gm)
    ask_for_dice(page, nearly_broken, shoot)


def test_the_foot_of_a_battle_fits_on_a_laptop_in_french(river, open_page, sign_in, shoot):
    page = open_page(viewport=LAPTOP, language="fr")
    sign_in(page, river.gm)
    page.goto(f"/battles/{river.bridge.pk}/")
    expect(page.locator("#forward span")).to_be_visible()
    state, end = page.locator(".command .state").bounding_box(), page.locator(".command .end").bounding_box()
    told = page.locator(".command .state span:has(> b)").bounding_box()
    assert told["x"] + told["width"] <= state["x"] + state["width"] + 1 <= end["x"] + 1, "nothing lies under a button"
    assert end["x"] + end["width"] <= LAPTOP["width"]
    heights = page.locator(".command .end button:visible").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(heights) <= 54, "two lines at most"
    shoot(page, "breaking-point-foot-fr")


def ask_for_dice(page, river, shoot):
    """Both attack, and what each die needs stands at its row."""
    choose_settings(by=river.gm, dice="typed")
    swords, host = (f"{army.pk}:contact" for army in (river.swords, river.host))
    for own, foe in ((river.host, swords), (river.swords, host)):
        play(river, river.bridge, GiveOrder(Order(str(own.pk), {"contact": BodyOrder("attack", foe)})))
    page.goto(f"/battles/{river.bridge.pk}/")
    page.locator("#go").click()
    needs = page.locator(".dice-rows > li .need")
    expect(needs.first).to_be_visible()
    assert needs.count() == page.locator(".dice-rows > li").count()
    assert needs.evaluate_all(CUT) == []
    assert overflow(page) <= 0
    shoot(page, f"breaking-point-dice-{page.viewport_size['width']}")


def test_b18_an_enemys_reserve_is_a_block_that_tells_nothing(river, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, river.miv)
    page.goto(f"/battles/{river.bridge.pk}/")
    expect(page.locator(f"#army-{river.host.pk} .body h4").last).to_have_text("Réserve")
    assert overflow(page) <= 0
    shoot(page, "breaking-point-reserve-phone")
    page.set_viewport_size(LAPTOP)
    shoot(page, "breaking-point-reserve-laptop")


@pytest.mark.slow
def test_a_figure_of_one_digit_is_as_easy_to_tap_as_a_long_one(river, open_page, sign_in):
    page = open_page(viewport=PHONE, has_touch=True)
    sign_in(page, river.gm)
    page.goto(f"/battles/{river.bridge.pk}/")
    boxes = page.locator(".four-fig dd > button").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert boxes
    assert min(boxes) >= 24
    assert overflow(page) <= 0


def test_a_field_battle_to_its_undone_aftermath(nearly_broken, open_page, sign_in, accessibility):
    page = open_page(viewport=LAPTOP)
    heard = heard_by(page)
    sign_in(page, nearly_broken.gm)
    fight(page, nearly_broken, "Round")
    assert accessibility(page, both=True) == []
    settle_and_take_back(page, nearly_broken)
    assert heard == []


@pytest.mark.slow
def test_the_same_in_french_on_a_phone_without_scripts(nearly_broken, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, dark=True, language="fr", java_script_enabled=False)
    sign_in(page, nearly_broken.gm)
    pick(page, nearly_broken.bridge, nearly_broken.swords)
    expect(page.locator("main")).to_contain_text("Troupe de mêlée")
    shoot(page, "breaking-point-phone-fr")
    fight(page, nearly_broken, "Séquence")
    settle_and_take_back(page, nearly_broken)


@built_once
def closing(river):
    """The home fleet closes in one round: it can shoot in the next."""
    play(river, river.orbit, GiveOrder(Order(str(river.home.pk), distance="close")), Resolve())
    return river


def test_a_fleet_action_in_french_on_a_phone_to_its_undone_aftermath(
    river, closing, open_page, sign_in, accessibility, shoot
):
    """It closes further and shoots, with dice on the table that run on; who breaks is not rallied."""
    page = open_page(viewport=PHONE, dark=True, language="fr")
    heard = heard_by(page)
    sign_in(page, river.gm)
    evening = Evening(page)
    form = pick(page, river.orbit, river.home)
    expect(page.locator(".field-conditions")).to_contain_text("longue distance")
    form.locator('[name="distance"]').select_option("close")
    for unit in ("0", "1"):
        form.locator(f'[name="do-{unit}"][value="shoot|{river.raiders.pk}:{unit}"]').check()
    evening.press(page.locator("button.give"))
    expect(page.locator(f"#army-{river.home.pk} .lock.in")).to_be_visible()
    assert load_state(Battle.objects.get(pk=river.orbit.pk)).orders[str(river.home.pk)].distance == "close"
    assert accessibility(page) == []
    assert overflow(page) <= 0
    shoot(page, "breaking-point-fleet-fr")
    choose_settings(by=river.gm, dice="typed")
    evening.press(page.locator("#go"))
    type_sheets(evening, "10", "10", "9", "2")
    expect(page.locator(".toll-side").last).to_contain_text("en fuite")
    assert overflow(page) <= 0
    shoot(page, "breaking-point-fleet-over-fr")
    page.locator("a.primary[href$='/aftermath/']").click()
    assert overflow(page) <= 0
    confirm_and_undo(page, river.raiders)
    assert heard == []


def type_sheets(evening, *faces):
    """The dice of each step in turn all show the same; a ten asks for one face more."""
    for face in faces:
        for die in evening.page.locator(".dice-rows [name='face']").all():
            die.fill(face)
        evening.press(evening.page.locator("#apply-dice"))
    expect(evening.page.locator(".dice-sheet")).to_have_count(0)


@pytest.mark.slow
def test_a_fleet_is_ordered_unit_by_unit_on_a_phone(river, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    heard = heard_by(page)
    sign_in(page, river.dru)
    form = pick(page, river.orbit, river.home)
    form.locator(f'[name="do-0"][value="shoot|{river.raiders.pk}:0"]').check()
    form.locator('[name="distance"]').select_option("close")
    page.locator(f"#give-{river.home.pk}").click()
    expect(page.locator(f"#army-{river.home.pk} .lock.in")).to_be_visible()
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "breaking-point-fleet-phone")
    assert heard == []
