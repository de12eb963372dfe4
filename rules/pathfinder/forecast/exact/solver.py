"""Solver of duels: advances the distinct chains phase by phase until everything is decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.pathfinder.forecast.exact.duels import (
    Duel,
    Ends,
    Joined,
    PhaseSums,
    WholeJoin,
    Wins,
    WinsJoin,
    chains_of,
    sums_of,
)
from rules.pathfinder.forecast.exact.hit_point_losses import DENSE, Floats, Indices
from rules.pathfinder.forecast.exact.many_phases import GREAT, LONG, STEPS, STRIDE, Leaps, Strides, Walk
from rules.pathfinder.forecast.exact.markov_chains import FEW, PassedPhase, Rows, one_after_the_other
from rules.pathfinder.forecast.exact.transitions import Chained

NEVER = 1e-13
"""Remaining probability that counts as nothing."""
AIM = NEVER / 100  # target for the remainder, because the mean length weights it with the number of phases

LEAST, MOST, MOST_LEAPING = 16, 256, 1024  # phases between two checks of the remaining probability mass
LOOKS = 8  # checks of few chains whose records are joined at once
WALKED = 30_000  # cost of a phase of a great army, in nanoseconds
ROOM = 8_000_000  # array cells of all phases recorded at once
SHRUNK = 0.8  # chains are cut off when at most this share of the hit points is in use


def settled(duels: Sequence[Duel], most: int | None, work: int) -> Ends:
    """Follow every duel to its end, for at most `most` phases and this much work (`Rows.work`)."""
    ends = Ends(len(duels), _top(duels))
    _Whole(duels, _top(duels), ends).follow(most, work)
    return ends


def won(duels: Sequence[Duel], most: int | None, work: int) -> Wins:
    """Return only who wins. No duel may have a health at which the look ends."""
    wins = Wins(len(duels))
    _Table(duels, _top(duels), wins).follow(most, work)
    return wins


def _top(duels: Sequence[Duel]) -> int:
    return max(max(body.hp, body.hp_max) for duel in duels for body in duel.bodies)


class _Table:
    """Duels still to be followed, and their chains. `pairs` are the two chains of each duel."""

    def __init__(self, duels: Sequence[Duel], top: int, ends: Wins):
        self.top, self.ends = top, ends
        self.which = np.arange(len(duels))
        self.longest = max(len(duel.turns) for duel in duels)
        self.chains, self.pairs = chains_of(duels)
        ready = np.zeros((len(self.chains), top + 1))
        ready[np.arange(len(self.chains)), [chain.body.hp for chain in self.chains]] = 1.0
        self.ready, self.barred = ready, np.zeros_like(ready)
        self.bleeding = self._brought([chain.body for chain in self.chains])
        self.strides: Strides | None = None
        self._known: tuple[int, Rows] | None = None
        self._walked: tuple[Leaps, Rows] | None = None
        self._beside: Joined | None = None
        self.done = 0

    def _brought(self, rows: Sequence[Chained]) -> tuple[Floats, Floats] | None:
        """Split off masses with wounds from before, which bleed in the first phase."""
        brought = np.array([bool(body.bleeding) for body in rows])
        if not brought.any():
            return None
        bleeding = np.where(brought[:, None], self.ready, 0.0)
        self.ready = self.ready - bleeding
        return bleeding, np.zeros_like(bleeding)

    def follow(self, most: int | None, work: int) -> None:
        most = work if most is None else max(0, most)
        for number in range(self.longest - 1):
            if self.done < most:
                work -= self._through(number, 1)
        span = LEAST
        while self.done < most and len(self.which) and work > 0:
            if self.top >= GREAT:
                self._leap(most)
            before = self._masses()
            rows = self._rows_of(self.longest - 1)
            affordable = 1 + work // self._cost(rows)
            room = max(1, ROOM // self.ready.size)
            count = min(span, most - self.done, affordable, room)
            work -= self._through(self.longest - 1, count)
            most_at_once = MOST if self.top < GREAT else MOST_LEAPING
            span = min(span * 2, most_at_once) if rows.plain else LEAST  # other rows cost more than a check
            span = min(span, self._to_come(before, count))
            self._drop(before)
        self._undecided(np.ones(len(self.which), bool))
        self.ends.close()

    def _leap(self, most: int) -> None:
        """Leap over phases in which nothing can be decided, then cut the arrays to the hit points in use."""
        rows = self._rows_of(self.longest - 1)
        if self.bleeding is None and rows.plain:
            leaps = self._leaps()
            while (count := min(leaps.clear_of_the_edge(self.ready + self.barred), most - self.done)) > STEPS:
                self.ready, self.barred = leaps.leap(self.ready, self.barred, count)
                self.ends.decided.append((self.which, np.zeros((count, len(self.which)))))
                self.done += count
        highest = max([1, *np.flatnonzero(self._masses().max(axis=0))[-1:].tolist()])
        if self.bleeding is None and not rows.mends and highest < SHRUNK * self.top:
            self.top = highest
            self.ready, self.barred = self.ready[:, : highest + 1].copy(), self.barred[:, : highest + 1].copy()
            self._known = self._walked = None

    def _leaps(self) -> Leaps:
        harms = [chain.facing(self.longest - 1).blow for chain in self.chains]
        return Leaps(harms, [max(chain.body.acr, chain.until) for chain in self.chains])

    def _cost(self, rows: Rows) -> int:
        """Return the approximate cost of a phase, in nanoseconds."""
        leaping = self.top >= GREAT and self.bleeding is None and rows.plain
        return WALKED * (1 + rows.count) if leaping else rows.work(bleeding=self.bleeding is not None)

    def _masses(self) -> Floats:
        """Return all masses, those of barred and bleeding armies included."""
        masses = self.ready + self.barred
        return masses if self.bleeding is None else masses + self.bleeding[0] + self.bleeding[1]

    def _left(self, masses: Floats) -> Floats:
        """Return the chance of each duel still going on."""
        standing = masses.sum(axis=1)[self.pairs]
        return np.asarray(standing[:, 0] * standing[:, 1])

    def _to_come(self, before: Floats, count: int) -> int:
        """Estimate the phases until nothing is left, from the loss in the last ones. The loss grows later on."""
        then, now = self._left(before), self._left(self._masses())
        goes_on = now > NEVER
        if not count:  # the leaps have reached the forecast's horizon
            return LEAST
        with np.errstate(divide="ignore"):
            needed = count * np.log(now[goes_on] / AIM) / np.log(np.maximum(then[goes_on] / now[goes_on], 1.0))
        return int(min(MOST_LEAPING, max([LEAST, *np.ceil(needed)])))

    def _through(self, number: int, count: int) -> int:
        """Advance by this many phases of the same turn. Returns their cost."""
        rows, bleeding = self._rows_of(number), self.bleeding is not None
        if bleeding or not rows.plain:
            self._join(rows, self._fully(rows, count))
        else:
            self._plainly(rows, count)
        self.done += count
        return count * self._cost(rows)

    def _rows_of(self, number: int) -> Rows:
        if self._known is None or self._known[0] != number:
            facings = [chain.facing(number) for chain in self.chains]
            wounds = [chain.wounds(number) for chain in self.chains]
            bodies = [chain.body for chain in self.chains]
            self._known = number, Rows(bodies, facings, self.top, wounds)
        return self._known[1]

    def _plainly(self, rows: Rows, count: int) -> None:
        """Advance by `Leaps` for great armies, by `Strides` for many phases of few chains, otherwise phase by phase."""
        if self.top >= GREAT and self.done >= self.longest - 1:
            self._far(rows, count)
            return
        if self.strides is None and count >= LONG and len(self.chains) <= FEW and self.top <= DENSE:
            self.strides = Strides(rows)
        far = count - count % STRIDE if self.strides is not None else 0
        if self.strides is not None and far:
            self.ready, self.barred, sums = self.strides.walk(self.ready, self.barred, far)
            self._who_wins(rows, sums)
        if count > far:
            self.ready, self.barred, sums = rows.in_sums(self.ready, self.barred, count - far)
            self._who_wins(rows, sums)

    def _far(self, rows: Rows, count: int) -> None:
        """Advance by leaps for masses far from the edge."""
        if self._walked is None:
            leaps = self._leaps()
            facings = [chain.facing(self.longest - 1) for chain in self.chains]
            near = Rows([chain.body for chain in self.chains], facings, leaps.edge + STEPS * leaps.reach, rows.wounds)
            self._walked = leaps, near
        walk = Walk(*self._walked, count)
        self.ready, self.barred = walk.all(self.ready, self.barred)
        self._who_wins(rows, (walk.stands, walk.routs, walk.fell))

    def _who_wins(self, rows: Rows, sums: tuple[Floats, Floats, Floats]) -> None:
        stands, routs, fell = sums
        WinsJoin(self.ends, self._joined(), PhaseSums(stands, routs, fell, np.zeros_like(fell)), rows, None).all()

    def _join(self, rows: Rows, record: PassedPhase) -> None:
        WinsJoin(self.ends, self._joined(), sums_of(record), rows, record).all()

    def _joined(self) -> Joined:
        if self._beside is None:
            self._beside = Joined(self.which, self.pairs, self.chains)
        return self._beside

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

    def _keep(self) -> Floats | None:
        """Return 0 where an army has reached the health at which the forecast stops; the record has it. None if there
        is none.
        """
        limits = np.array([chain.until for chain in self.chains])
        if limits.max() < 0:
            return None
        return np.asarray(np.arange(self.top + 1) > limits[:, None], dtype=float)

    def _drop(self, before: Floats) -> None:
        """Drop duels that are decided, and those that will never be."""
        now = self._left(self._masses())
        moved = (np.abs(self._masses() - before).max(axis=1) > NEVER)[self.pairs].any(axis=1)
        goes_on = (now > NEVER) & moved
        if goes_on.all():
            return
        self._undecided(~goes_on)
        self.which = self.which[goes_on]
        rows, pairs = np.unique(self.pairs[goes_on], return_inverse=True)
        self.pairs = pairs.reshape(-1, 2)
        self._only(rows)

    def _only(self, rows: Indices) -> None:
        """Keep only these chains."""
        self._known = self._beside = self._walked = None
        self.chains = [self.chains[row] for row in rows]
        self.ready, self.barred = self.ready[rows], self.barred[rows]
        if self.bleeding is not None:
            self.bleeding = (self.bleeding[0][rows], self.bleeding[1][rows])
        if self.strides is not None:
            self.strides = self.strides.only(rows)

    def _undecided(self, which: Indices) -> None:
        if which.any():
            self.ends.stay(self.which[which], self._masses()[self.pairs[which]][None])


class _Whole(_Table):
    """`_Table` with what is left of the armies. Records of few chains are joined once for several checks."""

    ends: Ends

    def __init__(self, duels: Sequence[Duel], top: int, ends: Ends):
        super().__init__(duels, top, ends)
        self._unjoined: list[PassedPhase] = []
        self._of: Rows | None = None

    def _cost(self, rows: Rows) -> int:
        return rows.work(bleeding=self.bleeding is not None)

    def _plainly(self, rows: Rows, count: int) -> None:
        self.ready, self.barred, record = rows.plainly(self.ready, self.barred, count, self._keep())
        if rows is not self._of:
            self._join_all()
        self._of = rows
        self._unjoined.append(record)
        if len(self.chains) > FEW or self.top > DENSE or len(self._unjoined) == LOOKS:
            self._join_all()

    def _join(self, rows: Rows, record: PassedPhase) -> None:
        self._join_all()
        WholeJoin(self.ends, self._joined(), rows, record).all()

    def _join_all(self) -> None:
        """Join the pending records, before phases of another kind and before duels are dropped."""
        if self._of is None or not self._unjoined:
            return
        record = one_after_the_other(self._unjoined)
        self._unjoined = []
        WholeJoin(self.ends, self._joined(), self._of, record).all()

    def _undecided(self, which: Indices) -> None:
        self._join_all()
        super()._undecided(which)
