"""Drawing of odds: chances in the reader's format, shares of a bar, histograms of what the winner has left, causes, and
tables of choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

from django.utils.formats import number_format

from core.text import render
from rules.core import odds
from rules.core.odds import EXACT, Choosable, Odds, OddsTable, Spread
from rules.core.text import MINUS, Message, Said, _, say
from rules.core.workshop import NOTHING, Decisive

# Formatting of chances, the same on every page, with the reader's decimal separator.

WHOLE = 100
ROUNDED: Said = _("Rounded: the sum may not be exactly 100%.")


def format_percent(chance: float, decimals: int = 0) -> str:
    """`rules.core.odds.percent` with the reader's decimal separator."""
    return render(odds.percent(chance, decimals, format_decimal))


def format_points(change: float) -> str:
    """Format a change of a chance in points with its sign: "+23.4"."""
    return format_signed(100 * change)


def format_signed(amount: float) -> str:
    """Format a number with its sign: "+7.5", "−8.5"."""
    told = round(amount, 1)
    return (MINUS if told < 0 else "+") + format_decimal(abs(told))


def format_decimal(number: float, decimals: int = 1) -> str:
    """Format a number, rounded (`number_format` would truncate)."""
    return str(number_format(round(number, decimals), decimals))


def format_error(error: float) -> str:
    """Format the error of a chance in points, at least 0.1."""
    return format_decimal(max(100 * error, 0.1))


def adds_up(shares: Iterable[float], decimals: int = 0) -> bool:
    """Whether these chances, which add up to 1, still add up to 100 once rounded."""
    return round(sum(round(100 * chance, decimals) for chance in shares), decimals) == WHOLE


class Segment(NamedTuple):
    """Segment of a bar, in percent."""

    colour: str
    x: float
    width: float


def build_segments(parts: Iterable[tuple[str, float]]) -> list[Segment]:
    """Return consecutive segments for chances with their colours; empty ones are left out."""
    found, x = [], 0.0
    for colour, exact in parts:
        chance = odds.bounded(exact)
        if chance > 0:
            found.append(Segment(colour, round(x, 3), round(100 * chance, 3)))
        x += 100 * chance
    return found


# Drawing of odds: shares of a bar, histograms of what the winner has left, causes, and tables of choices.

HALF, SHADES = 0.5, (0.2, 0.4, 0.6, 0.8)
PURE = 0.995
NAMES_END = 32  # percent of the width that a name below the drawing may take
BARS = 17  # most bars on each side of a histogram
WIDTH, GAP, TALL = 10.0, 6.0, 88.0


def shares_of(odds: Odds) -> list[Segment]:
    """Return bar segments: the first side wins, nobody wins, undecided, the second side wins."""
    one, two = (side.win for side in odds.sides[:2])
    return build_segments((("one", one), ("none", odds.mutual), ("open", odds.undecided), ("two", two)))


def explain_rounding(odds: Odds, decimals: int = 0) -> Said | None:
    """Return a note if the chances, rounded to so many decimals, do not add up."""
    told = [*(side.win for side in odds.sides), odds.mutual, odds.undecided]
    return None if adds_up(told, decimals) else ROUNDED


class SpreadBar(NamedTuple):
    side: str
    x: float
    y: float
    height: float


class LeftLine(NamedTuple):
    """Row of the table beside a histogram: a range of what is left, and each army's chance to win with it."""

    least: int
    most: int
    first: float
    second: float


