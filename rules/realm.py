"""Realm part of a law: a kingdom's sheet, its derived figures, the buildings of its settlements, and planned income and
costs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.content import Item
from rules.core.errors import refuse
from rules.core.text import NO_WORDS, Said, Term, _, say, verbatim

# Realm part of a law: a kingdom's sheet, its derived figures, and the buildings of its settlements.
#
# A law may have none (`NO_REALM`). Its kingdoms then have only a name, players, a treasury and armies.


@dataclass(frozen=True, slots=True)
class SheetFigure:
    """Whole number on a kingdom's sheet, from `least` to `most`, stored in the column named by its slug.

    `attribute`: kingdom checks use it. `gm`: only the GM sets it. `optional`: it may be empty. `remembered`: the
    kingdom's page lists every change. `hexes`: it is the number of the kingdom's hexes and may follow its claims on the
    map.
    """

    name: Term
    least: int
    most: int
    start: int | None = 0
    help: Term = NO_WORDS
    attribute: bool = False
    gm: bool = False
    optional: bool = False
    remembered: bool = False
    hexes: bool = False


type RealmFigures = Mapping[str, int | None]
"""Figures of a kingdom's sheet by slug. Districts are the number that counts, whether entered or of recorded
settlements.
"""


class BriefFigure(NamedTuple):
    """Figure for a one-line view of a kingdom. `bad`: it needs attention."""

    name: Said
    value: int
    bad: bool = False


class Notice(NamedTuple):
    """Warning for the players who run the kingdom."""

    text: Said
    grave: bool


class Checks(NamedTuple):
    """Procedure of kingdom checks: one die with `sides` sides, against the derived figure `target` or another
    number.
    """

    sides: int
    target: str
    help: Term
    rule: str


@dataclass(frozen=True, slots=True)
class KingdomCheck:
    """Result of a kingdom check. `roll` is the natural die, `total` the result. `note` says why it succeeded or failed
    regardless of the total.
    """

    attribute: str
    roll: int
    dc: int
    success: bool
    breakdown: Breakdown
    note: Said = NO_WORDS

    @property
    def total(self) -> int:
        return self.breakdown.total

    @property
    def margin(self) -> int:
        """Total minus DC: 0 or more is a success, a negative number a failure."""
        return self.total - self.dc


@dataclass(frozen=True, slots=True)
class Ware:
    """Item that armies may buy, and the buildings of which any one sells it. `free`: no building is needed."""

    item: Item
    buildings: tuple[str, ...] = ()
    free: bool = False


class RealmSwitch(NamedTuple):
    """Switch of a kingdom: its name, and what it does."""

    name: Term
    help: Term


class TownStart(NamedTuple):
    """Template of a new settlement: its districts and its buildings."""

    districts: int = 1
    buildings: tuple[str, ...] = ()


class RealmLaw(Protocol):
    """Protocol of kingdoms and settlements under a law. Everything is named by slugs, in display order."""

    @property
    def rule(self) -> str:
        """Id of the rule on a kingdom's sheet. `market_rule` is on what armies may buy, `defeat_rule` on the costs of a
        defeat.
        """

    @property
    def leaderless(self) -> RealmSwitch | None:
        """Switch by which armies of a kingdom without a treasury suffer without a commander; None if the law has no
        such rule.
        """

    @property
    def market_rule(self) -> str: ...
    @property
    def defeat_rule(self) -> str: ...
    @property
    def alignments(self) -> Sequence[str]: ...
    @property
    def sheet(self) -> Mapping[str, SheetFigure]: ...

    @property
    def derived(self) -> Mapping[str, Term]:
        """Names of the derived figures."""

    def derive(self, figures: RealmFigures) -> Mapping[str, Breakdown]:
        """Return every derived figure with its breakdown."""

    def glance(self, figures: RealmFigures) -> Sequence[BriefFigure]: ...
    def notices(self, figures: RealmFigures) -> Sequence[Notice]: ...

    @property
    def checks(self) -> Checks | None:
        """Procedure of kingdom checks; None if the law has none."""

    def check(self, *, attribute: str, figures: RealmFigures, dc: int, roll: int) -> KingdomCheck: ...

    @property
    def buildings(self) -> Mapping[str, Item]:
        """Buildings that a settlement may have."""

    def check_buildings(self, counted: Mapping[str, int], *, districts: int) -> None:
        """Check the number of each building. Raises `InvalidInput` if a settlement of so many districts cannot hold
        them.
        """

    def defense(self, buildings: Sequence[str], override: int | None) -> Breakdown | None:
        """Return a settlement's bonus to its defenders; None if the law has no such figure."""

    @property
    def buildings_help(self) -> Term:
        """Help text on buildings, for a kingdom without settlements."""

    @property
    def defense_help(self) -> Term:
        """Help text for a settlement's Defense without any lines."""

    @property
    def wares(self) -> Sequence[Ware]:
        """Items that armies may buy in a kingdom."""

    @property
    def young(self) -> Mapping[str, int]:
        """Figures of a new kingdom where they differ from the sheet's defaults, and its `treasury`."""

    @property
    def towns(self) -> Mapping[str, TownStart]:
        """Templates of new settlements by slug (`town`, `city`). Where a slug is missing, a settlement gets only its
        name.
        """


