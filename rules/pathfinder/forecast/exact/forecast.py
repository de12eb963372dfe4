"""Exact forecast of a battle between two armies (PF-3), where the rules allow it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import batched, groupby
from typing import NamedTuple

import numpy as np

from rules.core.odds import EXACT, AboutOdds, ArmyOdds, Length, Odds, SideOdds, Spread, Winning
from rules.pathfinder.battle.state.battle_state import (
    CAPTURED,
    DEFEATED,
    PHASES,
    ROUTED,
    TACTICS,
    ArmyInBattle,
    BattleState,
)
from rules.pathfinder.forecast.exact.duels import Duel, Ends, Wins
from rules.pathfinder.forecast.exact.hit_point_losses import Floats
from rules.pathfinder.forecast.exact.many_phases import GREAT
from rules.pathfinder.forecast.exact.similar_pairs import Likenesses
from rules.pathfinder.forecast.exact.solver import settled, won
from rules.pathfinder.forecast.exact.supported import NotUnderstood
from rules.pathfinder.forecast.exact.transitions import Chained, Course, Turn, body_of, courses
from rules.pathfinder.forecast.standing import lasting_orders

WORK = 120_000_000
"""Work for one answer (a table is one), in units of `Rows.work`: about an eighth of a second."""
CELLS = 25
SHARE = 200  # hit points; larger armies get proportionally more work
AT_ONCE, GREAT_AT_ONCE = 128, 32  # duels in one set of arrays


def exactly(state: BattleState, about: AboutOdds) -> Odds | None:
    """Return the exact odds of this state with its orders, or None if they cannot be computed."""
    return many((state,), about)[0]


def many(states: Iterable[BattleState], about: AboutOdds) -> list[Odds | None]:
    """Return the exact odds of many battles at once, which is much faster than one by one."""
    cases = [_case(state, about, _courses) for state in states]
    tallies = [None if case is None else _Tally(case) for case in cases]
    for tally, course, ends, number in _each(tallies, settled, about):
        tally.add(course, ends, number)
    return [None if tally is None else tally.odds() for tally in tallies]


def winners(states: Iterable[BattleState], about: AboutOdds) -> list[Winning | None]:
    """Return who wins each of many battles, which is much faster than the full odds."""
    if about.until:
        return [None if odds is None else odds.winning for odds in many(states, about)]
    read = Likenesses().courses
    cases = [_case(state, about, read) for state in states]
    tallies = [None if case is None else _Wins(case) for case in cases]
    for tally, course, wins, number in _each(tallies, won, about):
        tally.add(course, wins, number)
    return [None if tally is None else tally.winning() for tally in tallies]


class _Case(NamedTuple):
    """Battle with its possible courses, and its two armies in attack order."""

    state: BattleState
    armies: tuple[ArmyInBattle, ArmyInBattle]
    courses: tuple[Course, ...]
    duels: tuple[Duel, ...]


def _courses(state: BattleState) -> list[Course]:
    return courses(state, lasting_orders(state))


def _case(state: BattleState, about: AboutOdds, read: Callable[[BattleState], list[Course]]) -> _Case | None:
    if state.phase.kind not in (TACTICS, *PHASES) or about.retreats:
        return None
    field = state.on_field()
    if len(field) != 2 or field[0].side == field[1].side:
        return None
    bodies = body_of(state, field[0]), body_of(state, field[1])
    try:
        found = tuple(read(state))
    except NotUnderstood:
        return None
    if not all(_within(body, found, side) for side, body in enumerate(bodies)):
        return None
    if not about.until.keys() <= state.armies.keys():
        return None
    until = tuple(about.until.get(army.id, -1) for army in field)
    duels = tuple(Duel(bodies, _with_wounds(bodies, course.turns), (until[0], until[1])) for course in found)
    return _Case(state, (field[0], field[1]), found, duels)


def _with_wounds(bodies: Iterable[Chained], turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Return the turns with a separate first one, if it starts with other wounds than the following ones."""
    bleeds = any(body.bleeding for body in bodies) or any(facing.bleeds is not None for facing in turns[0])
    return (*turns, turns[0]) if bleeds and len(turns) == 1 else turns


def _within(body: Chained, found: Iterable[Course], side: int) -> bool:
    """Whether the chain can hold the army. Healing was observed on an army with 1 hit point, so it is unknown for one
    that may have bled to 0.
    """
    heals = any(turn[side].heal and turn[side].mend for course in found for turn in course.turns)
    return body.hp <= body.hp_max and not (body.bleeding and heals)


type _Follow[E: Wins] = Callable[[Sequence[Duel], int | None, int], E]


