"""Shapes of battles that are fought together: all but figures, and where each body stands as they begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.breaking_point.battle import conditions as c
from rules.breaking_point.battle.battle_state import BattleNow, Order
from rules.breaking_point.battle.steps.phase import dusk_of
from rules.breaking_point.battle.terrain_effects import terrain_of
from rules.breaking_point.forecast.many.sheets import Sheets
from rules.core.odds import AboutOdds

type BattleShape = tuple[object, ...]
type NumberedBattle = tuple[int, BattleNow, Sheets]
"""A battle by its number among those that are asked about, and its sheets."""

CELLS = 500_000
"""So many pairs of bodies are looked at together, in all battles: more fill the memory and are no quicker."""


def shape_of(battle: BattleNow, about: AboutOdds) -> BattleShape:
    """Who stands where, the field and its rules, and what everybody does. Names are nothing: armies have numbers."""
    owners, ground = battle.owners(), terrain_of(battle.conditions)
    house = battle.house.plain_die, battle.house.surprise_for_battle
    field = ground.crowded, ground.harsher, battle.holds(c.NO_SURPRISE), dusk_of(battle)
    bodies = tuple(
        (owners.index(body.army), body.side, body.shoots_only, body.penalty) for body in battle.bodies.values()
    )
    asked = tuple((about.retreats.get(army), about.until.get(army)) for army in owners)
    return battle.kind, battle.phase, bool(battle.due), house, field, bodies, asked, tuple(_told(battle, owners))


def _told(battle: BattleNow, owners: Sequence[str]) -> Iterator[object]:
    """What each army and each body was told, whoever is meant by their place in attack order."""
    places = {body.id: at for at, body in enumerate(battle.bodies.values())}
    for army in owners:
        order = battle.orders.get(army, Order(army))
        yield order.withdraw, places.get(f"{army}:{order.rally}")
    for body in battle.bodies.values():
        told = battle.orders[body.army].bodies.get(body.key) if body.army in battle.orders else None
        yield told and (told.do, places.get(told.target), told.pursue, told.riposte)


def together(drawn: Sequence[NumberedBattle], about: AboutOdds, count: int) -> Iterator[list[NumberedBattle]]:
    """Those of one shape, so many at once that `count` battles of each can be held."""
    shapes: dict[BattleShape, list[NumberedBattle]] = {}
    for one in drawn:
        shapes.setdefault(shape_of(one[1], about), []).append(one)
    for alike in shapes.values():
        most = max(1, CELLS // (count * len(alike[0][1].bodies) ** 2))
        for first in range(0, len(alike), most):
            yield alike[first : first + most]
