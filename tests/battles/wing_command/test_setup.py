"""Setup on the page and in the API: trays of wings, orders, a line-up in one tap, what stays secret, the GM's tools."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from rules.wing_command.wing import CROWN
from tests.battles.conftest import Client
from tests.battles.wing_command.conftest import wing_of
from tests.rulesets.browsing import Reader, plain

BATTLE = "/battles/{}/"


def state_of(client: Client) -> Any:
    return play_battle_state.load_state(Battle.objects.get(pk=client.battle.pk))


def page_of(client: Client) -> str:
    return f"/battles/{client.battle.pk}/"


def send(reader: Reader, client: Client, kind: str, **more: Any) -> Any:
    version = Battle.objects.get(pk=client.battle.pk).version
    return reader.client.post(f"{page_of(client)}command/", {"type": kind, "version": version, **more})


def done(reader: Reader, client: Client, kind: str, **more: Any) -> None:
    answer = send(reader, client, kind, **more)
    assert answer.status_code == 302, plain(answer.content.decode())


def waiting(state: Any, side: int) -> int:
    return sum(unit.waiting for unit in state.field.of_side(side))


def wings(table: Any, side: str) -> list[str]:
    return [str(army.pk) for army in getattr(table, f"{side}_wings")]


# trays, orders, line-up


def test_trays_are_the_readers_wings_with_their_leaders_and_orders(hosts, ana):
    markup = Reader(hosts.ana).markup(page_of(ana))
    titles = re.findall(r'<h3 id="tray-\d">([^<]+)</h3>.*?<span class="left">\s*([^<]+?)\s*</span>', markup, re.DOTALL)
    assert sorted(titles) == [("Boatmen", "5 to place"), ("Ironwatch", "5 to place"), ("Lances", "5 to place")]
    told = plain(markup)
    assert "Captain of Ironwatch · command B · morale 8" in told
    assert markup.count('class="order-pick"') == 3
    assert "Place the rest for me" in told
    assert 'id="tray-4"' not in markup
    assert re.findall(r'class="wing-number"[^>]*>([IV]+)<', markup) == ["I", "II", "III"]


def test_the_map_opens_on_the_readers_own_zone(hosts, ana):
    """On a phone it shows a part of the map alone, and there units are placed."""
    tops = [
        re.findall(r'class="map-start left-\d top-(\d)"', Reader(user).markup(page_of(ana)))
        for user in (hosts.ana, hosts.bo)
    ]
    assert tops == [["8"], ["1"]]


def test_everything_is_placed_in_one_tap_and_taken_back_in_one(hosts, ana):
    reader = Reader(hosts.ana)
    done(reader, ana, "line_up")
    state = state_of(ana)
    assert (waiting(state, 0), waiting(state, 1)) == (0, 14)
    told = reader.read(page_of(ana))
    assert "all placed" in told
    assert "Place the rest for me" not in told
    done(reader, ana, "undo")
    assert waiting(state_of(ana), 0) == 15


def test_a_line_up_of_others_is_refused(hosts, ana):
    assert ana.send(type="line_up", wings=wings(hosts, "horde")).status_code == 403
    assert waiting(state_of(ana), 1) == 14


def test_the_order_of_a_wing_is_chosen_on_its_tray(hosts, ana):
    wing = wings(hosts, "crown")[1]
    done(Reader(hosts.ana), ana, "set_order", wing=wing, order="hold")
    assert state_of(ana).wings[wing].order == "hold"
    pressed = re.findall(
        r'value="(\w+)" id="order-\d-[^"]*"\s+aria-pressed="true"', Reader(hosts.ana).markup(page_of(ana))
    )
    assert pressed == ["attack", "hold", "attack"]
    assert send(Reader(hosts.ana), ana, "set_order", wing=wing, order="dance").status_code == 422
    assert send(Reader(hosts.ana), ana, "set_order", wing=wings(hosts, "horde")[0], order="hold").status_code == 403


def test_orders_and_places_are_secret_until_both_sides_are_ready(hosts, gm, ana, bo):
    crown, horde = wings(hosts, "crown"), wings(hosts, "horde")
    ana.ok(type="line_up", wings=crown)
    ana.ok(type="set_order", wing=crown[0], order="hold")
    ana.ok(type="ready", side=0)
    told = Reader(hosts.bo).markup(page_of(bo))
    assert "Crown sets up here" in told
    assert "Captain of Ironwatch" not in told
    assert not any(unit["at"] for unit in bo.read()["units"] if unit["army"] in crown)
    assert all(unit["at"] for unit in ana.read()["units"] if unit["army"] in crown)
    assert state_of(ana).wings[crown[0]].order == "hold"
    bo.ok(type="line_up", wings=horde)
    bo.ok(type="ready", side=1)
    assert all(unit["at"] for unit in bo.read()["units"] if unit["army"] in crown)


def test_ready_waits_for_everybody_and_can_be_taken_back(hosts, ana):
    refused = ana.send(type="ready", side=0)
    assert refused.status_code == 409
    assert "aren’t placed yet" in refused.json()["detail"]
    assert "Ready after 15 more placements" in Reader(hosts.ana).read(page_of(ana))
    ana.ok(type="line_up", wings=wings(hosts, "crown"))
    ana.ok(type="ready", side=0)
    refused = ana.send(type="set_order", wing=wings(hosts, "crown")[0], order="hold")
    assert "Place units again" in refused.json()["detail"]
    ana.ok(type="ready", side=0, on=False)
    ana.ok(type="set_order", wing=wings(hosts, "crown")[0], order="hold")


def test_w_31_a_battle_does_not_begin_while_all_wings_of_a_side_retreat(hosts, gm):
    gm.ok(type="line_up", wings=wings(hosts, "crown") + wings(hosts, "horde"))
    for wing in wings(hosts, "horde"):
        gm.ok(type="set_order", wing=wing, order="retreat")
    refused = gm.send(type="start")
    assert refused.status_code == 409
    assert "All wings of Horde have the order to retreat" in refused.json()["detail"]
    gm.ok(type="set_order", wing=wings(hosts, "horde")[0], order="hold")
    assert gm.ok(type="start")["status"] == "running"


def test_the_gm_begins_from_the_foot(hosts, gm):
    gm.ok(type="line_up", wings=wings(hosts, "crown") + wings(hosts, "horde"))
    assert "Begin the battle" in Reader(hosts.gm).read(page_of(gm))
    done(Reader(hosts.gm), gm, "start")
    assert state_of(gm).field.started


def test_hx_7_3_a_zone_that_is_too_small_is_warned_of_and_lined_up_as_far_as_it_goes(hosts, gm):
    for row in ("13", "14", "15"):
        hexes = [f"{column}{row}" for column in "ABCDEFGHIJKLMNOP"]
        gm.ok(type="zone", side=0, hexes=hexes[4:], add=False)
    told = Reader(hosts.gm).read(page_of(gm))
    assert "Crown: the zone has 12 free hexes" not in told
    gm.ok(type="zone", side=0, hexes=["A13", "B13", "C13", "D13", "A14"], add=False)
    assert "Crown: the zone has 7 free hexes, too few for its units." in Reader(hosts.gm).read(page_of(gm))
    gm.ok(type="line_up", wings=wings(hosts, "crown"))
    assert waiting(state_of(gm), 0) == 5


# the GM's tools


def test_the_gm_sets_an_option_a_leader_and_a_figure(hosts, gm):
    reader, state = Reader(hosts.gm), state_of(gm)
    told = reader.markup(f"{page_of(gm)}?rail=tools")
    for name in ("do-option", "do-leader", "do-edit_unit"):
        assert f'id="{name}"' in told
    assert "do-override" not in told
    assert 'value="12"' in reader.markup(f"{page_of(gm)}?do=option&what=turn_limit")
    done(reader, gm, "option", name="turn_limit", value="9")
    leader = next(unit for unit in state.units if str(state.token(unit).name) == "Captain of Boatmen")
    done(reader, gm, "name_army_leader", unit=leader)
    done(reader, gm, "edit_unit", unit=leader, field="ability", value="A")
    done(reader, gm, "edit_unit", unit=leader, field="fly", value="yes")
    state = state_of(gm)
    assert state.options.turn_limit == 9
    assert state.leaders[0] == leader
    assert (state.units[leader].own.ability, state.units[leader].own.fly) == ("A", True)


@pytest.mark.parametrize("field", ["move", "profile", "large", "ability", "art", "level"])
def test_every_figure_has_its_field_and_begins_as_it_is(hosts, gm, field):
    state = state_of(gm)
    leader = next(unit for unit in state.units if state.units[unit].commander)
    told = Reader(hosts.gm).markup(f"{page_of(gm)}?do=edit_unit&army={leader}&what={field}")
    assert 'name="value"' in told
    assert f'name="field" value="{field}"' in told


def test_a_figure_of_characters_is_refused_to_a_troop_beside_the_form(hosts, gm):
    state = state_of(gm)
    troop = next(unit for unit in state.units if not state.units[unit].character)
    answer = send(Reader(hosts.gm), gm, "edit_unit", unit=troop, field="ability", value="A")
    assert answer.status_code == 422
    assert "Only characters have this value." in plain(answer.content.decode())
    answer = send(Reader(hosts.gm), gm, "edit_unit", unit=troop, field="move", value="99")
    assert answer.status_code == 422
    assert state_of(gm).units[troop].own.move == state.units[troop].own.move


def test_players_have_none_of_the_gms_tools(hosts, ana):
    reader = Reader(hosts.ana)
    for kind in ("option", "name_army_leader", "edit_unit", "override", "end"):
        assert send(reader, ana, kind).status_code == 403
    told = {"type": "option", "name": "turn_limit", "value": 9}
    assert ana.send(**told).status_code == 403
    assert "do-option" not in reader.markup(page_of(ana))


def test_in_play_the_gm_overrides_units_and_wings_and_ends_the_battle(hosts, gm):
    gm.ok(type="line_up", wings=wings(hosts, "crown") + wings(hosts, "horde"))
    gm.ok(type="start")
    reader, state = Reader(hosts.gm), state_of(gm)
    troop = next(unit for unit in state.units if not state.units[unit].character)
    told = reader.markup(f"{page_of(gm)}?rail=tools")
    assert 'id="do-override-unit"' in told
    assert 'id="do-override-wing"' in told
    done(reader, gm, "override", on=troop, field="morale", value="1", reason="panic")
    done(reader, gm, "override", on=troop, field="special", value="on", reason="so be it")
    done(reader, gm, "override", on=wings(hosts, "crown")[0], field="order", value="hold", reason="a message")
    done(reader, gm, "override", on=wings(hosts, "crown")[0], field="morale", value="5", reason="bad news")
    answer = send(reader, gm, "override", on=troop, field="at", value="Z9", reason="lost")
    assert answer.status_code == 422
    state = state_of(gm)
    assert (state.units[troop].morale, state.units[troop].special) == (1, True)
    assert (state.wings[wings(hosts, "crown")[0]].order, state.wings[wings(hosts, "crown")[0]].morale) == ("hold", 5)
    done(reader, gm, "end", winner="0", reason="Night falls")
    assert Battle.objects.get().status == "aftermath"


def test_w_32_an_army_joins_in_the_reserve_and_enters_over_its_edge(hosts, gm, ana):
    gm.ok(type="line_up", wings=wings(hosts, "crown") + wings(hosts, "horde"))
    late = wing_of(hosts.gm, hosts.crown, "Late", CROWN[0])
    assert gm.send(type="reinforce", army=str(late.pk), side=0).status_code == 409, "the battle hasn't begun"
    gm.ok(type="start")
    told = Reader(hosts.gm).markup(f"{page_of(gm)}?rail=tools")
    assert 'id="do-reinforce"' in told
    done(Reader(hosts.gm), gm, "reinforce", army="Late", side="0")
    state = state_of(gm)
    assert [wing.name for wing in state.wings_of(0)][-1] == "Late"
    assert all(state.token(unit).waiting for unit in state.wings[str(late.pk)].members)
    assert gm.send(type="reinforce", army=str(late.pk), side=0).status_code in (409, 422)
