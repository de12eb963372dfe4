"""Remaining hit points and fates of two armies, whoever leaves first."""

from __future__ import annotations

import numpy as np

from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, FIGHTING, ROUTED
from rules.pathfinder.forecast.exact.duels import Ends, Joined
from rules.pathfinder.forecast.exact.hit_point_losses import Floats
from rules.pathfinder.forecast.exact.joint_distribution import Alone, WinsJoin, sums_of
from rules.pathfinder.forecast.exact.markov_chains import PassedPhase, Rows


class WholeJoin(WinsJoin):
    """Where somebody stands or routs with how much stays by chains (phases × chains × hit points) and is weighed with
    what the other does.
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
        """Of phases × chains × hit points, each phase as likely as its weight (phases × duels): duels × hit points."""
        found = np.empty((len(self.which), masses.shape[2]))
        for chain, duels in self.joined.groups[side]:
            found[duels] = weights[:, duels].T @ masses[:, chain]
        return found

    def _fate(self, side: int, fate: str, chances: Floats) -> None:
        self.ends.fates[fate][self.which, side] += chances

    def _health(self, side: int, masses: Floats) -> None:
        self.ends.health[self.which, side, : masses.shape[1]] += masses

    def _outlasts(self, side: int, masses: Floats) -> None:
        """It wins with this health."""
        self._fate(side, FIGHTING, masses.sum(axis=1))
        self._health(side, masses)
        self.ends.victory[self.which, side, : masses.shape[1]] += masses

    def _ruined(self, side: int, chances: Floats) -> None:
        self._fate(side, DEFEATED, chances)
        self.ends.health[self.which, side, 0] += chances

    def _flees(self, side: int, masses: Floats) -> None:
        """It routs, or surrenders where it cannot leave (PF-3.9); of duels × hit points."""
        gone = masses.sum(axis=1)
        captured = self.captured[:, side]
        self._fate(side, ROUTED, np.where(captured, 0.0, gone))
        self._fate(side, CAPTURED, np.where(captured, gone, 0.0))
        self._health(side, masses)

    def _stands(self, side: int) -> None:
        """Who stands strikes at one that routs (R-51)."""
        super()._stands(side)
        other, here = 1 - side, self.here[:, :, side]
        self._outlasts(side, self._weighed(self.left, side, self._gone(other)))
        self._ruined(other, (here * self.fell[:, :, other]).sum(axis=0))
        if self.routs is not self.struck:
            self._flees(other, self._weighed(self.fled, other, here))
        self._parting(other, self._weighed(self.struck, other, here))

    def _parting(self, side: int, routs: Floats) -> None:
        """Parting shots at an army that routs and leaves: none at one that surrenders (PF-3.9, R-55)."""
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
        """Who routs together gives no parting shots, nor do the fallen (R-51)."""
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
        """Both stand and one has come to the health at which the look ends."""
        halted = np.where(np.arange(self.left.shape[2]) <= self.until[:, None], self.left, 0.0)
        going = self.left - halted
        mine, other = self.joined.pairs[:, 0], self.joined.pairs[:, 1]
        self.ends.stay(self.which, _beside(halted[:, mine], self.left[:, other]))
        self.ends.stay(self.which, _beside(going[:, mine], halted[:, other]))


def _beside(one: Floats, other: Floats) -> Floats:
    return np.stack((one, other), axis=2)