def _each[T: _Wins, E: Wins](
    tallies: Sequence[T | None], follow: _Follow[E], about: AboutOdds
) -> Iterator[tuple[T, Course, E, int]]:
    """Yield every course of every battle with the result of its duel and its index there. Duels of equal kind and
    similar size are computed together.
    """
    every = [
        (tally, course, duel)
        for tally in tallies if tally is not None
        for course, duel in zip(tally.case.courses, tally.case.duels, strict=True)
    ]  # fmt: skip
    every.sort(key=lambda entry: _kind(entry[2]))
    for _kinds, alike in groupby(every, lambda entry: _kind(entry[2])[0]):
        few, great = _by_size(alike)
        for some in (*batched(few, AT_ONCE), *batched(great, GREAT_AT_ONCE)):
            ends = follow([duel for _tally, _course, duel in some], about.phases, _work(some[-1][2], len(some)))
            for number, (tally, course, _duel) in enumerate(some):
                yield tally, course, ends, number


def _by_size[T](entries: Iterable[tuple[T, Course, Duel]]) -> tuple[list[tuple[T, Course, Duel]], ...]:
    """Split duels into those of usual and those of great armies."""
    sizes: tuple[list[tuple[T, Course, Duel]], ...] = ([], [])
    for entry in entries:
        sizes[_size(entry[2]) >= GREAT].append(entry)
    return sizes


def _work(largest: Duel, count: int) -> int:
    return WORK * max(1, count // CELLS) * (_size(largest) // SHARE if _size(largest) >= GREAT else 1)


def _size(duel: Duel) -> int:
    return max(body.hp_max for body in duel.bodies)


def _kind(duel: Duel) -> tuple[bool, int, int]:
    """Return a sort key: whether only blows and rout can happen, the number of turns, and the size."""
    whole = not any(body.bleeding for body in duel.bodies)
    plain = whole and all(facing.plain for turn in duel.turns for facing in turn)
    return plain, len(duel.turns), _size(duel)


def _spread(chances: Floats) -> Spread:
    left = np.flatnonzero(chances)
    return tuple(zip(left.tolist(), chances[left].tolist(), strict=True))


class _Wins:
    """Winning chances of one battle: its courses, weighted by their probabilities."""

    def __init__(self, case: _Case):
        self.case = case
        self.win = np.zeros(2)
        self.mutual = self.undecided = 0.0
        self.lengths = np.zeros(0)

    def add(self, course: Course, ends: Wins, number: int) -> None:
        weight = course.weight
        self.win += weight * ends.win[number]
        self.mutual += weight * float(ends.mutual[number])
        self.undecided += weight * float(ends.undecided[number])
        lengths = weight * ends.lengths(number)
        longer = np.zeros(max(len(lengths), len(self.lengths)))
        longer[: len(lengths)] += lengths
        longer[: len(self.lengths)] += self.lengths
        self.lengths = longer

    def winning(self) -> Winning:
        wins = tuple(self._win(index) for index in range(len(self.case.state.sides)))
        return Winning(EXACT, 0.0, self.undecided, self.mutual, wins, self._length())

    def _win(self, side: int) -> float:
        return next((float(self.win[place]) for place, army in enumerate(self.case.armies) if army.side == side), 0.0)

    def _length(self) -> Length:
        """Return the length of decided battles; zeros if none is decided."""
        decided = float(self.lengths.sum())
        if decided <= 0:
            return Length(0.0, 0)
        phases = np.arange(1, len(self.lengths) + 1)
        reached = np.cumsum(self.lengths) >= 0.9 * decided - 1e-12
        return Length(float(phases @ self.lengths) / decided, int(phases[np.argmax(reached)]))


class _Tally(_Wins):
    """`_Wins` with what is left of the armies."""

    def __init__(self, case: _Case):
        super().__init__(case)
        self.health = [np.zeros(army.hp_max + 1) for army in case.armies]
        self.victory = [np.zeros(army.hp_max + 1) for army in case.armies]
        self.fates: dict[str, Floats] = {}

    def add(self, course: Course, ends: Wins, number: int) -> None:
        super().add(course, ends, number)
        assert isinstance(ends, Ends)
        weight = course.weight
        for side, health in enumerate(self.health):
            health += weight * ends.health[number, side, : len(health)]
            self.victory[side] += weight * ends.victory[number, side, : len(health)]
        for fate, chances in ends.fates.items():
            self.fates[fate] = self.fates.get(fate, np.zeros(2)) + weight * chances[number]

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
        win = self._win(index)
        fled, destroyed = self._all(index, (ROUTED, CAPTURED)), self._all(index, (DEFEATED,))
        return SideOdds(self.case.state.sides[index].name, win, fled, destroyed, win, win)

    def _all(self, side: int, fates: Sequence[str]) -> float:
        """Return the chance that every army of this side ends in one of these fates, armies already gone included."""
        chance = 1.0
        for army in self.case.state.armies.values():
            if army.side == side:
                place = self._place(army)
                ended = float(army.status in fates)
                chance *= ended if place is None else float(sum(self.fates[fate][place] for fate in fates))
        return chance
