"""Knowledge of a viewer about armies whose sheets they do not read (B-18): from what is seen, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.battle.battle_state import ASSAULT, GONE, BattleNow, Body, Formation, Opening
from rules.breaking_point.battle.opening import formations_of, host_formations
from rules.breaking_point.battle.secrecy import alike
from rules.breaking_point.spec import CONTACT, SHOOTING, Group, Host, Unit
from rules.breaking_point.starter import STARTERS, Starter
from rules.core.odds import Guess
from rules.core.text import Term, _
from rules.law import Viewer


class Level(NamedTuple):
    """A quality that hidden troops may have, and how likely it is. `lost`: how much they have lost, where that is told
    in words: 0 the least that it may be, 1 the most.
    """

    combat: int
    weight: float
    lost: float


LEVELS = (Level(3, 0.25, 1.0), Level(5, 0.5, 0.5), Level(8, 0.25, 0.0))
"""Green, regular and veteran troops (BP-2.5)."""

TYPICAL = {
    ("infantry", CONTACT): "men-at-arms", ("archers", SHOOTING): "longbowmen", ("artillery", SHOOTING): "field-guns",
    ("cavalry", CONTACT): "feudal-horse", ("chariots", CONTACT): "war-chariots",
    ("elephants", CONTACT): "war-elephants", ("infantry", SHOOTING): "riflemen",
}  # fmt: skip
"""Whom a hidden unit of this type and group is taken for; of another type, the unit called like it, or
infantry."""

BELIEVED: Term = _(
    "You do not read the sheet of {armies}: taken for troops that are usual for their types, green, regular or"
    " veteran; a reserve of theirs stays where it is."
)


def guesses(battle: BattleNow, viewer: Viewer) -> Sequence[Guess]:
    """The worlds that look like this one: all hidden armies are of one quality in each."""
    open_to_him = {army: order for army, order in battle.orders.items() if viewer.commands(army)}
    battle = battle.changed(orders=open_to_him)
    if not battle.masked:
        return (Guess(battle),)
    return tuple(Guess(_believed(battle, level), level.weight) for level in LEVELS)


def hidden_from(battle: BattleNow, viewer: Viewer) -> list[str]:
    return [] if viewer.gm else [a for a in battle.armies if a not in viewer.reads and not viewer.commands(a)]


def _believed(battle: BattleNow, level: Level) -> BattleNow:
    hosts = {army: _host(host, level.combat) if army in battle.masked else host for army, host in battle.armies.items()}
    opening = replace(battle.opening, armies=tuple(hosts.get(host.id, host) for host in battle.opening.armies))
    drawn = _formations(battle, opening, hosts)
    bodies = {}
    for body in battle.bodies.values():
        if not body.masked:
            bodies[body.id] = body
        elif body.status in GONE or body.id in drawn:
            likely = _as_lost(body, level) if body.army in battle.worded else body
            bodies[body.id] = _unmasked(likely, drawn.get(body.id, body.formation))
    return battle.changed(
        opening=replace(opening, formations=tuple(body.formation for body in bodies.values())),
        armies=hosts, bodies=bodies, masked=frozenset(), worded=frozenset(), called={}, memo={},
    )  # fmt: skip


def _formations(battle: BattleNow, opening: Opening, hosts: Mapping[str, Host]) -> dict[str, Formation]:
    """Bodies of hidden armies as they are taken for. Of who waits in reserve nobody knows a head: none is drawn."""
    if opening.kind == ASSAULT:
        drawn = list(formations_of(opening))
    else:
        armies = [(at, army) for at, side in enumerate(battle.sides) for army in side.armies]
        drawn = [formation for at, army in armies for formation in host_formations(opening, at, hosts[army])]
    return {one.id: one for one in drawn if one.army in battle.masked}


def _as_lost(body: Body, level: Level) -> Body:
    """With as much lost as its word and its state allow."""
    found = alike(body.losses)
    return replace(body, losses=found[round(level.lost * (len(found) - 1))])


def _unmasked(body: Body, formation: Formation) -> Body:
    """What is seen is a share of the force (`secrecy`)."""
    return replace(
        body, formation=formation, force=formation.force, breaking=formation.breaking, value=formation.value,
        losses=-(-body.losses * formation.force // max(1, body.force)), masked=False,
    )  # fmt: skip


def _host(host: Host, combat: int) -> Host:
    units = tuple(_unit(unit, combat) for unit in host.units)
    leader = host.commander
    led = None if leader is None else replace(leader, mental=5, presence=5, combat=combat, art_of_war=combat // 2)
    return replace(host, units=units, commander=led)


def _unit(unit: Unit, combat: int) -> Unit:
    if unit.machine is not None:
        machine = unit.machine
        return replace(unit, combat=combat, armour=machine.armour, toughness=machine.toughness, weapons=machine.weapons)
    typical = _starter(unit.type.slug, unit.group)
    usual = typical.unit(unit.strength)
    weapons = usual.weapons
    return replace(
        unit, combat=combat, armour=usual.armour, toughness=unit.type.toughness, weapons=weapons, never=unit.type.never,
        pieces=usual.pieces,
    )  # fmt: skip


def _starter(kind: str, group: Group) -> Starter:
    named = next((starter.slug for starter in STARTERS.values() if starter.type == kind), None)
    return STARTERS[TYPICAL.get((kind, group)) or named or TYPICAL["infantry", group]]
