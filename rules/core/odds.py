"""Odds: the question about a battle's future, and the answer with how it was found.

A chance is a number from 0 to 1. Wins of all sides + `mutual` (nobody wins: nobody is left, or the law calls it a
draw) + `undecided` are 1. A health is the law's own measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from rules.core.text import Said

type Method = Literal["exact", "simulated"]
EXACT: Method = "exact"
SIMULATED: Method = "simulated"

type Spread = tuple[tuple[int, float], ...]
"""Of each health that can be left, how likely it is; in the order of health."""


class Retreat(NamedTuple):
    """From then on the army does what it can to leave: after so many phases, or at this health or below."""

    after: int | None = None
    health: int | None = None


@dataclass(frozen=True, slots=True)
class AboutOdds:
    """What is asked of a battle's future.

    `commands`: orders to be taken as given, in the place of those the battle holds for the same armies. `phases`: how
    many phases are looked ahead at most, None for as many as the work allows. `until`: where an army comes to this
    health or below, the look ends there. `retreats`: who leaves when, by army. `unknown`: what is made of orders the
    viewer may not know: each legal one as likely as any other ("average"), or the one that is worst for them ("worst").
    `carried_out`: the commands, and the orders the battle holds, are what was done in the end; nothing is supposed.
    `battles`: how many are thrown where the answer cannot be reckoned exactly, None for what a page can wait for;
    `seed` names the throw, so the same question has the same answer.
    """

    commands: tuple[Any, ...] = ()
    phases: int | None = None
    until: Mapping[str, int] = field(default_factory=dict)
    retreats: Mapping[str, Retreat] = field(default_factory=dict)
    unknown: Literal["average", "worst"] = "average"
    battles: int | None = None
    seed: int = 1
    carried_out: bool = False


class SideOdds(NamedTuple):
    """`win`: no enemy is left on the field and this side is. `rout`, `destroyed`: all of it ends like this.

    `low`, `high`: where a viewer does not know figures or orders, between what the chance to win lies.
    """

    name: str
    win: float
    rout: float
    destroyed: float
    low: float
    high: float


class ArmyOdds(NamedTuple):
    """`health`: what is left of it when the look ends, whatever became of it. `fates`: by the law's status slugs.

    `victory`: what is left of it where its side wins, as far as the law tells that apart; its chances add up to those.
    """

    army: str
    health: Spread
    fates: Mapping[str, float]
    victory: Spread = ()


class Length(NamedTuple):
    """How many phases are still to come until the battle is decided, where it is: mean, and for nine in ten."""

    mean: float
    p90: int


class Winning(NamedTuple):
    """Who wins, and no more of what `Odds` tell. `wins`: of each side its chance."""

    method: Method
    error: float
    undecided: float
    mutual: float
    wins: tuple[float, ...]
    phases: Length


@dataclass(frozen=True, slots=True)
class Odds:
    """The future of a battle. `error`: 0 where exact, else half the width of the 95 % interval of the chances to win.

    `undecided`: what lies beyond the phases looked at. `assumed`: what was taken for granted, in sentences. `played`:
    how many battles were played for it, where a law plays them (`OddsLaw.by_play`).
    """

    method: Method
    error: float
    undecided: float
    mutual: float
    sides: tuple[SideOdds, ...]
    armies: Mapping[str, ArmyOdds]
    phases: Length
    assumed: tuple[Said, ...] = ()
    played: int = 0

    @property
    def winning(self) -> Winning:
        wins = tuple(side.win for side in self.sides)
        return Winning(self.method, self.error, self.undecided, self.mutual, wins, self.phases)


class PlayedBattle(NamedTuple):
    """A battle that was played to its end. `winner`: a side, None for nobody. `decided`: it came to an end.

    `turns`: so many were still to come, the one at hand included. `left`: of each army so much of its health.
    `fates`: what became of it, by the law's status slugs. `standing`: the armies that are still on the field.
    """

    winner: int | None
    decided: bool
    turns: int
    left: Mapping[str, int]
    fates: Mapping[str, str]
    standing: tuple[str, ...]


class PlayedSide(NamedTuple):
    """A side of battles that are played: its name and its armies."""

    name: str
    armies: tuple[str, ...]


class PlayedSlice(NamedTuple):
    """Some of the battles that are played to answer one question, in their order. `sees_all`: nothing was hidden from
    who asked it.
    """

    sides: tuple[PlayedSide, ...]
    battles: tuple[PlayedBattle, ...]
    sees_all: bool


class Choosable(NamedTuple):
    """A row or a column of a table of choices. `barred`: why it cannot be ordered, "" where it can.

    `check`: how likely the check it needs succeeds, 1 where it needs none.
    """

    slug: str
    name: Said
    barred: Said | str = ""
    check: float = 1.0
    current: bool = False


@dataclass(frozen=True, slots=True)
class OddsTable:
    """The chance that the row's side wins, for each choice of `row` against each of `column` (None where barred).

    `best`: for each column the index of the best row, None where nothing can be chosen. `row_mix`, `column_mix`: how
    often each choice is made by two who both play as well as they can, and `value`: what that comes to for the row's
    side. `kind`: what is chosen, by the law's slug; `name` the same in words.
    """

    kind: str
    name: Said
    row: str
    column: str
    rows: tuple[Choosable, ...]
    columns: tuple[Choosable, ...]
    win: tuple[tuple[float | None, ...], ...]
    best: tuple[int | None, ...]
    row_mix: tuple[float, ...]
    column_mix: tuple[float, ...]
    value: float
    method: Method
    error: float


class TableKind(NamedTuple):
    """A table of choices that can be asked for: the law's slug, and its name for people."""

    slug: str
    name: Said


