"""Joint distribution of two armies: while both stand they are independent; who leaves first decides who wins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.pathfinder.forecast.exact.duels import Joined, Wins
from rules.pathfinder.forecast.exact.hit_point_losses import Floats
from rules.pathfinder.forecast.exact.markov_chains import PassedPhase, Rows


class PhaseSums(NamedTuple):
    """Of phases × chains how likely an army stands at the end, routs, falls, has bled to death before blows fell."""

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
    """Of phases × chains (× hit points) where the other is no more: who falls, routs, stands."""

    fell: Floats
    routs: Floats
    stand: Floats


class WinsJoin:
    """Who wins in phases of the same kind. Sums are phases × duels × sides.

    `record`: what the chains went through, where more can happen than blows and rout.
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
        """Of phases × duels: this side alone is left."""
        self.wins.win[self.which, side] += chances.sum(axis=0)
        self.decided += chances

    def _nobody_wins(self, chances: Floats) -> None:
        self.wins.mutual[self.which] += chances.sum(axis=0)
        self.decided += chances

    def _gone(self, side: int) -> Floats:
        return np.asarray(self.fell[:, :, side] + self.flight[:, :, side])

    def _stands(self, side: int) -> None:
        """This side stands and the other leaves: it wins."""
        self._wins(side, self.here[:, :, side] * self._gone(1 - side))

    def _lying(self, side: int) -> Floats:
        """It has no hit points left but regenerates (R-53)."""
        return np.where(self.stays[:, side], self.fell[:, :, side], 0.0)

    def _lies(self, side: int) -> None:
        """Who lies there and has no enemy left is left alone (R-53)."""
        self._wins(side, self._lying(side) * self._gone(1 - side))

    def _nobody(self) -> None:
        """Both leave in the same phase."""
        gone = np.where(self.stays, 0.0, self.fell) + self.flight
        self._nobody_wins(gone[:, :, 0] * gone[:, :, 1])

    def _bled_to_death(self) -> None:
        """Who has bled to death before blows fall suffers none and deals none (PF-3.5)."""
        self._both_bled(self.early[:, :, 0] * self.early[:, :, 1])
        alone = self._alone()
        for side in (0, 1):
            self._outlives(side, alone)

    def _both_bled(self, chances: Floats) -> None:
        self._nobody_wins(chances)

    def _alone(self) -> Alone:
        """What becomes of each army in the rest of a phase that the other has not lived to see."""
        assert self.record is not None
        phases = [PassedPhase(*(array[at] for array in self.record)) for at in range(len(self.early))]
        return Alone(*map(np.stack, zip(*map(self.rows.alone, phases), strict=True)))

    def _outlives(self, side: int, alone: Alone) -> None:
        died, fell = self.early[:, :, 1 - side], self.joined.paired(alone.fell)[:, :, side]
        stands, flight = (self.joined.paired(part.sum(axis=2))[:, :, side] for part in (alone.stand, alone.routs))
        lies = np.where(self.stays[:, side], fell, 0.0)
        self._wins(side, died * (stands + lies))
        self._nobody_wins(died * (fell - lies + flight))
