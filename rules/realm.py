"""The realm half of a law: what a kingdom's sheet holds, what follows from it, what may stand in its settlements.

A law may have none of it (`NO_REALM`): its kingdoms have a name, players, a treasury and armies, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.content import Item
from rules.core.errors import refuse
from rules.core.text import NO_WORDS, Said, Term, _, say


@dataclass(frozen=True, slots=True)
class SheetFigure:
    """A whole number on a kingdom's sheet, from `least` to `most`, kept in the kingdom's column of its slug.

    `attribute`: kingdom checks are made with it. `gm`: only the GM sets it. `optional`: it may be left empty.
    `remembered`: the kingdom's page tells every change of it. `hexes`: it tells how many hexes the kingdom has, and may
    follow those it claims on the campaign's map.
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
"""A kingdom's sheet by slug. Districts are those that count, noted or of settlements on record."""


class BriefFigure(NamedTuple):
    """A figure where a kingdom has only one line. `bad`: it needs looking after."""

    name: Said
    value: int
    bad: bool = False


class Notice(NamedTuple):
    """What somebody who looks after the kingdom should know."""

    text: Said
    grave: bool


class Checks(NamedTuple):
    """How kingdom checks are made: with one die of so many `sides`, against the derived figure `target` or another."""

    sides: int
    target: str
    help: Term
    rule: str


@dataclass(frozen=True, slots=True)
class KingdomCheck:
    """A kingdom check and its arithmetic: `roll` is the natural die, `total` what counts.

    `note`: why it succeeded or failed whatever its total.
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
        """By how much it succeeded (0 or more) or failed (negative)."""
        return self.total - self.dc


@dataclass(frozen=True, slots=True)
class Ware:
    """Something armies may buy, and the buildings any one of which sells it. `free`: it needs none of them."""

    item: Item
    buildings: tuple[str, ...] = ()
    free: bool = False


class TownStart(NamedTuple):
    """A settlement to begin with: its districts and what stands in it."""

    districts: int = 1
    buildings: tuple[str, ...] = ()


class RealmLaw(Protocol):
    """What a law says of kingdoms and their settlements. Everything is named by slugs, in the order it is shown."""

    @property
    def rule(self) -> str:
        """The id of the rule a kingdom's sheet follows; below: what armies may buy where, and what a defeat costs."""

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
        """What follows from the sheet, in words."""

    def derive(self, figures: RealmFigures) -> Mapping[str, Breakdown]:
        """Everything that follows from the sheet, with its lines."""

    def glance(self, figures: RealmFigures) -> Sequence[BriefFigure]: ...
    def notices(self, figures: RealmFigures) -> Sequence[Notice]: ...

    @property
    def checks(self) -> Checks | None:
        """None where this law makes no kingdom checks."""

    def check(self, *, attribute: str, figures: RealmFigures, dc: int, roll: int) -> KingdomCheck: ...

    @property
    def buildings(self) -> Mapping[str, Item]:
        """What may stand in a settlement."""

    def check_buildings(self, counted: Mapping[str, int], *, districts: int) -> None:
        """Raise `InvalidInput` where a settlement of so many districts cannot hold these."""

    def defense(self, buildings: Sequence[str], override: int | None) -> Breakdown | None:
        """What a settlement is worth to its defenders; None where this law knows no such figure."""

    @property
    def buildings_help(self) -> Term:
        """What buildings are good for: to read where there is no settlement yet."""

    @property
    def defense_help(self) -> Term:
        """What to read where a settlement's figure has no line."""

    @property
    def wares(self) -> Sequence[Ware]:
        """What armies may buy in a kingdom."""

    @property
    def young(self) -> Mapping[str, int]:
        """Figures of a kingdom somebody begins with, where they differ from the sheet’s own; its `treasury` too."""

    @property
    def towns(self) -> Mapping[str, TownStart]:
        """Settlements somebody begins with, by slug: `town`, `city`. Of what is missing only the name is known."""


def attributes_of(realm: RealmLaw) -> dict[str, Term]:
    """What kingdom checks are made with."""
    return {slug: figure.name for slug, figure in realm.sheet.items() if figure.attribute}


def counted(item: Item | str, count: int) -> Said:
    """Buildings of one kind in words; of one nobody knows any more, its slug."""
    name = Term(item) if isinstance(item, str) else item.name
    return name if count == 1 else say(_("{building} × {count}"), building=name, count=count)


@dataclass(frozen=True, eq=False)
class NoRealm:
    """`RealmLaw` of a law that says nothing of kingdoms."""

    rule: str = ""
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
