"""Tasks for another process: a function's dotted name and pure values as its arguments. Also odds from played battles,
divided into such tasks, and questions of the workshop.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import Any, NamedTuple

from rules.battle_law import FIGHTING, OMNISCIENT, Viewer
from rules.core.odds import (
    SIMULATED,
    AboutOdds,
    ArmyOdds,
    Length,
    Method,
    Odds,
    OddsTable,
    PlayedBattle,
    PlayedSide,
    PlayedSlice,
    SideOdds,
    Spread,
    Winning,
    half_width,
)
from rules.core.text import Said, _
from rules.core.workshop import Decisive, Evaluator, Even, decides, evens, first_wins
from rules.law import Law
from rules.odds.viewer_forecast import FieldNow, prepare
from rules.registry import ruleset

# Tasks for another process: a function's dotted name and pure values as its arguments.

NICE = 5
"""Niceness of a worker process, so that pages go first."""


ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Environment variables that keep numpy to one core. Other processes use the other cores, and waiting for a busy core
costs more than sharing a matrix product gains.
"""


class Task(NamedTuple):
    """Task. `key` identifies the question: equal keys have equal answers."""

    function: str
    arguments: tuple[Any, ...]
    key: str = ""


def perform(function: str, arguments: tuple[Any, ...]) -> Any:
    return _found(function)(*arguments)


def perform_anywhere(laws: Sequence[str], function: str, arguments: tuple[Any, ...]) -> Any:
    """Perform a task in a foreign process, which may not know the laws yet."""
    prepare(laws)
    return perform(function, arguments)


# a task that nobody waits for any more
class GivenUp(BaseException):
    """Raised in a cancelled task: its result is no longer wanted."""


PLACES = 1024
"""Tasks that a board can tell apart at one time."""


class Board:
    """Shared memory of the server and its worker processes: which process works on which task, and which tasks are
    cancelled. Task numbers start at 1 and increase.
    """

    def __init__(self, context: SpawnContext):
        self._workers = context.RawArray("q", PLACES)
        self._given_up = context.RawArray("q", PLACES)

    def give_up(self, number: int, workers: Collection[int]) -> None:
        """Cancel a task. A worker that runs it stops; a worker that receives it later does not start it."""
        self._given_up[number % PLACES] = number
        worker = self._workers[number % PLACES]
        if worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, GIVE_UP)

    def is_given_up(self, number: int) -> bool:
        return bool(self._given_up[number % PLACES] == number)

    def begin(self, number: int) -> None:
        self._workers[number % PLACES] = os.getpid()

    def end(self, number: int) -> None:
        self._workers[number % PLACES] = 0


GIVE_UP = signal.SIGUSR1
_board: Board | None = None
_at_work = 0  # number of this process's current task


def perform_numbered(number: int, function: str, arguments: tuple[Any, ...]) -> Any:
    """Perform a task in a process set up by `settle`. Raises `GivenUp`, at any point, once the task is cancelled."""
    global _at_work
    act = _found(function)  # imported before a cancellation can interrupt the import
    assert _board is not None
    _board.begin(number)
    try:
        _at_work = number
        if _board.is_given_up(number):
            raise GivenUp
        return act(*arguments)
    finally:
        _at_work = 0
        _board.end(number)


def _break_off(_signal: int, _frame: object) -> None:
    global _at_work
    if _board is not None and _at_work and _board.is_given_up(_at_work):
        _at_work = 0
        raise GivenUp


@cache
def _found(function: str) -> Any:
    module, _dot, name = function.rpartition(".")
    return getattr(import_module(module), name)


def settle(laws: Iterable[str], board: Board) -> None:
    """Set up a worker process: register the laws, ignore Ctrl-C, break off cancelled tasks, and end with the parent."""
    global _board
    _board = board
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(GIVE_UP, _break_off)
    os.nice(NICE)
    for name in ONE_CORE:
        os.environ.setdefault(name, "1")  # numpy reads it when `prepare` imports it
    prepare(laws)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


# Odds from played battles: division into tasks, when to stop, and the result.
#
# A slice is one task for another process. The same question is always divided into the same slices.

SLICE = 10
"""Battles in one task: about a second of work."""
MOST = 400
"""Battles played for one question at most."""
MARGIN = 0.05
"""Largest error of a chance at which playing stops."""
MANY_OF_TEN = 0.9

