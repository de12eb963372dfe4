"""Many plain phases of few chains by great strides: the matrix of one phase squared, and squared again.

Of a pair (ready, barred) a phase is one matrix. Its powers up to a stride tell of every phase of a stride at once how
likely an army still stands and how likely it falls, so only the beginnings of strides are walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from .chains import Operator, Rows
from .tolls import Array, Indices

DOUBLINGS = 3
STRIDE = 2**DOUBLINGS
LONG = 64  # phases from which on squaring is quicker than walking


def powers(operator: Operator) -> Iterator[Array]:
    """The matrix of 1, 2, 4, 8… plain phases, by chains and places (ready, barred)."""
    return _squares(operator) if operator.by_ones is not None else _polynomials(operator)


def _squares(operator: Operator) -> Iterator[Array]:
    """Where a natural 1 may cost something as well."""
    every = np.eye(operator.onward.shape[1])
    barring = operator.missed[:, :, None] * every + (0.0 if operator.by_ones is None else operator.by_ones)
    stride = _joined(operator.onward, barring, every, np.zeros_like(barring))
    while True:
        yield stride
        stride = stride @ stride


def _polynomials(operator: Operator) -> Iterator[Array]:
    """Where it costs nothing, n phases are [[P(n), c P(n-1)], [P(n-1), c P(n-2)]] with P(n) = M P(n-1) + c P(n-2): half
    as great matrices, which commute, to be multiplied.
    """
    missed, size = operator.missed[:, :, None], operator.onward.shape[1]
    last, every = operator.onward, np.broadcast_to(np.eye(size), operator.onward.shape)
    yield _joined(last, missed * every, every, np.zeros_like(last))
    last, before, earlier = last @ last + missed * every, last, every  # of two phases
    while True:
        yield _joined(last, missed * before, before, missed * earlier)
        squared = before @ before
        further = before @ (last + missed * earlier)
        earlier = squared + missed * (earlier @ earlier)
        last, before = last @ last + missed * squared, further


def _joined(ready: Array, barring: Array, ready_again: Array, still: Array) -> Array:
    """Of four blocks one matrix for each chain."""
    rows, size = len(ready), ready.shape[1]
    whole = np.empty((rows, 2 * size, 2 * size))
    whole[:, :size, :size], whole[:, :size, size:] = ready, barring
    whole[:, size:, :size], whole[:, size:, size:] = ready_again, still
    return whole


class Strides:
    """The strides of these rows, in whose phases nothing happens but blows and rout."""

    def __init__(self, rows: Rows):
        operator = rows.operator()
        told = operator.told  # chains × places × what is told of a phase, and of each that follows
        strides = powers(operator)
        for stride in islice(strides, DOUBLINGS):
            told = np.concatenate((told, stride @ told), axis=2)
        self._stride, self._told = next(strides), told

    def only(self, rows: Indices) -> Strides:
        found = object.__new__(Strides)
        found._stride, found._told = self._stride[rows], self._told[rows]
        return found

    def walk(self, ready: Array, barred: Array, count: int) -> tuple[Array, Array, tuple[Array, Array, Array]]:
        """Where so many phases, a multiple of a stride, lead; by phases and chains who stands, routs and falls."""
        begun = np.empty((count // STRIDE + 1, len(ready), 1, 2 * ready.shape[1]))
        begun[0, :, 0] = np.concatenate((ready, barred), axis=1)
        for now, then in pairwise(begun):
            np.matmul(now, self._stride, out=then)
        told = begun[:-1, :, 0].transpose(1, 0, 2) @ self._told  # chains × strides × phases of a stride
        told = told.reshape(len(ready), count, 3).transpose(1, 0, 2)
        end, size = begun[-1, :, 0], ready.shape[1]
        return end[:, :size].copy(), end[:, size:].copy(), (told[:, :, 0], told[:, :, 1], told[:, :, 2])
