"""Settlement of a battle that armies of this law fought under another: its tolls converted by B-47 to B-51."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.aftermath import (
    DESTROYED,
    FATE_DIE,
    FATE_ROLL,
    FATE_SCALE,
    FATES,
    SCATTERED,
    BattleTolls,
    PlainSequel,
    fate_of,
)
from rules.breaking_point.battle.aftermath.proposal import reckoned
from rules.breaking_point.battle.aftermath.tolls import Consequence, Reckoning, World
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    ANNIHILATED,
    FIGHTING,
    FLED,
    BattleNow,
    Body,
    Opening,
    Phase,
    Result,
    Side,
    Status,
)
from rules.breaking_point.battle.state.entering import battle_of
from rules.breaking_point.battle.state.opening import formations_of
from rules.breaking_point.spec import General, Host, House
from rules.core.dice import Dice, DiceNeeded, Roll
from rules.core.text import Said, _, say

STATUSES: Mapping[str, Status] = {DESTROYED: ANNIHILATED, SCATTERED: FLED}


def settled(
    house: House,
    tolls: BattleTolls,
    armies: Mapping[str, Host],
    world: World,
    choices: Mapping[str, str],
    dice: Dice,
) -> PlainSequel:
    """Return the aftermath of such a battle. Raises `InvalidInput` for an unknown choice, and `DiceNeeded`."""
    r = Reckoning(_as_fought(house, tolls, armies), world, dict(choices), dice)
    for army in armies:
        r.tell(tolls.armies[army].told, tolls.armies[army].rule, army)
    return reckoned(r, list(_fates(r, tolls, _lost(tolls, armies, world))))


def _as_fought(house: House, tolls: BattleTolls, armies: Mapping[str, Host]) -> BattleNow:
    """Return the battle's final state as if it had been fought under this law. Reserves count as having fought."""
    sides = tuple(Side(side.name, tuple(army for army in side.armies if army in armies)) for side in tolls.sides)
    opening = Opening(sides, tuple(armies[army] for side in sides for army in side.armies))
    battle = battle_of(replace(opening, formations=formations_of(opening)), house)
    bodies = {key: _after(body, tolls) for key, body in battle.bodies.items()}
    return battle.changed(bodies=bodies, phase=Phase(AFTERMATH), result=Result(tolls.winner, str(tolls.reason)))


def _after(body: Body, tolls: BattleTolls) -> Body:
    """Return the body with its share of the losses, in points of force. A destroyed army loses everything."""
    toll = tolls.armies[body.army]
    status = STATUSES.get(toll.left, FIGHTING)
    losses = 2 * body.force if status == ANNIHILATED else int(body.force * toll.lost)
    return replace(body, losses=losses, status=status, came=1)


def _lost(tolls: BattleTolls, armies: Mapping[str, Host], world: World) -> Iterable[tuple[str, General]]:
    """Yield commanders who were struck down, with their armies."""
    for army, host in armies.items():
        leader = host.commander
        if tolls.armies[army].leader_lost and leader is not None and leader.id in world.commanders:
            yield army, leader


def _fates(r: Reckoning, tolls: BattleTolls, lost: Iterable[tuple[str, General]]) -> Iterable[Roll]:
    """Decide the fate of commanders who were struck down: by dice, unless the GM decides otherwise."""
    fallen = [
        (army, leader, None if tolls.armies[army].leader_captured else r.dice.roll(army, FATE_ROLL, FATE_DIE))
        for army, leader in lost
    ]
    try:
        r.dice.checkpoint()
    except DiceNeeded as needed:
        raise needed.explained([(roll, _need(leader)) for _army, leader, roll in fallen if roll]) from None
    for army, leader, roll in fallen:
        _fate(r, army, leader, roll, tolls.armies[army].rule)
        if roll:
            yield roll


def _need(leader: General) -> Said:
    return say(_("fate of {commander}"), commander=leader.name)


def _fate(r: Reckoning, army: str, leader: General, roll: Roll | None, rule: str) -> None:
    """Apply a commander's fate by this die; without one they were captured, unless the GM says otherwise."""
    options = tuple((slug, band.name) for slug, band in FATE_SCALE.items())
    usual = fate_of(roll.value) if roll else "captured"
    fate = r.ask(f"fate:{army}", say(_("Fate of {commander}"), commander=leader.name), options, usual)
    told = say(FATES[fate], commander=leader.name)
    rolls, scale = ((roll,), tuple(FATE_SCALE.values())) if roll else ((), ())
    r.tell(told, rule, leader.id, rolls=rolls, moment=True, scale=scale)
    before = r.world.commanders[leader.id]
    if fate not in ("escapes", before):
        r.changes.append(Consequence("commander", leader.id, "status", before, fate, rule, told))
