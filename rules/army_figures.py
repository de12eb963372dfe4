"""Army fields, declared once. Forms, the API, tables, the chronicle and campaign documents are derived from the
declaration.

A declaration is a dataclass. Each field is an attribute of the army, in the order in which the chronicle lists them.
Markers say who may set a field and who sees it. `ArmyFigures` holds the fields of every army. A law whose armies have
more columns declares all its fields in its own folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from rules.core.errors import demand
from rules.core.shapes import DeclaredShape, InApi, Label, Marker, OneOf, ShapeField, Text, WholeNumber, shape_of
from rules.core.shapes.value_kinds import NUMBER_MOST, ChoiceKind, FlagKind, WholeKind
from rules.core.text import Said, Term, _

# Markers of figures.

AT_RAISING = Marker("at raising")
"""Whoever raises an army may set this field, in forms, the API, tables and armies raised as copies."""
GM_ONLY = Marker("gm only")
"""At raising, only the GM's value is used."""
CORRECTABLE = Marker("correctable")
"""The GM may correct this field in forms, the API and tables."""
IN_ANSWERS = Marker("in answers")
"""API answers contain this field."""
ON_SHEET = Marker("on sheet")
"""The army's page and its print list this field. Fields that these pages draw in a place of their
own are not marked.
"""
DERIVED = Marker("derived")
"""Computed from other fields. The chronicle does not compare it."""
ADDED_LATER = Marker("added later")
"""Campaign documents written before this field was declared lack it. They are read with its default."""


class StoredAs(NamedTuple):
    """Name of the field's column, where it differs from the field's name."""

    name: str


STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "captured": _("captured"),
}  # fmt: skip


def at_most(attribute: str) -> WholeNumber:
    """Whole number from 0 to the army's value of another field, for example `health` up to `health_max`."""
    return WholeNumber(0, lambda army: army.get(attribute, NUMBER_MOST))


type StatusFigure = Annotated[
    str, OneOf(STATUSES, _("Unknown status. Choose one of the list.")), Label(_("Status")), CORRECTABLE, IN_ANSWERS
]
type RevealedFigure = Annotated[
    bool, Label(_("Sheet revealed"), asked=_("All players can read its sheet")),
    AT_RAISING, GM_ONLY, CORRECTABLE, IN_ANSWERS,
]  # fmt: skip
type HiddenFigure = Annotated[bool, Label(_("Hidden from other players")), IN_ANSWERS]
type PlaceFigure = Annotated[
    str, Text(), Label(_("Location")), InApi("where it is or goes to, in free words"), IN_ANSWERS
]
type HexFigure = Annotated[str, Label(_("Hex of the map"))]
type ArrivalFigure = Annotated[int | None, Label(_("Marching until day")), InApi("the day it arrives"), IN_ANSWERS]
type WayFigure = Annotated[Any, Label(_("Route"))]
type LeaderFigure = Annotated[str | None, Label(_("Commander"))]


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmyFigures:
    """Fields of every army, whatever its law."""

    name: Annotated[str, Text(), Label(_("Name"))]
    sheet: Annotated[Any, Label(_("Sheet"))]
    health: Annotated[int, at_most("health_max"), Label(_("Health")), CORRECTABLE, IN_ANSWERS]
    health_max: Annotated[int, Label(_("Maximum health")), IN_ANSWERS]
    upkeep: Annotated[int, Label(_("Upkeep")), IN_ANSWERS] = 0
    status: StatusFigure = "ready"
    place: PlaceFigure = ""
    hex: HexFigure = ""
    marching_until: ArrivalFigure = None
    route: WayFigure = None
    revealed: RevealedFigure = False
    hidden: HiddenFigure = False
    commander: LeaderFigure = None


ARMY_FIGURES = shape_of(ArmyFigures)


# What a declaration says.


def list_figures(shape: DeclaredShape, *marks: object, without: object = None) -> tuple[ShapeField, ...]:
    """Return the fields that have all of these markers and lack the marker `without`."""
    return tuple(one for one in shape.fields if all(mark in one.marks for mark in marks) and without not in one.marks)


def names_of(shape: DeclaredShape, *marks: object, without: object = None) -> tuple[str, ...]:
    return tuple(one.name for one in list_figures(shape, *marks, without=without))


def words_of(shape: DeclaredShape, *marks: object, without: object = None) -> dict[str, Said]:
    """Return the label of each field by its name, for the chronicle."""
    return {one.name: one.label for one in list_figures(shape, *marks, without=without)}


def column_of(one: ShapeField) -> str:
    return next((mark.name for mark in one.marks if isinstance(mark, StoredAs)), one.name)


def clean_figure(one: ShapeField, value: Any, army: Mapping[str, Any]) -> Any:
    """Return the value as it is stored. `army` holds the army's other figures, for bounds that depend on them. Raises
    `InvalidInput` for a choice or number out of bounds.
    """
    match one.kind:
        case FlagKind():
            return bool(value)
        case ChoiceKind():
            demand(isinstance(value, str) and value in one.kind.slugs({}), one.kind.wrong, field=f"/{one.key}")
        case WholeKind():
            kind = one.kind.within(army)
            demand(kind.holds(value), _("Use a whole number from {low} to {high}."), field=f"/{one.key}",
                   low=kind.lowest, high=kind.highest)  # fmt: skip
    return value
