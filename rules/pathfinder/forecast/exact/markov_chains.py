"""Markov chains of many armies at once, with hit points in arrays.

A row is an army of some battle that suffers what the other does; the last axis is its hit points. In `ready` the other
may attack in the coming phase; in `barred` it rolled a natural 1 and may not. Both are split by whether the army
bleeds. Armies that have left the field are in no array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from rules.pathfinder.forecast.exact.hit_point_losses import DENSE, Floats, HarmToll, Indices, Tolls
from rules.pathfinder.forecast.exact.transitions import Chained, Facing

READY, READY_BLEEDING, BARRED, BARRED_BLEEDING, AWAY = range(5)
"""States after the blows: by whether the army is attacked in the next phase and bleeds; `AWAY` for
those not attacked.
"""

type Wounds = tuple[int, ...]
"""Resistance to the d6 of each bleeding wound."""

type Mending = tuple[tuple[int, ...], int]
"""Amounts that heal an army in a phase, in order, and its maximum."""

BLEED_DIE = 6
FEW = 16  # rows up to which a matrix for each row is faster than one for each blow
BRIEF = 3  # phases that are walked faster than a matrix is built
PLAIN_WORK, FULL_WORK = (12_000, 40), (150_000, 200)  # nanoseconds for a phase, and for each row's hit point


class PassedPhase(NamedTuple):
    """Record of a phase for all rows, or of several phases with phases as the first axis.

    `begun` and `begun_hurt` have survived bleeding, unhurt or hurt so far; `fell_early` has not. `fell` reaches 0
    later. `struck` routs while the other may attack it, `fled` while it may not. `left` stands at the end.
    """

    begun: Floats
    begun_hurt: Floats
    fell_early: Floats
    fell: Floats
    struck: Floats
    fled: Floats
    left: Floats


class Operator(NamedTuple):
    """Plain phase of each chain. `onward` leads from ready to ready, `missed` and `by_ones` from ready to barred; the
    barred become ready. `told` gives by places (ready, barred) who stands, routs and falls.
    """

    onward: Floats
    missed: Floats
    by_ones: Floats | None
    told: Floats


class Rows:
    """Rows of one turn, with arrays of the effects on each."""

    def __init__(self, bodies: Sequence[Chained], facings: Sequence[Facing], top: int, wounds: Sequence[Wounds]):
        self.top = top
        self._bodies, self._facings, self.wounds = bodies, facings, wounds
        harms = [facing.blow for facing in facings]
        self._free, self._ones = Tolls(harms, "free", top), Tolls(harms, "barring", top)
        self._miss, self._miss_ones = self._free.missing, self._ones.missing
        self.firm = _firmness(bodies, [facing.firm for facing in facings], top)
        self.firm_struck = _firmness(bodies, [facing.firm_struck for facing in facings], top)
        self._firm_alive = self.firm_struck.copy()
        self._firm_alive[:, 0] = 0.0
        self.weather = np.array([facing.weather for facing in facings])
        self.bleeds = any(facing.bleeds is not None for facing in facings)
        self.mends = any(facing.mend or facing.heal for facing in facings)

    @cached_property
    def _firm_by_state(self) -> Floats:
        return np.stack((*[self.firm_struck] * AWAY, self.firm))

    @cached_property
    def _bleed(self) -> Floats:
        return _column([float(facing.bleeds is not None) for facing in self._facings])

    @cached_property
    def _mended(self) -> list[tuple[Any, Mending]]:
        return _raising([(facing.mend, body.hp_max) for body, facing in self._each_facing()])

    @cached_property
    def _healed(self) -> list[tuple[Any, Mending]]:
        return _raising([(facing.heal, body.hp_max) for body, facing in self._each_facing()])

    @cached_property
    def _wounded(self) -> list[tuple[Any, Wounds]]:
        return _alike(self.wounds)

    def _each_facing(self) -> Iterator[tuple[Chained, Facing]]:
        return zip(self._bodies, self._facings, strict=True)

    @property
    def count(self) -> int:
        return len(self._bodies)

    @property
    def plain(self) -> bool:
        """Whether only blows and rout can happen."""
        return not (self.weather.any() or self.bleeds or self.mends or any(self.wounds))

    def work(self, *, bleeding: bool) -> int:
        """Return the approximate cost of a phase of all rows, in nanoseconds."""
        phase, point = FULL_WORK if bleeding or not self.plain else PLAIN_WORK
        return phase + point * len(self._bodies) * (self.top + 1)

    def blows(self, masses: Floats) -> tuple[Floats, Floats | None]:
        """Return the chances of hit points after blows that hurt, for faces other than 1 and for natural 1s (None if
        those do no damage). `masses`: the chances before, for any number of phases (… × rows × hit points).
        """
        return self._free(masses), self._ones(masses) if self._ones.hurt else None

    def plainly(
        self, ready: Floats, barred: Floats, count: int, keep: Floats | None
    ) -> tuple[Floats, Floats, PassedPhase]:
        """Advance by this many phases of only blows and rout, recorded with phases as the first axis. `keep` is 0 where
        the forecast stops, by rows and hit points.
        """
        if count > BRIEF and len(ready) <= FEW and self.top <= DENSE:
            every, every_barred = self._by_matrix(ready, barred, count, keep)
            record = self._told(every[:-1], every_barred[:-1], self._blows(every[:-1]))
            return every[-1].copy(), every_barred[-1].copy(), record
        told = np.empty((count, 3, *ready.shape))
        ready, barred = self._step_by_step(told, ready, barred, keep)
        return ready, barred, self._told(told[:, 0], told[:, 1], told[:, 2])

    def _step_by_step(self, told: Floats, ready: Floats, barred: Floats, keep: Floats | None) -> tuple[Floats, Floats]:
        """Advance phase by phase, recording who is ready, who is barred, and where the blows move them."""
        firm, miss, miss_ones = self._firm_alive, self._miss, self._miss_ones
        free, ones = self._free.each, self._ones.each
        for phase in told:
            phase[0], phase[1] = ready, barred
            hurt, then = free(ready), miss_ones * ready
            phase[2] = hurt
            if self._ones.hurt:
                by_ones = ones(ready)
                phase[2] += by_ones
                then += by_ones * firm
            ready, barred = hurt * firm + miss * ready + barred, then
            if keep is not None:
                ready, barred = ready * keep, barred * keep
        return ready, barred

    def in_sums(
        self, ready: Floats, barred: Floats, count: int
    ) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats]]:
        """Advance by this many phases of blows and rout. Returns the masses, and by phases and rows who stands, routs
        and falls.
        """
        firm, miss, miss_ones = self._firm_alive, self._miss, self._miss_ones
        free, ones = self._free.each, self._ones.each
        begun, stands = np.empty((count, *ready.shape)), np.empty((count, len(ready)))
        for number, phase in enumerate(begun):
            phase[:] = ready
            then = miss_ones * ready
            if self._ones.hurt:
                then += ones(ready) * firm
            ready = free(ready)
            ready *= firm
            ready += miss * phase
            ready += barred
            barred = then
            np.sum(ready, axis=1, out=stands[number])
            stands[number] += barred.sum(axis=1)
        told = begun.transpose(1, 0, 2) @ np.stack(self._leaving, axis=2)
        routs, fell = told.transpose(2, 1, 0)
        return ready, barred, (stands, routs, fell)

    @cached_property
    def _leaving(self) -> tuple[Floats, Floats]:
        """Chances by hit points before a blow that the army routs after it, and that it falls."""
        flees = 1.0 - self._firm_alive
        return self._free.costing(flees) + self._ones.costing(flees), self._free.fells + self._ones.fells

    def _blows(self, masses: Floats) -> Floats:
        """Return where all blows move these masses."""
        hurt, by_ones = self.blows(masses)
        if by_ones is not None:
            hurt += by_ones
        return hurt

    def _by_matrix(self, ready: Floats, barred: Floats, count: int, keep: Floats | None) -> tuple[Floats, Floats]:
        """Advance by one matrix for each row, which is faster for few small rows. Returns the masses before each phase
        and after the last.
        """
        matrix, by_ones = self._matrices
        miss_ones = self._miss_ones[:, None]
        masses = np.empty((2, count + 1, len(ready), 1, ready.shape[1]))
        masses[0, 0, :, 0], masses[1, 0, :, 0] = ready, barred
        for now, now_barred, then, then_barred in zip(masses[0], masses[1], masses[0, 1:], masses[1, 1:], strict=False):
            np.matmul(now, matrix, out=then)
            then += now_barred
            np.multiply(now, miss_ones, out=then_barred)
            if by_ones is not None:
                then_barred += now @ by_ones
            if keep is not None:
                then *= keep[:, None]
                then_barred *= keep[:, None]
        return masses[0, :, :, 0], masses[1, :, :, 0]

    @cached_property
    def _matrices(self) -> tuple[Floats, Floats | None]:
        """Matrices by row from ready to ready, and to barred by the damage of a natural 1."""
        firm, every = self._firm_alive[:, None, :], np.arange(self.top + 1)
        matrix = self._free.matrices() * firm
        matrix[:, every, every] += self._miss
        return matrix, self._ones.matrices() * firm if self._ones.hurt else None

    def operator(self) -> Operator:
        """Return a plain phase as an operator on (ready, barred)."""
        matrix, by_ones = self._matrices
        size = self.top + 1
        told = np.zeros((len(matrix), 2 * size, 3))
        told[:, :size, 0] = matrix.sum(axis=2) + self._miss_ones
        if by_ones is not None:
            told[:, :size, 0] += by_ones.sum(axis=2)
        told[:, size:, 0] = 1.0
        told[:, :size, 1], told[:, :size, 2] = self._leaving
        return Operator(matrix, self._miss_ones, by_ones, told)

    def _told(self, ready: Floats, barred: Floats, hurt: Floats) -> PassedPhase:
        """Record phases with these beginnings and these results of the blows."""
        left = hurt * self._firm_alive
        routs = hurt - left
        routs[..., 0] = 0.0
        left += (self._miss + self._miss_ones) * ready
        left += barred
        return _only_blows(hurt[..., 0], routs, left)

    def fully(self, ready: Floats, barred: Floats) -> tuple[Floats, Floats, PassedPhase]:
        """Advance by a phase with everything in it. Both arrays are (bleeding or not) × rows × hit points."""
        (calm, hurt), (calm_barred, hurt_barred), early = self._beginning(ready, barred)
        unhurt, wounded = self._attacked(calm, hurt)
        unhurt[AWAY], wounded[AWAY] = calm_barred, hurt_barred
        stand, lost = self._worn(unhurt, wounded)
        after = lost * self._firm_by_state
        routs = lost - after
        routs[:, :, 0] = 0.0
        after += stand
        after[:, :, 0] = 0.0
        struck, left, fell = routs[:AWAY].sum(axis=0), after.sum(axis=0), lost[:, :, 0].sum(axis=0)
        after[READY] += after[AWAY]
        phase = PassedPhase(calm + calm_barred, hurt + hurt_barred, early, fell, struck, routs[AWAY], left)
        return after[[READY, READY_BLEEDING]], after[[BARRED, BARRED_BLEEDING]], phase

    def _beginning(self, ready: Floats, barred: Floats) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Floats]:
        """Apply steps 1 and 4: bleeding, healing, death by bleeding, then healing by orders (PF-3.5)."""
        early = np.zeros(ready.shape[1])
        begun = []
        for bodies in (ready, barred):
            unhurt, hurt = bodies[0].copy(), np.zeros_like(bodies[0])
            self._bleeding(bodies[1], unhurt, hurt)
            for masses in (unhurt, hurt):
                self._raised(masses, self._mended)
                early += masses[:, 0]
                masses[:, 0] = 0.0
                self._raised(masses, self._healed)
            begun.append((unhurt, hurt))
        return begun[0], begun[1], early

    def _bleeding(self, masses: Floats, unhurt: Floats, hurt: Floats) -> None:
        """Apply wounds: each costs d6 minus resistance (R-43)."""
        if not masses.any():
            return
        for rows, wounds in self._wounded:
            safe, lost = masses[rows], np.zeros_like(masses[rows])
            for resisted in wounds:
                further, more = bled(lost, resisted)
                safe, taken = bled(safe, resisted)
                lost = further + more + taken
            unhurt[rows] += safe
            hurt[rows] += lost

    def _raised(self, masses: Floats, groups: list[tuple[Any, Mending]]) -> None:
        for rows, (amounts, hp_max) in groups:
            raised = masses[rows]
            for amount in amounts:
                raise_up(raised, amount, hp_max)
            masses[rows] = raised

    def _attacked(self, calm: Floats, hurt: Floats) -> tuple[Floats, Floats]:
        """Apply blows to those unhurt and hurt so far. Returns both by the states after them."""
        unhurt, wounded = np.zeros((5, *calm.shape)), np.zeros((5, *calm.shape))
        np.multiply(self._miss, calm, out=unhurt[READY])
        np.multiply(self._miss_ones, calm, out=unhurt[BARRED])
        masses = calm + hurt
        struck, by_ones = self._free.each(masses), self._ones.each(masses) if self._ones.hurt else None
        np.multiply(self._bleed, struck, out=wounded[READY_BLEEDING])
        wounded[READY] = self._miss * hurt + struck - wounded[READY_BLEEDING]
        np.multiply(self._miss_ones, hurt, out=wounded[BARRED])
        if by_ones is not None:
            np.multiply(self._bleed, by_ones, out=wounded[BARRED_BLEEDING])
            wounded[BARRED] += by_ones - wounded[BARRED_BLEEDING]
        return unhurt, wounded

    def _worn(self, unhurt: Floats, hurt: Floats) -> tuple[Floats, Floats]:
        """Apply step 8: a sandstorm takes 1 from everybody in it who has hit points left (PF-4)."""
        if not self.weather.any():
            return unhurt, hurt
        rows = self.weather
        lost, stand = hurt.copy(), unhurt.copy()
        worn = unhurt[..., rows, :] + hurt[..., rows, :]
        lost[..., rows, :-1] = worn[..., 1:]
        lost[..., rows, -1] = 0.0
        lost[..., rows, 0] += worn[..., 0]
        stand[..., rows, :] = 0.0
        return stand, lost

    def parted(self, routs: Floats, chains: Indices) -> Floats:
        """Return where parting shots move the routing armies; the destroyed are at 0 (PF-3.9)."""
        shots = [None if self._bodies[chain].captured else self._facings[chain].parting for chain in chains]
        blows = Tolls(shots, "whole", self.top)
        return np.asarray(blows(routs) + blows.missing * routs)

    def alone(self, phase: PassedPhase) -> tuple[Floats, Floats, Floats]:
        """Return the rest of the phase if the other army bled to death: falls, routs, stands."""
        stand, lost = self._worn(phase.begun, phase.begun_hurt)
        firm = lost * self.firm
        routs = lost - firm
        routs[:, 0] = firm[:, 0] = 0.0
        return lost[:, 0], routs, stand + firm


def _only_blows(fell: Floats, routs: Floats, left: Floats) -> PassedPhase:
    none = np.broadcast_to(0.0, left.shape)
    return PassedPhase(none, none, none[..., 0], fell, routs, none, left)


def one_after_the_other(records: Sequence[PassedPhase]) -> PassedPhase:
    """Concatenate the records of phases of only blows and rout (`Rows.plainly`)."""
    if len(records) == 1:
        return records[0]
    told = [(record.fell, record.struck, record.left) for record in records]
    return _only_blows(*map(np.concatenate, zip(*told, strict=True)))


def bled(masses: Floats, resisted: int) -> tuple[Floats, Floats]:
    """Apply one wound. Returns the masses that lose nothing by it and those that do (R-43)."""
    size = masses.shape[-1]
    spared, toll = _wound(resisted, size - 1)
    safe = spared * masses
    safe[..., 0] = masses[..., 0]
    return safe, toll(masses.reshape(-1, size)).reshape(masses.shape) if toll.hurts else np.zeros_like(masses)


@cache
def _wound(resisted: int, top: int) -> tuple[float, HarmToll]:
    """Return the chance that a wound does no damage, and its operator."""
    amounts = [max(0, face - resisted) for face in range(1, BLEED_DIE + 1)]
    return amounts.count(0) / BLEED_DIE, HarmToll(
        {amount: amounts.count(amount) / BLEED_DIE for amount in amounts}, top
    )


def raise_up(masses: Floats, amount: int, hp_max: int) -> None:
    """Apply healing up to the maximum (R-2)."""
    raised = np.zeros_like(masses)
    most = max(hp_max - amount, 0)
    if amount <= hp_max:
        raised[..., amount : hp_max + 1] = masses[..., : most + 1]
    raised[..., hp_max] += masses[..., most + (amount <= hp_max) :].sum(axis=-1)
    masses[...] = raised


def _alike[What](rows: Sequence[What]) -> list[tuple[Any, What]]:
    """Group the rows with equal values."""
    found: dict[What, list[int]] = {}
    for row, what in enumerate(rows):
        found.setdefault(what, []).append(row)
    return [(np.array(same), what) for what, same in found.items()]


def _column(values: Sequence[float]) -> Floats:
    return np.array(values)[:, None]


def _raising(rows: Sequence[Mending]) -> list[tuple[Any, Mending]]:
    return [(which, what) for which, what in _alike(rows) if what[0]]


def _firmness(bodies: Sequence[Chained], chances: Sequence[float], top: int) -> Floats:
    """Return by hit points the chance that an army that was hurt stays: 1 above its ACR (PF-3.9)."""
    points = np.arange(top + 1)
    acr = np.array([body.acr for body in bodies])[:, None]
    return np.where((points > 0) & (points <= acr), _column(chances), 1.0)
