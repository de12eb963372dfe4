"""Many plain phases of few chains by great strides: the matrix of one phase squared, and squared again.

Of a pair (ready, barred) a phase is one matrix. Its powers up to a stride tell of every phase of a stride at once how
likely an army still stands and how likely it falls, so only the beginnings of strides are walked.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from .chains import Rows
from .tolls import Array, Indices

DOUBLINGS = 4
STRIDE = 2**DOUBLINGS
LONG = 64  # phases from which on squaring is quicker than walking


class Strides:
    """The strides of these rows, in whose phases nothing happens but blows and rout."""

    def __init__(self, rows: Rows):
        stride, told = rows.operator()  # `told`: chains × places × what is told of a phase, and of each that follows
        for _doubling in range(DOUBLINGS):
            told = np.concatenate((told, stride @ told), axis=2)
            stride = stride @ stride
        self._stride, self._told = stride, told

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
