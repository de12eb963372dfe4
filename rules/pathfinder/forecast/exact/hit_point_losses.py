"""Loss of hit points: the damage distribution of an Offense check, and its effect on many rows of hit points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from rules.pathfinder.battle.steps.strike import BARS, EXTRA_DIE, HIGHEST, Exchange, outcome

# Damage distribution of an Offense check, from the rules' own `outcome` of every face (PF-3.6, R-40, R-41).

type DamageChances = Mapping[int, float]


@dataclass(frozen=True, eq=False)
class Harm:
    """Damage distribution of an attack: `free` for faces that bar nothing, `barring` for a natural 1, `whole` for all.
    `free` and `barring` add up to 1. Equal distributions are the same object (`harm_of`).
    """

    free: DamageChances
    barring: DamageChances

    @cached_property
    def whole(self) -> DamageChances:
        damages = {*self.free, *self.barring}
        return {damage: self.free.get(damage, 0.0) + self.barring.get(damage, 0.0) for damage in damages}


_KNOWN: dict[tuple[object, ...], Harm] = {}
MOST_KNOWN = 4096


def harm_of(pair: Exchange) -> Harm:
    """Return the damage distribution of this pairing. Equal distributions are the same object."""
    key = _what_matters(pair)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[key] = _reckoned(pair)
    return found


def _what_matters(pair: Exchange) -> tuple[object, ...]:
    factors = tuple([factor[:2] for factor in pair.factors])
    dice = tuple([die.halved for die in pair.extra])
    return pair.om_total - pair.dv_total, bool(pair.spared), pair.bonus_total, factors, dice, pair.least


def _reckoned(pair: Exchange) -> Harm:
    """Compute the distribution. A face that misses rolls no further dice."""
    free: dict[int, float] = defaultdict(float)
    barring: dict[int, float] = defaultdict(float)
    extras = extra_chances(pair)
    for face in range(1, HIGHEST + 1):
        hits = face + pair.om_total > pair.dv_total
        into = barring if face == BARS else free
        for extra, chance in extras.items() if hits else ((0, 1.0),):
            into[outcome(pair, face, extra)] += chance / HIGHEST
    return Harm(dict(free), dict(barring))


def extra_chances(pair: Exchange) -> DamageChances:
    """Return the distribution of the total of a hit's further dice."""
    worths: dict[int, float] = defaultdict(float)
    for faces in product(range(1, EXTRA_DIE + 1), repeat=len(pair.extra)):
        worth = sum(die.worth(face) for die, face in zip(pair.extra, faces, strict=True))
        worths[worth] += 1.0 / EXTRA_DIE ** len(pair.extra)
    return worths


type Floats = npt.NDArray[np.float64]
type Indices = npt.NDArray[Any]
type TollPart = Literal["free", "barring", "whole"]

DENSE = 96  # hit points up to which one matrix is faster than a band of blocks


