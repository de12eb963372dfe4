"""Odds of a battle: question, answer, and the protocol of a law that computes them (`OddsLaw`).

Chances are from 0 to 1. The chances that each side wins, `mutual` (nobody wins: nobody is left, or a draw) and
`undecided` add up to 1. Health is in the law's own units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from rules.core.text import Message, Said, in_percent

type Method = Literal["exact", "simulated"]
EXACT: Method = "exact"
SIMULATED: Method = "simulated"

type Spread = tuple[tuple[int, float], ...]
"""Probability of each health that may be left, in ascending order."""


class Retreat(NamedTuple):
    """Retreat: from then on the army tries to leave. `after` counts phases; `health` is the health at or below which it
    leaves.
    """

    after: int | None = None
    health: int | None = None


@dataclass(frozen=True, slots=True)
class AboutOdds:
    """Question about a battle's future.

    `commands`: orders that replace those given for the same armies. `phases`: how many phases to look ahead, None for
    as many as the work allows. `until`: by army, the health at or below which the forecast stops. `retreats`: by army,
    when it leaves. `undecided`: armies known to have no order yet; in the current phase they do what the law does with
    none. `unknown`: orders the viewer may not know are all equally likely ("average") or the worst for them ("worst").
    `carried_out`: these commands and the given orders are what happened; nothing is assumed. `battles`: number of
    simulated battles where no exact answer exists, None for as many as a page can wait for. `seed`: the same question
    and seed have the same answer.
    """

    commands: tuple[Any, ...] = ()
    phases: int | None = None
    until: Mapping[str, int] = field(default_factory=dict)
    retreats: Mapping[str, Retreat] = field(default_factory=dict)
    undecided: frozenset[str] = frozenset()
    unknown: Literal["average", "worst"] = "average"
    battles: int | None = None
    seed: int = 1
    carried_out: bool = False


class SideOdds(NamedTuple):
    """Chances of a side. `win`: it is on the field and no enemy is. `rout`, `destroyed`: its whole force ends so.
    `low`, `high`: bounds of `win` where the viewer does not know figures or orders.
    """

    name: str
    win: float
    rout: float
    destroyed: float
    low: float
    high: float


class ArmyOdds(NamedTuple):
    """Chances of an army. `health` is the distribution of the health left when the forecast stops, whatever its fate.
    `fates` are by the law's status slugs. `victory` is the health left in battles its side wins, if the law computes
    that; its chances add up to the chance to win.
    """

    army: str
    health: Spread
    fates: Mapping[str, float]
    victory: Spread = ()


class Length(NamedTuple):
    """Number of phases until the battle is decided, in battles that are: mean and 90th percentile."""

    mean: float
    p90: int


class Winning(NamedTuple):
    """Chances to win by side, without the rest of `Odds`."""

    method: Method
    error: float
    undecided: float
    mutual: float
    wins: tuple[float, ...]
    phases: Length


@dataclass(frozen=True, slots=True)
class Odds:
    """Future of a battle.

    `error` is 0 if exact, else half the width of the 95 % interval of the chances to win. `undecided` is the chance
    that no side has won within the phases of the forecast. `assumed` are assumptions in sentences. `played` is the
    number of battles played, where a law plays them (`OddsLaw.by_play`).
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
    """Result of one battle played to its end. `winner` is a side's index, None for nobody. `decided`: it ended. `turns`
    is the number of turns from the current one on. `left` is each army's health, `fates` its status by the law's slugs,
    `standing` the armies still on the field.
    """

    winner: int | None
    decided: bool
    turns: int
    left: Mapping[str, int]
    fates: Mapping[str, str]
    standing: tuple[str, ...]


class PlayedSide(NamedTuple):
    """Side of battles that are played: its name and its army ids."""

    name: str
    armies: tuple[str, ...]


class PlayedSlice(NamedTuple):
    """Consecutive part of the battles played for one question. `sees_all`: nothing was hidden from the viewer who
    asked.
    """

    sides: tuple[PlayedSide, ...]
    battles: tuple[PlayedBattle, ...]
    sees_all: bool


class Choosable(NamedTuple):
    """Row or column of a table of choices. `barred` says why it cannot be ordered, or "". `check` is the chance that
    the check it needs succeeds, 1 if it needs none.
    """

    slug: str
    name: Said
    barred: Said | str = ""
    check: float = 1.0
    current: bool = False


@dataclass(frozen=True, slots=True)
class OddsTable:
    """Table of the chance that the row's side wins, for each choice of `row` against each of `column` (None if barred).

    `best` is the index of the best row for each column, or None. `row_mix` and `column_mix` are the equilibrium mixes
    and `value` the resulting chance for the row's side. `kind` is the law's slug of what is chosen, `name` its name.
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
    """Kind of table of choices: the law's slug and its name for people."""

    slug: str
    name: Said


class Guess(NamedTuple):
    """Possible world of a viewer who does not know everything, and its probability."""

    state: Any
    weight: float = 1.0


type Leaning = Literal["balanced", "cautious", "bold", "reckless"]
BALANCED: Leaning = "balanced"
CAUTIOUS: Leaning = "cautious"
BOLD: Leaning = "bold"
RECKLESS: Leaning = "reckless"


class Proposal(NamedTuple):
    """Command that the computer player proposes for an army now, and the reason."""

    army: str
    command: Any
    why: Said


