"""Two chains joined: as long as both armies stand, each is the other's stranger; who leaves first decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.pathfinder.battle.state.battle import CAPTURED, DEFEATED, FIGHTING, ROUTED

from .chains import Array, PassedPhase, Rows, Wounds
from .turns import Body, Turn

NEVER = 1e-13
"""What is left of a battle that counts as nothing."""

LEAST, FIRST, MOST = 16, 64, 256  # phases between two looks at what is left


type Indices = npt.NDArray[Any]


class Duel(NamedTuple):
    """Two armies and the phases to come, the last of them for ever. `until`: at this health the look ends."""

    bodies: tuple[Body, Body]
    turns: tuple[Turn, ...]
    until: tuple[int, int] = (-1, -1)


class Ends:
    """How duels end: `win`, `mutual`, `undecided`; `health` and `fates` of each army, `decided` phase by phase.

    `victory`: the health of those who win.
    """

    def __init__(self, count: int, top: int):
        self.win = np.zeros((count, 2))
        self.mutual = np.zeros(count)
        self.undecided = np.zeros(count)
        self.health = np.zeros((count, 2, top + 1))
        self.victory = np.zeros((count, 2, top + 1))
        self.fates = {fate: np.zeros((count, 2)) for fate in (FIGHTING, ROUTED, DEFEATED, CAPTURED)}
        self.decided: list[tuple[Indices, Array]] = []  # of which duels, phase by phase from where the last one ended

    def lengths(self, duel: int) -> Array:
        """How likely the duel is decided in each phase."""
        columns = [chances[:, np.flatnonzero(which == duel)] for which, chances in self.decided]
        return np.concatenate([column[:, 0] for column in columns if column.shape[1]] or [np.zeros(0)])


def settle(duels: Sequence[Duel], most: int) -> Ends:
    """Follow every duel to its end, at most `most` phases."""
    top = max(max(body.hp, body.hp_max) for duel in duels for body in duel.bodies)
    ends = Ends(len(duels), top)
    table = _Table(duels, top, ends)
    table.follow(most)
    return ends


class _Table:
    """The duels still to be followed: rows 2n and 2n + 1 are the two armies of the n-th."""

    def __init__(self, duels: Sequence[Duel], top: int, ends: Ends):
        self.duels, self.top, self.ends = list(duels), top, ends
        self.which = np.arange(len(duels))
        rows = [body for duel in duels for body in duel.bodies]
        ready = np.zeros((len(rows), top + 1))
        ready[np.arange(len(rows)), [body.hp for body in rows]] = 1.0
        self.ready, self.barred = ready, np.zeros_like(ready)
        self.bleeding = self._brought(rows)
        self._known: tuple[int, Rows] | None = None

    def _brought(self, rows: Sequence[Body]) -> tuple[Array, Array] | None:
        """Wounds brought along bleed in the first phase."""
        brought = np.array([bool(body.bleeding) for body in rows])
        if not brought.any():
            return None
        bleeding = np.where(brought[:, None], self.ready, 0.0)
        self.ready = self.ready - bleeding
        return bleeding, np.zeros_like(bleeding)

    def follow(self, most: int) -> None:
        longest = max(len(duel.turns) for duel in self.duels)
        done = 0
        for number in range(longest - 1):
            if done < most:
                self._through(number, 1)
                done += 1
        span = max(LEAST, min(FIRST, self.top))
        while done < most and self.duels:
            before = self._masses()
            count = min(span, most - done)
            self._through(longest - 1, count)
            done += count
            span = min(span * 2, MOST)
            self._drop(before)
        self._undecided()

    def _masses(self) -> Array:
        """Where everybody stands, barred and bleeding or not."""
        masses = self.ready + self.barred
        return masses if self.bleeding is None else masses + self.bleeding[0] + self.bleeding[1]

    def _left(self) -> Array:
        """How likely each duel still goes on."""
        standing = self._masses().sum(axis=1)
        return np.asarray(standing[0::2] * standing[1::2])

    def _through(self, number: int, count: int) -> None:
        """So many phases of the same turn."""
        if self._known is None or self._known[0] != number:
            self._known = number, self._rows(number)
        rows = self._known[1]
        record = self._plainly(rows, count) if rows.plain and self.bleeding is None else self._fully(rows, count)
        _Join(self, rows, record).all()

    def _rows(self, number: int) -> Rows:
        turns = [duel.turns[min(number, len(duel.turns) - 1)] for duel in self.duels]
        bodies = [body for duel in self.duels for body in duel.bodies]
        facings = [facing for turn in turns for facing in turn]
        wounds = [
            duel.bodies[side].bleeding if number == 0 else _wounds(duel.turns, side)
            for duel in self.duels
            for side in (0, 1)
        ]
        return Rows(bodies, facings, self.top, wounds)

    def _plainly(self, rows: Rows, count: int) -> PassedPhase:
        self.ready, self.barred, record = rows.plainly(self.ready, self.barred, count, self._keep())
        return record

    def _fully(self, rows: Rows, count: int) -> PassedPhase:
        phases = [self._whole_phase(rows) for _phase in range(count)]
        return PassedPhase(*map(np.stack, zip(*phases, strict=True)))

    def _whole_phase(self, rows: Rows) -> PassedPhase:
        bleeding = self.bleeding or (np.zeros_like(self.ready), np.zeros_like(self.ready))
        ready, barred = np.stack((self.ready, bleeding[0])), np.stack((self.barred, bleeding[1]))
        ready, barred, phase = rows.fully(ready, barred)
        if (keep := self._keep()) is not None:
            ready, barred = ready * keep, barred * keep
        self.ready, self.barred, self.bleeding = ready[0], barred[0], (ready[1], barred[1])
        return phase

    def _keep(self) -> Array | None:
        """0 where an army has come to the health at which the look ends: it goes no further, the record knows it."""
        limits = np.array([limit for duel in self.duels for limit in duel.until])
        if limits.max() < 0:
            return None
        return np.asarray(np.arange(self.top + 1) > limits[:, None], dtype=float)

    def _drop(self, before: Array) -> None:
        """Leave out what is decided, and what will never be."""
        now = self._left()
        moved = np.abs(self._masses() - before).max(axis=1) > NEVER
        goes_on = (now > NEVER) & (moved[0::2] | moved[1::2])
        if goes_on.all():
            return
        self._undecided(~goes_on)
        self._known = None
        rows = np.repeat(goes_on, 2)
        self.duels = [duel for duel, kept in zip(self.duels, goes_on, strict=True) if kept]
        self.which = self.which[goes_on]
        self.ready, self.barred = self.ready[rows], self.barred[rows]
        if self.bleeding is not None:
            self.bleeding = (self.bleeding[0][rows], self.bleeding[1][rows])

    def _undecided(self, which: Indices | None = None) -> None:
        """Both stand where the look ends."""
        if not self.duels:
            return
        pairs = self._masses().reshape(len(self.duels), 2, -1)
        chosen = np.ones(len(self.duels), bool) if which is None else which
        _stay(self.ends, self.which[chosen], pairs[chosen][None], pairs[chosen][None])


def _wounds(turns: Sequence[Turn], side: int) -> Wounds:
    """What is resisted of a wound of the phase before; the ability behind it is the same in every phase."""
    return next(((turn[side].bleeds,) for turn in turns if turn[side].bleeds is not None), ())  # type: ignore[misc]


def _stay(ends: Ends, which: Indices, first: Array, second: Array) -> None:
    """Neither leaves: of two arrays (phases × duels × sides × hit points) one side of the first meets the other's
    of the second.
    """
    mine, other = first[:, :, 0], second[:, :, 1]
    both = mine.sum(axis=2) * other.sum(axis=2)
    ends.undecided[which] += both.sum(axis=0)
    ends.health[which, 0] += np.einsum("tnh,tn->nh", mine, other.sum(axis=2))
    ends.health[which, 1] += np.einsum("tnh,tn->nh", other, mine.sum(axis=2))
    ends.fates[FIGHTING][which] += both.sum(axis=0)[:, None]


class _Join:
    """What phases of the same kind decide."""

    def __init__(self, table: _Table, rows: Rows, record: PassedPhase):
        self.ends, self.which, self.rows = table.ends, table.which, rows
        self.bodies = [duel.bodies for duel in table.duels]
        self.until = np.array([duel.until for duel in table.duels])
        self.stays = np.array([[body.regenerates for body in pair] for pair in self.bodies])
        self.captured = np.array([[body.captured for body in pair] for pair in self.bodies])
        self.record = record
        count = len(record.fell)
        self.shape = (count, len(self.bodies), 2)
        self.fell, self.early = record.fell.reshape(self.shape), record.fell_early.reshape(self.shape)
        self.struck, self.left = self._paired(record.struck), self._paired(record.left)
        self.fled = self._paired(record.fled)
        self.decided = np.zeros(self.shape[:2])

    def _paired(self, rows: Array) -> Array:
        return rows.reshape(*self.shape, -1)

    def all(self) -> None:
        for side in (0, 1):
            self._stands(side)
            self._lies(side)
        self._nobody()
        if self.early.any():
            self._bled_to_death()
        self._looked_enough()
        self.ends.decided.append((self.which, self.decided))

    def _wins(self, side: int, chances: Array) -> None:
        """Of phases × duels: this side alone is left."""
        self.ends.win[self.which, side] += chances.sum(axis=0)
        self.decided += chances

    def _fate(self, side: int, fate: str, chances: Array) -> None:
        self.ends.fates[fate][self.which, side] += chances

    def _health(self, side: int, masses: Array) -> None:
        self.ends.health[self.which, side, : masses.shape[1]] += masses

    def _outlasts(self, side: int, masses: Array) -> None:
        """It wins with this health."""
        self._fate(side, FIGHTING, masses.sum(axis=1))
        self._health(side, masses)
        self.ends.victory[self.which, side, : masses.shape[1]] += masses

    def _ruined(self, side: int, chances: Array) -> None:
        self._fate(side, DEFEATED, chances)
        self.ends.health[self.which, side, 0] += chances

    def _flees(self, side: int, masses: Array) -> None:
        """It routs, or surrenders where it cannot leave (PF-3.9); of duels × hit points."""
        gone = masses.sum(axis=1)
        captured = self.captured[:, side]
        self._fate(side, ROUTED, np.where(captured, 0.0, gone))
        self._fate(side, CAPTURED, np.where(captured, gone, 0.0))
        self._health(side, masses)

    def _stands(self, side: int) -> None:
        """This side stands and the other leaves: it wins, and strikes at one that routs (R-51)."""
        other = 1 - side
        here = self.left[:, :, side].sum(axis=2)
        gone = self.fell[:, :, other] + (self.struck[:, :, other] + self.fled[:, :, other]).sum(axis=2)
        self._wins(side, here * gone)
        self._outlasts(side, np.einsum("tnh,tn->nh", self.left[:, :, side], gone))
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        self._flees(other, np.einsum("tnh,tn->nh", self.fled[:, :, other], here))
        self._parting(other, np.einsum("tnh,tn->nh", self.struck[:, :, other], here))

    def _parting(self, side: int, routs: Array) -> None:
        """Parting shots at an army that routs and leaves: none at one that surrenders (PF-3.9, R-55)."""
        if not routs.any():
            return
        escaped = self.rows.parted(routs, side)
        ruined = escaped[:, 0].copy()
        escaped[:, 0] = 0.0
        self._flees(side, escaped)
        self._ruined(side, ruined)

    def _lies(self, side: int) -> None:
        """This side has no hit points left but regenerates, and no enemy stands: it is left alone (R-53)."""
        if not self.stays[:, side].any():
            return
        other = 1 - side
        here = np.where(self.stays[:, side], self.fell[:, :, side], 0.0)
        routs = self.struck[:, :, other] + self.fled[:, :, other]
        gone = self.fell[:, :, other] + routs.sum(axis=2)
        self._wins(side, here * gone)
        self._outlasts(side, (here * gone).sum(axis=0)[:, None])
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        self._flees(other, np.einsum("tnh,tn->nh", routs, here))

    def _nobody(self) -> None:
        """Both leave in the same phase; who routs together gives no parting shots, nor do the fallen (R-51)."""
        routs = self.struck + self.fled
        fell = np.where(self.stays, 0.0, self.fell)
        gone = fell + routs.sum(axis=3)
        both = gone[:, :, 0] * gone[:, :, 1]
        self.ends.mutual[self.which] += both.sum(axis=0)
        self.decided += both
        for side in (0, 1):
            self._ruined(side, (fell[:, :, side] * gone[:, :, 1 - side]).sum(axis=0))
            self._flees(side, np.einsum("tnh,tn->nh", routs[:, :, side], gone[:, :, 1 - side]))

    def _bled_to_death(self) -> None:
        """Who has bled to death before blows fall suffers none and deals none (PF-3.5)."""
        both = self.early[:, :, 0] * self.early[:, :, 1]
        self.ends.mutual[self.which] += both.sum(axis=0)
        self.decided += both
        for side in (0, 1):
            self._ruined(side, both.sum(axis=0))
        fell, routs, stand = self._alone()
        for side in (0, 1):
            self._outlives(side, fell[:, :, side], routs[:, :, side], stand[:, :, side])

    def _alone(self) -> tuple[Array, Array, Array]:
        """What becomes of each army in the rest of a phase that the other has not lived to see."""
        parts = [self.rows.alone(PassedPhase(*(array[at] for array in self.record)))
                 for at in range(self.shape[0])]  # fmt: skip
        fell, routs, stand = (np.stack(part) for part in zip(*parts, strict=True))
        return fell.reshape(self.shape), self._paired(routs), self._paired(stand)

    def _outlives(self, side: int, fell: Array, routs: Array, stand: Array) -> None:
        other = 1 - side
        died = self.early[:, :, other]
        lies = np.where(self.stays[:, side], fell, 0.0)
        alive = stand.sum(axis=2) + lies
        self._ruined(other, (died * (alive + fell - lies + routs.sum(axis=2))).sum(axis=0))
        self._wins(side, died * alive)
        self._outlasts(side, np.einsum("tnh,tn->nh", stand, died))
        self._outlasts(side, (lies * died).sum(axis=0)[:, None])
        nobody = died * (fell - lies + routs.sum(axis=2))
        self.ends.mutual[self.which] += nobody.sum(axis=0)
        self.decided += nobody
        self._ruined(side, (died * (fell - lies)).sum(axis=0))
        self._flees(side, np.einsum("tnh,tn->nh", routs, died))

    def _looked_enough(self) -> None:
        """Both stand and one has come to the health at which the look ends."""
        if self.until.max() < 0:
            return
        halted = self.left.copy()
        for duel, limits in enumerate(self.until):
            for side, limit in enumerate(limits):
                halted[:, duel, side, limit + 1 :] = 0.0
        going = self.left - halted
        _stay(self.ends, self.which, np.stack((halted[:, :, 0], halted[:, :, 0]), axis=2), self.left)
        _stay(self.ends, self.which, np.stack((going[:, :, 0], going[:, :, 0]), axis=2), halted)
