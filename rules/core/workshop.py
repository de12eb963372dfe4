"""Workshop protocol: what decides a battle that nobody fights, and what would make it even, under any law.

A *question* is the law's own: two sides, the ground, and what each army does from the first blow on. The law says what
can be taken out of it and what can be turned by steps; every answer is the forecast of the question changed like that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.errors import refuse
from rules.core.odds import Winning
from rules.core.text import Said, _

NO_SUCH = _("This ruleset can’t calculate odds outside a battle.")

type Evaluator = Callable[[Sequence[Any]], Sequence[Winning | None]]
"""Who wins these questions, at once."""

EVEN, FAR = 0.5, 0.25
"""One half, and what is too far from it to be called even."""
NOTHING = 0.0005
"""A change of the chance to win below this is none: it would read 0.0 points."""


class Lever(NamedTuple):
    """Something of the question that can be taken out: `without` is the question without it.

    `army`: whose it is, "" for what is nobody's. `note`: what it does, in a sentence.
    """

    slug: str
    army: str
    name: Said
    note: Said
    without: Any


class Dial(NamedTuple):
    """Something of the question that can be turned by whole steps from `least` to `most`; `now` is where it stands.

    `at` gives the question with it at a step. Chances rise or fall with the steps, never first one and then the other.
    `says`: what it is at a step, in a sentence without the chance.
    """

    slug: str
    army: str
    now: int
    least: int
    most: int
    at: Callable[[int], Any]
    says: Callable[[int], Said]


class Decisive(NamedTuple):
    """What a lever does to the chance that the first side wins: with it less without it."""

    slug: str
    army: str
    name: Said
    note: Said
    points: float


class Even(NamedTuple):
    """A step that makes the battle as even as this dial can. `win`: the chance of the first side then.

    `other`: its chance one step on, on the other side of one half.
    """

    slug: str
    army: str
    said: Said
    win: float
    other: float


class WorkshopLaw:
    """What a law says in the workshop. This one says nothing."""

    known = False
    """Whether it says anything."""
    thrown, swept = 4000, 1000
    """As many battles are thrown for each change, and for each pair of many, of one that cannot be reckoned."""
    at_once = 250
    """Pairs in a piece of work: enough to be reckoned together, few enough to see it move."""
    most_pairs = 20_000
    """As many are met at once at most."""

    def question(self, opening: Any, bearings: Mapping[str, Any]) -> Any:
        """What is asked of this opening (of `BattleLaw`), and of what armies do from the first blow on."""
        refuse(NO_SUCH)

    def check(self, question: Any) -> None:
        """Raises `InvalidInput` or `IllegalCommand` for one that cannot be."""

    def begun(self, question: Any) -> Any:
        """The battle of it, where its first blows are about to fall (a state of `BattleLaw`). Never refuses."""
        refuse(NO_SUCH)

    def meetings(self, first: Any, others: Sequence[Any], field: Any) -> Sequence[Any]:
        """The battle of this army, as it stands, against each of those, on such a field: documents of armies."""
        refuse(NO_SUCH)

    def levers(self, question: Any) -> Sequence[Lever]:
        return ()

    def dials(self, question: Any) -> Sequence[Dial]:
        return ()


NO_WORKSHOP = WorkshopLaw()


def decides(levers: Sequence[Lever], win: float, ask: Evaluator) -> tuple[Decisive, ...]:
    """What these do to a battle whose first side wins with this chance, the most decisive first."""
    answers = ask([lever.without for lever in levers])
    causes = [
        Decisive(lever.slug, lever.army, lever.name, lever.note, win - first_wins(answer))
        for lever, answer in zip(levers, answers, strict=True)
        if answer is not None
    ]
    return tuple(sorted(causes, key=lambda cause: -abs(cause.points)))


def evens(dials: Sequence[Dial], win: float, ask: Evaluator) -> tuple[Even, ...]:
    """The step of each dial that brings the chance of the first side nearest to one half.

    Left out: dials that cannot bring it to the other side of one half, those whose nearest step is where they are, and
    those whose steps are so great that none comes near.
    """
    spans = _ends(dials, win, ask)
    while open_ones := [span for span in spans if span.high - span.low > 1]:
        answers = ask([span.dial.at(span.middle) for span in open_ones])
        for span, answer in zip(open_ones, answers, strict=True):
            span.halve(first_wins(answer))
    found = [span.nearest() for span in spans]
    return tuple(even for even in found if even is not None)


def first_wins(winning: Winning | None) -> float:
    """The chance of the first side; of a battle that is over before it begins, none."""
    return 0.0 if winning is None else winning.wins[0]


class _Span:
    """Two steps of a dial with one half between their chances, brought together by bisection."""

    def __init__(self, dial: Dial, low: tuple[int, float], high: tuple[int, float]):
        self.dial = dial
        self.low, self.win_low = low
        self.high, self.win_high = high

    @property
    def middle(self) -> int:
        return (self.low + self.high) // 2

    def halve(self, win: float) -> None:
        """By the chance at its middle."""
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
    """From where each dial stands to whichever of its ends has one half in between."""
    ways = [(dial, end) for dial in dials for end in (dial.least, dial.most) if end != dial.now]
    answers = ask([dial.at(end) for dial, end in ways])
    return list(_straddling(zip(ways, answers, strict=True), win))


def _straddling(asked: Iterable[tuple[tuple[Dial, int], Winning | None]], win: float) -> Iterator[_Span]:
    for (dial, end), answer in asked:
        there = first_wins(answer)
        if (there < EVEN) != (win < EVEN):
            yield _Span(dial, *sorted([(dial.now, win), (end, there)]))
