"""Specs of an army and its commander: the input of every computed figure. Also the declaration of the stored fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from rules.army_figures import (
    CORRECTABLE,
    DERIVED,
    IN_ANSWERS,
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
from rules.core.shapes import InApi, Label, Text, WholeNumber, shape_of
from rules.core.shapes.value_kinds import ChoiceKind, FlagKind, WholeKind
from rules.core.text import _


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


# Bounds of Morale, and when an army disbands (PF-1.9, PF-7.2).

LEAST_MORALE, MOST_MORALE = -4, 4
ARREARS = 2  # penalty to Morale while upkeep is owed


def breaks(morale: int, arrears: bool) -> bool:
    """Whether the army disbands: at −5 or less, arrears included, before Morale is clamped."""
    return morale - (ARREARS if arrears else 0) < LEAST_MORALE


def clamped(morale: int) -> int:
    return max(LEAST_MORALE, min(MOST_MORALE, morale))


# Stored fields of an army (`rules.army_figures`): its columns, its document and related rows.

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
    surcharge: Annotated[int, Label(_("Potions to pay"))] = 0
    foraging: Annotated[int | None, Label(_("Weeks of food in its hex"))] = None
    revealed: RevealedFigure = False
    hidden: HiddenFigure = False
    rested_on: Annotated[int | None, Label(_("Last day of rest"))] = None
    place: PlaceFigure = ""
    hex: HexFigure = ""
    marching_until: ArrivalFigure = None
    route: WayFigure = None
    led_days: Annotated[int, Label(_("Days led in the week"))] = 0
    led_to: Annotated[int, Label(_("Days led counted up to day"))] = 0
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
