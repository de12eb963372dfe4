"""The exact forecast of a battle between two armies (PF-3), where the law lets it be reckoned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from rules.odds import EXACT, AboutOdds, ArmyOdds, Length, Odds, SideOdds, Spread
from rules.pathfinder.battle.state.battle import (
    CAPTURED,
    DEFEATED,
    PHASES,
    ROUTED,
    TACTICS,
    ArmyInBattle,
    BattleState,
)

from .meeting import Duel, Ends, settle
from .standing import lasting_orders
from .tolls import Array
from .turns import Body, Course, Turn, body_of, courses
from .understood import NotUnderstood

WORK = 120_000_000
"""Of one answer, in the measure of `Rows.work`: an eighth of a second, about. A table is one answer."""
CELLS = 25
AT_ONCE = 128  # duels in one set of arrays


def exactly(state: BattleState, about: AboutOdds) -> Odds | None:
    """The odds from this state, orders given; None where they cannot be reckoned exactly."""
    return many((state,), about)[0]


def many(states: Iterable[BattleState], about: AboutOdds) -> list[Odds | None]:
    """The same for many battles at once, which is much quicker than one after the other."""
    cases = [_case(state, about) for state in states]
    tallies = [None if case is None else _Tally(case) for case in cases]
    for keys, ends in _settled(cases, about):
        for number, (case, course) in enumerate(keys):
            tally = tallies[case]
            assert tally is not None
            tally.add(ends, number, course)
    return [None if tally is None else tally.odds() for tally in tallies]


class _Case(NamedTuple):
    """A battle with the courses it may take; its two armies in attack order."""

    state: BattleState
    armies: tuple[ArmyInBattle, ArmyInBattle]
    courses: tuple[Course, ...]
    duels: tuple[Duel, ...]


def _case(state: BattleState, about: AboutOdds) -> _Case | None:
    if state.phase.kind not in (TACTICS, *PHASES) or about.retreats:
        return None
    field = state.on_field()
    if len(field) != 2 or field[0].side == field[1].side:
        return None
    bodies = body_of(state, field[0]), body_of(state, field[1])
    try:
        found = tuple(courses(state, lasting_orders(state)))
    except NotUnderstood:
        return None
    if not all(_within(body, found, side) for side, body in enumerate(bodies)):
        return None
    if not about.until.keys() <= state.armies.keys():
        return None
    until = tuple(about.until.get(army.id, -1) for army in field)
    duels = tuple(Duel(bodies, _with_wounds(bodies, course.turns), (until[0], until[1])) for course in found)
    return _Case(state, (field[0], field[1]), found, duels)


def _with_wounds(bodies: Iterable[Body], turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The first phase apart where it begins with other wounds than those that follow."""
    bleeds = any(body.bleeding for body in bodies) or any(facing.bleeds is not None for facing in turns[0])
    return (*turns, turns[0]) if bleeds and len(turns) == 1 else turns


def _within(body: Body, found: Iterable[Course], side: int) -> bool:
    """Healing was seen on an army with one hit point: one that may have bled to 0 before it is not that."""
    heals = any(turn[side].heal and turn[side].mend for course in found for turn in course.turns)
    return body.hp <= body.hp_max and not (body.bleeding and heals)


type _Indices = list[tuple[int, int]]


def _settled(cases: Sequence[_Case | None], about: AboutOdds) -> Iterable[tuple[_Indices, Ends]]:
    """Duels of like size together. Of each: which course of which case."""
    every = [(c, d) for c, case in enumerate(cases) if case is not None for d in range(len(case.duels))]
    size = {key: _size(cases, key) for key in every}
    every.sort(key=size.__getitem__)
    for start in range(0, len(every), AT_ONCE):
        keys = every[start : start + AT_ONCE]
        duels = [cases[c].duels[d] for c, d in keys]  # type: ignore[union-attr]
        yield keys, settle(duels, about.phases, WORK * max(1, len(duels) // CELLS))


def _size(cases: Sequence[_Case | None], key: tuple[int, int]) -> tuple[int, int]:
    case = cases[key[0]]
    assert case is not None
    duel = case.duels[key[1]]
    return len(duel.turns), max(body.hp_max for body in duel.bodies)


def _spread(chances: Array) -> Spread:
    left = np.flatnonzero(chances)
    return tuple(zip(left.tolist(), chances[left].tolist(), strict=True))


class _Tally:
    """The ends of one battle's courses, each with its weight."""

    def __init__(self, case: _Case):
        self.case = case
        self.win = np.zeros(2)
        self.mutual = self.undecided = 0.0
        self.health = [np.zeros(army.hp_max + 1) for army in case.armies]
        self.victory = [np.zeros(army.hp_max + 1) for army in case.armies]
        self.fates: dict[str, Array] = {}
        self.lengths = np.zeros(0)

    def add(self, ends: Ends, number: int, course: int) -> None:
        weight = self.case.courses[course].weight
        self.win += weight * ends.win[number]
        self.mutual += weight * float(ends.mutual[number])
        self.undecided += weight * float(ends.undecided[number])
        for side, health in enumerate(self.health):
            health += weight * ends.health[number, side, : len(health)]
            self.victory[side] += weight * ends.victory[number, side, : len(health)]
        for fate, chances in ends.fates.items():
            self.fates[fate] = self.fates.get(fate, np.zeros(2)) + weight * chances[number]
        lengths = weight * ends.lengths(number)
        longer = np.zeros(max(len(lengths), len(self.lengths)))
        longer[: len(lengths)] += lengths
        longer[: len(self.lengths)] += self.lengths
        self.lengths = longer

    def odds(self) -> Odds:
        state = self.case.state
        sides = tuple(self._side(index) for index in range(len(state.sides)))
        armies = {army.id: self._army(army) for army in state.armies.values()}
        return Odds(EXACT, 0.0, self.undecided, self.mutual, sides, armies, self._length())

    def _place(self, army: ArmyInBattle) -> int | None:
        return next((place for place, held in enumerate(self.case.armies) if held.id == army.id), None)

    def _army(self, army: ArmyInBattle) -> ArmyOdds:
        place = self._place(army)
        if place is None:
            return ArmyOdds(army.id, ((army.hp, 1.0),), {army.status: 1.0})
        fates = {fate: float(c[place]) for fate, c in self.fates.items() if c[place]}
        return ArmyOdds(army.id, _spread(self.health[place]), fates, _spread(self.victory[place]))

    def _side(self, index: int) -> SideOdds:
        held = next((army for army in self.case.armies if army.side == index), None)
        win = 0.0 if held is None else float(self.win[self._place(held) or 0])
        fled, destroyed = self._all(index, (ROUTED, CAPTURED)), self._all(index, (DEFEATED,))
        return SideOdds(self.case.state.sides[index].name, win, fled, destroyed, win, win)

    def _all(self, side: int, fates: Sequence[str]) -> float:
        """How likely every army of this side ends so, those that are gone already included."""
        chance = 1.0
        for army in self.case.state.armies.values():
            if army.side == side:
                place = self._place(army)
                ended = float(army.status in fates)
                chance *= ended if place is None else float(sum(self.fates[fate][place] for fate in fates))
        return chance

    def _length(self) -> Length:
        """Of the battles that are decided; 0 where none is."""
        decided = float(self.lengths.sum())
        if decided <= 0:
            return Length(0.0, 0)
        phases = np.arange(1, len(self.lengths) + 1)
        reached = np.cumsum(self.lengths) >= 0.9 * decided - 1e-12
        return Length(float(phases @ self.lengths) / decided, int(phases[np.argmax(reached)]))
