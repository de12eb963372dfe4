"""Figures of an army as its row keeps them, declared once: forms, API, tables, chronicle and documents come from it.

A declaration is a class whose fields are called as attributes of the army, in the order the chronicle tells them. Its
markers say who may set a figure and who is told. `ArmyFigures` is what every army has; a law whose armies have columns
of their own declares all of theirs in its folder.
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
"""Whoever raises an army may set it: form, API, tables, and armies raised alike."""
GM_ONLY = Marker("gm only")
"""At raising it counts from the GM alone."""
CORRECTABLE = Marker("correctable")
"""The GM may set it right: form, API, tables."""
IN_ANSWERS = Marker("in answers")
"""The API tells it with the army."""
ON_SHEET = Marker("on sheet")
"""The army's page and its print list it; what they draw by themselves is not marked so."""
DERIVED = Marker("derived")
"""Follows from the rest: the chronicle does not compare it."""
ADDED_LATER = Marker("added later")
"""A campaign's document written before it was declared lacks it: there it is as usual."""


class StoredAs(NamedTuple):
    """The column it is kept in, where that has another name."""

    name: str


STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "captured": _("captured"),
}  # fmt: skip


def at_most(attribute: str) -> WholeNumber:
    """From 0 to what another figure of the army says."""
    return WholeNumber(0, lambda army: army.get(attribute, NUMBER_MOST))


type StatusFigure = Annotated[
    str, OneOf(STATUSES, _("There is no such status.")), Label(_("Status")), CORRECTABLE, IN_ANSWERS
]
type RevealedFigure = Annotated[
    bool, Label(_("Sheet revealed"), asked=_("Everyone at the table may read its sheet")),
    AT_RAISING, GM_ONLY, CORRECTABLE, IN_ANSWERS,
]  # fmt: skip
type HiddenFigure = Annotated[bool, Label(_("Hidden from other players")), IN_ANSWERS]
type PlaceFigure = Annotated[
    str, Text(), Label(_("Location")), InApi("where it is or goes to, in free words"), IN_ANSWERS
]
type HexFigure = Annotated[str, Label(_("Hex of the map"))]
type ArrivalFigure = Annotated[int | None, Label(_("On the march until day")), InApi("the day it arrives"), IN_ANSWERS]
type WayFigure = Annotated[Any, Label(_("Its way"))]
type LeaderFigure = Annotated[str | None, Label(_("Commander"))]


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmyFigures:
    """What the row of any army keeps."""

    name: Annotated[str, Text(), Label(_("Name"))]
    sheet: Annotated[Any, Label(_("Sheet"))]
    health: Annotated[int, at_most("health_max"), Label(_("Health")), CORRECTABLE, IN_ANSWERS]
    health_max: Annotated[int, Label(_("Health at most")), IN_ANSWERS]
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
    """Those that have all these markers."""
    return tuple(one for one in shape.fields if all(mark in one.marks for mark in marks) and without not in one.marks)


def names_of(shape: DeclaredShape, *marks: object, without: object = None) -> tuple[str, ...]:
    return tuple(one.name for one in list_figures(shape, *marks, without=without))


def words_of(shape: DeclaredShape, *marks: object, without: object = None) -> dict[str, Said]:
    """What they are called in the chronicle."""
    return {one.name: one.label for one in list_figures(shape, *marks, without=without)}


def column_of(one: ShapeField) -> str:
    return next((mark.name for mark in one.marks if isinstance(mark, StoredAs)), one.name)


def clean_figure(one: ShapeField, value: Any, army: Mapping[str, Any]) -> Any:
    """The value as it is kept; `army`: its figures, which bounds may depend on. Raises `InvalidInput`."""
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
