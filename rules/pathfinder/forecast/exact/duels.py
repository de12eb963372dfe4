"""Two armies and the phases to come, and what there is to tell of how they end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, FIGHTING, ROUTED
from rules.pathfinder.forecast.exact.hit_point_losses import Floats, Indices
from rules.pathfinder.forecast.exact.markov_chains import Wounds
from rules.pathfinder.forecast.exact.transitions import Chained, Facing, Turn


class Duel(NamedTuple):
    """Two armies and the phases to come, the last of them for ever. `until`: at this health the look ends."""

    bodies: tuple[Chained, Chained]
    turns: tuple[Turn, ...]
    until: tuple[int, int] = (-1, -1)


class Chain(NamedTuple):
    """What one army of a duel goes through. Of equal keys, equal chains."""

    body: Chained
    facings: tuple[Facing, ...]
    until: int

    @property
    def key(self) -> object:
        return self.body._replace(id=""), self.facings, self.until

    def facing(self, number: int) -> Facing:
        """Of the phase of this number; the last is for ever."""
        return self.facings[min(number, len(self.facings) - 1)]

    def wounds(self, number: int) -> Wounds:
        """What is resisted of a wound of the phase before; the ability behind it is the same in every phase."""
        if number == 0:
            return self.body.bleeding
        return next(((facing.bleeds,) for facing in self.facings if facing.bleeds is not None), ())


def chains_of(duels: Sequence[Duel]) -> tuple[list[Chain], Indices]:
    """The chains these join, equal ones once, and of each duel which two."""
    places: dict[object, int] = {}
    chains: list[Chain] = []
    pairs = []
    for duel in duels:
        for side in (0, 1):
            chain = Chain(duel.bodies[side], tuple([turn[side] for turn in duel.turns]), duel.until[side])
            place = places.setdefault(chain.key, len(chains))
            if place == len(chains):
                chains.append(chain)
            pairs.append(place)
    return chains, np.array(pairs).reshape(-1, 2)


class Wins:
    """Who wins duels: `win`, `mutual`, `undecided`, `decided` phase by phase."""

    def __init__(self, count: int):
        self.win = np.zeros((count, 2))
        self.mutual = np.zeros(count)
        self.undecided = np.zeros(count)
        self.decided: list[tuple[Indices, Floats]] = []  # of which duels, phase by phase from where the last one ended

    def stay(self, which: Indices, masses: Floats) -> None:
        """Both stand where the look ends: of an array (phases × duels × sides × hit points) one meets the other."""
        standing = masses.sum(axis=3)
        self.undecided[which] += (standing[:, :, 0] * standing[:, :, 1]).sum(axis=0)

    def close(self) -> None:
        """All is told: from now on lengths can be asked for."""
        self._lengths = np.zeros((len(self.win), sum(len(chances) for _which, chances in self.decided)))
        begun = 0
        for which, chances in self.decided:
            self._lengths[which, begun : begun + len(chances)] = chances.T
            begun += len(chances)

    def lengths(self, duel: int) -> Floats:
        """How likely the duel is decided in each phase."""
        return np.asarray(self._lengths[duel])


class Ends(Wins):
    """What is left of the armies besides: `health` and `fates` of each; `victory`: the health of those who win."""

    def __init__(self, count: int, top: int):
        super().__init__(count)
        self.health = np.zeros((count, 2, top + 1))
        self.victory = np.zeros((count, 2, top + 1))
        self.fates = {fate: np.zeros((count, 2)) for fate in (FIGHTING, ROUTED, DEFEATED, CAPTURED)}

    def stay(self, which: Indices, masses: Floats) -> None:
        super().stay(which, masses)
        mine, other, size = masses[:, :, 0], masses[:, :, 1], masses.shape[3]
        self.health[which, 0, :size] += np.einsum("tnh,tn->nh", mine, other.sum(axis=2))
        self.health[which, 1, :size] += np.einsum("tnh,tn->nh", other, mine.sum(axis=2))
        both = mine.sum(axis=2) * other.sum(axis=2)
        self.fates[FIGHTING][which] += both.sum(axis=0)[:, None]


class Joined:
    """Duels side by side: which they are of all, and the two chains of each."""

    def __init__(self, which: Indices, pairs: Indices, chains: Sequence[Chain]):
        self.which, self.pairs = which, pairs
        self.until = np.array([chain.until for chain in chains])
        self.stays = np.array([chain.body.regenerates for chain in chains])[pairs]
        self.captured = np.array([chain.body.captured for chain in chains])[pairs]

    @cached_property
    def groups(self) -> list[list[tuple[int, Indices]]]:
        """Of each side the chains with the duels they are in."""
        return [_same(self.pairs[:, side]) for side in (0, 1)]

    def paired(self, chances: Floats) -> Floats:
        """Of phases × chains: by duels and sides."""
        return np.asarray(chances[:, self.pairs])


def _same(chains: Indices) -> list[tuple[int, Indices]]:
    """Each chain with the duels it is in."""
    return [(int(chain), np.flatnonzero(chains == chain)) for chain in np.unique(chains)]
