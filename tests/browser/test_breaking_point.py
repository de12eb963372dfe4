"""Battles of breaking points in a real browser: a field battle to its undone aftermath, a fleet, no scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from battles.models import Battle
from tests.battles.breaking_point.conftest import at_the_river
from tests.browser.test_battle_pages import heard_by, overflow
from tests.browsing import LAPTOP, PHONE

pytestmark = pytest.mark.django_db(transaction=True)
MOST_ROUNDS = 14


@pytest.fixture
def river(transactional_db):
    return at_the_river()


def pick(page, battle, army):
    """The army's orders lie on the desk."""
    page.goto(f"/battles/{battle.pk}/?army={army.pk}")
    return page.locator(f"#orders-{army.pk}")


def fight(page, river, words):
    """Drelev attacks and Mivon holds, round after round, until one of them has the field."""
    for number in range(2, MOST_ROUNDS):
        form = pick(page, river.bridge, river.host)
        attack = form.locator(f'[name="do-contact"][value="attack|{river.swords.pk}:contact"]')
        if attack.count():
            attack.check()
            page.locator(f"#give-{river.host.pk}").click()
            expect(page.locator(f"#army-{river.host.pk} .lock.in")).to_be_visible()
        page.locator("#go").click()
        expect(page.locator(".verdict h2")).to_contain_text(f"{words} {number}")
        if Battle.objects.get(pk=river.bridge.pk).status == "aftermath":
            return
    raise AssertionError("nobody broke")


def settle_and_take_back(page, river):
    page.goto(f"/battles/{river.bridge.pk}/aftermath/")
    page.locator("#confirm").click()
    expect(page.locator("#undo-aftermath")).to_be_visible()
    river.swords.refresh_from_db()
    assert river.swords.health < 720
    page.locator("#undo-aftermath").click()
    expect(page.locator("#confirm")).to_be_visible()
    river.swords.refresh_from_db()
    assert (river.swords.health, river.swords.status) == (720, "ready")


def test_a_field_battle_to_its_undone_aftermath(river, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=LAPTOP)
    heard = heard_by(page)
    sign_in(page, river.gm)
    pick(page, river.bridge, river.swords)
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "breaking-point-laptop")
    fight(page, river, "Round")
    settle_and_take_back(page, river)
    assert heard == []


def test_the_same_in_french_on_a_phone_without_scripts(river, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE, dark=True, language="fr", java_script_enabled=False)
    sign_in(page, river.gm)
    pick(page, river.bridge, river.swords)
    expect(page.locator("main")).to_contain_text("Troupes de mêlée")
    shoot(page, "breaking-point-phone-fr")
    fight(page, river, "Séquence")
    settle_and_take_back(page, river)


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
