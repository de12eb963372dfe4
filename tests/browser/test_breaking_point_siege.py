"""A siege in a real browser, from its first day until the place has fallen, and all taken back; without scripts too."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.breaking_point.models import RUNNING, SiegeRow
from armies.breaking_point.sieges.services import begin_assault, begin_siege
from battles.models import Battle
from kingdom.campaign.services import create_campaign
from tests.armies.breaking_point.sieges.conftest import laid, walls  # noqa: F401
from tests.armies.breaking_point.sieges.tables import again
from tests.armies.breaking_point.sieges.test_fought import command, opened
from tests.browser.evening import Evening
from tests.browsing import LAPTOP, PHONE, heard_by, overflow
from tests.kingdom.conftest import make_user
from tests.worlds import built_once

pytestmark = pytest.mark.django_db(transaction=True)


class Besieging(Evening):
    """The GM at their siege; they read no words, only what controls are called."""

    def __init__(self, page, walls):  # noqa: F811
        super().__init__(page)
        self.walls = walls

    def go(self, name, *args):
        self.page.goto(reverse(f"armies:{name}", args=args))

    @property
    def siege(self):
        return SiegeRow.objects.get()

    def lay(self):
        self.go("place", self.walls.ker.pk)
        self.page.locator(f'[name="armies"][value="{self.walls.host.pk}"]').check()
        self.page.locator("form[action$='/besiege/'] button.primary").click()
        expect(self.page.locator("#siege")).to_be_visible()

    def pass_week(self):
        """Until the end of the week, shown before it is done. One shot in a hundred would bring the garrison to terms:
        the die of the pieces is typed.
        """
        self.go("time", self.walls.campaign.pk)
        self.page.locator('[name="span"][value="week"]').check()
        self.page.locator('[name="dice_by"][value="table"]').check()
        self.page.locator("#preview").click()
        self.page.locator(".dice-rows [name='face']").fill("9")
        self.page.locator("#apply-dice").click()
        self.page.locator("#confirm").click()
        expect(self.page.locator("#confirm")).to_have_count(0)

    def offer_terms(self, face):
        self.go("siege", self.siege.pk)
        self.page.locator('[name="dice_by"][value="table"]').check()
        self.page.locator("form[action$='/terms/'] button.primary").click()
        self.page.locator("[name='face']").fill(face)
        self.page.locator("#apply-dice").click()
        expect(self.page.locator("#apply-dice")).to_have_count(0)

    def storm(self):
        """The assault is ordered, and set up with all the siege knows."""
        self.page.locator("form[action$='/do/assault/'] button").click()
        self.page.locator(".sheet a.button[href*='/battles/new/']").click()
        self.page.locator("#open-battle").click()
        expect(self.page.locator("#battle")).to_be_visible()
        self.battle = f"/battles/{Battle.objects.get().pk}/"
        self.press(self.page.locator("#go"))

    def take_all_back(self):
        """The battle command by command, then all the chronicle tells since: assault, terms, week, siege."""
        self.page.goto(self.battle)
        while self.page.locator("#undo").count():
            self.press(self.page.locator("#undo"))
        self.page.goto(f"/c/{self.walls.campaign.pk}/chronicle/")
        undo = self.page.locator("main form[action$='/undo/'] button")
        before = undo.count()
        for taken in range(1, 5):
            undo.first.click()
            expect(undo).to_have_count(before - taken)


@pytest.mark.slow
def test_a_siege_until_the_place_falls_and_all_is_taken_back(walls, open_page, sign_in, accessibility, shoot):  # noqa: F811
    page = open_page(viewport=LAPTOP)
    heard = heard_by(page)
    sign_in(page, walls.gm)
    gm = Besieging(page, walls)
    gm.lay()
    gm.pass_week()
    assert gm.siege.state["weeks"] == 1
    gm.offer_terms("2")
    assert gm.siege.status == "open"
    gm.storm()
    assert page.locator(".field-conditions").inner_text().split("\n")[2] == "Ker"
    fight_with_typed_dice(gm)
    shoot(page, "siege-assault-over")
    page.goto(f"{gm.battle}aftermath/")
    take(gm)
    assert accessibility(page) == []
    assert overflow(page) <= 0
    give_back(gm)
    gm.take_all_back()
    assert not SiegeRow.objects.filter(status__in=RUNNING).exists()
    assert again(walls.campaign).day == 0
    assert heard == []


def fight_with_typed_dice(gm):
    """The garrison is surprised by nobody, is hit with a die that runs on and on, cannot be rallied, and surrenders."""
    page, walls = gm.page, gm.walls  # noqa: F811
    gm.throw("typed")
    gm.press(page.locator("#go"))
    roll(gm, "5", "5")
    page.goto(f"{gm.battle}?army={walls.host.pk}")
    page.locator(f'[name="do-contact"][value="attack|{walls.guard.pk}:garrison"]').check()
    gm.press(page.locator("button.give"))
    gm.press(page.locator("#go"))
    roll(gm, "10", "10", "5", "2")
    expect(page.locator(".toll-table li", has_text="Guard")).to_contain_text("surrendered")


def roll(gm, *faces):
    """Each die as it is asked for; a ten asks for the next."""
    left = list(faces)
    while (asked := gm.page.locator(".dice-rows [name='face']")).count():
        for die in asked.all():
            die.fill(left.pop(0))
        gm.press(gm.page.locator("#apply-dice"))
    assert left == []


def test_an_army_that_fights_within_another_is_a_head_and_no_more(open_page, sign_in):
    """The besieged town's two besiegers storm it as one body: nothing lies between their rows and the orders."""
    gm = make_user("gm")
    create_campaign(by=gm, name="Brenn", ruleset="breaking-point", template="besieged-town")
    page = open_page(viewport=LAPTOP, language="fr")
    sign_in(page, gm)
    one = Besieging(page, None)
    one.go("siege", one.siege.pk)
    one.storm()
    besiegers = page.locator(".host").first
    within = besiegers.locator(".unit:not(:has(.body))").bounding_box()
    rows, desk = besiegers.locator(".units").bounding_box(), page.locator("#desk").bounding_box()
    assert abs(rows["y"] + rows["height"] - within["y"] - within["height"]) <= 2
    assert desk["y"] - within["y"] - within["height"] <= 20