class OddsLaw:
    """Base of a law's forecasts, which says nothing; a law that computes odds overrides it. States are those of
    `BattleLaw`.

    `rules.odds.viewer_forecast` first asks for the viewer's guesses, then for `odds` of each and the `table` of the
    likeliest. So the state given to these two is always a guess without secrets.
    """

    known = False
    """Whether the law answers at all: odds and tables during a battle, luck afterwards."""

    by_play = False
    """Whether the law computes odds by playing a battle many times (`played`). That takes seconds, so there are no
    what-if questions, no tables and no weighing of dice afterwards.
    """

    def played(self, seen: Any, viewer: Any, seed: int, first: int, count: int) -> PlayedSlice:
        """Play `count` battles from here to their end, the first of them number `first`. `seen` is the viewer's state;
        hidden things are drawn anew for each battle.

        The same seed and number give the same battle. States that look alike to the viewer give the same answer.
        Default: none.
        """
        return PlayedSlice((), (), False)

    def guesses(self, state: Any, viewer: Any) -> Sequence[Guess]:
        """Return the worlds that look like `state` to this viewer, with weights that add up to 1.

        They are made only of what the viewer may know: states that look alike have equal guesses. They contain no
        orders of armies that others command.
        """
        return (Guess(state),)

    def carried_out(self, state: Any, events: Sequence[Any], viewer: Any) -> Sequence[Any]:
        """Return, as commands, the orders of others' armies that the following events reveal to everybody. `state` is
        what the viewer saw before the dice fell, `events` what they witnessed.
        """
        return ()

    def begun(self, state: Any) -> Any:
        """Return the state of a hypothetical, newly opened battle after its set-up. Raises `DiceNeeded` if a die would
        have to decide first.
        """
        return state

    def odds(self, state: Any, about: AboutOdds, viewer: Any) -> Odds | None:
        """Return the odds of a guess; unknown orders are treated as `about.unknown` says. None for a battle that is
        over or not set up. Raises `InvalidInput` for an impossible order.
        """
        return None

    def winners(self, states: Sequence[Any], about: AboutOdds, viewer: Any) -> Sequence[Winning | None]:
        """Return the chances to win of many battles at once."""
        found = [self.odds(state, about, viewer) for state in states]
        return [None if odds is None else odds.winning for odds in found]

    def table_kinds(self, state: Any, row: str, column: str) -> Sequence[TableKind]:
        return ()

    def table(self, state: Any, kind: str, row: str, column: str, about: AboutOdds, viewer: Any) -> OddsTable | None:
        """Return a table of this kind for two armies. All other orders are as in `about`. None and errors as for
        `odds`.
        """
        return None

    commands = False
    """Whether the computer can command a side."""

    meant: Mapping[Leaning, Said] = {}
    """What each leaning does, if the law does not use tables of choices."""

    by_turns = False
    """Whether the computer commands by single moves (`moves`), where sides take turns; otherwise by orders for a phase.
    """

    def moves(self, state: Any, side: int, leaning: Leaning, viewer: Any, seed: str) -> Proposal | None:
        """Return the next command of this side, an answer it owes included. None if it has nothing to do. `state` and
        `seed`: as for `proposals`.
        """
        return None

    def proposals(self, state: Any, side: int, leaning: Leaning, viewer: Any, seed: str) -> Sequence[Proposal]:
        """Return an order for each army of this side that waits for one. Armies with orders keep them.

        `state` is a guess of this viewer, who commands that side alone. `seed` draws from a mix: the same seed
        gives the same result. Default: the next of `moves`, if the law is played by turns.
        """
        move = self.moves(state, side, leaning, viewer, seed) if self.by_turns else None
        return () if move is None else (move,)

    def carries_out(self, command: Any) -> bool:
        """Whether this command resolves orders. The computer's orders are given right before it."""
        return False


NO_ODDS = OddsLaw()


# Confidence intervals of simulated chances.


NINETY_FIVE = 1.959963984540054
"""Standard deviations on each side of the mean that hold 95 % of a normal distribution."""


def half_width(share: float, count: int) -> float:
    """Return the larger half of Wilson's 95 % interval, measured from the share. It is above 0 even for shares of 0 and
    1.
    """
    z2 = NINETY_FIVE**2
    centre = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = NINETY_FIVE / (1 + z2 / count) * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    return half + abs(centre - share)


# Percentages of chances, for laws, pages and logs.


SURE = 1e-9  # a chance this close to 1 is certain


DIGITS = 12  # decimals of a chance; more are rounding errors of sums


def rounded(chance: float) -> float:
    """Clamp a chance to 0 to 1 and round off the errors of sums."""
    return bounded(round(chance, DIGITS))


def bounded(chance: float) -> float:
    """Clamp a number to 0 to 1. −0.0 becomes 0.0."""
    return min(max(chance, 0.0), 1.0) + 0.0


def plainly(number: float, decimals: int) -> str:
    return f"{number:.{decimals}f}"


def whole_percent(chance: Fraction | float) -> int:
    """A chance in whole percent. One that is neither 0 nor 1 is never shown as 0 or 100, but as 1 or 99."""
    return round(100 * chance) if chance in (0, 1) else min(max(round(100 * chance), 1), 99)


def percent(chance: float, decimals: int = 0, told: Callable[[float, int], str] = plainly) -> Message:
    """Format a chance: "47%". A chance that is neither 0 nor 1 is never shown as 0% or 100% ("< 1%"). `told` formats
    numbers in the reader's language.
    """
    chance, step = bounded(chance), 10.0**-decimals
    if 0 < chance < step / 200:
        return in_percent(f"< {told(step, decimals)}")
    if 1 - step / 200 < chance < 1 - SURE:
        return in_percent(f"> {told(100 - step, decimals)}")
    return in_percent(told(100 * chance, decimals))