def attributes_of(realm: RealmLaw) -> dict[str, Term]:
    """Return the names of the figures that kingdom checks use, by slug."""
    return {slug: figure.name for slug, figure in realm.sheet.items() if figure.attribute}


def counted(item: Item | str, count: int) -> Said:
    """Describe a number of buildings of one kind. An unknown building is called by its slug."""
    name = Term(item) if isinstance(item, str) else item.name
    return name if count == 1 else say(_("{building} × {count}"), building=name, count=count)


@dataclass(frozen=True, eq=False)
class NoRealm:
    """`RealmLaw` of a law without kingdoms."""

    rule: str = ""
    leaderless: RealmSwitch | None = None
    market_rule: str = ""
    defeat_rule: str = ""
    alignments: tuple[str, ...] = ()
    sheet: Mapping[str, SheetFigure] = field(default_factory=dict)
    derived: Mapping[str, Term] = field(default_factory=dict)
    checks: Checks | None = None
    buildings: Mapping[str, Item] = field(default_factory=dict)
    buildings_help: Term = NO_WORDS
    defense_help: Term = NO_WORDS
    wares: tuple[Ware, ...] = ()
    young: Mapping[str, int] = field(default_factory=dict)
    towns: Mapping[str, TownStart] = field(default_factory=dict)

    def derive(self, figures: RealmFigures) -> Mapping[str, Breakdown]:
        return {}

    def glance(self, figures: RealmFigures) -> Sequence[BriefFigure]:
        return ()

    def notices(self, figures: RealmFigures) -> Sequence[Notice]:
        return ()

    def check(self, *, attribute: str, figures: RealmFigures, dc: int, roll: int) -> KingdomCheck:
        refuse(_("This ruleset has no kingdom checks."))

    def check_buildings(self, counted: Mapping[str, int], *, districts: int) -> None:
        return None

    def defense(self, buildings: Sequence[str], override: int | None) -> Breakdown | None:
        return None


NO_REALM = NoRealm()


# Planned income and costs of a realm: sums that fall due weekly or monthly, under any law.
#
# On their day they are booked before anybody is paid, in list order and always in full. They may take a treasury
# below 0.

WEEK, MONTH = "week", "month"
RHYTHMS: Mapping[str, Said] = {WEEK: _("each week"), MONTH: _("each month")}
TAKEN_BACK = _("Undone: {what}")
"""Ledger text of an entry that reverses others."""
MOST_LINES = 40
DAYS_A_WEEK = 7


class PlannedLine(NamedTuple):
    """Planned income (`amount` above 0) or cost, in the realm's currency.

    It falls due on the last day of each week or on the first of each month, after day `since` and up to day `until`
    (None: forever).
    """

    id: str
    name: str
    amount: int
    every: str = WEEK
    since: int = 0
    until: int | None = None

    @property
    def rhythm(self) -> Said:
        return RHYTHMS[self.every]

    @property
    def said(self) -> Said:
        return verbatim(self.name)

    def holds(self, day: int) -> bool:
        """Whether the line is in force on that day."""
        return day > self.since and (self.until is None or day <= self.until)

    def over(self, day: int) -> bool:
        """Whether the line never falls due after that day."""
        return self.until is not None and self.until <= day

    def next_day(self, day: int, month: int) -> int | None:
        """Return the first due day after `day`, where the next month begins on day `month`.

        None if the line is not in force on that day. A weekly line falls due at the end of the current week, or of
        the week in which it begins.
        """
        if self.every == MONTH:
            return month if self.holds(month) else None
        end = (max(day, self.since) // DAYS_A_WEEK + 1) * DAYS_A_WEEK
        return end if self.holds(end) else None


def lines_from(stored: Iterable[Mapping[str, Any]]) -> tuple[PlannedLine, ...]:
    """Read lines as `as_json` writes them."""
    return tuple(PlannedLine(**line) for line in stored)


def as_json(lines: Iterable[PlannedLine]) -> list[dict[str, Any]]:
    return [line._asdict() for line in lines]


def falling(lines: Sequence[PlannedLine], day: int, *, month: bool) -> list[PlannedLine]:
    """Return the lines due on this day. `month`: a month begins on it."""
    wanted = {WEEK} if day % DAYS_A_WEEK == 0 else set()
    if month:
        wanted.add(MONTH)
    return [line for line in lines if line.every in wanted and line.holds(day)] if wanted and lines else []


def sum_between(lines: Sequence[PlannedLine], since: int, until: int, months: Collection[int]) -> int:
    """Return the sum of all due amounts after day `since` and up to day `until`. `months` are the days on which months
    begin.
    """
    if not lines:
        return 0
    weeks = range((since // DAYS_A_WEEK + 1) * DAYS_A_WEEK, until + 1, DAYS_A_WEEK)
    begun = [day for day in months if since < day <= until]
    return sum(line.amount for line in lines for day in (begun if line.every == MONTH else weeks) if line.holds(day))
