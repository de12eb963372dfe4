"""Phase after phase in arrays until every battle is over, or looked at no longer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import MELEE, Phase
from rules.pathfinder.battle.state.view import wearable
from rules.pathfinder.battle.steps.ends import numbered
from rules.pathfinder.forecast.many.battle_arrays import Happens, ManyBattles
from rules.pathfinder.forecast.many.blows import Fight, hold_and_trip
from rules.pathfinder.forecast.many.cast import Cast
from rules.pathfinder.forecast.many.fates import ManyDice, after_parting, defeats, end, routs, weather, winners
from rules.pathfinder.forecast.many.moves import Attacks, give_up, linger, may_give_up, take_aim, taunt, withdraw
from rules.pathfinder.forecast.tally import UNDECIDED, Array, Thrown

# Siege engines at work in arrays.

WEARS = 4


def wear_down_walls(many: ManyBattles, plan: Attacks, dice: ManyDice) -> None:
    """Each engine takes 1d4 off the fortifications its army attacks in melee, one after the other."""
    for i in many.cast.everybody:
        for j in many.cast.foes[i] if many.cast.works_engines[i] else ():
            if many.cast.around[j]:
                far = plan.keeps(i, j)
                (where,) = (plan.against(i, j) if far is None else plan.against(i, j) & ~far).nonzero()
                _wear(many, j, where, _thrown(many, dice, i, j, where))


def _thrown(many: ManyBattles, dice: ManyDice, i: int, j: int, where: Array) -> Array:
    """The sum of a die for each engine; no more are thrown than could wear everything through."""
    forts = many.cast.forts
    enough = sum(wearable(forts[place]) for place in many.cast.around[j])
    held = many.engines[i, where] if many.can.disarms else np.full(where.size, many.cast.armies[i].engines)
    engines = np.minimum(held, enough)
    faces = dice.generator.integers(1, WEARS + 1, size=(int(engines.max(initial=0)), where.size), dtype=np.int16)
    counted = np.arange(faces.shape[0])[:, None] < engines
    worn: Array = (faces * counted).sum(axis=0, dtype=np.int16)
    return worn


def _wear(many: ManyBattles, j: int, where: Array, left: Array) -> None:
    """What wears one fortification through goes on to the next around the same army."""
    for place in many.cast.around[j]:
        worn = np.minimum(left, wearable(many.cast.forts[place]) - many.worn[place, where])
        many.worn[place, where] += worn
        left = left - worn


NEXT = (("barred", "barred_next"), ("afraid", "afraid_next"))
CROWD = 16
"""So many armies cost twice each, for each has as many more to look at."""
HAPPENING = 8
"""So many things that can happen cost as much again."""
COSTS_AS = 1500
"""Calls on arrays cost as much as this many more battles would."""
STRAGGLERS = 50
"""Where one in so many goes on, it is not waited for any longer than the work allows; for more, twice as long."""


def weight(cast: Cast, can: Happens) -> float:
    """What moving one of these armies costs against moving one of two plain ones."""
    return (1 + sum(can) / HAPPENING) * (1 + len(cast.ids) / CROWD)


class Over(NamedTuple):
    """Battles that ended together, as `Thrown` has them, and which they are."""

    column: Array
    hp: Array
    fates: Array
    winners: Array
    phases: Array


class Thrower:
    """Throws battles that all stand after step 4 of their first phase. `worked`: plain armies moved, in all battles."""

    def __init__(self, many: ManyBattles, about: AboutOdds, dice: ManyDice):
        self.many, self.about, self.dice = many, about, dice
        self.retreats = may_give_up(many, about)
        self.weight = weight(many.cast, many.can)
        self.fought = 0
        self.worked = 0
        self.begun = many.count
        self.over: list[Over] = []

    def throw(self, phases: int, work: float) -> Thrown:
        """At most so many phases, and no new one once so much work is done."""
        self._fight()
        while self.many.count and self.fought < phases and self.worked < self._allowed(work):
            self._next_phase()
            self._prepare()
            self._fight()
        self._store(np.ones(self.many.count, bool), np.full(self.many.count, UNDECIDED, np.int8))
        return self._in_order()

    def _in_order(self) -> Thrown:
        """All battles, in the order in which they were begun."""
        column, hp, fates, winners, phases = (np.concatenate(part, axis=-1) for part in zip(*self.over, strict=True))
        place = np.empty_like(column)
        place[column] = np.arange(column.size)
        rows = [array.take(place, axis=-1) for array in (hp, fates, winners, phases)]
        return Thrown(tuple(self.many.cast.ids), *rows)

    def _allowed(self, work: float) -> float:
        return work if self.many.count * STRAGGLERS < self.begun else 2 * work

    def _prepare(self) -> None:
        """Steps 1 to 4 without a new order."""
        many, before = self.many, self.many.hp.copy() if self.retreats else self.many.hp
        linger(many, self.dice)
        if self.retreats:
            give_up(many, self.retreats, self.fought, before)
        take_aim(many)

    def _fight(self) -> None:
        """From step 5 to the end of the phase."""
        many, dice = self.many, self.dice
        if many.can.taunts:
            taunt(many, dice)
        plan = Attacks(many)
        if many.can.withdraws:
            withdraw(many, plan, dice)
        if many.can.besieges and many.melee:
            wear_down_walls(many, plan, dice)
        if many.can.holds and many.melee:
            hold_and_trip(many, plan)
        fight = Fight(many, plan, dice)
        fight.attack()
        fight.frighten()
        if many.can.storms:
            weather(many)
        defeats(many)
        if routed := routs(many, dice):
            fight.part(routed)
            after_parting(many, routed)
        end(many)
        self._close()

    def _close(self) -> None:
        """The phase is over: battles that are too are put away."""
        many = self.many
        self.fought += 1
        self.worked += int((many.count + COSTS_AS) * len(many.cast.ids) * self.weight)
        done, won = self._decided()
        for army, health in self.about.until.items():
            if (place := many.cast.place.get(army)) is not None:
                done |= many.hp[place] <= health
        if np.count_nonzero(done):
            self._store(done, won)
            many.keep(~done)

    def _decided(self) -> tuple[Array, Array]:
        """Where the battle is over, and who won: nowhere but where somebody's fate has changed."""
        many = self.many
        won = np.full(many.count, UNDECIDED, np.int8)
        (where,) = many.changed.nonzero()
        if where.size:
            won[where] = winners(many, where)
            many.changed[where] = False
        return won != UNDECIDED, won

    def _store(self, done: Array, won: Array) -> None:
        many, ended = self.many, np.flatnonzero(done)
        hp, fates = many.hp.take(ended, axis=-1), many.fate.take(ended, axis=-1)
        phases = np.full(ended.size, self.fought, np.int32)
        self.over.append(Over(many.column.take(ended), hp, fates, won.take(ended), phases))

    def _next_phase(self) -> None:
        many = self.many
        if many.melee:
            many.melees = [number + 1 for number in many.melees]
        before = many.phase
        many.phase = (
            Phase(MELEE, before.number + 1, before.tick + 1)
            if many.melee
            else numbered((*many.cast.battle.phases, before), MELEE, before.tick + 1)
        )
        many.begin()
        for now, later in NEXT:
            if now in many.names:
                setattr(many, now, getattr(many, later))
                setattr(many, later, np.zeros_like(getattr(many, now)))
        if many.can.frightens:
            many.barred = many.barred | many.afraid
        many.forget()