class HarmToll:
    """Operator on distributions of hit points: applies the damage of one attack."""

    def __init__(self, chances: DamageChances, top: int):
        self.hurts = any(chance for damage, chance in chances.items() if damage)
        self._top = top
        if not self.hurts:
            return
        most = min(max(chances), top)
        by_damage = np.zeros(most + 1)
        for damage, chance in chances.items():
            if damage:
                by_damage[min(damage, most)] += chance
        self._fells = np.zeros(top + 1)  # chance of losing all, by hit points
        reach = np.cumsum(by_damage[::-1])[::-1]
        self._fells[1 : most + 1] = reach[1:]
        self._block = top + 1 if top <= DENSE else max(most, 48)
        self._matrix = _band(by_damage, self._block, whole=top <= DENSE)

    def __call__(self, masses: Floats) -> Floats:
        """Return where the hit masses (rows × hit points) move; the fallen are at 0."""
        if self._top <= DENSE:
            hurt: Floats = masses @ self._matrix
        else:
            hurt = self._in_blocks(masses)
        hurt[:, 0] = masses @ self._fells
        return hurt

    @property
    def matrix(self) -> Floats:
        """Transition matrix: chances by hit points before (rows) and after (columns), up to `DENSE` hit points."""
        matrix = self._matrix.copy()
        matrix[:, 0] = self._fells
        return matrix

    def _in_blocks(self, masses: Floats) -> Floats:
        rows, size = masses.shape
        block = self._block
        count = -(-size // block)
        padded = np.zeros((rows, (count + 1) * block))
        padded[:, :size] = masses
        folded = padded.reshape(rows, count + 1, block)
        windows = np.concatenate((folded[:, :-1], folded[:, 1:]), axis=2)
        moved = windows.reshape(rows * count, 2 * block) @ self._matrix
        return moved.reshape(rows, count * block)[:, :size].copy()


TOGETHER = 8  # rows with the same blow from which its own matrix is faster than a band for all rows


class _Cost(NamedTuple):
    """Chance of each damage from 1 up to below `top`, and by hit points from 1 the chance of losing all."""

    by_damage: Floats
    fells: Floats
    hurts: bool


NONE = _Cost(np.zeros(0), np.zeros(0), hurts=False)


@lru_cache(maxsize=2048)
def _cost_of(harm: Harm, part: TollPart, top: int) -> _Cost:
    chances: DamageChances = getattr(harm, part)
    fells = np.zeros(top)
    by_damage = np.zeros(max([damage for damage in chances if damage < top], default=0))
    for damage, chance in chances.items():
        if damage:
            fells[: min(damage, top)] += chance
            if damage < top:
                by_damage[damage - 1] = chance
    return _Cost(by_damage, fells, hurts=bool(fells.any()))


class Tolls:
    """Operator on many rows of hit points, each with its own attack or None. Rows may have the same attack.

    `hurt`: whether any row may lose something. `missing`: by row, the chance of no damage. `fells`: by row and hit
    points, the chance of losing all.
    """

    def __init__(self, harms: Sequence[Harm | None], part: TollPart, top: int):
        self._part: TollPart = part
        self._top = top
        places: dict[Harm | None, int] = {}
        self._which = np.array([places.setdefault(harm, len(places)) for harm in harms])
        self._harms = list(places)
        self._costs = [NONE if harm is None else _cost_of(harm, part, top) for harm in self._harms]
        self.hurt = any(cost.hurts for cost in self._costs)
        nothing = 0.0 if part == "barring" else 1.0  # without an attack nobody is barred
        missing = [nothing if harm is None else getattr(harm, part).get(0, 0.0) for harm in self._harms]
        self.missing = np.array(missing)[self._which][:, None]

    @cached_property
    def fells(self) -> Floats:
        fells = np.zeros((len(self._costs), self._top + 1))
        for number, cost in enumerate(self._costs):
            fells[number, 1 : len(cost.fells) + 1] = cost.fells
        return np.asarray(fells[self._which])

    def __call__(self, masses: Floats) -> Floats:
        """Return where the hit masses move, for any number of phases (… × rows × hit points); the fallen are at 0."""
        if len(self._groups) == 1 and len(self._groups[0][0]) == masses.shape[-2]:
            return self._groups[0][1](masses.reshape(-1, masses.shape[-1])).reshape(masses.shape)
        hurt = np.zeros_like(masses)
        for rows, toll in self._groups:
            some = masses[..., rows, :]
            hurt[..., rows, :] = toll(some.reshape(-1, some.shape[-1])).reshape(some.shape)
        return hurt

    def matrices(self) -> Floats:
        """Return for each row its transition matrix (`HarmToll.matrix`), up to `DENSE` hit points."""
        found = np.zeros((len(self._which), self._top + 1, self._top + 1))
        for rows, toll in self._groups:
            found[rows] = toll.matrix
        return found

    @cached_property
    def each(self) -> Callable[[Floats], Floats]:
        """Fastest operator for one phase: a matrix for equal rows, or a band for all rows."""
        if len(self._groups) * TOGETHER > len(self._which) and self._top <= DENSE:
            return _Windows(self._by_damage, self.fells)
        return self

    def costing(self, values: Floats) -> Floats:
        """Return the expected value after a blow, given a value for each number of hit points (rows × hit points).
        Falling counts 0.
        """
        most = self._by_damage.shape[1]
        before = np.concatenate((np.zeros((len(values), most)), values[:, :-1]), axis=1)
        before[:, most] = 0.0
        return np.asarray(np.einsum("rhd,rd->rh", sliding_window_view(before, most, axis=1), self._by_damage[:, ::-1]))

    @cached_property
    def _by_damage(self) -> Floats:
        """Chances by rows and damage from 1 up."""
        by_damage = np.zeros((len(self._costs), max([1, *(len(cost.by_damage) for cost in self._costs)])))
        for number, cost in enumerate(self._costs):
            by_damage[number, : len(cost.by_damage)] = cost.by_damage
        return np.asarray(by_damage[self._which])

    @cached_property
    def _groups(self) -> list[tuple[Any, HarmToll]]:
        """Rows with equal blows that may hurt, for one operator each."""
        return [
            (np.flatnonzero(self._which == number), toll_of(harm, self._part, self._top))
            for number, (harm, cost) in enumerate(zip(self._harms, self._costs, strict=True))
            if harm is not None and cost.hurts
        ]


class _Windows:
    """Operator for rows that all have different blows."""

    def __init__(self, by_damage: Floats, fells: Floats):
        rows, top = fells.shape[0], fells.shape[1] - 1
        most = by_damage.shape[1]
        self._by_damage, self._fells = by_damage, fells
        self._room = np.zeros((rows, top + 1 + most))
        self._windows = sliding_window_view(self._room[:, 1:], most, axis=1)[:, : top + 1]

    def __call__(self, masses: Floats) -> Floats:
        self._room[:, : masses.shape[1]] = masses
        hurt: Floats = np.einsum("rhd,rd->rh", self._windows, self._by_damage)
        hurt[:, 0] = np.einsum("rh,rh->r", masses, self._fells)
        return hurt


def _band(by_damage: Floats, block: int, *, whole: bool) -> Floats:
    """Return the matrix that moves a window of hit points to its first block, with each damage by its chance."""
    before = np.arange(block if whole else 2 * block)[:, None]
    damage = before - np.arange(block)
    known = np.append(by_damage, 0.0)
    return np.asarray(known[np.where((damage > 0) & (damage < len(by_damage)), damage, -1)])


@lru_cache(maxsize=1024)
def toll_of(harm: Harm, part: TollPart, top: int) -> HarmToll:
    return HarmToll(getattr(harm, part), top)
