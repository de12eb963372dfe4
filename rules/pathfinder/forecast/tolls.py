"""What blows take off hit points: many rows at once, the last axis the hit points, the fallen at 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from .blows import Chances, Harm

type Array = npt.NDArray[np.float64]
type Indices = npt.NDArray[Any]
type Part = Literal["free", "barring", "whole"]

DENSE = 96  # hit points up to which one matrix is quicker than a band of blocks


class Toll:
    """Takes damage off hit points: what is left, what falls to 0."""

    def __init__(self, chances: Chances, top: int):
        self.hurts = any(chance for damage, chance in chances.items() if damage)
        self._top = top
        if not self.hurts:
            return
        most = min(max(chances), top)
        by_damage = np.zeros(most + 1)
        for damage, chance in chances.items():
            if damage:
                by_damage[min(damage, most)] += chance
        self._fells = np.zeros(top + 1)  # by hit points: how likely one blow takes all of them
        reach = np.cumsum(by_damage[::-1])[::-1]
        self._fells[1 : most + 1] = reach[1:]
        self._block = top + 1 if top <= DENSE else max(most, 48)
        self._matrix = _band(by_damage, self._block, whole=top <= DENSE)

    def __call__(self, masses: Array) -> Array:
        """The masses (rows × hit points) of those who were hurt, where they come to; the fallen at 0."""
        if self._top <= DENSE:
            hurt: Array = masses @ self._matrix
        else:
            hurt = self._in_blocks(masses)
        hurt[:, 0] = masses @ self._fells
        return hurt

    def _in_blocks(self, masses: Array) -> Array:
        rows, size = masses.shape
        block = self._block
        count = -(-size // block)
        padded = np.zeros((rows, (count + 1) * block))
        padded[:, :size] = masses
        folded = padded.reshape(rows, count + 1, block)
        windows = np.concatenate((folded[:, :-1], folded[:, 1:]), axis=2)
        moved = windows.reshape(rows * count, 2 * block) @ self._matrix
        return moved.reshape(rows, count * block)[:, :size].copy()


class Tolls:
    """The same for rows of which each has blows of its own."""

    def __init__(self, harms: Sequence[Harm | None], part: Part, top: int):
        chances = [dict[int, float]() if harm is None else getattr(harm, part) for harm in harms]
        self._most = max((damage for row in chances for damage in row if damage < top), default=0)
        self._by_damage = np.zeros((len(harms), max(1, self._most)))
        self._fells = np.zeros((len(harms), top + 1))
        for number, row in enumerate(chances):
            for damage, chance in row.items():
                if damage:
                    self._fells[number, 1 : min(damage, top) + 1] += chance
                    if damage < top:
                        self._by_damage[number, damage - 1] = chance
        self._room = np.zeros((len(harms), top + 1 + max(1, self._most)))
        self._windows = sliding_window_view(self._room[:, 1:], max(1, self._most), axis=1)[:, : top + 1]

    def __call__(self, masses: Array) -> Array:
        self._room[:, : masses.shape[1]] = masses
        hurt: Array = np.einsum("rhd,rd->rh", self._windows, self._by_damage)
        hurt[:, 0] = np.einsum("rh,rh->r", masses, self._fells)
        return hurt


def _band(by_damage: Array, block: int, *, whole: bool) -> Array:
    """The matrix that takes a window of hit points to its first block, each damage off by its chance."""
    before = np.arange(block if whole else 2 * block)[:, None]
    damage = before - np.arange(block)
    known = np.append(by_damage, 0.0)
    return np.asarray(known[np.where((damage > 0) & (damage < len(by_damage)), damage, -1)])


@lru_cache(maxsize=1024)
def toll_of(harm: Harm, part: Part, top: int) -> Toll:
    return Toll(getattr(harm, part), top)
