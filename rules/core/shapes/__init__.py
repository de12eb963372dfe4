"""Shapes: a document, a command or an opening declared once, as a NamedTuple or dataclass with marked fields.

    class Troop(NamedTuple):
        type: Annotated[str, OneOf("troops"), Label(_("Type"))]
        strength: Annotated[int, WholeNumber(1, 100), Label(_("Strength"))]
        name: Annotated[str, Text(60), Label(_("Name"))] = ""

    troop = shape_of(Troop).read_document({"type": "riders", "strength": 12}, known={"troops": TROOPS})

Reader, JSON, form, API document, table and words for the chronicle come from it (`docs/design/shapes.md`).
"""

from rules.core.shapes.describe import commands_of, members_of, options_of, shape_of, slug_of
from rules.core.shapes.objects import Commands, DeclaredShape, FieldChange, ShapeField, Wrong, differences, in_words
from rules.core.shapes.value_kinds import (
    CARRIED,
    FLAT,
    KEPT,
    UNSAID,
    ArmyId,
    Called,
    Each,
    InApi,
    JsonValue,
    Label,
    Marker,
    NeededIf,
    OneOf,
    ShapeReading,
    SideNumber,
    Slug,
    Spelled,
    Text,
    UnitId,
    WholeNumber,
)

__all__ = [
    "CARRIED",
    "FLAT",
    "KEPT",
    "UNSAID",
    "ArmyId",
    "Called",
    "Commands",
    "DeclaredShape",
    "Each",
    "FieldChange",
    "InApi",
    "JsonValue",
    "Label",
    "Marker",
    "NeededIf",
    "OneOf",
    "ShapeField",
    "ShapeReading",
    "SideNumber",
    "Slug",
    "Spelled",
    "Text",
    "UnitId",
    "WholeNumber",
    "Wrong",
    "commands_of",
    "differences",
    "in_words",
    "members_of",
    "options_of",
    "shape_of",
    "slug_of",
]
