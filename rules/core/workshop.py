"""Workshop of hypothetical battles, under any law: what decides a battle, and what would make it even.

A *question* is a law's own value: two sides, the ground, and the behaviour of each army. The law lists what can be
removed from it (levers) or changed in steps (dials). Every answer is the forecast of a changed question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.errors import refuse
from rules.core.odds import Winning
from rules.core.text import Said, _

NO_SUCH = _("This ruleset can’t calculate odds outside a battle.")

type Evaluator = Callable[[Sequence[Any]], Sequence[Winning | None]]
"""Function that returns who wins each of these questions."""

EVEN, FAR = 0.5, 0.25
"""An even chance, and the distance from it that is too far to be called even."""
NOTHING = 0.0005
"""Smallest change of a chance that counts. Less would show as 0.0 points."""


class Lever(NamedTuple):
    """Feature of the question that can be removed; `without` is the question without it. `army` is its owner, or "".
    `note` says what it does.
    """

    slug: str
    army: str
    name: Said
    note: Said
    without: Any


class Dial(NamedTuple):
    """Number of the question that can be changed in whole steps from `least` to `most`; `now` is its value.

    `at` returns the question at a step. The chances must be monotonic in the steps. `says` describes a step in a
    sentence, without its chance.
    """

    slug: str
    army: str
    now: int
    least: int
    most: int
    at: Callable[[int], Any]
    says: Callable[[int], Said]


class Decisive(NamedTuple):
    """Effect of a lever: the first side's chance to win with it, minus the chance without it."""

    slug: str
    army: str
    name: Said
    note: Said
    points: float


class Even(NamedTuple):
    """Step of a dial that makes the battle most even. `win` is the first side's chance there; `other` is its chance one
    step further, beyond one half.
    """

    slug: str
    army: str
    said: Said
    win: float
    other: float


class WorkshopLaw:
    """Base of a law's workshop, which answers nothing."""

    known = False
    """Whether the law answers."""
    thrown, swept = 4000, 1000
    """Number of battles simulated for a change, and for a pair of a sweep, where no exact answer exists."""
    at_once = 250
    """Pairs in one task: enough to gain from batching, few enough to show progress."""
    most_pairs = 20_000
    """Most pairs in one sweep."""

    def question(self, opening: Any, bearings: Mapping[str, Any]) -> Any:
        """Return the question for an opening (of `BattleLaw`) and the armies' behaviour in the battle."""
        refuse(NO_SUCH)

    def check(self, question: Any) -> None:
        """Raise `InvalidInput` or `IllegalCommand` for an impossible question."""

    def begun(self, question: Any) -> Any:
        """Return the question's battle just before the first blows, as a state of `BattleLaw`. Never refuses."""
        refuse(NO_SUCH)

    def meetings(self, first: Any, others: Sequence[Any], field: Any) -> Sequence[Any]:
        """Return a battle of the first army against each of the others on this field. Armies are given by their
        documents.
        """
        refuse(NO_SUCH)

    def levers(self, question: Any) -> Sequence[Lever]:
        return ()

    def dials(self, question: Any) -> Sequence[Dial]:
        return ()


NO_WORKSHOP = WorkshopLaw()


def decides(levers: Sequence[Lever], win: float, ask: Evaluator) -> tuple[Decisive, ...]:
    """Return the effect of each lever on a battle that the first side wins with chance `win`, largest first."""
    answers = ask([lever.without for lever in levers])
    causes = [
        Decisive(lever.slug, lever.army, lever.name, lever.note, win - first_wins(answer))
        for lever, answer in zip(levers, answers, strict=True)
        if answer is not None
    ]
    return tuple(sorted(causes, key=lambda cause: -abs(cause.points)))


def evens(dials: Sequence[Dial], win: float, ask: Evaluator) -> tuple[Even, ...]:
    """Return for each dial the step that brings the first side's chance nearest to one half.

    Omitted are dials that cannot carry it across one half, those whose best step is the current one, and those whose
    steps are too coarse to come near.
    """
    spans = _ends(dials, win, ask)
    while open_ones := [span for span in spans if span.high - span.low > 1]:
        answers = ask([span.dial.at(span.middle) for span in open_ones])
        for span, answer in zip(open_ones, answers, strict=True):
            span.halve(first_wins(answer))
    found = [span.nearest() for span in spans]
    return tuple(even for even in found if even is not None)


def first_wins(winning: Winning | None) -> float:
    """Return the first side's chance; 0 for a battle that is over before it begins."""
    return 0.0 if winning is None else winning.wins[0]


class _Span:
    """Bracket of a dial: two steps whose chances lie on either side of one half, narrowed by bisection."""

    def __init__(self, dial: Dial, low: tuple[int, float], high: tuple[int, float]):
        self.dial = dial
        self.low, self.win_low = low
        self.high, self.win_high = high

    @property
    def middle(self) -> int:
        return (self.low + self.high) // 2

    def halve(self, win: float) -> None:
        """Move one end to the middle, given the chance there."""
        if (win < EVEN) == (self.win_low < EVEN):
            self.low, self.win_low = self.middle, win
        else:
            self.high, self.win_high = self.middle, win

    def nearest(self) -> Even | None:
        ends = sorted([(self.low, self.win_low), (self.high, self.win_high)], key=lambda end: abs(end[1] - EVEN))
        (step, win), (_step, other) = ends
        if step == self.dial.now or abs(win - EVEN) > FAR:
            return None
        return Even(self.dial.slug, self.dial.army, self.dial.says(step), win, other)


def _ends(dials: Sequence[Dial], win: float, ask: Evaluator) -> list[_Span]:
    """Return a bracket from each dial's current step to the end beyond one half, if there is one."""
    ways = [(dial, end) for dial in dials for end in (dial.least, dial.most) if end != dial.now]
    answers = ask([dial.at(end) for dial, end in ways])
    return list(_straddling(zip(ways, answers, strict=True), win))


def _straddling(asked: Iterable[tuple[tuple[Dial, int], Winning | None]], win: float) -> Iterator[_Span]:
    for (dial, end), answer in asked:
        there = first_wins(answer)
        if (there < EVEN) != (win < EVEN):
            yield _Span(dial, *sorted([(dial.now, win), (end, there)]))
