"""Aftermath on its page and in the API: documents shrink, the fled return or don't, all is undone (C-6, WC-11)."""

from __future__ import annotations

from typing import Any

import pytest

from armies.forces.access import filter_known
from armies.map.visibility import build_visible_army
from armies.models import Army, Commander
from armies.models.army import rows_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from core.text import render
from kingdom.models import Campaign, Knowledge
from rules.wing_command.battle.aftermath import Toll, toll_of
from tests.battles.conftest import Client
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.rulesets.browsing import Reader, plain


def tolls(battle: Battle) -> dict[str, Toll]:
    state = play_battle_state.load_state(battle)
    return {wing: toll_of(state, wing) for wing in state.wings}


def world() -> list[Any]:
    return [list(rows.objects.order_by("pk").values()) for rows in (Army, Commander)]


@pytest.fixture
def gm(hosts, over) -> Client:
    return Client(hosts.gm, over)


def returns(battle: Battle, face: int) -> list[dict[str, Any]]:
    """A die for every troop that fled."""
    return [
        {"army": army, "roll": "return", "values": [face] * len(toll.fled)}
        for army, toll in tolls(battle).items()
        if toll.fled
    ]


def fates(battle: Battle, face: int) -> list[dict[str, Any]]:
    return [
        {"army": army, "roll": "commander-fate", "values": [face]}
        for army, toll in tolls(battle).items()
        if toll.commander
    ]


def troops_of(army: str) -> int:
    return len(Army.objects.get(pk=army).sheet["troops"])


def test_an_army_that_the_battle_made_smaller_is_not_called_unhurt(hosts, over):
    """Its troops are gone from its sheet (C-6), so that nothing is missing of what is left."""
    raiders = Army.objects.get(pk=hosts.horde_wings[0].pk)
    Campaign.objects.filter(pk=hosts.campaign.pk).update(others_known=Knowledge.GLANCE)
    Client(hosts.gm, over).ok(type="aftermath", confirm=True, dice=[*returns(over, 6), *fates(over, 100)])
    army = filter_known(hosts.ana, rows_of(Army)).get(pk=raiders.pk)
    assert army.health == army.health_max == raiders.health - 1
    assert [render(word) for word in build_visible_army(army)[1:]] == [f"about {army.health} troops", ""]
    page = plain(Reader(hosts.ana).markup(f"/c/{hosts.campaign.pk}/"))
    assert "about 3 troops" in page
    assert "unhurt" not in page


def test_a_battle_has_cost_something(hosts, over):
    crown, horde = hosts.crown_wings[0], hosts.horde_wings[0]
    found = tolls(over)
    assert found[str(crown.pk)] == Toll((), (), ())
    lost = found[str(horde.pk)]
    assert (len(lost.destroyed), len(lost.fled), lost.commander) == (1, 1, str(horde.commander_id))


@pytest.mark.parametrize(("face", "left"), [(4, 3), (3, 2)])
def test_c_6_the_destroyed_leave_and_of_the_fled_who_throws_4_returns(hosts, over, gm, face, left):
    horde = hosts.horde_wings[0]
    assert troops_of(horde.pk) == 4
    gm.ok(type="aftermath", confirm=True, dice=[*returns(over, face), *fates(over, 100)])
    row = Army.objects.get(pk=horde.pk)
    assert (troops_of(horde.pk), row.health, row.health_max) == (left, left, left)
    assert troops_of(hosts.crown_wings[0].pk) == 4


def test_the_page_says_what_changes_in_words_asks_its_dice_and_is_undone(hosts, over, gm):
    reader, page = Reader(hosts.gm), f"/battles/{over.pk}/aftermath/"
    before, markup = world(), reader.markup(f"/battles/{over.pk}/aftermath/")
    told = plain(markup)
    assert "composition" in told
    assert "of the troops that fled" in told
    assert 'href="/rules/C-6/?ruleset=wing-command"' in markup, "THUCIDIDE fantasy has a C-6 of its own"
    assert "{" not in told.split("Notes")[0], "no document is shown as it is stored"
    version = Battle.objects.get().version
    assert reader.client.post(page, {"version": version, "do": "confirm"}).status_code == 302
    assert world() != before
    assert Battle.objects.get().status == "closed"
    version = Battle.objects.get().version
    reader.client.post(f"/battles/{over.pk}/command/", {"type": "undo", "version": version})
    assert world() == before
    assert Battle.objects.get().status == "aftermath"


@pytest.mark.parametrize(("face", "status"), [(20, "killed"), (70, "captured"), (71, "free")])
def test_c_6_a_destroyed_commanders_fate_is_the_dices(hosts, over, gm, face, status):
    gm.ok(type="aftermath", confirm=True, dice=[*returns(over, 4), *fates(over, face)])
    assert Commander.objects.get(pk=hosts.horde_wings[0].commander_id).status == status


def test_the_gm_may_rule_a_commanders_fate(hosts, over, gm):
    choices = {f"fate:{hosts.horde_wings[0].pk}": "captured"}
    gm.ok(type="aftermath", confirm=True, dice=[*returns(over, 4), *fates(over, 1)], choices=choices)
    captured = Commander.objects.get(pk=hosts.horde_wings[0].commander_id)
    assert captured.status == "captured"
    page = f"/commanders/{captured.pk}/edit/"
    Reader(hosts.gm).done(page, page, status="captured", away_until=9, ransom=3)
    captured.refresh_from_db()
    assert (captured.ransom, captured.away_until) == (3, 9)


def test_an_unknown_choice_is_refused_with_its_pointer(gm):
    answer = gm.send(type="aftermath", choices={"fate:nobody": "killed"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/choices/fate:nobody"


def test_a_player_reads_what_it_did_to_their_own_and_settles_nothing(hosts, over, gm):
    ana = Client(hosts.ana, over)
    assert ana.send(type="aftermath", confirm=True).status_code == 403
    gm.ok(type="aftermath", confirm=True, dice=[*returns(over, 4), *fates(over, 100)])
    assert "Crown" in Reader(hosts.ana).read(f"/battles/{over.pk}/aftermath/")


def test_a_settled_battle_goes_along_with_its_campaign(hosts, over, gm):
    gm.ok(type="aftermath", confirm=True)
    there = bring_in(hosts.gm, taken_along(hosts.campaign)).campaign
    (found,) = Battle.objects.filter(campaign=there)
    assert found.status == "closed"
    assert len(play_battle_state.load_state(found).wings) == 2
    assert Reader(hosts.gm).status(f"/battles/{found.pk}/") == 200
