"""Battles played by the engine itself, one after the other: for what the arrays do not hold."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np

from rules.core.dice import Roll
from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import TACTICS, BattleState, changed
from rules.pathfinder.battle.state.draft import APPLY, Draft
from rules.pathfinder.battle.steps.phase import resolve_phase, resolve_tactics
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.forecast.standing import lasting_orders, looked_enough, watched, withdrawing
from rules.pathfinder.forecast.tally import FATES, NOBODY, UNDECIDED, Thrown


class Seeded:
    """Dice that fall alike for the same seed; quick, and nobody's fortune hangs on them."""

    __slots__ = ("_random",)

    def __init__(self, seed: int):
        self._random = Random(seed).random

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, int(self._random() * die) + 1)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def resolved(battle: BattleState, dice: Seeded) -> BattleState:
    """The battle after this phase, as `decide` and `fold` leave it."""
    draft = Draft(battle)
    run = PhaseRun(draft, dice)
    (resolve_tactics if battle.phase.kind == TACTICS else resolve_phase)(run)
    closing = [event for event in draft.happened[-2:] if isinstance(event, e.PhaseEnded | e.PhaseBegan | e.BattleEnded)]
    for event in closing:  # told, not applied: `Draft.tell`
        APPLY[type(event)](draft, event)
    return draft.frozen()


def play(battle: BattleState, about: AboutOdds, dice: Seeded, most: int) -> tuple[BattleState, int]:
    """One battle until it is over or looked at no longer, and how many phases were fought."""
    standing, until, fought = lasting_orders(battle), watched(battle, about), 0
    while battle.result is None and fought < most and not (fought and looked_enough(until, battle)):
        fights = battle.phase.kind != TACTICS
        if fights and about.retreats:
            battle = withdrawing(battle, about, fought)
        battle = resolved(battle, dice)
        fought += fights
        if standing and battle.result is None:
            battle = changed(battle, orders=standing)
    return battle, fought


class Pace(NamedTuple):
    """How many battles are played: `asked`, or where that is None until so much work is done, and `fewest` at least."""

    asked: int | None
    fewest: int = 1
    work: int = 0

    def enough(self, played: int, worked: int) -> bool:
        return played >= self.asked if self.asked is not None else played >= self.fewest and worked >= self.work


def thrown_by_engine(battle: BattleState, about: AboutOdds, most: int, seed: int, pace: Pace) -> Thrown:
    """Battles of at most so many phases each. Work is armies moved."""
    dice, ids, worked = Seeded(seed), tuple(battle.armies), 0
    ends: list[tuple[BattleState, int]] = []
    while not pace.enough(len(ends), worked):
        ends.append(play(battle, about, dice, most))
        worked += max(1, ends[-1][1]) * len(ids)
    return Thrown(
        ids,
        np.array([[end.armies[army].hp for end, _fought in ends] for army in ids], np.int16),
        np.array([[FATES.index(end.armies[army].status) for end, _fought in ends] for army in ids], np.int8),
        np.array([_winner(end) for end, _fought in ends], np.int8),
        np.array([fought for _end, fought in ends], np.int32),
    )


def _winner(battle: BattleState) -> int:
    if battle.result is None:
        return UNDECIDED
    return NOBODY if battle.result.winner is None else battle.result.winner
