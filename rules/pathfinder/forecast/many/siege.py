"""Siege engines at work in arrays (R-14, R-15)."""

from __future__ import annotations

import numpy as np

from rules.pathfinder.battle.state.view import wearable
from rules.pathfinder.forecast.many.battle_arrays import ManyBattles
from rules.pathfinder.forecast.many.checks import ManyDice
from rules.pathfinder.forecast.many.moves import Attacks
from rules.pathfinder.forecast.tally import Array

WEARS = 4


def wear_down_walls(many: ManyBattles, plan: Attacks, dice: ManyDice) -> None:
    """Each engine takes 1d4 off the fortifications its army attacks in melee, one after the other."""
    for i in many.cast.everybody:
        for j in many.cast.foes[i] if many.cast.works_engines[i] else ():
            if many.cast.around[j]:
                far = plan.keeps(i, j)
                (where,) = (plan.against(i, j) if far is None else plan.against(i, j) & ~far).nonzero()
                _wear(many, j, where, _thrown(many, dice, i, j, where))


def _thrown(many: ManyBattles, dice: ManyDice, i: int, j: int, where: Array) -> Array:
    """The sum of a die for each engine; no more are thrown than could wear everything through."""
    forts = many.cast.forts
    enough = sum(wearable(forts[place]) for place in many.cast.around[j])
    held = many.engines[i, where] if many.can.disarms else np.full(where.size, many.cast.armies[i].engines)
    engines = np.minimum(held, enough)
    faces = dice.generator.integers(1, WEARS + 1, size=(int(engines.max(initial=0)), where.size), dtype=np.int16)
    counted = np.arange(faces.shape[0])[:, None] < engines
    worn: Array = (faces * counted).sum(axis=0, dtype=np.int16)
    return worn


def _wear(many: ManyBattles, j: int, where: Array, left: Array) -> None:
    """What wears one fortification through goes on to the next around the same army."""
    for place in many.cast.around[j]:
        worn = np.minimum(left, wearable(many.cast.forts[place]) - many.worn[place, where])
        many.worn[place, where] += worn
        left = left - worn
