"""Who wins each of several battles that differ in something: the dice fall alike in all of them.

Whoever throws for the same thing for the same time throws the same in each, so that what differs between their chances
is what differs between them, and hardly luck. Many are fought at once where that can be done (`many`); those the engine
fights itself are fewer, and their dice are laid out beforehand.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rules.breaking_point.battle.state import COMMAND, ROUND, BattleNow
from rules.dice import Roll
from rules.odds import AboutOdds, Winning

from .exact import exactly
from .many.ends import fought
from .simulate import MOST, play, rounds_of
from .tally import odds_of

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
    battles = min(MOST, about.battles or USUAL)
    laid_out = LaidOut(about.seed, min(battles, BY_THE_ENGINE))
    return [_winning(state, about, battles, laid_out) for state in states]


def _winning(state: BattleNow, about: AboutOdds, battles: int, laid_out: LaidOut) -> Winning | None:
    if state.phase.kind not in (COMMAND, ROUND):
        return None
    exact = exactly(state, about)
    if exact is not None:
        return exact.winning
    ends = fought(state, about, battles, about.seed, rounds_of(about))
    if ends is None:
        ends = [play(state, about, FromLaidOut(laid_out, battle)) for battle in range(laid_out.battles)]
    return odds_of(state, ends).winning
