"""Fates on arrays: wounds, morale checks, defeat, rout and the end of battles (PF-3.1, PF-3.9, R-50 to R-54)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rules.pathfinder.battle.steps.ends import withstands
from rules.pathfinder.battle.steps.strike import HIGHEST
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose
from rules.pathfinder.forecast import tally
from rules.pathfinder.forecast.many.battle_arrays import NOBODY, STANDS, ManyBattles
from rules.pathfinder.forecast.tally import CAUGHT, FALLEN, FLED, GONE, Array

# Morale checks (PF-3.1), and whether an army may leave.

STOCK = 40_000  # faces rolled at once


class ManyDice:
    """d20s rolled in stocks, because a small roll costs more than its faces. `generator` is for all other dice."""

    def __init__(self, generator: np.random.Generator):
        self.generator = generator
        self._stock = np.zeros(0, np.int16)

    def faces(self, count: int) -> Array:
        """Return so many faces, minus 1: 0 to 19."""
        if count > self._stock.size:
            self._stock = self.generator.integers(0, HIGHEST, size=max(count, STOCK), dtype=np.int16)
        taken, self._stock = self._stock[:count], self._stock[count:]
        return taken


def check(many: ManyBattles, dice: ManyDice, i: int, where: Array, purpose: Purpose, dc: int) -> Array:
    """Make a morale check in these battles. Returns where it succeeds. Failing while afraid dooms the army to rout
    (R-45).
    """
    if t.MINDLESS in many.cast.armies[i].profile.traits:
        return np.ones(where.size, bool)
    passed = thrown(dice, where.size) + bonus(many, i, where, purpose) >= dc
    if many.can.frightens:
        many.doomed[i, where] |= many.afraid[i, where] & ~passed
    return passed


def thrown(dice: ManyDice, count: int) -> Array:
    return dice.faces(count) + np.int16(1)


def bonus(many: ManyBattles, i: int, where: Array, purpose: Purpose) -> Array | np.int16:
    """Return the bonus of a morale check: one number if it is the same in all these battles, else an array."""
    mine = many.posture(i)
    if mine.which is None:
        return np.int16(many.figures.morale(i, mine.held[0], purpose))
    each = np.array([many.figures.morale(i, one, purpose) for one in mine.held], dtype=np.int16)
    found: Array = each[mine.which[where]]
    return found


def may_leave(many: ManyBattles, i: int) -> Array:
    free = np.full(many.count, not many.cast.stays[i])
    if many.can.stands:
        free &= many.stand[i] == 0
    if many.can.frightens:
        free &= ~many.doomed[i]
    return free


# Loss and recovery of hit points.


def hurt(many: ManyBattles, i: int, where: Array | slice, damage: Array) -> Array:
    """Take damage, at most what the army has. Returns the loss."""
    hp, scarred = many.hp[i], many.lost[i]  # rows of one army: faster than indexing by row and place
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
    """Heal up to the maximum (R-2). A healed army has not been felled by anybody."""
    most = many.cast.armies[i].hp_max
    many.hp[i, where] = np.minimum(most, many.hp[i, where] + amount)
    if many.can.spawns:
        many.felled[i, where] = NOBODY


# Steps 8 to 11: weather, defeat, rout, and the end of battles.


def fall(many: ManyBattles, i: int, where: Array, fate: int) -> Array:
    """Let the army suffer its fate in these battles, unless ferocity gives it a last stand (R-52). Returns where it has
    left the field. Fate `FALLEN` is only for armies without hit points.
    """
    if not np.count_nonzero(where):
        return where
    many.changed |= where
    if many.cast.ferocious[i]:
        stands = where & (many.stand[i] == 0) & many.enemies_left(i)
        many.stand[i, stands] = STANDS.index("defeated" if fate == FALLEN else "routed")
        many.stood[i, stands] = many.phase.tick
        if many.can.frightens:
            many.doomed[i, stands] = False
        where = where & ~stands
    if fate == FLED and many.cast.ids[i] in many.cast.battle.opening.cannot_leave:
        np.copyto(many.fate[i], CAUGHT, where=where)
        return np.zeros(many.count, bool)
    np.copyto(many.fate[i], fate, where=where)
    if fate == FALLEN:
        spawn(many, i, where)
    return where


def spawn(many: ManyBattles, fallen: int, where: Array) -> None:
    """Create spawn: the army that felled it heals twice its ACR (R-54)."""
    if not many.can.spawns:
        return
    for maker in many.cast.everybody:
        if many.cast.spawns[maker][fallen]:
            able = where & (many.felled[fallen] == maker) & many.on(maker) & (many.hp[maker] > 0)
            if many.can.stands:
                able &= many.stand[maker] == 0
            heal(many, maker, able, max(1, 2 * many.cast.armies[maker].acr))


# Step 8.
def weather(many: ManyBattles) -> None:
    """Take 1 hp from every army in a sandstorm (PF-4)."""
    for i in many.cast.everybody:
        if many.cast.stormed[i]:
            reached = many.on(i) & (many.hp[i] > 0)
            many.hp[i] -= reached
            many.lost[i] |= reached


# Step 9.
def defeats(many: ManyBattles) -> None:
    """Defeat armies without hit points. Regeneration waits for the end of the phase, except in a last stand (R-52,
    R-53).
    """
    down = many.acting() & (many.hp == 0)
    for i in rows_with(down):
        if not many.cast.regenerates[i]:
            fall(many, i, down[i], FALLEN)
        elif many.can.stands:
            fall(many, i, down[i] & (many.stand[i] > 0), FALLEN)


def routs(many: ManyBattles, dice: ManyDice) -> list[tuple[int, Array]]:
    """Rout armies that fail their rout check, panicked, or have made their last stand. Returns those that left the
    field, and in which battles.
    """
    upright = many.acting() & (many.hp > 0)
    breaks = upright & many.lost & (many.hp <= many.cast.acr)
    if many.can.stands or many.can.frightens:
        panics = upright & _panicked(many)
        breaks &= ~panics
    for i in rows_with(breaks):
        mine = breaks[i]  # one row at once, as in `hurt`
        (where,) = mine.nonzero()
        mine[where] = ~_stands_firm(many, dice, i, where)
    if many.can.stands or many.can.frightens:
        breaks |= panics
    left = [(i, fall(many, i, breaks[i], FLED)) for i in rows_with(breaks)]
    return [(i, where) for i, where in left if np.count_nonzero(where)]


def rows_with(where: Array) -> list[int]:
    """Return the armies for which this is true in some battle."""
    if not np.count_nonzero(where):
        return []
    return [i for i, row in enumerate(where) if np.count_nonzero(row)]


def _panicked(many: ManyBattles) -> Array:
    """Return where the last stand is over, or a check failed while afraid (R-45, R-52)."""
    panicked = np.zeros(many.hp.shape, bool)
    if many.can.stands:
        panicked |= many.stand > 0
    if many.can.frightens:
        panicked |= many.doomed
    return panicked


def _stands_firm(many: ManyBattles, dice: ManyDice, i: int, where: Array) -> Array:
    """Make the rout check, with the reroll of Hold the Line (PF-3.9, R-58). Returns where it is passed."""
    if many.cast.firm[i]:
        return np.ones(where.size, bool)
    firm = _withstood(many, dice, i, where)
    if many.cast.holds_the_line[i]:
        again = _withstood(many, dice, i, where)
        firm |= again if not many.can.frightens else again & ~many.afraid[i, where]
    return firm


def _withstood(many: ManyBattles, dice: ManyDice, i: int, where: Array) -> Array:
    added: Any = bonus(many, i, where, "rout")
    faces: Any = thrown(dice, where.size)
    firm: Any = withstands(added, faces)  # elementwise
    return np.asarray(firm)


# Step 10.
def after_parting(many: ManyBattles, routed: list[tuple[int, Array]]) -> None:
    """Count armies that parting shots have reduced to 0 as defeated (PF-3.9)."""
    for i, where in routed:
        down = where & (many.hp[i] == 0)
        np.copyto(many.fate[i], FALLEN, where=down)
        spawn(many, i, down)


# Step 11.
def end(many: ManyBattles) -> None:
    """End the phase: regeneration fails while enemies stand, withdrawing armies leave, last stands without enemies end
    (R-52, R-53, R-62).
    """
    if many.can.regenerates:
        _regeneration_fails(many)
    for i in many.cast.everybody if many.can.withdraws else ():
        leaves = many.on(i) & many.leaving[i] & may_leave(many, i)
        many.fate[i, leaves] = GONE
        many.changed |= leaves
    if many.can.stands:
        alone = [many.on(i) & (many.stand[i] > 0) & ~many.enemies_left(i) for i in many.cast.everybody]
        for i, where in enumerate(alone):
            fall(many, i, where & (many.hp[i] == 0), FALLEN)
            fall(many, i, where & (many.hp[i] > 0), FLED)


def _regeneration_fails(many: ManyBattles) -> None:
    upright = [many.on(i) & (many.hp[i] > 0) for i in many.cast.everybody]
    for i in many.cast.everybody:
        if many.cast.regenerates[i]:
            facing = np.any([upright[j] for j in many.cast.foes[i]], axis=0)
            down = many.on(i) & (many.hp[i] == 0) & facing
            fall(many, i, down & (many.stand[i] == 0) if many.can.stands else down, FALLEN)


def winners(many: ManyBattles, where: Array) -> Array:
    """Return the only side left in each of these battles, or `NOBODY` or `UNDECIDED`."""
    on = many.fate.take(where, axis=-1) == tally.ON_FIELD
    here = np.array([on[rows[0]] if len(rows) == 1 else on[rows].any(axis=0) for rows in many.cast.rows])
    left = here.sum(axis=0)
    won: Array = np.where(left == 1, here.argmax(axis=0), np.where(left, tally.UNDECIDED, tally.NOBODY))
    return won.astype(np.int8)
