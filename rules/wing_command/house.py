"""House rules of a campaign (WC-HOUSE): the settings, the tables and options that follow from them, and the campaign's
own types of troops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from rules.core.content import SourceMark, overlaid
from rules.core.errors import pointer
from rules.core.shapes import KEPT, Label, OneOf, ShapeReading, Text, WholeNumber, Wrong, shape_of
from rules.core.shapes.value_kinds import WRONG
from rules.core.text import Term, _
from rules.house import OVERLAY, OWN, HouseRule, HouseRules, ItemFigure, ItemFigures, every
from rules.pending import empty_phases
from rules.wing_command.figures import Tables
from rules.wing_command.spec import GM, REGULAR, TABLE, BattleOptions, House, TroopType
from rules.wing_command.starter import ABILITIES, CLASSES, PROFILES, SPELLS, TROOPS
from rules.wing_command.wing import FIGURE_MOST, MOVE_MOST, NAME_MOST

# Types of troops that a campaign adds to the starter tables (WC-HOUSE), stored among its house rules.
#
# The stored form is `{"troops": {slug: {"name", "move", "melee", …}}}`. Army documents refer to them by slug.

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
        reading.wrong(at, _("“{slug}” is one of the ruleset’s troop types. Change its figures in the campaign "
                            "settings."),
                      slug=shown)  # fmt: skip
        return False
    if not isinstance(slug, str) or not _is_slug(slug):
        reading.wrong(at, _("Use only a–z, 0–9 and dashes in “{slug}”."), slug=shown)
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


# House rules of a campaign (WC-HOUSE): the settings, and the tables and options that follow from them.

DIFFICULTY_MOST = 8

HOUSE_RULES = HouseRules(
    rule="WC-HOUSE",
    rules={
        "orders_to_characters": HouseRule(
            _("Special orders to characters"), True, rule="WC-4.6",
            choices={True: _("The army leader can also give orders to characters"), False: _(
                "Only troops can take orders"
            )},
        ),
        "combat": HouseRule(
            _("Combat"), TABLE, rule="WC-8.9",
            choices={TABLE: _("The tables decide attacks and duels"), GM: _("The GM enters the result of each attack")},
        ),
        "turn_limit": HouseRule(_("Turn limit"), 12, rule="WC-9.1", least=6, most=20),
        "break_share": HouseRule(
            _("Losses that break a wing, in % of its troops"), 50, rule="WC-9.8", least=10, most=100,
        ),
        "aptitude_bonus": HouseRule(
            _("Added to every casting aptitude"), 0, rule="WC-7.2", least=-4, most=4,
            help=_("The aptitude is magic level − difficulty + pentacle + this number."),
        ),
        "upkeep": HouseRule(
            _("Weekly upkeep"), True, rule="C-5",
            choices={True: _("A quarter of an army’s points, at least 1"), False: _("Armies cost nothing")},
        ),
        "empty_phases": empty_phases(
            "WC-9.6", _("A rout phase in which nobody flees or rallies. Undo goes back to it.")
        ),
    },
    figures={
        "troops": ItemFigures(_("Type of troops"), {
            "move": ItemFigure(_("move"), _("Move"), 1, MOVE_MOST),
            "melee": ItemFigure(_("melee attack"), _("Melee attack"), 0, FIGURE_MOST),
            "shot": ItemFigure(_("shot"), _("Shot"), 0, FIGURE_MOST),
            "range": ItemFigure(_("range"), _("Range"), 0, FIGURE_MOST),
            "guard": ItemFigure(_("guard"), _("Guard"), 0, FIGURE_MOST),
            "points": ItemFigure(_("points"), _("Points"), 1, POINTS_MOST),
        }),
        "abilities": ItemFigures(_("Command ability"), {
            "threshold": ItemFigure(_("threshold"), _("Threshold"), 2, 12),
        }),
        "spells": ItemFigures(_("Spell"), {
            "difficulty": ItemFigure(_("difficulty"), _("Difficulty"), 0, DIFFICULTY_MOST),
        }),
    },
    switches={"troops": every, "spells": every},
    own=clean_own,
)  # fmt: skip


def house_of(stored: Mapping[str, Any]) -> House:
    """The house rules from their stored form. Unknown settings are ignored."""
    known = {name: stored[name] for name in HOUSE_RULES.rules if name in stored}
    return replace(House(**known), overlay=stored.get(OVERLAY, {}), own=stored.get(OWN, {}))


def tables_of(overlay: Mapping[str, Mapping[str, Mapping[str, Any]]], own: Own | None = None) -> Tables:
    """The tables with a campaign's changed figures and its own types of troops."""
    return Tables(
        overlaid(TROOPS, overlay.get("troops", {}), HOUSE_RULES.figures_of("troops")) | types_of(own or {}),
        overlaid(ABILITIES, overlay.get("abilities", {}), HOUSE_RULES.figures_of("abilities")),
        overlaid(SPELLS, overlay.get("spells", {}), HOUSE_RULES.figures_of("spells")),
    )


def options_of(house: House) -> BattleOptions:
    """The options a battle of this campaign starts with."""
    return BattleOptions(house.combat, house.orders_to_characters, house.turn_limit, house.break_share,
                         aptitude_bonus=house.aptitude_bonus)  # fmt: skip
