"""Settlement of a battle that armies of mass combat fought under another law: its tolls converted by PF-6."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from rules.aftermath import DESTROYED, SCATTERED, BattleTolls, Remark
from rules.core.dice import Dice
from rules.core.text import _
from rules.pathfinder.battle.aftermath import has_gone, proposed
from rules.pathfinder.battle.aftermath.consequences import defeated, lose_commander, routed, victorious
from rules.pathfinder.battle.aftermath.proposal import LOST, Aftermath, Reckoning, World, set_hp, set_morale
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    DEFEATED,
    FIGHTING,
    ROUTED,
    ArmyInBattle,
    BattleState,
    Opening,
    Phase,
    Result,
    Side,
    Status,
    changed,
)
from rules.pathfinder.battle.state.opening import opening_state
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import ArmySpec

STATUSES: Mapping[str, Status] = {DESTROYED: DEFEATED, SCATTERED: ROUTED}


def settled(
    law: Rulebook,
    tolls: BattleTolls,
    armies: Mapping[str, ArmySpec],
    world: World,
    choices: Mapping[str, str],
    dice: Dice,
) -> Aftermath:
    """Return the aftermath of such a battle. Raises `InvalidInput` for an unknown choice, and `DiceNeeded`."""
    return proposed(Reckoning(_as_fought(law, tolls, armies), world, choices, dice), partial(_settle, tolls))


def _as_fought(law: Rulebook, tolls: BattleTolls, armies: Mapping[str, ArmySpec]) -> BattleState:
    """Return the battle's final state as if it had been fought under this law."""
    sides = tuple(Side(side.name, tuple(army for army in side.armies if army in armies)) for side in tolls.sides)
    specs = tuple(armies[army] for side in sides for army in side.armies)
    battle = opening_state(law, Opening(specs, sides))
    after = {key: _after(army, tolls) for key, army in battle.armies.items()}
    return changed(battle, armies=after, phase=Phase(AFTERMATH), result=Result(tolls.winner, str(tolls.reason)))


def _after(army: ArmyInBattle, tolls: BattleTolls) -> ArmyInBattle:
    toll = tolls.armies[army.id]
    return replace(army, hp=army.hp - int(army.hp * toll.lost), status=STATUSES.get(toll.left, FIGHTING))


def _settle(tolls: BattleTolls, r: Reckoning, army: ArmyInBattle) -> None:
    """Apply the toll of an army: its hit points, then the consequences of its defeat, rout or victory."""
    if army.id not in r.world.armies or has_gone(r, army):
        return
    toll = tolls.armies[army.id]
    r.notes.append(Remark(toll.told, toll.rule, about=army.id))
    if army.status == DEFEATED:
        defeated(r, army, leader_lost=False)
    else:
        set_hp(r, army, army.hp, toll.rule, LOST)
    if army.status == ROUTED:
        routed(r, army)
    elif tolls.won(army.id):
        victorious(r, army)
    if toll.spirit and army.status == FIGHTING:
        set_morale(r, army, toll.spirit, toll.rule, _("broken in the battle"))
    if toll.leader_lost:
        lose_commander(r, army, captured=toll.leader_captured)
