"""Setup by page and API: line-up and undo, characters in the reserve, cards, what stays secret, the GM's tools."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from tests.battles.conftest import Client
from tests.rulesets.browsing import Reader, plain
from tests.rulesets.thucidide_fantasy import hosts
from tests.worlds import built_once


@built_once
def fresh(table) -> Battle:
    return hosts.opened(table)


@pytest.fixture
def gm(table, fresh) -> Client:
    return Client(table.gm, fresh)


@pytest.fixture
def ana(table, fresh) -> Client:
    return Client(table.ana, fresh)


@pytest.fixture
def bo(table, fresh) -> Client:
    return Client(table.bo, fresh)


def state_of(client: Client) -> Any:
    assert client.battle
    return hosts.state_of(client.battle)


def send(user: Any, client: Client, kind: str, **fields: Any) -> Any:
    version = Battle.objects.get(pk=client.battle.pk).version
    data = {"type": kind, "version": version, **fields}
    return Reader(user).client.post(f"/battles/{client.battle.pk}/command/", data)


def waiting(client: Client, side: int) -> int:
    return sum(token.waiting for token in state_of(client).field.of_side(side))


def test_everything_is_placed_in_one_tap_and_taken_back_in_one(table, ana):
    all_of_them = waiting(ana, 0)
    assert send(table.ana, ana, "line_up").status_code == 302
    assert (waiting(ana, 0), waiting(ana, 1)) == (0, len(state_of(ana).field.of_side(1)))
    assert send(table.ana, ana, "undo").status_code == 302
    assert waiting(ana, 0) == all_of_them
    refused = ana.send(type="ready", side=0)
    assert refused.status_code == 409
    assert "aren’t placed yet" in refused.json()["detail"]


def test_places_are_secret_until_both_sides_are_ready_which_can_be_taken_back(table, gm, ana, bo):
    ours, theirs = str(table.realm.army.pk), str(table.dark.army.pk)
    ana.ok(type="line_up", armies=[ours])
    ana.ok(type="ready", side=0)
    pikes = hosts.unit(ana.battle, "Pikes")
    assert "Place units again" in ana.send(type="place", unit=pikes, at="").json()["detail"]
    assert not any(unit["at"] for unit in bo.read()["units"] if unit["army"] == ours)
    assert "Realm sets up here" in Reader(table.bo).markup(f"/battles/{bo.battle.pk}/")
    bo.ok(type="line_up", armies=[theirs])
    bo.ok(type="ready", side=1)
    assert all(unit["at"] for unit in bo.read()["units"] if unit["army"] == ours)
    ana.ok(type="ready", side=0, on=False)
    assert not any(unit["at"] for unit in bo.read()["units"] if unit["army"] == ours)


def test_t_97_a_character_joins_a_unit_and_goes_back_to_the_reserve(table, gm, ana):
    mage, pikes = hosts.unit(ana.battle, "Court mage"), hosts.unit(ana.battle, "Pikes")
    assert ana.send(type="attach", character=mage, unit=pikes).status_code == 409, "the unit has no place yet"
    ana.ok(type="line_up", armies=[str(table.realm.army.pk)])
    ana.ok(type="attach", character=mage, unit=pikes)
    assert state_of(ana).at(mage) == state_of(ana).at(pikes)
    ana.ok(type="attach", character=mage, unit=None)
    assert state_of(ana).token(mage).waiting
    refused = ana.send(type="attach", character=mage, unit=hosts.unit(ana.battle, "Ogres"))
    assert refused.json()["errors"][0]["pointer"] == "/unit"
    necromancer = hosts.unit(ana.battle, "Necromancer")
    assert ana.send(type="attach", character=necromancer, unit=pikes).status_code == 403


def test_tf_6_2_cards_are_chosen_on_the_card_as_far_as_points_go(table, ana, bo):
    """T-35: who has chosen none at the start has a set."""
    mage = hosts.unit(ana.battle, "Court mage")
    short = mage.rpartition(":")[2]
    assert 'name="copies-fear"' in Reader(table.ana).markup(f"/battles/{ana.battle.pk}/?unit={short}")
    done = send(table.ana, ana, "choose_cards", **{"caster": mage, "copies-fear": 2, "copies-terror": 2})
    assert done.status_code == 302, plain(done.content.decode())[-800:]
    assert state_of(ana).people[mage].cards == ("fear", "fear", "terror", "terror")
    dear = send(table.ana, ana, "choose_cards", **{"caster": mage, "copies-fear": 3, "copies-terror": 2})
    assert dear.status_code == 422
    assert "These cards cost 7 points; the caster has 6." in plain(dear.content.decode())
    assert bo.send(type="choose_cards", caster=mage, spells=["fear"]).status_code == 403
    assert next(unit for unit in bo.read()["units"] if unit["unit"] == mage)["own"]["cards"] is None


def test_a_figure_that_can_t_be_is_refused_beside_the_form_and_the_gm_begins_from_the_foot(table, gm):
    pikes = hosts.unit(gm.battle, "Pikes")
    for field, value in (("stands", "99"), ("melee", "99")):
        answer = send(table.gm, gm, "edit_unit", unit=pikes, field=field, value=value)
        assert answer.status_code == 422, field
    assert send(table.gm, gm, "edit_unit", unit=pikes, field="stands", value="5").status_code == 302
    assert state_of(gm).units[pikes].start == 5
    answer = send(table.gm, gm, "option", name="turn_limit", value="9")
    assert answer.status_code == 302, plain(answer.content.decode())[-3000:]
    assert state_of(gm).options.turn_limit == 9
    page = f"/battles/{gm.battle.pk}/"
    assert "Begin the battle" in Reader(table.gm).read(page)
    assert gm.send(type="start").status_code == 409, "nobody is placed"
    hosts.lined_up(table, gm.battle)
    assert send(table.gm, gm, "start").status_code == 302
    assert state_of(gm).field.started
    assert state_of(gm).victory == (4, 3), "T-41: a third of the enemy's units, rounded up"


def test_players_have_none_of_the_gms_tools(table, ana):
    reader = Reader(table.ana)
    kinds = ("option", "edit_unit", "grant", "reveal", "seal", "consent", "victory", "name_general", "override", "end")
    for kind in kinds:
        assert send(table.ana, ana, kind).status_code == 403, kind
    assert ana.send(type="victory", side=0, number=1).status_code == 403
    assert ana.send(type="start").status_code == 403
    assert "do-option" not in reader.markup(f"/battles/{ana.battle.pk}/?rail=tools")


def test_the_campaign_tells_a_player_what_to_place(table, fresh, ana):
    shown = Reader(table.ana).client.get(f"/c/{table.campaign.pk}/").content.decode()
    assert "Place the units of <b>Host of the Realm</b>." in " ".join(shown.split())
    assert "The GM is setting up the battle." not in shown
    ana.ok(type="line_up", armies=[str(table.realm.army.pk)])
    ana.ok(type="ready", side=0)
    shown = Reader(table.ana).client.get(f"/c/{table.campaign.pk}/").content.decode()
    assert "The GM is setting up the battle." in shown
