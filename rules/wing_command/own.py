"""Types of troops that a campaign adds to the starter tables (WC-HOUSE), stored among its house rules.

The stored form is `{"troops": {slug: {"name", "move", "melee", …}}}`. Army documents refer to them by slug.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from rules.core.content import SourceMark
from rules.core.errors import pointer
from rules.core.shapes import KEPT, Label, OneOf, ShapeReading, Text, WholeNumber, Wrong, shape_of
from rules.core.shapes.value_kinds import WRONG
from rules.core.text import Term, _
from rules.wing_command.spec import REGULAR, TroopType
from rules.wing_command.starter import CLASSES, PROFILES, TROOPS
from rules.wing_command.wing import FIGURE_MOST, MOVE_MOST, NAME_MOST

TYPES = "troops"
MOST = 60
POINTS_MOST, TAG_MOST = 20, 2
CLASS_NAMES = {slug: PROFILES[slug].name for slug in CLASSES}

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]


class OwnTroop(NamedTuple):
    """A campaign's own type of troops. `tag`: the letters on its counter."""

    name: Annotated[str, Text(NAME_MOST), Label(_("Name"))]
    tag: Annotated[str, Text(TAG_MOST), Label(_("Letters on the counter"))]
    large: Annotated[bool, Label(_("Large"))] = False
    move: Annotated[int, WholeNumber(1, MOVE_MOST), KEPT, Label(_("Move"))] = 3
    melee: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Melee attack"))] = 2
    shot: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Shot"))] = 0
    range: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Range"))] = 0
    guard: Annotated[int, WholeNumber(0, FIGURE_MOST), KEPT, Label(_("Guard"))] = 2
    command_class: Annotated[str, OneOf(CLASS_NAMES), KEPT, Label(_("Command class"))] = REGULAR
    points: Annotated[int, WholeNumber(1, POINTS_MOST), KEPT, Label(_("Points"))] = 2
    fly: Annotated[bool, Label(_("Flies"))] = False
    infiltrate: Annotated[bool, Label(_("Infiltrates"))] = False

    def judged(self, wrong: Wrong) -> OwnTroop:
        if bool(self.shot) != bool(self.range):
            wrong("range", _("Enter both shot and range, or neither."))
        return self


SHAPE = shape_of(OwnTroop)


def clean_own(given: object) -> dict[str, dict[str, Any]]:
    """The campaign's own troops in their stored form. Raises `InvalidInput` with a pointer for every problem
    ("/troops/pikes/melee").
    """
    reading = ShapeReading()
    body = _object(given, "", reading)
    for name in body.keys() - {TYPES}:
        reading.wrong(pointer("", name), _("Unknown field “{name}”. Remove it."), name=str(name)[:NAME_MOST])
    things = _object(body.get(TYPES) or {}, f"/{TYPES}", reading)
    if len(things) > MOST:
        reading.wrong(f"/{TYPES}", _("Keep at most {most} types of troops."), most=MOST)
        things = {}
    kept = {slug: SHAPE.read(thing, pointer(f"/{TYPES}", slug), reading)
            for slug, thing in things.items() if _may_be_called(slug, reading)}  # fmt: skip
    reading.refuse()
    return {TYPES: {slug: SHAPE.write(thing) for slug, thing in kept.items() if thing is not WRONG}} if kept else {}


def _object(given: object, at: str, reading: ShapeReading) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        return given
    reading.wrong(at, _("Enter a JSON object."))
    return {}


def _may_be_called(slug: object, reading: ShapeReading) -> bool:
    at, shown = f"/{TYPES}", str(slug)[:NAME_MOST]
    if slug in TROOPS:
        reading.wrong(at, _("“{slug}” is a type of the ruleset. Change its figures in the campaign’s settings."),
                      slug=shown)  # fmt: skip
        return False
    if not isinstance(slug, str) or not _is_slug(slug):
        reading.wrong(at, _("Write “{slug}” with a–z, 0–9 and dashes only."), slug=shown)
        return False
    return True


def _is_slug(text: str) -> bool:
    return 1 <= len(text) <= NAME_MOST and text.isascii() and text == text.lower() and text.replace("-", "").isalnum()


def types_of(own: Own) -> dict[str, TroopType]:
    """The campaign's own types as table items."""
    return {slug: _type_of(slug, SHAPE.read_document(thing)) for slug, thing in own.get(TYPES, {}).items()}


def _type_of(slug: str, own: OwnTroop) -> TroopType:
    return TroopType(
        slug, Term(own.name), "WC-HOUSE", tag=own.tag, large=own.large, move=own.move, melee=own.melee,
        shot=own.shot, range=own.range, guard=own.guard, command_class=own.command_class, points=own.points,
        fly=own.fly, infiltrate=own.infiltrate, mark=SourceMark.NONE,
    )  # fmt: skip