@built_once
def stormed(walls):  # noqa: F811
    """The horde is before the walls of Ker, and nobody was surprised."""
    siege = begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
    begin_assault(by=walls.bo, siege=siege)
    battle = opened(walls)
    command(walls, battle, type="next")
    sides = [{"army": f"side-{side}", "roll": "command", "values": [5]} for side in (0, 1)]
    command(walls, battle, type="resolve", dice=sides)
    return battle


def test_an_assault_in_french_on_a_phone_without_scripts(walls, stormed, open_page, sign_in, shoot):  # noqa: F811
    page = open_page(viewport=PHONE, dark=True, language="fr", java_script_enabled=False)
    sign_in(page, walls.gm)
    gm = Besieging(page, walls)
    gm.battle = f"/battles/{stormed.pk}/"
    page.goto(f"{gm.battle}?army={walls.host.pk}")
    expect(page.locator(".field-conditions")).to_contain_text("Ker")
    page.locator(f'[name="do-contact"][value="attack|{walls.guard.pk}:garrison"]').check()
    page.locator("button.give").click()
    expect(page.locator(f"#army-{walls.host.pk} .lock.in")).to_be_visible()
    betray(gm)
    assert overflow(page) <= 0
    take(gm)
    give_back(gm)


@pytest.mark.slow
def test_the_same_in_french_on_a_phone_without_scripts(walls, laid, open_page, sign_in, shoot):  # noqa: F811
    """The week in the time page, the assault set up from its siege; the GM says how it ends."""
    page = open_page(viewport=PHONE, dark=True, language="fr", java_script_enabled=False)
    sign_in(page, walls.gm)
    gm = Besieging(page, walls)
    gm.pass_week()
    gm.go("siege", laid.pk)
    expect(page.locator("main")).to_contain_text("Ker : semaine 1 du siège")
    gm.storm()
    shoot(page, "siege-assault-phone-fr")
    betray(gm)
    take(gm)
    give_back(gm)


def betray(gm):
    """The GM says how it ends."""
    page, walls = gm.page, gm.walls  # noqa: F811
    page.goto(f"{gm.battle}?do=override&army={walls.guard.pk}:garrison&what=status")
    page.locator('[name="value"]').select_option("surrendered")
    page.locator('[name="reason"]').fill("Trahison")
    page.locator("#tray button.primary").click()
    page.goto(f"{gm.battle}?rail=tools")
    page.locator("#do-end summary").click()
    page.locator('#do-end [name="reason"]').fill("La porte est ouverte")
    page.locator('#do-end [name="winner"]').select_option("0")
    page.locator("#do-end button").click()
    page.goto(f"{gm.battle}aftermath/")


def take(gm):
    """The place falls with the aftermath."""
    gm.page.locator("#confirm").click()
    expect(gm.page.locator("#undo-aftermath")).to_be_visible()
    assert (gm.siege.status, again(gm.walls.ker).kingdom_id) == ("taken", gm.walls.horde.pk)


def give_back(gm):
    """And is given back with it."""
    gm.page.locator("#undo-aftermath").click()
    expect(gm.page.locator("#confirm")).to_be_visible()
    assert (gm.siege.status, again(gm.walls.ker).kingdom_id) == ("assault", gm.walls.crown.pk)