class Guess(NamedTuple):
    """A world that may be the one before the viewer's eyes, and how likely it is that it is this one."""

    state: Any
    weight: float = 1.0


type Leaning = Literal["balanced", "cautious", "bold", "reckless"]
BALANCED: Leaning = "balanced"
CAUTIOUS: Leaning = "cautious"
BOLD: Leaning = "bold"
RECKLESS: Leaning = "reckless"


class Proposal(NamedTuple):
    """A command that whoever commands this army might give now, and why just this one."""

    army: str
    command: Any
    why: Said


class OddsLaw:
    """What a law says of the future of its battles. This one says nothing; a law that reckons overrides it.

    States are those of `BattleLaw`. `rules.odds.viewer_forecast` first asks for the guesses of whoever looks, then
    `odds` of each and the `table` of the likeliest: the state that comes to these two is always a guess, with nothing
    of it secret.
    """

    known = False
    """Whether there is anything to ask: odds and tables now, luck afterwards."""

    by_play = False
    """Whether it tells the odds of a battle by playing it many times (`played`). That takes seconds: so nothing can be
    supposed, there are no tables, and no dice are weighed afterwards.
    """

    def played(self, seen: Any, viewer: Any, seed: int, first: int, count: int) -> PlayedSlice:
        """So many battles played from here to their end, the first of them number `first`.

        `seen`: the state this viewer sees. What is hidden in it is drawn for each battle. The same number has the same
        battle: two states that look alike to the viewer have the same answer. (Here: none.)
        """
        return PlayedSlice((), (), False)

    def guesses(self, state: Any, viewer: Any) -> Sequence[Guess]:
        """The worlds that look to this viewer as `state` does (the one they see), whose weights are 1 together.

        Made of what they may know and of nothing else: two states that look alike to them have equal guesses. Orders of
        armies that they do not command are in none of them.
        """
        return (Guess(state),)

    def carried_out(self, state: Any, events: Sequence[Any], viewer: Any) -> Sequence[Any]:
        """The orders of armies this viewer does not command, as what happened next tells everybody, as commands.

        `state`: the battle as they saw it before the dice fell; `events`: what they witnessed then.
        """
        return ()

    def begun(self, state: Any) -> Any:
        """The state of a battle that is nowhere, just opened, as it is when its setup is over. Raises `DiceNeeded` for
        what a die would have to decide before.
        """
        return state

    def odds(self, state: Any, about: AboutOdds, viewer: Any) -> Odds | None:
        """The future of a guess of this viewer's, whose unknown orders are treated as `about.unknown` says.

        None before the battle can be foretold (it is over, or not set up). Raises `InvalidInput` for an order that
        could not be given.
        """
        return None

    def winners(self, states: Sequence[Any], about: AboutOdds, viewer: Any) -> Sequence[Winning | None]:
        """Who wins each of many battles, at once."""
        found = [self.odds(state, about, viewer) for state in states]
        return [None if odds is None else odds.winning for odds in found]

    def table_kinds(self, state: Any, row: str, column: str) -> Sequence[TableKind]:
        return ()

    def table(self, state: Any, kind: str, row: str, column: str, about: AboutOdds, viewer: Any) -> OddsTable | None:
        """The same for a table of this kind of these two armies, each side's other orders as in `about`."""
        return None

    commands = False
    """Whether it can command a side."""

    meant: Mapping[Leaning, Said] = {}
    """What each leaning does, where it isn't what tables of choices make of it."""

    by_turns = False
    """Whether it does so command by command (`moves`), where sides take turns; else by orders for a phase."""

    def moves(self, state: Any, side: int, leaning: Leaning, viewer: Any, seed: str) -> Proposal | None:
        """The next command of this side, an answer it owes included; None while it has nothing to do.

        `state`, `seed`: as for `proposals`.
        """
        return None

    def proposals(self, state: Any, side: int, leaning: Leaning, viewer: Any, seed: str) -> Sequence[Proposal]:
        """An order for each army of this side that waits for one. Armies that have theirs keep it.

        `state`: a guess of this viewer, who commands the side and nobody else. `seed` names the draw where the best
        is a mix: the same has the same answer. (Here: the next command of one who plays by turns.)
        """
        move = self.moves(state, side, leaning, viewer, seed) if self.by_turns else None
        return () if move is None else (move,)

    def carries_out(self, command: Any) -> bool:
        """Whether this command makes orders happen: those left to the engine are given right before it."""
        return False


