"""Duels of two armies: the joint distribution of who leaves first and what is left of both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, FIGHTING, ROUTED
from rules.pathfinder.forecast.exact.hit_point_losses import Floats, Indices
from rules.pathfinder.forecast.exact.markov_chains import PassedPhase, Rows, Wounds
from rules.pathfinder.forecast.exact.transitions import Chained, Facing, Turn


class Duel(NamedTuple):
    """Two armies and the phases to come; the last phase repeats forever. `until` is the health at which the forecast
    stops.
    """

    bodies: tuple[Chained, Chained]
    turns: tuple[Turn, ...]
    until: tuple[int, int] = (-1, -1)


class Chain(NamedTuple):
    """Markov chain of one army of a duel. Chains with equal keys are equal."""

    body: Chained
    facings: tuple[Facing, ...]
    until: int

    @property
    def key(self) -> object:
        return self.body._replace(id=""), self.facings, self.until

    def facing(self, number: int) -> Facing:
        """Return the facing in the phase of this number. The last one repeats forever."""
        return self.facings[min(number, len(self.facings) - 1)]

    def wounds(self, number: int) -> Wounds:
        """Return the resistance to the wounds of the previous phase. The ability behind them is the same in every
        phase.
        """
        if number == 0:
            return self.body.bleeding
        return next(((facing.bleeds,) for facing in self.facings if facing.bleeds is not None), ())


def chains_of(duels: Sequence[Duel]) -> tuple[list[Chain], Indices]:
    """Return the distinct chains of these duels, and for each duel the indices of its two."""
    places: dict[object, int] = {}
    chains: list[Chain] = []
    pairs = []
    for duel in duels:
        for side in (0, 1):
            chain = Chain(duel.bodies[side], tuple([turn[side] for turn in duel.turns]), duel.until[side])
            place = places.setdefault(chain.key, len(chains))
            if place == len(chains):
                chains.append(chain)
            pairs.append(place)
    return chains, np.array(pairs).reshape(-1, 2)


class Wins:
    """Winning chances of duels: `win`, `mutual`, `undecided`, and `decided` phase by phase."""

    def __init__(self, count: int):
        self.win = np.zeros((count, 2))
        self.mutual = np.zeros(count)
        self.undecided = np.zeros(count)
        self.decided: list[tuple[Indices, Floats]] = []  # (duels, chances by phase) in order

    def stay(self, which: Indices, masses: Floats) -> None:
        """Count duels as undecided, from the masses of both sides where the forecast stops (phases × duels × sides ×
        hit points).
        """
        standing = masses.sum(axis=3)
        self.undecided[which] += (standing[:, :, 0] * standing[:, :, 1]).sum(axis=0)

    def close(self) -> None:
        """Finish, so that `lengths` can be asked."""
        self._lengths = np.zeros((len(self.win), sum(len(chances) for _which, chances in self.decided)))
        begun = 0
        for which, chances in self.decided:
            self._lengths[which, begun : begun + len(chances)] = chances.T
            begun += len(chances)

    def lengths(self, duel: int) -> Floats:
        """Return the chance of the duel being decided in each phase."""
        return np.asarray(self._lengths[duel])


class Ends(Wins):
    """`Wins` with what is left of the armies: `health` and `fates` of each, and `victory`, the health of winners."""

    def __init__(self, count: int, top: int):
        super().__init__(count)
        self.health = np.zeros((count, 2, top + 1))
        self.victory = np.zeros((count, 2, top + 1))
        self.fates = {fate: np.zeros((count, 2)) for fate in (FIGHTING, ROUTED, DEFEATED, CAPTURED)}

    def stay(self, which: Indices, masses: Floats) -> None:
        super().stay(which, masses)
        mine, other, size = masses[:, :, 0], masses[:, :, 1], masses.shape[3]
        self.health[which, 0, :size] += np.einsum("tnh,tn->nh", mine, other.sum(axis=2))
        self.health[which, 1, :size] += np.einsum("tnh,tn->nh", other, mine.sum(axis=2))
        both = mine.sum(axis=2) * other.sum(axis=2)
        self.fates[FIGHTING][which] += both.sum(axis=0)[:, None]


class Joined:
    """Set of duels: their indices among all, and the two chains of each."""

    def __init__(self, which: Indices, pairs: Indices, chains: Sequence[Chain]):
        self.which, self.pairs = which, pairs
        self.until = np.array([chain.until for chain in chains])
        self.stays = np.array([chain.body.regenerates for chain in chains])[pairs]
        self.captured = np.array([chain.body.captured for chain in chains])[pairs]

    @cached_property
    def groups(self) -> list[list[tuple[int, Indices]]]:
        """Chains of each side, with the duels they are in."""
        return [_same(self.pairs[:, side]) for side in (0, 1)]

    def paired(self, chances: Floats) -> Floats:
        """Rearrange an array of phases × chains into phases × duels × sides."""
        return np.asarray(chances[:, self.pairs])


def _same(chains: Indices) -> list[tuple[int, Indices]]:
    """Return each chain with the duels it is in."""
    return [(int(chain), np.flatnonzero(chains == chain)) for chain in np.unique(chains)]


# Joint distribution of two armies. They are independent while both stand; who leaves first decides the winner.


class PhaseSums(NamedTuple):
    """Chances by phases × chains that an army stands at the end, routs, falls, or bled to death before the blows."""

    stands: Floats
    routs: Floats
    fell: Floats
    early: Floats


def sums_of(record: PassedPhase) -> PhaseSums:
    routs = record.struck.sum(axis=2)
    if record.fled.any():
        routs += record.fled.sum(axis=2)
    return PhaseSums(record.left.sum(axis=2), routs, record.fell, record.fell_early)


class Alone(NamedTuple):
    """Chances by phases × chains (× hit points) after the other army is gone: falls, routs, stands."""

    fell: Floats
    routs: Floats
    stand: Floats


class WinsJoin:
    """Winning chances in phases of the same kind. Sums are phases × duels × sides. `record` holds the chains' details
    if more than blows and rout can happen.
    """

    def __init__(self, ends: Wins, joined: Joined, sums: PhaseSums, rows: Rows, record: PassedPhase | None):
        self.wins, self.joined, self.rows, self.record = ends, joined, rows, record
        self.which, self.stays = joined.which, joined.stays
        self.here, self.flight, self.fell, self.early = map(joined.paired, sums)
        self.decided = np.zeros(self.here.shape[:2])

    def all(self) -> None:
        bled = self.early.any()
        if bled or self.fell.any() or self.flight.any():
            self._somebody_leaves()
        if bled:
            self._bled_to_death()
        self.wins.decided.append((self.which, self.decided))

    def _somebody_leaves(self) -> None:
        for side in (0, 1):
            self._stands(side)
            if self.stays[:, side].any():
                self._lies(side)
        self._nobody()

    def _wins(self, side: int, chances: Floats) -> None:
        """Count wins of this side, by phases × duels."""
        self.wins.win[self.which, side] += chances.sum(axis=0)
        self.decided += chances

    def _nobody_wins(self, chances: Floats) -> None:
        self.wins.mutual[self.which] += chances.sum(axis=0)
        self.decided += chances

    def _gone(self, side: int) -> Floats:
        return np.asarray(self.fell[:, :, side] + self.flight[:, :, side])

    def _stands(self, side: int) -> None:
        """Count cases in which this side stands and the other leaves: it wins."""
        self._wins(side, self.here[:, :, side] * self._gone(1 - side))

    def _lying(self, side: int) -> Floats:
        """Return the chance that it lies at 0 hit points but regenerates (R-53)."""
        return np.where(self.stays[:, side], self.fell[:, :, side], 0.0)

    def _lies(self, side: int) -> None:
        """Count cases in which this side lies at 0 hit points and the other leaves: it wins (R-53)."""
        self._wins(side, self._lying(side) * self._gone(1 - side))

    def _nobody(self) -> None:
        """Count cases in which both leave in the same phase."""
        gone = np.where(self.stays, 0.0, self.fell) + self.flight
        self._nobody_wins(gone[:, :, 0] * gone[:, :, 1])

    def _bled_to_death(self) -> None:
        """Count cases in which a side bled to death before the blows. It suffers and deals none (PF-3.5)."""
        self._both_bled(self.early[:, :, 0] * self.early[:, :, 1])
        alone = self._alone()
        for side in (0, 1):
            self._outlives(side, alone)

    def _both_bled(self, chances: Floats) -> None:
        self._nobody_wins(chances)

    def _alone(self) -> Alone:
        """Return the fate of each army in the rest of a phase in which the other bled to death."""
        assert self.record is not None
        phases = [PassedPhase(*(array[at] for array in self.record)) for at in range(len(self.early))]
        return Alone(*map(np.stack, zip(*map(self.rows.alone, phases), strict=True)))

    def _outlives(self, side: int, alone: Alone) -> None:
        died, fell = self.early[:, :, 1 - side], self.joined.paired(alone.fell)[:, :, side]
        stands, flight = (self.joined.paired(part.sum(axis=2))[:, :, side] for part in (alone.stand, alone.routs))
        lies = np.where(self.stays[:, side], fell, 0.0)
        self._wins(side, died * (stands + lies))
        self._nobody_wins(died * (fell - lies + flight))


# Remaining hit points and fates of both armies, whoever leaves first.


class WholeJoin(WinsJoin):
    """Winning chances with remaining health. Hit points stay by chain (phases × chains × hit points) and are weighted
    with what the other army does.
    """

    def __init__(self, ends: Ends, joined: Joined, rows: Rows, record: PassedPhase):
        super().__init__(ends, joined, sums_of(record), rows, record)
        self.ends, self.captured, self.until = ends, joined.captured, joined.until
        self.struck, self.fled, self.left = record.struck, record.fled, record.left
        self.routs = self.struck + self.fled if self.fled.any() else self.struck

    def all(self) -> None:
        super().all()
        if self.until.max() >= 0:
            self._looked_enough()

    def _weighed(self, masses: Floats, side: int, weights: Floats) -> Floats:
        """Weight masses (phases × chains × hit points) with chances (phases × duels) and sum over phases: duels × hit
        points.
        """
        found = np.empty((len(self.which), masses.shape[2]))
        for chain, duels in self.joined.groups[side]:
            found[duels] = weights[:, duels].T @ masses[:, chain]
        return found

    def _fate(self, side: int, fate: str, chances: Floats) -> None:
        self.ends.fates[fate][self.which, side] += chances

    def _health(self, side: int, masses: Floats) -> None:
        self.ends.health[self.which, side, : masses.shape[1]] += masses

    def _outlasts(self, side: int, masses: Floats) -> None:
        """Count wins of this side with this health."""
        self._fate(side, FIGHTING, masses.sum(axis=1))
        self._health(side, masses)
        self.ends.victory[self.which, side, : masses.shape[1]] += masses

    def _ruined(self, side: int, chances: Floats) -> None:
        self._fate(side, DEFEATED, chances)
        self.ends.health[self.which, side, 0] += chances

    def _flees(self, side: int, masses: Floats) -> None:
        """Count routs of this side with this health (duels × hit points). An army that cannot leave surrenders
        (PF-3.9).
        """
        gone = masses.sum(axis=1)
        captured = self.captured[:, side]
        self._fate(side, ROUTED, np.where(captured, 0.0, gone))
        self._fate(side, CAPTURED, np.where(captured, gone, 0.0))
        self._health(side, masses)

    def _stands(self, side: int) -> None:
        """Count cases in which this side stands. It makes a parting shot at an army that routs (R-51)."""
        super()._stands(side)
        other, here = 1 - side, self.here[:, :, side]
        self._outlasts(side, self._weighed(self.left, side, self._gone(other)))
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        if self.routs is not self.struck:
            self._flees(other, self._weighed(self.fled, other, here))
        self._parting(other, self._weighed(self.struck, other, here))

    def _parting(self, side: int, routs: Floats) -> None:
        """Apply parting shots to an army that routs and leaves, not to one that surrenders (PF-3.9, R-55)."""
        if not routs.any():
            return
        escaped = self.rows.parted(routs, self.joined.pairs[:, side])
        ruined = escaped[:, 0].copy()
        escaped[:, 0] = 0.0
        self._flees(side, escaped)
        self._ruined(side, ruined)

    def _lies(self, side: int) -> None:
        super()._lies(side)
        other, lies = 1 - side, self._lying(side)
        self._outlasts(side, (lies * self._gone(other)).sum(axis=0)[:, None])
        self._ruined(other, (lies * self.fell[:, :, other]).sum(axis=0))
        self._flees(other, self._weighed(self.routs, other, lies))

    def _nobody(self) -> None:
        """Count cases in which both leave. Armies that rout together, and fallen ones, make no parting shots (R-51)."""
        super()._nobody()
        fell = np.where(self.stays, 0.0, self.fell)
        gone = fell + self.flight
        for side in (0, 1):
            self._ruined(side, (fell[:, :, side] * gone[:, :, 1 - side]).sum(axis=0))
            self._flees(side, self._weighed(self.routs, side, gone[:, :, 1 - side]))

    def _both_bled(self, chances: Floats) -> None:
        super()._both_bled(chances)
        for side in (0, 1):
            self._ruined(side, chances.sum(axis=0))

    def _outlives(self, side: int, alone: Alone) -> None:
        super()._outlives(side, alone)
        died, fell = self.early[:, :, 1 - side], self.joined.paired(alone.fell)[:, :, side]
        whole = sum(self.joined.paired(part.sum(axis=2))[:, :, side] for part in (alone.stand, alone.routs)) + fell
        lies = np.where(self.stays[:, side], fell, 0.0)
        self._ruined(1 - side, (died * whole).sum(axis=0))
        self._outlasts(side, self._weighed(alone.stand, side, died))
        self._outlasts(side, (lies * died).sum(axis=0)[:, None])
        self._ruined(side, (died * (fell - lies)).sum(axis=0))
        self._flees(side, self._weighed(alone.routs, side, died))

    def _looked_enough(self) -> None:
        """Count cases in which both stand and one has reached the health at which the forecast stops."""
        halted = np.where(np.arange(self.left.shape[2]) <= self.until[:, None], self.left, 0.0)
        going = self.left - halted
        mine, other = self.joined.pairs[:, 0], self.joined.pairs[:, 1]
        self.ends.stay(self.which, _beside(halted[:, mine], self.left[:, other]))
        self.ends.stay(self.which, _beside(going[:, mine], halted[:, other]))


def _beside(one: Floats, other: Floats) -> Floats:
    return np.stack((one, other), axis=2)
