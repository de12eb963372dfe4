"""Two chains joined: as long as both armies stand, each is the other's stranger; who leaves first decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rules.pathfinder.battle.state.battle import CAPTURED, DEFEATED, FIGHTING, ROUTED

from .chains import PassedPhase, Rows, Wounds
from .tolls import Array, Indices
from .turns import Body, Facing, Turn

NEVER = 1e-13
"""What is left of a battle that counts as nothing."""

LEAST, FIRST, MOST = 16, 64, 256  # phases between two looks at what is left


class Duel(NamedTuple):
    """Two armies and the phases to come, the last of them for ever. `until`: at this health the look ends."""

    bodies: tuple[Body, Body]
    turns: tuple[Turn, ...]
    until: tuple[int, int] = (-1, -1)


class Chain(NamedTuple):
    """What one army of a duel goes through. Of equal keys, equal chains."""

    body: Body
    facings: tuple[Facing, ...]
    until: int

    @property
    def key(self) -> object:
        return self.body._replace(id=""), self.facings, self.until


def chain_of(duel: Duel, side: int) -> Chain:
    return Chain(duel.bodies[side], tuple([turn[side] for turn in duel.turns]), duel.until[side])


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

    def close(self) -> None:
        """All is told: from now on lengths can be asked for."""
        self._lengths = np.zeros((len(self.win), sum(len(chances) for _which, chances in self.decided)))
        begun = 0
        for which, chances in self.decided:
            self._lengths[which, begun : begun + len(chances)] = chances.T
            begun += len(chances)

    def lengths(self, duel: int) -> Array:
        """How likely the duel is decided in each phase."""
        return np.asarray(self._lengths[duel])


def settle(duels: Sequence[Duel], most: int | None, work: int) -> Ends:
    """Follow every duel to its end, at most `most` phases, and as far as this work goes (`Rows.work`)."""
    top = max(max(body.hp, body.hp_max) for duel in duels for body in duel.bodies)
    ends = Ends(len(duels), top)
    table = _Table(duels, top, ends)
    table.follow(work if most is None else max(0, most), work)
    ends.close()
    return ends


class _Table:
    """The duels still to be followed, and the chains they join: equal ones are one. `pairs`: of each duel, which."""

    def __init__(self, duels: Sequence[Duel], top: int, ends: Ends):
        self.duels, self.top, self.ends = list(duels), top, ends
        self.which = np.arange(len(duels))
        self.longest = max(len(duel.turns) for duel in duels)
        self._chained()
        ready = np.zeros((len(self.chains), top + 1))
        ready[np.arange(len(self.chains)), [chain.body.hp for chain in self.chains]] = 1.0
        self.ready, self.barred = ready, np.zeros_like(ready)
        self.bleeding = self._brought([chain.body for chain in self.chains])
        self._known: tuple[int, Rows] | None = None
        self.done = 0

    def _chained(self) -> None:
        places: dict[object, int] = {}
        self.chains: list[Chain] = []
        pairs = []
        for duel in self.duels:
            for side in (0, 1):
                chain = chain_of(duel, side)
                place = places.setdefault(chain.key, len(self.chains))
                if place == len(self.chains):
                    self.chains.append(chain)
                pairs.append(place)
        self.pairs = np.array(pairs).reshape(-1, 2)

    def _brought(self, rows: Sequence[Body]) -> tuple[Array, Array] | None:
        """Wounds brought along bleed in the first phase."""
        brought = np.array([bool(body.bleeding) for body in rows])
        if not brought.any():
            return None
        bleeding = np.where(brought[:, None], self.ready, 0.0)
        self.ready = self.ready - bleeding
        return bleeding, np.zeros_like(bleeding)

    def follow(self, most: int, work: int) -> None:
        for number in range(self.longest - 1):
            if self.done < most:
                work -= self._through(number, 1)
        span = LEAST
        while self.done < most and self.duels and work > 0:
            before = self._masses()
            rows = self._rows_of(self.longest - 1)
            affordable = 1 + work // rows.work(bleeding=self.bleeding is not None)
            work -= self._through(self.longest - 1, min(span, most - self.done, affordable))
            span = min(span * 2, MOST)
            self._drop(before)
        self._undecided()

    def _masses(self) -> Array:
        """Where everybody stands, barred and bleeding or not."""
        masses = self.ready + self.barred
        return masses if self.bleeding is None else masses + self.bleeding[0] + self.bleeding[1]

    def _left(self) -> Array:
        """How likely each duel still goes on."""
        standing = self._masses().sum(axis=1)[self.pairs]
        return np.asarray(standing[:, 0] * standing[:, 1])

    def _through(self, number: int, count: int) -> int:
        """So many phases of the same turn, and what they cost."""
        rows, bleeding = self._rows_of(number), self.bleeding is not None
        record = self._fully(rows, count) if bleeding or not rows.plain else self._plainly(rows, count)
        _Join(self, rows, record).all()
        self.done += count
        return count * rows.work(bleeding=bleeding)

    def _rows_of(self, number: int) -> Rows:
        if self._known is None or self._known[0] != number:
            self._known = number, self._rows(number)
        return self._known[1]

    def _rows(self, number: int) -> Rows:
        facings = [chain.facings[min(number, len(chain.facings) - 1)] for chain in self.chains]
        bodies = [chain.body for chain in self.chains]
        wounds = [chain.body.bleeding if number == 0 else _wounds(chain.facings) for chain in self.chains]
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
        limits = np.array([chain.until for chain in self.chains])
        if limits.max() < 0:
            return None
        return np.asarray(np.arange(self.top + 1) > limits[:, None], dtype=float)

    def _drop(self, before: Array) -> None:
        """Leave out what is decided, and what will never be."""
        now = self._left()
        moved = (np.abs(self._masses() - before).max(axis=1) > NEVER)[self.pairs].any(axis=1)
        goes_on = (now > NEVER) & moved
        if goes_on.all():
            return
        self._undecided(~goes_on)
        self._known = None
        self.duels = [duel for duel, kept in zip(self.duels, goes_on, strict=True) if kept]
        self.which = self.which[goes_on]
        rows, pairs = np.unique(self.pairs[goes_on], return_inverse=True)
        self.pairs = pairs.reshape(-1, 2)
        self.chains = [self.chains[row] for row in rows]
        self.ready, self.barred = self.ready[rows], self.barred[rows]
        if self.bleeding is not None:
            self.bleeding = (self.bleeding[0][rows], self.bleeding[1][rows])

    def _undecided(self, which: Indices | None = None) -> None:
        """Both stand where the look ends."""
        if not self.duels:
            return
        chosen = np.ones(len(self.duels), bool) if which is None else which
        pairs = self._masses()[self.pairs[chosen]][None]
        _stay(self.ends, self.which[chosen], pairs)


def _wounds(facings: Sequence[Facing]) -> Wounds:
    """What is resisted of a wound of the phase before; the ability behind it is the same in every phase."""
    return next(((facing.bleeds,) for facing in facings if facing.bleeds is not None), ())


def _stay(ends: Ends, which: Indices, masses: Array) -> None:
    """Neither leaves: of an array (phases × duels × sides × hit points) one side meets the other."""
    mine, other = masses[:, :, 0], masses[:, :, 1]
    both = mine.sum(axis=2) * other.sum(axis=2)
    ends.undecided[which] += both.sum(axis=0)
    ends.health[which, 0] += np.einsum("tnh,tn->nh", mine, other.sum(axis=2))
    ends.health[which, 1] += np.einsum("tnh,tn->nh", other, mine.sum(axis=2))
    ends.fates[FIGHTING][which] += both.sum(axis=0)[:, None]


class _Join:
    """What phases of the same kind decide.

    Of what the chains went through sums are phases × duels × sides, `fell` and `early` too; where somebody stands or
    routs with how much stays by chains (phases × chains × hit points) and is weighed with what the other does.
    """

    def __init__(self, table: _Table, rows: Rows, record: PassedPhase):
        self.ends, self.which, self.rows, self.pairs = table.ends, table.which, rows, table.pairs
        bodies = [chain.body for chain in table.chains]
        self.until = np.array([chain.until for chain in table.chains])
        self.stays = np.array([body.regenerates for body in bodies])[self.pairs]
        self.captured = np.array([body.captured for body in bodies])[self.pairs]
        self.record = record
        self.groups = [_same(self.pairs[:, side]) for side in (0, 1)]
        self.fell, self.early = self._paired(record.fell), self._paired(record.fell_early)
        self.struck, self.fled, self.left = record.struck, record.fled, record.left
        self.routs = self.struck + self.fled if self.fled.any() else self.struck
        self.here, self.flight = self._paired(self.left.sum(axis=2)), self._paired(self.routs.sum(axis=2))
        self.decided = np.zeros(self.here.shape[:2])

    def _paired(self, chances: Array) -> Array:
        """Of phases × chains: by duels and sides."""
        return np.asarray(chances[:, self.pairs])

    def _weighed(self, masses: Array, side: int, weights: Array) -> Array:
        """Of phases × chains × hit points, each phase as likely as its weight (phases × duels): duels × hit points."""
        found = np.empty((len(self.which), masses.shape[2]))
        for chain, duels in self.groups[side]:
            found[duels] = weights[:, duels].T @ masses[:, chain]
        return found

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
        here = self.here[:, :, side]
        gone = self.fell[:, :, other] + self.flight[:, :, other]
        self._wins(side, here * gone)
        self._outlasts(side, self._weighed(self.left, side, gone))
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        if self.routs is not self.struck:
            self._flees(other, self._weighed(self.fled, other, here))
        self._parting(other, self._weighed(self.struck, other, here))

    def _parting(self, side: int, routs: Array) -> None:
        """Parting shots at an army that routs and leaves: none at one that surrenders (PF-3.9, R-55)."""
        if not routs.any():
            return
        escaped = self.rows.parted(routs, self.pairs[:, side])
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
        gone = self.fell[:, :, other] + self.flight[:, :, other]
        self._wins(side, here * gone)
        self._outlasts(side, (here * gone).sum(axis=0)[:, None])
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        self._flees(other, self._weighed(self.routs, other, here))

    def _nobody(self) -> None:
        """Both leave in the same phase; who routs together gives no parting shots, nor do the fallen (R-51)."""
        fell = np.where(self.stays, 0.0, self.fell)
        gone = fell + self.flight
        both = gone[:, :, 0] * gone[:, :, 1]
        self.ends.mutual[self.which] += both.sum(axis=0)
        self.decided += both
        for side in (0, 1):
            self._ruined(side, (fell[:, :, side] * gone[:, :, 1 - side]).sum(axis=0))
            self._flees(side, self._weighed(self.routs, side, gone[:, :, 1 - side]))

    def _bled_to_death(self) -> None:
        """Who has bled to death before blows fall suffers none and deals none (PF-3.5)."""
        both = self.early[:, :, 0] * self.early[:, :, 1]
        self.ends.mutual[self.which] += both.sum(axis=0)
        self.decided += both
        for side in (0, 1):
            self._ruined(side, both.sum(axis=0))
        fell, routs, stand = self._alone()
        for side in (0, 1):
            self._outlives(side, fell, routs, stand)

    def _alone(self) -> tuple[Array, Array, Array]:
        """What becomes of each army in the rest of a phase that the other has not lived to see."""
        parts = [self.rows.alone(PassedPhase(*(array[at] for array in self.record))) for at in range(len(self.early))]
        fell, routs, stand = (np.stack(part) for part in zip(*parts, strict=True))
        return self._paired(fell), routs, stand

    def _outlives(self, side: int, fallen: Array, routs: Array, stand: Array) -> None:
        other = 1 - side
        died, fell = self.early[:, :, other], fallen[:, :, side]
        flight = self._paired(routs.sum(axis=2))[:, :, side]
        lies = np.where(self.stays[:, side], fell, 0.0)
        alive = self._paired(stand.sum(axis=2))[:, :, side] + lies
        self._ruined(other, (died * (alive + fell - lies + flight)).sum(axis=0))
        self._wins(side, died * alive)
        self._outlasts(side, self._weighed(stand, side, died))
        self._outlasts(side, (lies * died).sum(axis=0)[:, None])
        nobody = died * (fell - lies + flight)
        self.ends.mutual[self.which] += nobody.sum(axis=0)
        self.decided += nobody
        self._ruined(side, (died * (fell - lies)).sum(axis=0))
        self._flees(side, self._weighed(routs, side, died))

    def _looked_enough(self) -> None:
        """Both stand and one has come to the health at which the look ends."""
        if self.until.max() < 0:
            return
        halted = np.where(np.arange(self.left.shape[2]) <= self.until[:, None], self.left, 0.0)
        going = self.left - halted
        mine, other = self.pairs[:, 0], self.pairs[:, 1]
        _stay(self.ends, self.which, _beside(halted[:, mine], self.left[:, other]))
        _stay(self.ends, self.which, _beside(going[:, mine], halted[:, other]))


def _same(chains: Indices) -> list[tuple[int, Indices]]:
    """Each chain with the duels it is in."""
    return [(int(chain), np.flatnonzero(chains == chain)) for chain in np.unique(chains)]


def _beside(one: Array, other: Array) -> Array:
    return np.stack((one, other), axis=2)