PLAYED: Said = _("The computer plays both sides to the end, using only what each of them knows.")
BELIEVED: Said = _("Things you can’t see are drawn at random for each battle, or left out.")


class BattleRange(NamedTuple):
    """Range of a question's battles: the first number, and how many."""

    first: int
    battles: int


SLICES = tuple(BattleRange(first, min(SLICE, MOST - first)) for first in range(0, MOST, SLICE))


def play_slice(now: FieldNow, viewer: Viewer, seed: int, part: BattleRange) -> PlayedSlice:
    """Play these battles, using only what the viewer may know."""
    law = now.battle
    seen = law.seen(law.thaw(now.opening, now.frozen), viewer)
    return law.forecast.played(seen, viewer, seed, part.first, part.battles)


def in_order(found: Sequence[PlayedSlice | None]) -> tuple[PlayedSlice, ...]:
    """Return the slices that count: from the first on without a gap, up to the required certainty. So the answer does
    not depend on which slice was ready first.
    """
    kept: list[PlayedSlice] = []
    for part in found:
        if part is None or (kept and is_enough(kept)):
            break
        kept.append(part)
    return tuple(kept)


def suffices(found: Sequence[PlayedSlice | None]) -> bool:
    """Whether no more battles need to be played."""
    return is_enough(in_order(found))


def is_enough(parts: Sequence[PlayedSlice]) -> bool:
    """Whether every chance is certain enough (`MARGIN`)."""
    battles = _battles(parts)
    return bool(battles) and error_of(battles, len(parts[0].sides)) <= MARGIN


def error_of(battles: Sequence[PlayedBattle], sides: int) -> float:
    """Return the error of the sides' chances to win, as a fraction (0.02: ±2 %): half of the widest 95 % interval."""
    return max(half_width(_wins(battles, side), len(battles)) for side in range(sides))


def odds_from(parts: Sequence[PlayedSlice]) -> Odds | None:
    """Return the odds that these battles give; None without battles."""
    battles = _battles(parts)
    if not battles:
        return None
    sides, share = parts[0].sides, 1 / len(battles)
    return Odds(
        method=SIMULATED,
        error=error_of(battles, len(sides)),
        undecided=share * sum(not one.decided for one in battles),
        mutual=share * sum(one.decided and one.winner is None for one in battles),
        sides=tuple(_side(battles, number, side) for number, side in enumerate(sides)),
        armies={army: _army(battles, number, army) for number, side in enumerate(sides) for army in side.armies},
        phases=_length([one.turns for one in battles if one.decided]),
        assumed=(PLAYED,) if parts[0].sees_all else (PLAYED, BELIEVED),
        played=len(battles),
    )


def _battles(parts: Iterable[PlayedSlice]) -> list[PlayedBattle]:
    return [battle for part in parts for battle in part.battles]


def _wins(battles: Sequence[PlayedBattle], side: int) -> float:
    return sum(one.decided and one.winner == side for one in battles) / len(battles)


def _side(battles: Sequence[PlayedBattle], number: int, side: PlayedSide) -> SideOdds:
    """Return a side's chances. `destroyed`: none of it is left on the field. `rout`: some of it is left, but none of
    its armies fights on.
    """
    own, win = frozenset(side.armies), _wins(battles, number)
    gone = [not own & frozenset(one.standing) for one in battles]
    beaten = [all(one.fates.get(army) != FIGHTING for army in own) for one in battles]
    destroyed = sum(gone) / len(battles)
    rout = sum(lost and not none for lost, none in zip(beaten, gone, strict=True)) / len(battles)
    return SideOdds(side.name, win, rout, destroyed, low=win, high=win)


def _army(battles: Sequence[PlayedBattle], side: int, army: str) -> ArmyOdds:
    share = 1 / len(battles)
    fates = Counter(one.fates[army] for one in battles if army in one.fates)
    won = [one for one in battles if one.decided and one.winner == side]
    return ArmyOdds(
        army, _spread(battles, army, share), {fate: share * count for fate, count in sorted(fates.items())},
        _spread(won, army, share),
    )  # fmt: skip


def _spread(battles: Iterable[PlayedBattle], army: str, share: float) -> Spread:
    left = Counter(one.left[army] for one in battles if army in one.left)
    return tuple((health, share * count) for health, count in sorted(left.items()))