NO_ODDS = OddsLaw()


# Confidence intervals: how far a counted share may lie from the true one.


NINETY_FIVE = 1.959963984540054
"""How many standard deviations hold 95 % of what can happen, on both sides of the mean."""


def half_width(share: float, count: int) -> float:
    """Half of Wilson's 95 % interval, measured from the share to its farther end: never 0, not even at 0 and 1."""
    z2 = NINETY_FIVE**2
    centre = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = NINETY_FIVE / (1 + z2 / count) * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    return half + abs(centre - share)


# Percentages of chances, wherever they are told: in the words of a law, on a page, in a log.


NB = "\N{NO-BREAK SPACE}"
SURE = 1e-9  # what a chance may miss one by and still be certain


DIGITS = 12  # of a chance, beyond which there is only what sums of many shares add


def rounded(chance: float) -> float:
    """The chance as it is told: from 0 to 1, whatever sums of its shares came to."""
    return bounded(round(chance, DIGITS))


def bounded(chance: float) -> float:
    """From 0 to 1, and never the 0 below zero."""
    return min(max(chance, 0.0), 1.0) + 0.0


def plainly(number: float, decimals: int) -> str:
    return f"{number:.{decimals}f}"


def percent(chance: float, decimals: int = 0, told: Callable[[float, int], str] = plainly) -> str:
    """ "47 %"; what is neither certain nor impossible is never told as that. `told` writes numbers as a reader does."""
    chance, step = bounded(chance), 10.0**-decimals
    if 0 < chance < step / 200:
        return f"< {told(step, decimals)}{NB}%"
    if 1 - step / 200 < chance < 1 - SURE:
        return f"> {told(100 - step, decimals)}{NB}%"
    return f"{told(100 * chance, decimals)}{NB}%"
