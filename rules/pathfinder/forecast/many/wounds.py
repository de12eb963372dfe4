"""Hit points lost and won back in arrays."""

from __future__ import annotations

import numpy as np

from rules.pathfinder.forecast.many.battle_arrays import NOBODY, ManyBattles
from rules.pathfinder.forecast.tally import Array


def hurt(many: ManyBattles, i: int, where: Array | slice, damage: Array) -> Array:
    """The army loses as much as it has. Answers what was lost."""
    hp, scarred = many.hp[i], many.lost[i]  # of one row at once: quicker than row and place together
    before = hp[where]
    lost: Array = np.minimum(damage, before)
    if isinstance(where, slice):
        np.subtract(hp, lost, out=hp)
        np.logical_or(scarred, lost, out=scarred)
    else:
        hp[where] = before - lost
        scarred[where] |= lost > 0
    return lost


def heal(many: ManyBattles, i: int, where: Array, amount: int) -> None:
    """Never above its maximum (R-2); who is healed has been felled by nobody."""
    most = many.cast.armies[i].hp_max
    many.hp[i, where] = np.minimum(most, many.hp[i, where] + amount)
    if many.can.spawns:
        many.felled[i, where] = NOBODY
