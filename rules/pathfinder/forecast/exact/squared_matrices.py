"""Squared matrices: many plain phases of few chains at once, the matrix of one phase squared again and again.

Of a pair (ready, barred) a phase is one matrix. Its powers up to a stride tell of every phase of a stride at once how
likely an army still stands and how likely it falls, so only the beginnings of strides are walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from rules.pathfinder.forecast.exact.hit_point_losses import Floats, Indices
from rules.pathfinder.forecast.exact.markov_chains import Operator, Rows

DOUBLINGS = 3
STRIDE = 2**DOUBLINGS
LONG = 64  # phases from which on squaring is quicker than walking


class Power(NamedTuple):
    """So many plain phases of each chain, where a natural 1 costs nothing: [[P(n), c P(n-1)], [P(n-1), c P(n-2)]] by
    (ready, barred), with P(n) = M P(n-1) + c P(n-2) and c how likely it misses so.

    The polynomials are half as great as the matrix and commute.
    """

    last: Floats
    before: Floats
    earlier: Floats
    missed: Floats

    def after(self, told: Floats) -> Floats:
        """What is told of the phases after these, seen from before them (chains × places × what is told)."""
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
        """The matrix itself."""
        rows, size = len(self.last), self.last.shape[1]
        whole = np.empty((rows, 2 * size, 2 * size))
        whole[:, :size, :size], whole[:, size:, :size] = self.last, self.before
        np.multiply(self.missed, self.before, out=whole[:, :size, size:])
        np.multiply(self.missed, self.earlier, out=whole[:, size:, size:])
        return whole


class Costly(NamedTuple):
    """The same where a natural 1 may cost something as well: the matrix."""

    matrix: Floats

    def after(self, told: Floats) -> Floats:
        return np.asarray(self.matrix @ told)

    def squared(self) -> Costly:
        return Costly(self.matrix @ self.matrix)

    def whole(self) -> Floats:
        return self.matrix


def powers(operator: Operator) -> Iterator[Power | Costly]:
    """Of 1, 2, 4, 8… plain phases."""
    power: Power | Costly = _single(operator)
    yield power
    if isinstance(power, Power):  # where the half of what would be squared is nothing or everything
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
    """The strides of these rows, in whose phases nothing happens but blows and rout."""

    def __init__(self, rows: Rows):
        operator = rows.operator()
        told = operator.told  # chains × places × what is told of a phase, and of each that follows
        strides = powers(operator)
        for stride in islice(strides, DOUBLINGS):
            told = np.concatenate((told, stride.after(told)), axis=2)
        self._stride, self._told = next(strides).whole(), told

    def only(self, rows: Indices) -> Strides:
        found = object.__new__(Strides)
        found._stride, found._told = self._stride[rows], self._told[rows]
        return found

    def walk(self, ready: Floats, barred: Floats, count: int) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats]]:
        """Where so many phases, a multiple of a stride, lead; by phases and chains who stands, routs and falls."""
        begun = np.empty((count // STRIDE + 1, len(ready), 1, 2 * ready.shape[1]))
        begun[0, :, 0] = np.concatenate((ready, barred), axis=1)
        for now, then in pairwise(begun):
            np.matmul(now, self._stride, out=then)
        told = begun[:-1, :, 0].transpose(1, 0, 2) @ self._told  # chains × strides × phases of a stride
        told = told.reshape(len(ready), count, 3).transpose(1, 0, 2)
        end, size = begun[-1, :, 0], ready.shape[1]
        return end[:, :size].copy(), end[:, size:].copy(), (told[:, :, 0], told[:, :, 1], told[:, :, 2])
