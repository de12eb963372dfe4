"""Battles by THUCIDIDE fantasy of armies of other rulesets: opened, fought to the end, settled, undone (TF-8, TF-9)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from armies.models import Army
from battles.aftermath.services import confirm_aftermath
from battles.log.queries import check_replay
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import undo
from battles.setup.services import open_battle
from rules.core.viewers import Viewer
from rules.hexbattle.field import SIDES
from rules.hexbattle.setup import Place, SetReady, Start
from rules.thucidide_fantasy.battle.aftermath import tolls_of
from rules.thucidide_fantasy.battle.player import next_command
from tests.battles.setup.bridging import command, fresh
from tests.kingdom.conftest import api_of
from tests.rules.thucidide_fantasy.fights import Loaded, whose
from tests.rulesets.browsing import Reader
from tests.rulesets.drivers import driver_of, sides_of, table_of
from tests.worlds import built_once

LAW = "thucidide-fantasy"
MOST_COMMANDS = 1500


@pytest.fixture(params=("combat-de-masse", "breaking-point"))
def driver(request) -> Any:
    return driver_of(request.param)


@built_once
def table(db, driver) -> SimpleNamespace:
    return table_of(driver)


@built_once
def opened(table) -> Battle:
    return open_battle(
        by=table.gm, campaign=table.campaign, name="The ford", sides=sides_of(table), ruleset=LAW, map="the-ford"
    )


@built_once
def over(table, opened) -> Battle:
    """Fought on the ford to its end."""
    return fight(table, begin(table, opened))


def begin(table: Any, battle: Battle) -> Battle:
    """Units in the rows of their zone about the middle, everybody else with the first."""
    for side in SIDES:
        state = play_battle_state.load_state(fresh(battle))
        ground, rows = state.field.ground, get_rows(battle)
        spots = sorted(ground.zone(side, rows), key=lambda at: (-ground.from_home(side, at), at))
        units = [unit for unit in state.units if state.side_of(unit) == side]
        for unit, at in zip(units, clear(state, spots), strict=False):
            command(table, battle, Place(unit, at))
        first = play_battle_state.load_state(fresh(battle)).at(units[0])
        for person in state.people:
            if state.side_of(person) == side:
                command(table, battle, Place(person, first))
        command(table, battle, SetReady(side))
    return command(table, battle, Start())


def get_rows(battle: Battle) -> int:
    return int(play_battle_state.get_law(battle).battle.zone_rows)


def clear(state: Any, spots: list[str]) -> list[str]:
    return [at for at in spots if state.field.ground.terrain(at).footing == "clear"]


def fight(table: Any, battle: Battle) -> Battle:
    random, dice, now = Random("ford"), Loaded("ford"), fresh(battle)
    for _turn in range(MOST_COMMANDS):
        state = play_battle_state.load_state(now)
        if state.field.ended:
            return now
        side = whose(state)
        viewer = Viewer(armies=frozenset(army for army, own in state.field.armies.items() if own == side))
        told = next_command(play_battle_state.get_engine(now).seen(state, viewer), viewer, random)
        assert told is not None, "somebody has to act"
        now = command(table, now, told, server=dice)
    raise AssertionError("the battle goes on and on")


def seen(table: Any, battle: Battle) -> dict[str, Any]:
    now = fresh(battle)
    return {"by": table.gm, "battle_id": now.pk, "version": now.version}


def standing(table: Any) -> dict[str, Any]:
    return {str(army.pk): (army.health, army.status) for army in Army.objects.filter(campaign=table.campaign)}


def test_the_api_and_the_page_offer_it(table):
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table), "ruleset": LAW}
    page = f"/c/{table.campaign.pk}/battles/new/"
    assert f'<option value="{LAW}">' in Reader(table.gm).markup(page)
    answer = api_of(table.gm).post("/api/v1/battles/", {**body, "map": "the-ford"}, format="json")
    assert (answer.status_code, answer.json()["ruleset"]) == (201, LAW), answer.content


def test_what_an_army_would_be_is_told(table, driver):
    told = api_of(table.ana).get(f"/api/v1/armies/{table.watch.pk}/mustered/?ruleset={LAW}").json()
    assert told["ruleset"] == LAW
    assert told["muster"]["troops"][0]["protection"] >= 0
    army = told["army"]
    assert len(army["units"]) == (4 if driver.slug == "combat-de-masse" else 1)
    unit = army["units"][0]
    assert unit["stands"] in (3, 4)
    assert unit["melee"] >= 1
    assert {"type", "kind", "weight", "move", "calm", "shot", "range", "experience", "traits"} <= unit.keys()
    chiefs = [one["name"] for one in army["characters"] if one["commander"] and one["rank"]]
    assert chiefs == ([table.watch.commander.name] if table.watch.commander else [])


def test_its_figures_follow_the_bridge(table, opened, driver):
    """TF-8: by size, on the ground of the battle."""
    state = play_battle_state.load_state(opened)
    units = [unit for unit in state.units if state.side_of(unit) == 0]
    assert len(units) == (4 if driver.slug == "combat-de-masse" else 1)
    assert all(state.units[unit].start in (3, 4) for unit in units)


def test_a_battle_on_the_ford_costs_what_tf_9_says_and_all_of_it_is_undone(table, over, driver):
    before = standing(table)
    tolls = tolls_of(play_battle_state.load_state(over)).armies
    if driver.slug == "combat-de-masse":  # of breaking points each side has one unit here
        assert any(toll.lost for toll in tolls.values()), "a battle that cost nothing shows nothing"
    confirm_aftermath(**seen(table, over))
    after = standing(table)
    for army, toll in tolls.items():
        if driver.slug == "combat-de-masse":
            hp = before[army][0]
            assert after[army][0] == (0 if toll.left == "destroyed" else hp - floor(hp * toll.lost)), toll
            status = {"stands": "ready", "scattered": "routed", "destroyed": "defeated"}[toll.left]
            assert after[army][1] == status, toll
    assert fresh(over).status == "closed"
    undo(**seen(table, over))
    assert standing(table) == before


def test_tolls_count_stands_and_destroyed_units_with_all_theirs(over):
    """TF-9."""
    state = play_battle_state.load_state(over)
    tolls = tolls_of(state)
    for army, toll in tolls.armies.items():
        units = [unit for unit in state.units if state.field.tokens[unit].army == army]
        lost = sum(state.units[unit].start - (0 if state.field.tokens[unit].gone else state.units[unit].stands)
                   for unit in units)  # fmt: skip
        assert toll.lost == Fraction(max(0, lost), sum(state.units[unit].start for unit in units))
        lost_side = state.field.ended.winner == 1 - tolls.side_of(army)
        gone = all(state.field.tokens[unit].gone for unit in units)
        assert toll.left == ("destroyed" if gone else "scattered" if lost_side else "stands")


def test_its_log_is_decided_again_as_it_was(over):
    assert check_replay(fresh(over)).identical
