"""The opening of a battle, on its page and in the API: sides of wings, army leaders, options, the map (C-1, W-18)."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from kingdom.campaign.services import update_campaign
from rules.wing_command.wing import CROWN
from tests.battles.wing_command.conftest import sides_of, wing_of
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader, beside


def opened_state(battle: Battle | None = None) -> Any:
    return play_battle_state.load_state(battle or Battle.objects.get())


def post(table: Any, **body: Any) -> Any:
    told = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table), **body}
    return api_of(table.gm).post("/api/v1/battles/", told, format="json")


def faults(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]}


def page_of(table: Any) -> str:
    return f"/c/{table.campaign.pk}/battles/new/"


def fields_of(table: Any, **more: Any) -> dict[str, Any]:
    armies = {
        "armies-one": [army.pk for army in table.crown_wings],
        "armies-two": [army.pk for army in table.horde_wings],
    }
    return {**armies, **more}


def leaders(state: Any) -> list[str]:
    return [str(state.token(unit).name) for unit in state.leaders]


def test_c_1_armies_are_wings_and_the_best_ability_leads_its_side(hosts):
    assert post(hosts).status_code == 201
    state = opened_state()
    assert [wing.name for wing in state.wings_of(0)] == ["Ironwatch", "Lances", "Boatmen"]
    assert leaders(state) == ["Captain of Ironwatch", "Captain of Raiders"]


def test_c_1_the_army_leader_may_be_named(hosts):
    sides = sides_of(hosts)
    sides[0]["leader"] = str(hosts.crown_wings[2].pk)
    assert post(hosts, sides=sides).status_code == 201
    assert leaders(opened_state())[0] == "Captain of Boatmen"


def test_an_army_leader_of_another_side_is_refused(hosts):
    sides = sides_of(hosts)
    sides[0]["leader"] = str(hosts.horde_wings[0].pk)
    assert ": choose an army leader from this side" in faults(post(hosts, sides=sides))["/sides/0/leader"]
    assert not Battle.objects.exists()


def test_options_nobody_chooses_are_the_campaigns(hosts):
    update_campaign(by=hosts.gm, campaign=hosts.campaign, house_rules={"turn_limit": 9, "combat": "gm"})
    assert post(hosts, turn_limit=7).status_code == 201
    options = opened_state().options
    assert (options.turn_limit, options.combat, options.break_share) == (7, "gm", 50)


@pytest.mark.parametrize(
    "body",
    [{"turn_limit": 99}, {"turn_limit": "many"}, {"combat": "lots"}, {"orders_to_characters": 3}, {"break_share": 5}],
)
def test_options_that_cannot_be_are_refused_by_name(hosts, body):
    assert faults(post(hosts, **body)).keys() == {f"/{name}" for name in body}


def test_what_the_opening_does_not_know_is_refused(hosts):
    assert "/weather" in faults(post(hosts, weather="rain"))


def test_a_battle_has_two_sides(hosts):
    one, _two = sides_of(hosts)
    assert "two sides" in faults(post(hosts, sides=[one]))["/sides"]
    assert "no army" in faults(post(hosts, sides=[one, {"name": "Horde", "armies": []}]))["/sides/1/armies"]


def test_w_18_an_army_stands_on_one_side_once(hosts):
    one, two = sides_of(hosts)
    both = {**two, "armies": [*two["armies"], one["armies"][0]]}
    assert "Ironwatch: already in this battle" in faults(post(hosts, sides=[one, both]))["/sides/1/armies"]
    twice = {**one, "armies": [one["armies"][0]] * 2}
    assert "already" in faults(post(hosts, sides=[twice, two]))["/sides/0/armies"]


def test_w_18_a_side_has_at_most_six_armies(hosts):
    more = [wing_of(hosts.gm, hosts.crown, f"Wing {number}", CROWN[0]) for number in range(4)]
    sides = sides_of(hosts)
    sides[0]["armies"] += [str(army.pk) for army in more]
    told = "Crown: at most 6 armies, as each is a wing. Remove some."
    assert faults(post(hosts, sides=sides)) == {"/sides/0/armies": told}
    sent = Reader(hosts.gm).refused(page_of(hosts), **fields_of(hosts, name="The ford") | {
        "armies-one": sides[0]["armies"], "map-how": "meadows",
    })  # fmt: skip
    assert "at most 6 armies" in beside(sent, "armies-one")


def test_the_usual_map_is_meadows_and_another_may_be_chosen(hosts):
    assert post(hosts).status_code == 201
    assert opened_state().field.ground.land.name == "Meadows"
    Battle.objects.all().delete()
    assert post(hosts, map="the-ford").status_code == 201
    assert opened_state().field.ground.land.name == "The ford"
    assert "/map" in faults(post(hosts, map="the-moon"))


def test_w_62_made_maps_have_eighteen_rows_and_two_between_each_zone_and_its_edge(hosts):
    made = {"columns": 16, "kind": "plain", "seed": "s"}
    assert post(hosts, map=made).status_code == 201
    ground = opened_state().field.ground
    assert ground.rows == 18
    for side in (0, 1):
        assert {ground.from_home(side, at) for at in ground.zone(side, 3)} == {2, 3, 4}
    Battle.objects.all().delete()
    assert post(hosts, map={**made, "rows": 14}).status_code == 201
    assert opened_state().field.ground.rows == 14


def test_the_page_opens_a_battle_with_leader_options_and_map(hosts):
    gm = Reader(hosts.gm)
    markup = gm.markup(page_of(hosts))
    assert 'name="leader-one"' in markup
    assert 'name="turn_limit" value="12"' in markup
    assert 'name="map-rows" value="18"' in markup
    told = fields_of(hosts, name="The ford", turn_limit=8, combat="gm", orders_to_characters="no", break_share=60)
    told |= {"leader-one": hosts.crown_wings[1].pk, "leader-two": "", "map-how": "the-ford", "one": "", "two": ""}
    gm.done(page_of(hosts), **told)
    state = opened_state()
    assert state.opening.sides == ("Crown", "Horde")
    assert leaders(state) == ["Captain of Lances", "Captain of Raiders"]
    options = state.options
    assert (options.turn_limit, options.combat, options.orders_to_characters, options.break_share) == (
        8,
        "gm",
        False,
        60,
    )
    assert state.field.ground.land.name == "The ford"


def test_the_page_says_beside_each_field_what_is_wrong(hosts):
    told = fields_of(hosts, name="", turn_limit=99, combat="gm", orders_to_characters="no", break_share=60)
    told |= {"leader-one": hosts.horde_wings[0].pk, "map-how": "the-ford"}
    sent = Reader(hosts.gm).refused(page_of(hosts), **told)
    assert beside(sent, "name") == "Fill this in."
    assert "At most 20" in beside(sent, "turn_limit")
    told |= {"name": "The ford", "turn_limit": 12}
    sent = Reader(hosts.gm).refused(page_of(hosts), **told)
    assert "from this side" in beside(sent, "leader-one")


def test_only_the_gm_opens_battles(hosts):
    told = {"campaign": str(hosts.campaign.pk), "name": "The ford", "sides": sides_of(hosts)}
    assert api_of(hosts.ana).post("/api/v1/battles/", told, format="json").status_code == 403


def test_where_two_kingdoms_have_armies_the_form_begins_with_them_and_tells_their_size(hosts):
    shown = Reader(hosts.gm).markup(page_of(hosts))
    assert 'value="Crown against Horde"' in shown
    assert 'aria-label="Troops: 4 of 4"' in shown
    assert "Captain of Ironwatch (Ironwatch)" in shown, "who would lead"
    for name, wings in (("armies-one", hosts.crown_wings), ("armies-two", hosts.horde_wings)):
        seated = re.findall(rf'<input type="hidden" name="{name}" value="([^"]+)"', shown)
        assert sorted(seated) == sorted(str(army.pk) for army in wings)
    more = [wing_of(hosts.gm, hosts.crown, f"Wing {number}", CROWN[0]) for number in range(4)]
    shown = Reader(hosts.gm).markup(page_of(hosts))
    assert 'name="armies-one"' not in shown, f"of a kingdom with {len(more)} armies more nobody is seated"
