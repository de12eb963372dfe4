"""Chances of the stands a throw costs its target: by hits, by blocked retreat, and by fire (TF-1.9, 1.10, 1.14)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from rules.hexbattle.chances import ONE
from rules.thucidide_fantasy.battle.combat.retreat import flags_of, lights, way_back, way_out
from rules.thucidide_fantasy.battle.factors import FIRE_PROOF
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import bears
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, COLOURS, Throw, ThrowResult, losses, losses_and_flags

SPARED = 1 - Fraction(len(COLOURS), 6)
"""The chance that fire protection saves from a loss by fire (T-46)."""


def stands_of(state: FantasyState, piece: str) -> int:
    return state.units[piece].stands if piece in state.units else state.people[piece].left


def chances_of(state: FantasyState, made: Throw, target: str) -> tuple[Fraction, ...]:
    """The chance of each number of stands lost, from 0 up; losing all stands means destruction.

    The attacker stands where it attacks from.
    """
    stands, fire = stands_of(state, target), made.lights and lights(state, target, state.at(target), (ADVANTAGE,))
    if target not in state.units and not fire:
        return losses(made.dice, made.hits, made.confirms, stands)
    further = _Further(state, target, fire=fire)
    found = [Fraction(0)] * (stands + 1)
    for shown, chance in losses_and_flags(made.dice, made.hits, made.confirms, made.flags, stands).items():
        for lost, share in further.after(shown, stands):
            found[lost] += chance * share
    while not found[-1] and len(found) > made.dice + 1:
        found.pop()
    return tuple(found)


class _Further:
    """What happens to a target after the hits: retreat, then fire. `fire`: an advantage lights its hex."""

    def __init__(self, state: FantasyState, target: str, *, fire: bool):
        self._state, self._target, self._fire = state, target, fire
        self._burned = 1 - SPARED if fire and bears(state, target, FIRE_PROOF) else ONE
        self._back = cache(self._walks)

    def after(self, shown: ThrowResult, stands: int) -> Iterator[tuple[int, Fraction]]:
        """Each number of stands lost in the end, with its chance."""
        lost, moved = shown.lost, False
        if lost < stands and shown.flags and self._target in self._state.units:
            moved, blocked = self._back(shown.flags)
            lost = min(stands, lost + blocked)
        if lost == stands or moved or not (self._fire and shown.advantage):
            yield lost, ONE
        else:
            yield from self._burns(lost, stands)

    def _walks(self, shown: int) -> tuple[bool, int]:
        """Whether it leaves its hex by so many flags, and the number of blocked hexes."""
        left = flags_of(self._state, self._target, shown).left
        steps, blocked = way_back(self._state, self._target, left)
        return bool(steps), blocked

    def _burns(self, lost: int, stands: int) -> Iterator[tuple[int, Fraction]]:
        """It loses a stand and leaves the burning hex; a unit that can't is destroyed (T-19)."""
        yield from self._leaves(min(stands, lost + 1), stands, self._burned)
        if self._burned < ONE:
            yield from self._leaves(lost, stands, 1 - self._burned)

    def _leaves(self, lost: int, stands: int, chance: Fraction) -> Iterator[tuple[int, Fraction]]:
        state, target = self._state, self._target
        if lost == stands or target not in state.units or way_out(state, target, state.at(target)):
            yield lost, chance
            return
        yield stands, chance * self._burned
        if self._burned < ONE:
            yield lost, chance * (1 - self._burned)
