"""Comparison of several battles that differ in something: the dice fall alike in all of them.

Whoever throws for the same thing for the same time throws the same in each, so that what differs between their chances
is what differs between them, and hardly luck. Many are fought at once where that can be done (`many`), those of
one shape together; those the engine fights itself are fewer, and their dice are laid out beforehand.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rules.breaking_point.battle.battle_state import COMMAND, ROUND, BattleNow
from rules.breaking_point.forecast.exact import exactly
from rules.breaking_point.forecast.many.outcomes import decided
from rules.breaking_point.forecast.simulate import MOST, play, rounds_of
from rules.breaking_point.forecast.tally import Ended, winning_of
from rules.core.dice import Roll
from rules.core.odds import AboutOdds, Winning

USUAL, BY_THE_ENGINE = 2000, 150
DEEP = 64  # faces of one owner and kind that are laid out; who needs more begins anew


class LaidOut:
    """Faces laid out before many battles, by owner and kind of roll."""

    def __init__(self, seed: int, battles: int):
        self._seed, self.battles = seed, battles
        self._rows: dict[tuple[str, str, int], list[list[int]]] = {}

    def of(self, owner: str, name: str, die: int, battle: int) -> list[int]:
        key = owner, name, die
        if key not in self._rows:
            named = hashlib.sha256(repr((self._seed, *key)).encode()).digest()
            faces = np.random.default_rng(int.from_bytes(named[:8], "big"))
            self._rows[key] = faces.integers(1, die + 1, (self.battles, DEEP)).tolist()
        return self._rows[key][battle]


class FromLaidOut:
    """The dice of one of these battles."""

    def __init__(self, laid_out: LaidOut, battle: int):
        self._laid_out, self._battle = laid_out, battle
        self._thrown: Counter[tuple[str, str]] = Counter()

    def roll(self, army: str, name: str, die: int) -> Roll:
        at = self._thrown[army, name]
        self._thrown[army, name] += 1
        return Roll(army, name, die, self._laid_out.of(army, name, die, self._battle)[at % DEEP])

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def compared(states: Sequence[BattleNow], about: AboutOdds) -> list[Winning | None]:
    """None where nothing is to be foretold. What can be reckoned exactly is."""
    found: list[Winning | None] = [None] * len(states)
    thrown: list[int] = []
    for at, state in enumerate(states):
        if state.phase.kind not in (COMMAND, ROUND):
            continue
        exact = exactly(state, about)
        if exact is None:
            thrown.append(at)
        else:
            found[at] = exact.winning
    for at, winning in zip(thrown, _thrown([states[at] for at in thrown], about), strict=True):
        found[at] = winning
    return found


def _thrown(states: Sequence[BattleNow], about: AboutOdds) -> Iterator[Winning]:
    battles = min(MOST, about.battles or USUAL)
    laid_out = LaidOut(about.seed, min(battles, BY_THE_ENGINE))
    for state, ends in zip(states, decided(states, about, battles, about.seed, rounds_of(about)), strict=True):
        yield winning_of(state, _played(state, about, laid_out) if ends is None else ends)


def _played(state: BattleNow, about: AboutOdds, laid_out: LaidOut) -> list[Ended]:
    return [play(state, about, FromLaidOut(laid_out, battle)) for battle in range(laid_out.battles)]