class Histogram(NamedTuple):
    """Histogram of what the winner has left: the first army left of the middle, the second right of it. `step` is the
    range of a bar. `whole`: it shows winners only, else all results.
    """

    bars: tuple[SpreadBar, ...]
    middle: float
    width: float
    step: int
    tops: tuple[int, int]
    rows: tuple[LeftLine, ...]
    whole: bool

    @property
    def zero(self) -> float | None:
        """Place of the zero label in percent of the width; None if a name stands there already."""
        place = 100 * self.middle / self.width
        return place if NAMES_END < place < 100 - NAMES_END else None

    @classmethod
    def of(cls, odds: Odds, ids: tuple[str, str]) -> Self | None:
        armies = [odds.armies[army] for army in ids]
        whole = all(army.victory for army in armies)
        spreads = [army.victory if whole else army.health for army in armies]
        tops = tuple(max((left for left, chance in spread), default=0) for spread in spreads)
        if not any(tops):
            return None
        step = -(-max(tops) // BARS)
        first, second = (_in_steps(spread, step) for spread in spreads)
        top = max((*first, *second), default=0.0) or 1.0
        middle = len(first) * WIDTH + GAP
        bars = [
            SpreadBar("a", middle - GAP - WIDTH * (at + 1), *_height(chance, top)) for at, chance in enumerate(first)
        ]
        bars += [SpreadBar("b", middle + GAP + WIDTH * at, *_height(chance, top)) for at, chance in enumerate(second)]
        return cls(
            tuple(bars), middle, middle + GAP + len(second) * WIDTH, step, (tops[0], tops[1]),
            tuple(_rows(first, second, step)), whole,
        )  # fmt: skip


def _in_steps(spread: Spread, step: int) -> list[float]:
    """Sum the chances of each step of health from 1 up."""
    highest = max((left for left, chance in spread if chance > 0), default=0)
    sums = [0.0] * -(-highest // step)
    for left, chance in spread:
        if 0 < left <= highest:
            sums[(left - 1) // step] += chance
    return sums


def _height(chance: float, top: float) -> tuple[float, float]:
    height = round(TALL * chance / top, 1)
    return round(96 - height, 1), height


def _rows(first: Sequence[float], second: Sequence[float], step: int) -> Iterable[LeftLine]:
    for at in range(max(len(first), len(second))):
        chances = [side[at] if at < len(side) else 0.0 for side in (first, second)]
        yield LeftLine(at * step + 1, (at + 1) * step, chances[0], chances[1])


class CauseBar(NamedTuple):
    """Cause with its bar; the drawing is 100 wide with zero in the middle. `side` is the one it helps."""

    cause: Decisive
    side: str
    x: float
    width: float


class CauseChart(NamedTuple):
    """Chart of causes with an effect, and the names of those without."""

    bars: tuple[CauseBar, ...]
    idle: tuple[Said, ...]

    @classmethod
    def of(cls, causes: Sequence[Decisive], first: str) -> Self:
        telling = [cause for cause in causes if abs(cause.points) >= NOTHING]
        widest = max((abs(cause.points) for cause in telling), default=1.0)
        bars = [
            CauseBar(
                cause, "one" if cause.points > 0 else "two",
                round(50 + min(0.0, 46 * cause.points / widest), 1), round(46 * abs(cause.points) / widest, 1),
            )
            for cause in telling
        ]  # fmt: skip
        return cls(tuple(bars), tuple(cause.name for cause in causes if abs(cause.points) < NOTHING))


class ShadedCell(NamedTuple):
    """Cell of a table. `shade` is from 0, the column's side is far ahead, to 4, the row's side is."""

    win: float | None
    shade: int
    best: bool
    here: bool


class ChoiceRow(NamedTuple):
    choice: Choosable
    cells: tuple[ShadedCell, ...]
    mix: float


class ShownTable(NamedTuple):
    table: OddsTable
    first: str
    second: str
    rows: tuple[ChoiceRow, ...]
    hint: Said

    @classmethod
    def of(cls, table: OddsTable, first: str, second: str) -> Self:
        rows = tuple(
            ChoiceRow(choice, tuple(_cells(table, at)), table.row_mix[at]) for at, choice in enumerate(table.rows)
        )
        return cls(table, first, second, rows, _advice(table, first))

    @property
    def sureness(self) -> Said | None:
        return sureness(self.table)

    @property
    def columns(self) -> list[tuple[Choosable, float]]:
        return list(zip(self.table.columns, self.table.column_mix, strict=True))

    @property
    def barred(self) -> list[Said]:
        """Reasons why choices are barred, each once."""
        whys: list[Any] = [choice.barred for choice in (*self.table.rows, *self.table.columns) if choice.barred]
        return list({str(why): why for why in whys}.values())


def sureness(table: OddsTable) -> Said | None:
    """Say how inaccurate the numbers may be, if they are simulated."""
    if table.method == EXACT:
        return None
    words = _(
        "The table is simulated separately: its numbers, ± {points} points, can differ a little from the chances above."
    )
    return say(words, points=format_error(table.error))


def shade_of(win: float) -> int:
    return sum(win >= bound for bound in SHADES)


def _cells(table: OddsTable, at: int) -> Iterable[ShadedCell]:
    for column, win in enumerate(table.win[at]):
        shade = 0 if win is None else shade_of(win)
        here = table.rows[at].current and table.columns[column].current
        yield ShadedCell(win, shade, table.best[column] == at and win is not None, here)


def _advice(table: OddsTable, first: str) -> Message:
    """Return one sentence of advice to the commander."""
    chosen = {best for best in table.best if best is not None}
    if len(chosen) == 1:
        best = table.rows[chosen.pop()].name
        return say(_("Whatever the enemy does, no choice is better for {army} than {choice}."), army=first, choice=best)
    share, pure = max(zip(table.row_mix, table.rows, strict=True), key=lambda pair: pair[0])
    if share >= PURE:
        words = _("Against a good player, the best choice for {army} is {choice}.")
        return say(words, army=first, choice=pure.name)
    words = _(
        "No single choice is best for {army}: an enemy who can predict it will counter "
        "it. The mix shows how often to use each."
    )
    return say(words, army=first)
