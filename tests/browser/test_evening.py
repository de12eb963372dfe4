"""A whole evening through real pages: sign up, raise armies, fight with dice from the table, settle, undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from armies.pathfinder.models import PathfinderArmy
from battles.models import Battle
from battles.play.battle_state import load_state
from tests.browser.evening import LOSER, WINNER, Evening
from tests.browsing import heard_by


def fought(evening: Evening) -> None:
    """The same battle in every setting; what the pages said is checked against what was stored."""
    evening.resolve()
    evening.resolve()
    evening.type_dice()
    evening.order(WINNER, strategy="aggressive", target=army(LOSER))
    evening.fight_to_the_end()
    battle = load_state(Battle.objects.get())
    assert battle.result is not None
    assert battle.result.winner == 0
    assert battle.armies[army(WINNER)].strategy == "aggressive"
    typed = [die for record in Battle.objects.get().records.all() for die in record.dice]
    assert {die["source"] for die in typed} == {"typed"}
    assert {die["by"] for die in typed} == {evening.name}


def army(name: str) -> str:
    return str(PathfinderArmy.objects.get(name=name).pk)


def settled(evening: Evening) -> None:
    evening.settle()
    assert PathfinderArmy.objects.get(name=LOSER).status in ("defeated", "routed")
    evening.take_back()
    assert PathfinderArmy.objects.get(name=LOSER).status == "ready"


def test_a_battle_is_set_up_fought_settled_and_taken_back(table, open_page, sign_in):
    """Between armies that stand; the raiders have little left to stand with."""
    PathfinderArmy.objects.filter(name=LOSER).update(health=3)
    page = open_page()
    heard = heard_by(page)
    sign_in(page, table.gm)
    evening = Evening(page, table.gm.username)
    evening.campaign = f"/c/{table.campaign.pk}/"
    evening.set_up_battle()
    fought(evening)
    expect(page.locator(".log .die.typed").first).to_be_visible()
    settled(evening)
    assert heard == []


@pytest.mark.slow
def test_a_battle_from_the_first_account_to_the_undone_aftermath(open_page):
    page = open_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    evening = Evening(page)
    evening.muster()
    fought(evening)
    expect(page.locator(".log .die.typed").first).to_be_visible()
    settled(evening)
    assert complaints == []


SETTINGS = {
    "french, no javascript": {"language": "fr", "java_script_enabled": False},
    "french": {"language": "fr"},
    "no javascript": {"java_script_enabled": False},
}


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_same_battle_in_french_and_without_javascript(open_page, setting):
    page = open_page(**SETTINGS[setting])
    evening = Evening(page)
    evening.muster()
    fought(evening)
    french = "french" in setting
    assert page.locator("html").get_attribute("lang") == ("fr" if french else "en")
    expect(page.locator("main")).to_contain_text("Journal" if french else "Log")
    settled(evening)


def is_complaint(message) -> bool:
    """An error on the console."""
    return bool(message.type == "error")


pytestmark = pytest.mark.django_db(transaction=True)
