"""Armies of two kingdoms in one hex propose a battle to the GM: with both of them and the ground of the hex."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from armies.marches.queries import list_encounters
from armies.marches.services import march_along, put_army
from armies.pathfinder.models import PathfinderArmy
from armies.weeks.services import propose_time
from battles.models import Battle
from battles.slots import list_proposed_battles
from core.text import render
from kingdom.map.services import make_map
from kingdom.models import Campaign
from tests.armies.marches.conftest import WAY, drawing, fresh, pass_days
from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


def met(table) -> None:
    march_along(by=table.ana, army=fresh(table.watch), path=WAY)
    pass_days(table, 3)
    table.campaign.refresh_from_db()


def page(table, name="kingdom:campaign"):
    return reverse(name, args=[table.campaign.pk])


def test_armies_of_two_kingdoms_in_one_hex_have_met_the_last_to_come_attacks(marches):
    assert list_encounters(marches.campaign) == []
    met(marches)
    (meeting,) = list_encounters(marches.campaign)
    assert (meeting.hex, meeting.terrain.slug) == ("G7", "plains")
    assert [(party.kingdom.name, party.home, party.first) for party in meeting.parties] == [
        ("Crown", False, False), ("Horde", True, True)
    ]  # fmt: skip
    put_army(by=marches.gm, army=fresh(marches.watch), hex="B1")
    assert list_encounters(marches.campaign) == []


def test_armies_of_one_kingdom_and_those_that_are_no_more_have_not_met(marches):
    put_army(by=marches.gm, army=fresh(marches.spare), hex="G7")
    assert list_encounters(marches.campaign) == []
    met(marches)
    for army in (marches.raiders, marches.spare):
        army.refresh_from_db()
        type(army).objects.filter(pk=army.pk).update(status="defeated")
    assert list_encounters(marches.campaign) == []


def test_one_click_leads_the_gm_to_a_setup_that_opens_as_it_is(marches, driver):
    """Both armies on their sides; the ground of the hex as this law says it."""
    met(marches)
    gm = client_of(marches.gm)
    for where in ("kingdom:campaign", "armies:time"):
        assert "Armies have met" in gm.get(page(marches, where)).content.decode()
    (proposed,) = list_proposed_battles(marches.gm, marches.campaign)
    assert proposed.setup.replace("&", "&amp;") in gm.get(page(marches)).content.decode()
    setup = gm.get(proposed.setup)
    assert setup.status_code == 200
    fields = {name: value for name, value in parse_qs(urlsplit(proposed.setup).query).items() if name != "add"}
    answer = gm.post(urlsplit(proposed.setup).path, {**Begun(setup.content.decode()).values, **usual(driver), **fields})
    assert answer.status_code == 302, answer.content.decode()[:2000]
    battle = Battle.objects.get(campaign=marches.campaign)
    assert battle.name == "Battle at G7"
    assert set(battle.seats.values_list("army__name", "side")) == {("Ironwatch", 0), ("Raiders", 1)}
    assert list_encounters(Campaign.objects.get(pk=marches.campaign.pk)) == [], "they fight already"


class Begun(HTMLParser):
    """The values with which the fields of a page begin: what a form sends that nobody changed."""

    def __init__(self, html: str):
        super().__init__()
        self.values: dict[str, str] = {}
        self.select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        said = dict(attrs)
        if tag == "select":
            self.select = said.get("name", "")
        elif tag == "option" and ("selected" in said or self.select not in self.values):
            self.values[self.select] = said.get("value") or ""
        elif tag == "input" and said.get("type") in ("radio", "checkbox") and "checked" in said:
            self.values[said["name"]] = said.get("value", "on")
        elif tag == "input" and said.get("type") in ("text", "number") and said.get("name"):
            self.values[said["name"]] = said.get("value", "")


def usual(driver) -> dict:
    """What a setup form sends that nobody changed."""
    return {"breaking-point": {"kind": "field", "medium": "land"}}.get(driver.slug, {})


def test_the_preview_of_time_tells_who_will_meet_as_it_comes(marches):
    """By the function that tells who has met: before, that they will; after, that they did."""
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    marches.campaign.refresh_from_db()

    def told(days: int) -> list[str]:
        proposal = propose_time(by=marches.gm, campaign=marches.campaign, days=days)
        return [text for one in proposal.warnings if "meet in" in (text := render(one))]

    arrives = fresh(marches.watch).marching_until - marches.campaign.day
    assert told(max(1, arrives - 1)) == ([] if arrives > 1 else told(arrives))
    day = marches.campaign.day + arrives
    sentence = f"On day {day}, Ironwatch, Raiders meet in G7. They may fight a battle there."
    assert told(arrives) == [sentence]
    assert list_encounters(marches.campaign) == []
    pass_days(marches, arrives)
    marches.campaign.refresh_from_db()
    (meeting,) = list_encounters(marches.campaign)
    assert {army.name for army in meeting.armies} == {"Ironwatch", "Raiders"}
    assert told(1) == [], "they have met; nobody of them comes"


@pytest.mark.parametrize("driver", ["combat-de-masse"], indirect=True)  # the law whose armies time may end
@pytest.mark.parametrize("lost", ["watch", "raiders"])
def test_whoever_is_lost_before_the_end_meets_nobody(marches, lost):
    """PF-1.9: an army without a leader whose morale breaks in the same days is no more when they have passed."""
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    marches.campaign.refresh_from_db()

    def told() -> list[str]:
        proposal = propose_time(by=marches.gm, campaign=marches.campaign, days=7)
        return [text for one in proposal.warnings if "meet in" in (text := render(one))]

    assert len(told()) == 1
    PathfinderArmy.objects.filter(pk=getattr(marches, lost).pk).update(morale=-4, commander=None)
    assert told() == []
    pass_days(marches, 7)
    assert list_encounters(Campaign.objects.get()) == []


def test_armies_that_march_to_the_same_hex_are_told_to_meet(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY[:4])
    march_along(by=marches.gm, army=fresh(marches.raiders), path=("F7", "E7"))
    marches.campaign.refresh_from_db()
    days = max(fresh(one).marching_until for one in (marches.watch, marches.raiders)) - marches.campaign.day
    warnings = [render(one) for one in propose_time(by=marches.gm, campaign=marches.campaign, days=days).warnings]
    assert sum("meet in E7" in one for one in warnings) == 1
    pass_days(marches, days)
    assert [meeting.hex for meeting in list_encounters(Campaign.objects.get())] == ["E7"]


def test_the_preview_of_a_march_tells_whom_it_meets_as_far_as_its_reader_sees(marches):
    address = f"{page(marches, 'armies:map')}?army={marches.watch.pk}&hex=G7"

    def shown(user) -> str:
        return " ".join(client_of(user).get(address).content.decode().split())

    assert "Also in G7 on day" in shown(marches.gm)
    hidden = shown(marches.ana)
    assert "March to G7" in hidden
    assert "Raiders" not in hidden
    type(marches.raiders).objects.filter(pk=marches.raiders.pk).update(revealed=True)
    assert "Raiders: now in G7, to be reached on day" in shown(marches.ana)
    march_along(by=marches.gm, army=fresh(marches.raiders), path=("H7", "I7", "J7", "K7"))
    assert "Also in G7" not in shown(marches.gm), "its way is the GM's to know"
    assert "Raiders: now in G7" in shown(marches.ana)


def test_a_player_is_told_whom_his_army_met_as_far_as_he_may_know_of_them(marches):
    """Hidden armies are named to nobody else; a shown one to who stands there, and not to its own realm in return."""
    met(marches)
    for who in (marches.ana, marches.bo, marches.viewer):
        assert list(list_proposed_battles(who, marches.campaign)) == []
        assert "Armies have met" not in client_of(who).get(page(marches)).content.decode()
    type(marches.raiders).objects.filter(pk=marches.raiders.pk).update(revealed=True)
    (told,) = list_proposed_battles(marches.ana, marches.campaign)
    assert ([army.name for army in told.meeting.armies], told.setup) == (["Ironwatch", "Raiders"], "")
    shown = client_of(marches.ana).get(page(marches)).content.decode()
    assert "Armies have met" in shown
    assert "Set up the battle" not in shown
    for who in (marches.bo, marches.viewer):
        assert "Armies have met" not in client_of(who).get(page(marches)).content.decode()


GROUNDS = {
    "combat-de-masse": {"^": {"suits-mobility", "advantageous-terrain", "battlefield-advantage"}, "w": {
        "suits-mobility", "battlefield-advantage"}, ".": {"battlefield-advantage"}},
    "breaking-point": {"^": {"rough"}, "w": {"forest"}, "m": {"swamp"}, "A": {"very-rough"}, ".": set()},
}  # fmt: skip


def test_the_ground_of_the_hex_is_the_ground_of_the_battle(marches, driver):
    for letter, expected in GROUNDS.get(driver.slug, {}).items():
        lines = [*drawing()["terrain"]]
        lines[6] = f"......{letter}....."
        make_map(by=marches.gm, campaign=marches.campaign, document=drawing(terrain=lines))
        put_army(by=marches.gm, army=fresh(marches.watch), hex="A7")
        march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
        pass_days(marches, 5)
        (proposed,) = list_proposed_battles(marches.gm, Campaign.objects.get(pk=marches.campaign.pk))
        fields = {name: value[0] for name, value in parse_qs(urlsplit(proposed.setup).query).items()}
        ticked = {name.replace(f"-{marches.raiders.pk}", "") for name, value in fields.items() if value == "on"}
        assert ticked == expected, render(proposed.ground)