def _length(turns: Sequence[int]) -> Length:
    if not turns:
        return Length(0.0, 0)
    ordered = sorted(turns)
    return Length(sum(ordered) / len(ordered), ordered[min(len(ordered) - 1, int(MANY_OF_TEN * len(ordered)))])


# Questions of the workshop as pure values for another process, and their answers.


@dataclass(frozen=True, slots=True)
class Meeting:
    """Battle of two armies: the law's slug, the campaign's house rules, the opening and the armies' behaviour."""

    law: str
    house: Mapping[str, Any]
    opening: Any
    bearings: Mapping[str, Any]

    @property
    def by(self) -> Law:
        return ruleset(self.law, self.house)

    @property
    def question(self) -> Any:
        return self.by.workshop.question(self.opening, self.bearings)


class Explained(NamedTuple):
    """Decisive levers of a battle, and changes that would make it even. `error`: the statistical error of each chance
    behind them.
    """

    causes: tuple[Decisive, ...]
    evens: tuple[Even, ...]
    error: float = 0.0


def odds_of(meeting: Meeting, about: AboutOdds) -> Odds | None:
    law = meeting.by
    return law.battle.forecast.odds(law.workshop.begun(meeting.question), about, OMNISCIENT)


def table_of(meeting: Meeting, kind: str, row: str, column: str, about: AboutOdds) -> OddsTable | None:
    law = meeting.by
    state = law.workshop.begun(meeting.question)
    return law.battle.forecast.table(state, kind, row, column, about, OMNISCIENT)


def explained(meeting: Meeting, about: AboutOdds) -> Explained:
    law, question = meeting.by, meeting.question
    workshop = law.workshop
    ask = asking(law, replace(about, battles=about.battles or workshop.thrown))
    now = ask([question])[0]
    win, error = first_wins(now), 0.0 if now is None else now.error
    return Explained(decides(workshop.levers(question), win, ask), evens(workshop.dials(question), win, ask), error)


class Pairing(NamedTuple):
    """Result of one army against another. `phases` is the mean number of phases."""

    first: str
    second: str
    win: float
    lose: float
    mutual: float
    undecided: float
    phases: float
    method: Method
    error: float


@dataclass(frozen=True, slots=True)
class SweepPart:
    """Part of a sweep: one army against several, on a field. Armies are (id in the sweep, document)."""

    law: str
    house: Mapping[str, Any]
    first: tuple[str, Any]
    against: tuple[tuple[str, Any], ...]
    field: Any


def swept(part: SweepPart, about: AboutOdds) -> tuple[Pairing, ...]:
    """Return the results of all pairs that can be foretold."""
    return swept_together((part,), about)


def swept_together(parts: Sequence[SweepPart], about: AboutOdds) -> tuple[Pairing, ...]:
    """Return the results of several parts of one sweep. Batching makes each battle cheaper."""
    law = ruleset(parts[0].law, parts[0].house)
    names = [(part.first[0], other) for part in parts for other, _document in part.against]
    battles = [battle for part in parts for battle in _meetings(law, part)]
    found = law.battle.forecast.winners(battles, about, OMNISCIENT)
    pairs = zip(names, found, strict=True)
    return tuple(_pairing(first, other, winning) for (first, other), winning in pairs if winning is not None)


def _meetings(law: Law, part: SweepPart) -> Sequence[Any]:
    return law.workshop.meetings(part.first[1], [document for _name, document in part.against], part.field)


def _pairing(first: str, second: str, said: Winning) -> Pairing:
    one, two = said.wins
    return Pairing(first, second, one, two, said.mutual, said.undecided, said.phases.mean, said.method, said.error)


def mirrored(pairing: Pairing) -> Pairing:
    """Return the result as seen from the other army. Blows are simultaneous, so the order of the
    two does not matter.
    """
    return pairing._replace(
        first=pairing.second, second=pairing.first, win=pairing.lose, lose=pairing.win
    )  # fmt: skip


def asking(law: Law, about: AboutOdds) -> Evaluator:
    """Return a function that computes who wins questions of this law."""

    def ask(questions: Sequence[Any]) -> Sequence[Winning | None]:
        begun = [law.workshop.begun(question) for question in questions]
        return law.battle.forecast.winners(begun, about, OMNISCIENT)

    return ask
