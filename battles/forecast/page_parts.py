"""Parts of a forecast's page: chances in words, health left as bars, and tables of choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from battles.forecast.odds_page import format_percent, sureness
from battles.ruleset_ui import ArmyCard
from battles.setup.page import pick_colour
from core import text
from rules.core.odds import ArmyOdds, Choosable, OddsTable, whole_percent
from rules.core.text import Said, _, say
from rules.law import FIGHTING, Combatant

MOST_BARS, CHART_HEIGHT = 10, 24
SHADES = (0.30, 0.45, 0.55, 0.70)
TOLD_FROM = 0.005  # less likely results are not mentioned
SHORT = 4  # letters above a column


class Head(NamedTuple):
    """Chance in words. `low` and `high` give its range, or ""."""

    colour: str
    chance: str
    text: Said
    low: str = ""
    high: str = ""


class LeftBar(NamedTuple):
    """Bar for the chance of a range of health left."""

    x: float
    y: float
    height: float
    width: float
    fallen: bool


class Ending(NamedTuple):
    """End of an army in percent: on the field, left, or destroyed."""

    name: str
    colour: str
    stands: int
    leaves: int
    falls: int


class Cell(NamedTuple):
    chance: str
    shade: str
    here: bool = False
    best: bool = False


class TableRow(NamedTuple):
    name: Said
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Leftover:
    """Health left of one army at the end."""

    card: ArmyCard
    odds: ArmyOdds
    words: Mapping[str, Said]

    @cached_property
    def bins(self) -> list[tuple[int, int, float]]:
        """(from, to, chance) of zero and of equal ranges of health."""
        size = max(1, -(-self.card.health_max // (MOST_BARS - 1)))
        found = [0.0] * (1 + -(-self.card.health_max // size))
        for left, chance in self.odds.health:
            found[0 if left <= 0 else min(1 + (left - 1) // size, len(found) - 1)] += chance
        bounds = ((0, 0), *((1 + size * n, min(size * (n + 1), self.card.health_max)) for n in range(len(found) - 1)))
        return [(low, high, chance) for (low, high), chance in zip(bounds, found, strict=True)]

    @property
    def bars(self) -> Iterator[LeftBar]:
        most, wide = max(chance for _low, _high, chance in self.bins) or 1.0, 50 / len(self.bins)
        for index, (_low, high, chance) in enumerate(self.bins):
            height = round(CHART_HEIGHT * chance / most, 1)
            yield LeftBar(
                round(index * wide, 1), round(CHART_HEIGHT - height, 1), height, round(wide - 0.5, 1), not high
            )

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The bins as table rows."""
        return [
            (f"{low}–{high}" if high > low else str(high), format_percent(chance)) for low, high, chance in self.bins
        ]

    @property
    def brink(self) -> float | None:
        """Place on the chart where its critical health begins, if it has one."""
        if self.card.brink is None:
            return None
        wide = 50 / len(self.bins)
        size = max(1, self.bins[1][1]) if len(self.bins) > 1 else 1
        return round(wide + wide * min(self.card.brink, self.card.health_max) / size, 1)

    @property
    def ends(self) -> list[tuple[Said, str]]:
        """Other fates than being on the field, likeliest first."""
        found = sorted(self.odds.fates.items(), key=lambda fate: -fate[1])
        return [
            (self.words[fate], format_percent(chance))
            for fate, chance in found
            if fate != FIGHTING and chance >= TOLD_FROM
        ]


@dataclass(frozen=True)
class Table:
    """Table of choices, in percent."""

    odds: OddsTable
    row: Combatant
    column: Combatant

    @property
    def heads(self) -> list[tuple[Choosable, str]]:
        """Columns with their short names, or numbers where short names coincide."""
        numbers = [str(number) for number in range(1, len(self._shorts) + 1)]
        return list(zip(self.odds.columns, numbers if self.numbered else self._shorts, strict=True))

    @property
    def numbered(self) -> bool:
        """Whether two columns would have the same short name."""
        return len({*self._shorts}) < len(self._shorts)

    @cached_property
    def _shorts(self) -> list[str]:
        return [shorten(format_text(choice.name)) for choice in self.odds.columns]

    @property
    def rows(self) -> list[TableRow]:
        return [
            TableRow(choice.name, tuple(self._cell(index, at, win) for at, win in enumerate(self.odds.win[index])))
            for index, choice in enumerate(self.odds.rows)
        ]

    def _cell(self, row: int, column: int, win: float | None) -> Cell | None:
        if win is None:
            return None
        here = self.odds.rows[row].current and self.odds.columns[column].current
        return Cell(str(round(100 * win)), shade_of(win), here, self.odds.best[column] == row)

    @property
    def wide(self) -> bool:
        """Whether there are too many columns for full names."""
        return len(self.odds.columns) > 7

    @property
    def barred(self) -> list[tuple[Said, Said | str]]:
        """Barred choices with their reasons."""
        return [(choice.name, choice.barred) for choice in (*self.odds.rows, *self.odds.columns) if choice.barred]

    @property
    def has_here(self) -> bool:
        return any(cell is not None and cell.here for row in self.rows for cell in row.cells)

    @property
    def hint(self) -> tuple[Choosable, str, int] | None:
        """Best answer to the enemy's current choice, if it differs from the current order, its chance, and that of its
        check in percent.
        """
        column = next((at for at, choice in enumerate(self.odds.columns) if choice.current), None)
        best = None if column is None else self.odds.best[column]
        if column is None or best is None or self.odds.rows[best].current:
            return None
        choice = self.odds.rows[best]
        return choice, format_percent(self.odds.win[best][column] or 0.0), whole_percent(choice.check)

    @property
    def sureness(self) -> Said | None:
        return sureness(self.odds)

    @property
    def steady(self) -> Said:
        """Sentence on the optimal mix of both sides."""
        mine, theirs = _mix(self.odds.rows, self.odds.row_mix), _mix(self.odds.columns, self.odds.column_mix)
        told = {"mine": mine, "theirs": theirs, "chance": format_percent(self.odds.value)}
        return say(_("Optimal mix for both: {mine} against {theirs}, {chance}."), **told)


def shade_of(win: float) -> str:
    return f"h{sum(win >= bound for bound in SHADES)}"


def shorten(word: str) -> str:
    return word if len(word) <= SHORT + 1 else f"{word[: SHORT - 1]}."


def format_text(said: Said | str) -> str:
    return text.render(said)


def _mix(choices: Sequence[Choosable], mix: Sequence[float]) -> str:
    taken = [(choice, share) for choice, share in zip(choices, mix, strict=True) if share >= TOLD_FROM]
    if len(taken) == 1:
        return format_text(taken[0][0].name)
    return ", ".join(f"{format_text(choice.name)} {format_percent(share)}" for choice, share in taken)


def ending_of(army: Combatant, odds: ArmyOdds) -> Ending:
    falls = sum(chance for left, chance in odds.health if left <= 0)
    stands = odds.fates.get(FIGHTING, 0.0)
    leaves = max(0.0, 1 - stands - falls)
    return Ending(army.name, pick_colour(army.side), round(100 * stands), round(100 * leaves), round(100 * falls))
