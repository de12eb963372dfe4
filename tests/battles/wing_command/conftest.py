"""Two hosts of wing command: the Crown of three wings, the Horde of three, each under its commander."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from armies.forces.services import appoint_commander, raise_army
from armies.models import Army, Commander
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play import services as play_services
from battles.queries import get_viewer
from battles.setup.services import open_battle
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from rules.wing_command.battle.player import next_command
from rules.wing_command.wing import CROWN, HORDE, SampleWing
from tests.battles.conftest import Client
from tests.battles.steady import Steady
from tests.everyday import at_most
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.worlds import built_once


def wing_of(gm: Any, kingdom: Any, name: str, sample: SampleWing) -> Army:
    """An army of these troops under a commander of this ability."""
    leader = appoint_commander(by=gm, kingdom=kingdom, name=f"Captain of {name}")
    Commander.objects.filter(pk=leader.pk).update(sheet={"ability": sample.commander.ability})
    troops = [{"type": troop.type} for troop in sample.sheet.troops]
    return raise_army(by=gm, kingdom=kingdom, name=name, sheet={"troops": troops, "order": "attack"}, commander=leader)


def build_hosts() -> SimpleNamespace:
    """Everybody, and the armies of both: `crown_wings`, `horde_wings`."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="wing-command", players_may=FREELY)
    table = SimpleNamespace(gm=gm, campaign=campaign)
    table.crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    table.horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    names = ("Ironwatch", "Lances", "Boatmen"), ("Raiders", "Beasts", "Wings")
    table.crown_wings = [wing_of(gm, table.crown, *one) for one in zip(names[0], CROWN, strict=True)]
    table.horde_wings = [wing_of(gm, table.horde, *one) for one in zip(names[1], HORDE, strict=True)]
    table.ana, table.bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    table.viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    assign_player(by=gm, kingdom=table.crown, player=table.ana)
    assign_player(by=gm, kingdom=table.horde, player=table.bo)
    return table


@built_once
def hosts(db) -> SimpleNamespace:
    return build_hosts()


def sides_of(table: Any) -> list[dict[str, Any]]:
    return [
        {"name": name, "armies": [str(army.pk) for army in armies]}
        for name, armies in (("Crown", table.crown_wings), ("Horde", table.horde_wings))
    ]


def few_of(table: Any) -> list[dict[str, Any]]:
    """The same with one wing a side, every day; in the full run with all of them."""
    return [{**side, "armies": at_most(side["armies"][:1], full=side["armies"])} for side in sides_of(table)]


def open_ford(table: Any, **more: Any) -> Battle:
    sides = more.pop("sides", None) or sides_of(table)
    return open_battle(by=table.gm, campaign=table.campaign, name="The ford", sides=sides, **{"map": "the-ford"} | more)


@built_once
def fresh(hosts) -> Battle:
    return open_ford(hosts)


@pytest.fixture
def gm(hosts, fresh) -> Client:
    return Client(hosts.gm, fresh)


@pytest.fixture
def ana(hosts, fresh) -> Client:
    return Client(hosts.ana, fresh)


@pytest.fixture
def bo(hosts, fresh) -> Client:
    return Client(hosts.bo, fresh)


def unit_of(battle: Battle, wing: Any, name: str) -> str:
    """The id of a unit of an army by its name."""
    state = play_battle_state.load_state(battle)
    return next(one for one in state.wings[str(wing.pk)].members if str(state.token(one).name) == name)


@built_once
def over(hosts) -> Battle:
    return build_over(hosts)


def build_over(hosts: Any) -> Battle:
    """A battle that cost the Raiders a troop destroyed, one that fled, and their commander."""
    crown, horde = hosts.crown_wings[0], hosts.horde_wings[0]
    sides = [{"name": "Crown", "armies": [str(crown.pk)]}, {"name": "Horde", "armies": [str(horde.pk)]}]
    battle = open_ford(hosts, map="meadows", sides=sides, combat="gm", break_share=100)
    gm = Client(hosts.gm, battle)
    ours = {name: unit_of(battle, crown, name) for name in ("Foot 1", "Foot 2")}
    theirs = {name: unit_of(battle, horde, name) for name in ("Levy 1", "Levy 2", "Captain of Raiders")}
    gm.ok(type="line_up", wings=[str(crown.pk), str(horde.pk)])
    for wing in (crown, horde):
        gm.ok(type="set_order", wing=str(wing.pk), order="hold")
    gm.ok(type="start")
    faces = ((crown, 6), (horde, 1))
    dice = [{"army": str(army.pk), "roll": "initiative", "values": [face]} for army, face in faces]
    gm.ok(type="roll_initiative", dice=dice)
    for side in (0, 1):
        gm.ok(type="pass", side=side)
    places = {ours["Foot 1"]: "E7", ours["Foot 2"]: "K7", theirs["Levy 1"]: "E6", theirs["Captain of Raiders"]: "K6",
              theirs["Levy 2"]: "A1"}  # fmt: skip
    for unit, at in places.items():
        gm.ok(type="override", what=unit, field="at", value=at, reason="for the test")
    gm.ok(type="override", what=theirs["Levy 2"], field="morale", value=2, reason="for the test")
    gm.ok(type="take_wing", wing=str(crown.pk))
    for unit, foe in (("Foot 1", "Levy 1"), ("Foot 2", "Captain of Raiders")):
        gm.ok(type="act", unit=ours[unit], attack={"target": theirs[foe], "how": "melee"})
        gm.ok(type="report", result="destroyed")
    gm.ok(type="end_wing")
    gm.ok(type="take_wing", wing=str(horde.pk))
    gm.ok(type="end_wing")
    gm.ok(type="resolve_rout")
    gm.ok(type="end", winner=0, reason="Night falls")
    return Battle.objects.get(pk=battle.pk)


def fight_out(table: Any, **options: Any) -> Battle:
    """A battle of both hosts, fought to its end as the engine would fight it for either player."""
    battle = open_ford(table, **{"turn_limit": 6} | options)
    gm = Client(table.gm, battle)
    gm.ok(type="line_up", wings=[army for side in options.get("sides", sides_of(table)) for army in side["armies"]])
    gm.ok(type="start")
    while (battle := Battle.objects.get(pk=battle.pk)).open and battle.status == "running":
        assert any(play_next(user, battle) for user in (table.ana, table.bo)), "somebody has to go on"
    return battle


def play_next(user: Any, battle: Battle) -> bool:
    """What the engine's player would do now for this person; False where it isn't their turn."""
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, state)
    law = play_battle_state.get_engine(battle)
    own = {state.wings[army].side for army in viewer.armies}
    if state.field.started and state.phase in ("command", "action") and state.side not in own:
        return False
    command = next_command(law.seen(state, viewer), viewer, Random(battle.version))
    if command is None:
        return False
    play_services.play(by=user, battle_id=battle.pk, version=battle.version, command=command, server=Steady())
    return True
