"""Many phases at once: by FFT for great armies, by repeated squaring of matrices for few chains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rules.pathfinder.forecast.exact.hit_point_losses import Floats, Harm, Indices
from rules.pathfinder.forecast.exact.markov_chains import Operator, Rows

type Waves = npt.NDArray[np.complex128]

GREAT = 1000  # hit points from which leaps are faster than steps
DUST = 1e-17  # less mass than this at one number of hit points is noise of the transform
STEPS = 32  # phases that are walked one by one


class Leaps:
    """Many phases of blows by FFT, for rows that are ready or barred. `edge` is the number of hit points at or below
    which a hurt army may leave; `reach` is the greatest damage of one blow.
    """

    def __init__(self, harms: Sequence[Harm | None], edges: Sequence[int]):
        self._harms = harms
        self.edge = max(edges)
        self.reach = max([1, *(max((*harm.free, *harm.barring)) for harm in harms if harm is not None)])
        self._known: dict[tuple[int, int], tuple[Waves, ...]] = {}

    def clear_of_the_edge(self, masses: Floats) -> int:
        """Return the number of phases in which none of these rows (× hit points) can reach the edge."""
        occupied = np.flatnonzero(masses.max(axis=0))
        return max(0, (int(occupied[0]) - self.edge - 1) // self.reach) if len(occupied) else 0

    def leap(self, ready: Floats, barred: Floats, count: int) -> tuple[Floats, Floats]:
        """Advance by this many phases, in which nobody reaches the edge."""
        size = ready.shape[1]
        length = 1 << (size - 1).bit_length()
        now, held = np.fft.rfft(ready, length), np.fft.rfft(barred, length)
        a, b, c, d = self._power(length, count)
        return _cleared(a * now + b * held, length, size), _cleared(c * now + d * held, length, size)

    def _power(self, length: int, count: int) -> tuple[Waves, ...]:
        """Return this many phases as a matrix for each frequency, from and to (ready, barred)."""
        found = self._known.get((length, count))
        if found is None:
            found = self._squared(length, count) if count > 1 else self._phase(length)
            if count & (count - 1) == 0:
                self._known[length, count] = found
        return found

    def _squared(self, length: int, count: int) -> tuple[Waves, ...]:
        half = self._power(length, count // 2)
        whole = _after(half, half)
        return _after(self._phase(length), whole) if count % 2 else whole

    def _phase(self, length: int) -> tuple[Waves, ...]:
        """Return one phase as a matrix for each frequency. The barred become ready; the ready become barred by a
        natural 1.
        """
        free, ones = np.zeros((len(self._harms), length)), np.zeros((len(self._harms), length))
        for row, harm in enumerate(self._harms):
            for into, chances in ((free, harm.free if harm else {0: 1.0}), (ones, harm.barring if harm else {})):
                for damage, chance in chances.items():
                    into[row, damage] += chance
        down, down_barred = np.conj(np.fft.rfft(free)), np.conj(np.fft.rfft(ones))
        return down, np.ones_like(down), down_barred, np.zeros_like(down)


def _after(then: tuple[Waves, ...], first: tuple[Waves, ...]) -> tuple[Waves, ...]:
    (a, b, c, d), (e, f, g, h) = then, first
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


def _together(near: Floats, far: Floats, edge: int) -> Floats:
    """Merge masses from 0 up with masses from the edge up."""
    masses = np.zeros((len(near), edge + far.shape[1]))
    masses[:, : near.shape[1]] = near
    masses[:, edge:] += far
    return masses


def _cleared(waves: Waves, length: int, size: int) -> Floats:
    masses = np.fft.irfft(waves, length)[:, :size]
    masses[masses < DUST] = 0.0
    return np.asarray(masses)


class Walk:
    """Walk through many phases of blows and rout. It records by phases and rows who stands, routs and falls. `near`
    holds the same rows for hit points from which the edge is reachable in a few steps.
    """

    def __init__(self, leaps: Leaps, near: Rows, count: int):
        self._leaps, self._near = leaps, near
        shape = count, near.count
        self.stands, self.routs, self.fell = np.zeros(shape), np.zeros(shape), np.zeros(shape)

    def all(self, ready: Floats, barred: Floats) -> tuple[Floats, Floats]:
        done, count = 0, len(self.stands)
        while done < count:
            stretch = min(1 << ((count - done).bit_length() - 1), count - done)
            ready, barred = self._stretch(ready, barred, stretch, done)
            done += stretch
        return ready, barred

    def _stretch(self, ready: Floats, barred: Floats, count: int, at: int) -> tuple[Floats, Floats]:
        """Advance by a power of two of phases. Masses far from the edge leap; the others go in two halves or step by
        step.
        """
        safe, size = self._leaps.edge + count * self._leaps.reach + 1, ready.shape[1]
        if safe >= size:
            return self._halves(ready, barred, count, at)
        edge = self._leaps.edge + 1
        far, far_barred = ready[:, edge:].copy(), barred[:, edge:].copy()
        far[:, : safe - edge] = far_barred[:, : safe - edge] = 0.0
        self.stands[at : at + count] += far.sum(axis=1) + far_barred.sum(axis=1)
        far, far_barred = self._leaps.leap(far, far_barred, count)
        left, left_barred = self._halves(ready[:, :safe], barred[:, :safe], count, at)
        return _together(left, far, edge), _together(left_barred, far_barred, edge)

    def _halves(self, ready: Floats, barred: Floats, count: int, at: int) -> tuple[Floats, Floats]:
        if count > STEPS:
            half = count // 2
            return self._stretch(*self._stretch(ready, barred, half, at), half, at + half)
        size, room = ready.shape[1], np.zeros((2, len(ready), self._near.top + 1))
        room[0, :, :size], room[1, :, :size] = ready, barred
        ready, barred, told = self._near.in_sums(room[0], room[1], count)
        for into, chances in zip((self.stands, self.routs, self.fell), told, strict=True):
            into[at : at + count] += chances
        return ready[:, :size], barred[:, :size]


# Repeated squaring, for many plain phases of few chains.
#
# A phase is one matrix on the pair (ready, barred). Its powers up to a stride give, for every phase of a stride at
# once, the chance that an army stands or falls. So only the beginnings of strides are walked.

DOUBLINGS = 3
STRIDE = 2**DOUBLINGS
LONG = 64  # phases from which squaring is faster than walking


class Power(NamedTuple):
    """Several plain phases of each chain, where a natural 1 does no damage.

    The matrix is [[P(n), c P(n-1)], [P(n-1), c P(n-2)]] on (ready, barred), with P(n) = M P(n-1) + c P(n-2) and c the
    chance of a natural 1. The polynomials are half the size of the matrix and commute.
    """

    last: Floats
    before: Floats
    earlier: Floats
    missed: Floats

    def after(self, told: Floats) -> Floats:
        """Apply these phases in front of results: chains × places × results."""
        size = self.last.shape[1]
        ready, barred = told[:, :size], self.missed * told[:, size:]
        found = np.empty_like(told)
        np.matmul(self.last, ready, out=found[:, :size])
        found[:, :size] += self.before @ barred
        np.matmul(self.before, ready, out=found[:, size:])
        found[:, size:] += self.earlier @ barred
        return found

    def squared(self) -> Power:
        missed, before = self.missed, self.before @ self.before
        last, earlier = self.last @ self.last, self.earlier @ self.earlier
        earlier *= missed
        earlier += before
        further = self.before @ (self.last + missed * self.earlier)
        before *= missed
        last += before
        return Power(last, further, earlier, missed)

    def whole(self) -> Floats:
        """Return the whole matrix."""
        rows, size = len(self.last), self.last.shape[1]
        whole = np.empty((rows, 2 * size, 2 * size))
        whole[:, :size, :size], whole[:, size:, :size] = self.last, self.before
        np.multiply(self.missed, self.before, out=whole[:, :size, size:])
        np.multiply(self.missed, self.earlier, out=whole[:, size:, size:])
        return whole


class Costly(NamedTuple):
    """Several plain phases of each chain as a whole matrix, where a natural 1 may do damage."""

    matrix: Floats

    def after(self, told: Floats) -> Floats:
        return np.asarray(self.matrix @ told)

    def squared(self) -> Costly:
        return Costly(self.matrix @ self.matrix)

    def whole(self) -> Floats:
        return self.matrix


def powers(operator: Operator) -> Iterator[Power | Costly]:
    """Yield 1, 2, 4, 8… plain phases."""
    power: Power | Costly = _single(operator)
    yield power
    if isinstance(power, Power):  # `Power` saves squaring the half that is zero or identity
        missed, every = power.missed, power.before
        power = Power(power.last @ power.last + missed * every, power.last, every, missed)
        yield power
    while True:
        power = power.squared()
        yield power


def _single(operator: Operator) -> Power | Costly:
    missed, size = operator.missed[:, :, None], operator.onward.shape[1]
    every = np.broadcast_to(np.eye(size), operator.onward.shape)
    single = Power(operator.onward, every, np.zeros_like(operator.onward), missed)
    if operator.by_ones is None:
        return single
    matrix = single.whole()
    matrix[:, :size, size:] += operator.by_ones
    return Costly(matrix)


class Strides:
    """Strides of rows in whose phases only blows and rout happen."""

    def __init__(self, rows: Rows):
        operator = rows.operator()
        told = operator.told  # chains × places × results of a phase, then of each that follows
        strides = powers(operator)
        for stride in islice(strides, DOUBLINGS):
            told = np.concatenate((told, stride.after(told)), axis=2)
        self._stride, self._told = next(strides).whole(), told

    def only(self, rows: Indices) -> Strides:
        found = object.__new__(Strides)
        found._stride, found._told = self._stride[rows], self._told[rows]
        return found

    def walk(self, ready: Floats, barred: Floats, count: int) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats]]:
        """Advance by a multiple of a stride. Returns the masses, and by phases and chains who
        stands, routs and falls.
        """
        begun = np.empty((count // STRIDE + 1, len(ready), 1, 2 * ready.shape[1]))
        begun[0, :, 0] = np.concatenate((ready, barred), axis=1)
        for now, then in pairwise(begun):
            np.matmul(now, self._stride, out=then)
        told = begun[:-1, :, 0].transpose(1, 0, 2) @ self._told  # chains × strides × phases of a stride
        told = told.reshape(len(ready), count, 3).transpose(1, 0, 2)
        end, size = begun[-1, :, 0], ready.shape[1]
        return end[:, :size].copy(), end[:, size:].copy(), (told[:, :, 0], told[:, :, 1], told[:, :, 2])
