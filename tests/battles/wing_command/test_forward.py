"""A battle of wing command that goes on by itself: what is only rolled, and rout phases in which nobody flees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battles.models import Battle
from battles.play.battle_state import get_engine, load_state
from rules import registry
from rules.wing_command.battle.record.commands import ResolveRout
from rules.wing_command.battle.record.state import ROUT, SHAKEN, HostState
from tests.battles.field.test_pages import now
from tests.battles.frame.conftest import opened, play
from tests.rulesets.drivers import driver_of, table_of
from tests.worlds import built_once

DRIVER = driver_of("wing-command")


@built_once
def table(db) -> Any:
    return table_of(DRIVER)


@built_once
def begun(table) -> Battle:
    """The crown has the initiative of the first turn."""
    gm = opened(table)
    play(gm, DRIVER.begun(table))
    assert gm.battle
    return gm.battle


def at_its_end(battle: Battle) -> HostState:
    """The same in the rout phase."""
    return replace(load_state(now(battle)), phase=ROUT)


def shaken(state: HostState) -> HostState:
    unit = next(iter(state.units))
    return replace(state, units={**state.units, unit: state.units[unit]._replace(morale=SHAKEN)})


def test_a_rout_phase_without_anybody_to_flee_or_rally_passes_by_itself(begun):
    law, end = get_engine(begun), at_its_end(begun)
    assert isinstance(law.onward(end), ResolveRout)
    assert law.empty(end)
    assert not law.empty(shaken(end))


def test_a_house_rule_leaves_every_rout_phase_to_the_table(begun):
    strict = registry.ruleset("wing-command", {"empty_phases": False}).battle
    assert not strict.empty(at_its_end(begun))


def test_initiative_is_rolled_and_then_the_first_side_has_to_act(table):
    gm = opened(table)
    play(gm, DRIVER.begun(table)[:-1])
    told = gm.ok(type="forward")
    assert told["phase"]["kind"] == "command"
    assert [halt["kind"] for halt in told["stopped"]] == ["choice"]
    assert gm.send(type="forward").status_code == 409
