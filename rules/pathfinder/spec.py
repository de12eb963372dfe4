"""Specs of an army and its commander: the input of every computed figure, also the declaration of the stored fields.
The CR ladder and army sizes (PF-1.1 to PF-1.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from rules.adjustments import Adjustable, AdjustableFigure, LastingAdjustment
from rules.army_law import (
    ADDED_LATER,
    CORRECTABLE,
    DERIVED,
    IN_ANSWERS,
    OWN_ONLY,
    AdjustmentsFigure,
    ArrivalFigure,
    HexFigure,
    HiddenFigure,
    LeaderFigure,
    PlaceFigure,
    RevealedFigure,
    StatusFigure,
    StoredAs,
    WayFigure,
    at_most,
)
from rules.core.content import Item
from rules.core.errors import demand
from rules.core.shapes import InApi, Label, Text, WholeNumber, shape_of
from rules.core.shapes.value_kinds import ChoiceKind, FlagKind, WholeKind
from rules.core.text import Term, _

# Specs of an army and its commander: the input of every computed figure. Also the declaration of the stored fields.


@dataclass(frozen=True, slots=True)
class AbilityChoice:
    """Special ability with its value and options, as chosen when the army was raised (PF-9)."""

    ability: str
    value: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """One soldier of a homogeneous army (PF-1.11). `cr` is a string such as "1/3" or "9"; `speed_m` is in metres per
    round.
    """

    name: str
    cr: str
    hit_die: str = "d8"
    speed_m: float = 9
    creature_type: str = "humanoid"
    alignment: str = "N"
    level: int = 1
    ranged: bool = False
    abilities: tuple[AbilityChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class MountSpec:
    """Mount of an army (R-3). Without a CR it is priced as CR 1 and does not raise the ACR."""

    name: str = ""
    cr: str | None = None
    speed_m: float | None = None
    creature_type: str = "animal"


@dataclass(frozen=True, slots=True)
class BoonChoice:
    boon: str
    tactic: str | None = None


@dataclass(frozen=True, slots=True)
class CommanderSpec:
    """Figures of a commander (PF-2.1). `active`: with the army at least 3 days a week, or on the field in a battle."""

    id: str
    name: str
    level: int = 1
    charisma_modifier: int = 0
    soldier_ranks: int = 0
    leadership_feat: bool = False
    player_character: bool = False
    office: str | None = None
    office_boon: str | None = None
    office_tactic: str | None = None
    boons: tuple[BoonChoice, ...] = ()
    notorious: bool = False
    active: bool = True


@dataclass(frozen=True, slots=True)
class TacticKnown:
    """Tactic that the army may use. Granted ones do not count against its maximum (PF-1.10)."""

    tactic: str
    granted: bool = False


ADJUSTABLE = Adjustable("PF-3.12", {
    "om": AdjustableFigure(_("Offense (OM)")), "dv": AdjustableFigure(_("Defense (DV)")),
    "morale": AdjustableFigure(_("Morale checks")), "hp": AdjustableFigure(_("Maximum hit points")),
    "speed": AdjustableFigure(_("Hexes per day")), "consumption": AdjustableFigure(_("Consumption")),
}, health="hp")  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArmySpec:
    """Army before a battle or on its sheet. `hp` None means unhurt. `disease` and `drain` are
    penalties to OM and DV.
    """

    id: str
    name: str
    unit: UnitSpec
    count: int
    mount: MountSpec | None = None
    commander: CommanderSpec | None = None
    resources: Mapping[str, int] = field(default_factory=dict)
    tactics: tuple[TacticKnown, ...] = ()
    hp: int | None = None
    morale: int = 0
    arrears: bool = False
    disease: int = 0
    drain: int = 0
    status: str = "ready"
    kingdom: str = ""
    adjustments: tuple[LastingAdjustment, ...] = ()


# Bounds of Morale, and when an army disbands (PF-1.9, PF-7.2).

LEAST_MORALE, MOST_MORALE = -4, 4
ARREARS = 2  # penalty to Morale while upkeep is owed


def breaks(morale: int, arrears: bool) -> bool:
    """Whether the army disbands: at −5 or less, arrears included, before Morale is clamped."""
    return morale - (ARREARS if arrears else 0) < LEAST_MORALE


def clamped(morale: int) -> int:
    return max(LEAST_MORALE, min(MOST_MORALE, morale))


# Stored fields of an army (`rules.army_law`): its columns, its document and related rows.

PENALTY_MOST = 1000
type PenaltyFigure = Annotated[int, WholeNumber(0, PENALTY_MOST), CORRECTABLE, IN_ANSWERS]


@dataclass(frozen=True, kw_only=True, slots=True)
class MassCombatFigures:
    """Stored fields of an army of mass combat (PF-1, PF-7), of the model `armies.pathfinder.models.PathfinderArmy`."""

    name: Annotated[str, Text(), Label(_("Name"))]
    unit: Annotated[Any, Label(_("Unit")), StoredAs("sheet")]
    count: Annotated[Any, Label(_("Number of units")), StoredAs("sheet")]
    mount: Annotated[Any, Label(_("Mount")), StoredAs("sheet")] = None
    hp_max: Annotated[int, Label(_("Maximum hit points")), StoredAs("health_max"), IN_ANSWERS]
    hp: Annotated[int, at_most("hp_max"), Label(_("Hit points")), StoredAs("health"), CORRECTABLE, IN_ANSWERS]
    morale: Annotated[int, WholeNumber(LEAST_MORALE, MOST_MORALE), Label(_("Morale")), CORRECTABLE, IN_ANSWERS] = 0
    status: StatusFigure = "ready"
    arrears: Annotated[bool, Label(_("In arrears")), CORRECTABLE, IN_ANSWERS] = False
    owed: Annotated[int, Label(_("BP owed")), IN_ANSWERS] = 0
    disease: Annotated[PenaltyFigure, Label(_("Penalty from disease"))] = 0
    ill: Annotated[bool, Label(_("Ill"), asked=_("Ill: grows by 1 a day")), CORRECTABLE, IN_ANSWERS] = False
    drain: Annotated[PenaltyFigure, Label(_("Penalty from energy drain"))] = 0
    surcharge: Annotated[int, Label(_("Potions to pay")), OWN_ONLY] = 0
    foraging: Annotated[int | None, Label(_("Weeks of food in its hex")), OWN_ONLY] = None
    revealed: RevealedFigure = False
    hidden: HiddenFigure = False
    rested_on: Annotated[int | None, Label(_("Last day of rest")), OWN_ONLY] = None
    place: PlaceFigure = ""
    hex: HexFigure = ""
    marching_until: ArrivalFigure = None
    route: WayFigure = None
    led_days: Annotated[int, Label(_("Days led in the week")), OWN_ONLY] = 0
    led_to: Annotated[int, Label(_("Days led, counted through day")), OWN_ONLY] = 0
    adjustments: AdjustmentsFigure = ()
    reserved_on: Annotated[int | None, Label(_("In reserve since day")), ADDED_LATER, IN_ANSWERS] = None
    called_up: Annotated[int | None, Label(_("Called up, ready on day")), ADDED_LATER, IN_ANSWERS] = None
    repertoire: Annotated[Any, Label(_("Tactics"))] = None
    resources: Annotated[Any, Label(_("Resources"))] = None
    commander: LeaderFigure = None
    consumption: Annotated[
        int, Label(_("Consumption")), StoredAs("upkeep"), InApi("BP a week"), DERIVED, IN_ANSWERS
    ] = 0
    acr: Annotated[int, Label(_("ACR")), DERIVED] = 0
    regrowth: Annotated[int, Label(_("Hit points regained per day")), DERIVED] = 0


MASS_COMBAT_FIGURES = shape_of(MassCombatFigures)
IN_SPEC = tuple(
    one.name for one in MASS_COMBAT_FIGURES.fields
    if one.name in ArmySpec.__slots__ and one.name != "hp" and isinstance(one.kind, WholeKind | FlagKind | ChoiceKind)
)  # fmt: skip
"""Fields that an `ArmySpec` takes over unchanged."""


# The CR ladder, army sizes and the figures that follow from them (PF-1.1 to PF-1.8).

LOW = ("1/8", "1/6", "1/4", "1/3", "1/2")
HIT_DIE_AVERAGE = {
    "d4": Fraction(5, 2),
    "d6": Fraction(7, 2),
    "d8": Fraction(9, 2),
    "d10": Fraction(11, 2),
    "d12": Fraction(13, 2),
}
HIT_DICE = tuple(HIT_DIE_AVERAGE)
HIGHEST_CR = 60  # higher than anything printed, so that numbers and experience stay within reason
MOST_UNITS = 10_000_000


@dataclass(frozen=True, slots=True, order=True)
class Acr:
    """A step on the CR ladder (PF-1.1): 0 is 1/8, 4 is 1/2, 5 is 1, 6 is 2…"""

    step: int

    @property
    def exact(self) -> Fraction:
        return Fraction(LOW[self.step]) if self.step < len(LOW) else Fraction(self.step - len(LOW) + 1)

    @property
    def floor(self) -> int:
        return int(self.exact)

    def __str__(self) -> str:
        return str(self.exact)


def parse_cr(text: object, field: str = "/unit/cr") -> Acr:
    """Parse "1/3" or "9" into a step of the ladder (PF-1.1). Raises `InvalidInput`."""
    text = str(text).strip()
    if text in LOW:
        return Acr(LOW.index(text))
    known = text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= HIGHEST_CR
    demand(
        known,
        _("“{cr}” is not a challenge rating. Use 1/8, 1/6, 1/4, 1/3, 1/2, or a whole number from 1 to {most}."),
        field=field,
        cr=text[:20],
        most=HIGHEST_CR,
    )
    return Acr(int(text) + len(LOW) - 1)


@dataclass(frozen=True, slots=True)
class Size(Item):
    """Army size, a row of PF-1.2. `defeat` is the Economy, Loyalty and Stability lost by the kingdom of a defeated
    army.
    """

    units: int = 1
    step: int = 0
    factor: Fraction = Fraction(1)
    defeat: tuple[int, int, int] = (0, 0, 0)
    rank: int = 0


def _size(rank: int, slug: str, name: Term, units: int, step: int, factor: str, defeat: tuple[int, int, int]) -> Size:
    summary = _("Size of the army. It changes the ACR, the prices and the cost of a defeat.")
    return Size(slug, name, "PF-1.2", summary, units, step, Fraction(factor), defeat, rank)


SIZES = {
    size.slug: size
    for size in (
        _size(0, "fine", _("fine"), 1, -8, "1/8", (0, 0, 0)),
        _size(1, "diminutive", _("diminutive"), 10, -6, "1/6", (0, -1, 0)),
        _size(2, "tiny", _("tiny"), 25, -4, "1/4", (-1, -1, 0)),
        _size(3, "small", _("small"), 50, -2, "1/2", (-1, -1, -1)),
        _size(4, "medium", _("medium"), 100, 0, "1", (-2, -2, -2)),
        _size(5, "large", _("large"), 200, 2, "2", (-3, -2, -2)),
        _size(6, "huge", _("huge"), 500, 4, "4", (-4, -2, -2)),
        _size(7, "gargantuan", _("gargantuan"), 1000, 6, "10", (-4, -2, -3)),
        _size(8, "colossal", _("colossal"), 2000, 8, "20", (-4, -3, -3)),
    )
}
BY_RANK = tuple(SIZES.values())


def size_of(count: int) -> Size:
    """Return the largest size that the number of units reaches (PF-1.2). Raises `InvalidInput` out of bounds."""
    demand(
        isinstance(count, int) and not isinstance(count, bool) and 1 <= count <= MOST_UNITS,
        _("An army has from 1 to {most} units."),
        field="/count",
        most=MOST_UNITS,
    )
    return max((size for size in BY_RANK if size.units <= count), key=lambda size: size.rank)


@lru_cache(maxsize=4096)
def army_rating(cr: Acr, size: Size) -> Acr:
    """Return the ACR: the unit's CR moved by the size's step (PF-1.3). Raises `InvalidInput` below 1/8."""
    step = cr.step + size.step
    demand(
        step >= 0,
        _("This is too few units of CR {cr} for an army. Add units until it reaches ACR 1/8."),
        field="/count",
        cr=str(cr),
    )
    return Acr(step)


def hit_points(rating: Acr, hit_die: str) -> int:
    """Return floor(exact ACR × average hit die), at least 1 (PF-1.4)."""
    return max(1, int(rating.exact * HIT_DIE_AVERAGE[hit_die]))


_XP_BASE = {"1/8": 50, "1/6": 65, "1/4": 100, "1/3": 135, "1/2": 200, "1": 400, "2": 600}


def experience(rating: Acr) -> int:
    """Return the XP of a CR equal to the ACR (PF-1.6). From CR 1 on, two steps double it."""
    text = str(rating)
    if text in _XP_BASE:
        return _XP_BASE[text]
    doublings, odd = divmod(rating.floor - 1, 2)
    return int((600 if odd else 400) << doublings)


def consumption_base(rating: Acr) -> int:
    """Return the consumption without resources, in BP a week (PF-1.7)."""
    return max(1, rating.floor // 2)


def hexes_per_day(speed_m: Fraction) -> int:
    """Return max(1, floor(4 × metres per round ÷ 18)) hexes of 20 km (PF-1.8)."""
    return max(1, int(4 * speed_m / 18))


def scaled(amount: int, size: Size) -> int:
    """Return a price or consumption times the size's factor, rounded down, at least 1 (PF-5). An amount of 0 stays 0
    (R-83).
    """
    return max(1, int(amount * size.factor)) if amount else 0
