"""A battle's future ready to draw: the odds as a bar, what is left as bars, who stands, choices against choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from battles import folding
from battles.faces import ArmyCard
from battles.models import Battle, Job
from battles.selectors.odds import Forecast, Foreseen, Wondered
from battles.selectors.pages.battle import BattlePage
from battles.selectors.pages.lists import colour_of
from kingdom import text
from rules.foretold import WhichTable
from rules.law import FIGHTING, Combatant, Summary
from rules.odds import AboutOdds, ArmyOdds, Choosable, Odds, OddsTable, Retreat, TableKind
from rules.text import Said, _, say

MOST_BARS, CHART_HEIGHT = 10, 24
MANY = 4  # armies: of more, who stands is told of all instead of what is left of one
SHADES = (0.30, 0.45, 0.55, 0.70)
TOLD_FROM = 0.005  # what is less likely is not worth a word
NB = "\N{NO-BREAK SPACE}"
SHORT = 4  # letters above a column


class WhatIf(NamedTuple):
    """What its reader wonders: whom he looks at, what he supposes. Of what he typed, only what makes sense."""

    army: str = ""
    against: str = ""
    kind: str = ""
    unknown: str = "average"
    phases: int | None = None
    leaves: str = ""
    after: int | None = None
    health: int | None = None

    def about(self, commands: tuple[Any, ...], armies: Mapping[str, Combatant]) -> AboutOdds:
        supposed = self.leaves in armies and (self.after is not None or self.health is not None)
        retreats = {self.leaves: Retreat(self.after, self.health)} if supposed else {}
        return AboutOdds(commands=commands, phases=self.phases, retreats=retreats, unknown=self._unknown)

    @property
    def _unknown(self) -> Any:
        return self.unknown if self.unknown == "worst" else "average"


class Segment(NamedTuple):
    """A stretch of the bar, in points of a hundred."""

    colour: str
    x: float
    width: float


class Head(NamedTuple):
    """A chance in words. `low`, `high`: where that is a range, else ""."""

    colour: str
    chance: str
    text: Said
    low: str = ""
    high: str = ""


class LeftBar(NamedTuple):
    """How likely it is that so much is left, drawn as a bar."""

    x: float
    y: float
    height: float
    width: float
    fallen: bool


class Ending(NamedTuple):
    """How an army ends, in points of a hundred: it stands, it has left the field, it is no more."""

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
class Left:
    """What is left of one army when it ends."""

    card: ArmyCard
    odds: ArmyOdds
    words: Mapping[str, Said]

    @cached_property
    def bins(self) -> list[tuple[int, int, float]]:
        """(from, to, chance): nothing, and equal stretches of what can be left."""
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
        """The same as a table."""
        return [(f"{low}–{high}" if high > low else str(high), percent(chance)) for low, high, chance in self.bins]

    @property
    def brink(self) -> float | None:
        """Where on the chart its last stand begins, where it has one."""
        if self.card.brink is None:
            return None
        wide = 50 / len(self.bins)
        size = max(1, self.bins[1][1]) if len(self.bins) > 1 else 1
        return round(wide + wide * min(self.card.brink, self.card.health_max) / size, 1)

    @property
    def ends(self) -> list[tuple[Said, str]]:
        """What else than standing may become of it, the likeliest first."""
        found = sorted(self.odds.fates.items(), key=lambda fate: -fate[1])
        return [
            (self.words[fate], percent(chance)) for fate, chance in found if fate != FIGHTING and chance >= TOLD_FROM
        ]


@dataclass(frozen=True)
class Table:
    """Choices against choices, in points of a hundred."""

    odds: OddsTable
    row: Combatant
    column: Combatant

    @property
    def heads(self) -> list[tuple[Choosable, str]]:
        """The columns, each with a name that is short enough to stand above one."""
        return [(choice, shortened(text_of(choice.name))) for choice in self.odds.columns]

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
        """Whether its columns are too many to stand beside each other."""
        return len(self.odds.columns) > 7

    @property
    def barred(self) -> list[tuple[Said, Said | str]]:
        """What cannot be chosen, and why."""
        return [(choice.name, choice.barred) for choice in (*self.odds.rows, *self.odds.columns) if choice.barred]

    @property
    def has_here(self) -> bool:
        return any(cell is not None and cell.here for row in self.rows for cell in row.cells)

    @property
    def hint(self) -> tuple[Choosable, str] | None:
        """The best answer to what the enemy does now, where it is another than what is ordered."""
        column = next((at for at, choice in enumerate(self.odds.columns) if choice.current), None)
        best = None if column is None else self.odds.best[column]
        if column is None or best is None or self.odds.rows[best].current:
            return None
        return self.odds.rows[best], percent(self.odds.win[best][column] or 0.0)

    @property
    def steady(self) -> Said:
        """How two play who both play as well as they can."""
        mine, theirs = _mix(self.odds.rows, self.odds.row_mix), _mix(self.odds.columns, self.odds.column_mix)
        told = {"mine": mine, "theirs": theirs, "chance": percent(self.odds.value)}
        return say(_("Steady play for both: {mine} against {theirs}, {chance}."), **told)


@dataclass(frozen=True)
class ForecastPage:
    """What its reader wonders about a battle, and the answer: there (`forecast`), to come (`job`), or none at all.

    `order`: the form of the picked army's orders as they are typed.
    """

    page: BattlePage
    ahead: Foreseen
    what_if: WhatIf
    forecast: Forecast | None = None
    job: Job | None = None
    trouble: Said | str | None = None
    typed: bool = False

    @property
    def battle(self) -> Battle:
        return self.page.battle

    @property
    def summary(self) -> Summary:
        return self.ahead.summary

    @property
    def odds(self) -> Odds:
        assert self.forecast is not None
        return self.forecast.odds

    @cached_property
    def row(self) -> ArmyCard | None:
        """The army looked at: the one asked for, else the picked one."""
        return row_of(self.page, self.what_if)

    @cached_property
    def foe(self) -> ArmyCard | None:
        return foe_of(self.page, self.row, self.what_if)

    @cached_property
    def kinds(self) -> Sequence[TableKind]:
        return self.ahead.kinds(self.row.id, self.foe.id) if self.row and self.foe else ()

    @property
    def kind(self) -> str:
        return kind_of(self.kinds, self.what_if)

    @property
    def heads(self) -> list[Head]:
        """Each side's chance, what is neither's in the middle: as the bar has them."""
        first, *others = (self._head(index) for index in range(len(self.odds.sides)))
        second = others[:1]
        between = [*others[1:], *self._neither()]
        return [first, *between, *second]

    def _head(self, side: int) -> Head:
        found = self.odds.sides[side]
        low, high = (percent(found.low), percent(found.high)) if found.high - found.low > TOLD_FROM else ("", "")
        return Head(colour_of(side), percent(found.win), say(_("{side} wins"), side=found.name), low, high)

    def _neither(self) -> Iterator[Head]:
        if self.odds.mutual >= TOLD_FROM or self.odds.undecided < TOLD_FROM:
            yield Head("none", percent(self.odds.mutual), _("nobody left"))
        if self.odds.undecided >= TOLD_FROM:
            yield Head("open", percent(self.odds.undecided), _("undecided"))

    @property
    def bar(self) -> list[Segment]:
        wins = [(colour_of(index), side.win) for index, side in enumerate(self.odds.sides)]
        parts = [wins[0], *wins[2:], ("none", self.odds.mutual), ("open", self.odds.undecided), *wins[1:2]]
        found, x = [], 0.0
        for colour, chance in parts:
            found.append(Segment(colour, round(x, 2), round(100 * chance, 2)))
            x += 100 * chance
        return [segment for segment in found if segment.width]

    @property
    def spoken(self) -> str:
        return ", ".join(f"{text_of(head.text)} {head.chance}" for head in self.heads)

    @property
    def left(self) -> Left | None:
        """What is left of the army looked at, where not all are told of."""
        found = self.odds.armies.get(self.row.id) if self.row else None
        if self.row is None or found is None or len(self.summary.armies) > MANY:
            return None
        return Left(self.row, found, folding.engine_of(self.battle).status_words)

    @property
    def endings(self) -> list[Ending]:
        """Who stands when it ends, where many fight."""
        if len(self.summary.armies) <= MANY:
            return []
        known = ((self.summary.armies[army], odds) for army, odds in self.odds.armies.items())
        return [_ending(army, odds) for army, odds in known]

    @property
    def table(self) -> Table | None:
        table = self.forecast.table if self.forecast else None
        armies = self.summary.armies
        return table and Table(table, armies[table.row], armies[table.column])

    @property
    def manner(self) -> Said:
        """How it was found."""
        if self.odds.method == "exact":
            return _("Reckoned exactly.")
        return say(
            _("Thrown many times: right to within {points} points in 19 of 20 cases."), points=_points(self.odds.error)
        )

    @property
    def length(self) -> Said | None:
        phases = self.odds.phases
        if not phases.p90:
            return None
        told = {"mean": f"{phases.mean:.1f}", "p90": phases.p90}
        return say(_("Phases to come: {mean} on average, nine in ten times {p90} at most."), **told)

    @property
    def guessed(self) -> bool:
        """Whether something of it is from what he cannot know."""
        return any(side.high - side.low > TOLD_FROM for side in self.odds.sides)

    def colour(self, army: Combatant) -> str:
        return colour_of(army.side)

    @property
    def standing(self) -> list[Combatant]:
        return [army for army in self.summary.armies.values() if army.fighting]

    @property
    def enemies(self) -> list[Combatant]:
        return [army for army in self.standing if self.row and army.side != self.row.side]

    @cached_property
    def url(self) -> str:
        return reverse("battles:forecast", args=[self.battle.pk])

    def with_kind(self, kind: str) -> str:
        """This page with another table."""
        kept = {"army": self.row.id if self.row else "", "against": self.what_if.against, "kind": kind}
        kept |= {"unknown": self.what_if.unknown, "leaves": self.what_if.leaves}
        kept |= {"after": self.what_if.after, "hp": self.what_if.health, "phases": self.what_if.phases}
        if self.page.look.side is not None:
            kept["as"] = self.page.look.side
        return f"{self.url}?{urlencode({name: value for name, value in kept.items() if value not in ('', None)})}"


def row_of(page: BattlePage, what_if: WhatIf) -> ArmyCard | None:
    cards = [card for card in page.cards if not card.gone]
    asked = next((card for card in cards if card.id == what_if.army), None)
    picked = page.picked if page.picked is not None and not page.picked.gone else None
    return asked or picked or next(iter(cards), None)


def foe_of(page: BattlePage, row: ArmyCard | None, what_if: WhatIf) -> ArmyCard | None:
    """The enemy asked for, else the one it is about to turn on, else whoever is on it, else the first."""
    if row is None:
        return None
    foes = [card for card in page.cards if not card.gone and card.side != row.side]
    ranks = ([card for card in foes if card.id == what_if.against], [card for card in foes if card.id == row.target],
             [card for card in foes if card.target == row.id], foes)  # fmt: skip
    return next((found[0] for found in ranks if found), None)


def kind_of(kinds: Sequence[TableKind], what_if: WhatIf) -> str:
    slugs = [kind.slug for kind in kinds]
    return what_if.kind if what_if.kind in slugs else next(iter(slugs), "")


def wondered(shown: ForecastPage, commands: tuple[Any, ...]) -> Wondered:
    """The question of this page."""
    about = shown.what_if.about(commands, shown.summary.armies)
    row, foe = shown.row, shown.foe
    table = WhichTable(shown.kind, row.id, foe.id) if row and foe and shown.kind else None
    return Wondered(about, table)


def percent(chance: float) -> str:
    """ "47 %"; what is neither certain nor impossible is never told as that."""
    if 0 < chance < TOLD_FROM:
        return f"< 1{NB}%"
    if 1 - TOLD_FROM < chance < 1 - 1e-9:
        return f"> 99{NB}%"
    return f"{round(100 * chance)}{NB}%"


def shade_of(win: float) -> str:
    return f"h{sum(win >= bound for bound in SHADES)}"


def shortened(word: str) -> str:
    return word if len(word) <= SHORT + 1 else f"{word[: SHORT - 1]}."


def text_of(said: Said | str) -> str:
    return text.render(said)


def _points(error: float) -> str:
    return f"{100 * error:.1f}"


def _mix(choices: Sequence[Choosable], mix: Sequence[float]) -> str:
    taken = [(choice, share) for choice, share in zip(choices, mix, strict=True) if share >= TOLD_FROM]
    if len(taken) == 1:
        return text_of(taken[0][0].name)
    return ", ".join(f"{text_of(choice.name)} {percent(share)}" for choice, share in taken)


def _ending(army: Combatant, odds: ArmyOdds) -> Ending:
    falls = sum(chance for left, chance in odds.health if left <= 0)
    stands = odds.fates.get(FIGHTING, 0.0)
    leaves = max(0.0, 1 - stands - falls)
    return Ending(army.name, colour_of(army.side), round(100 * stands), round(100 * leaves), round(100 * falls))
