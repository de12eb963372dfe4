"""Serializers of armies and commanders of breaking point, with their figures, and its part of `armies/` and
`commanders/`. They only map: the rules read units, services write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from armies.adjustments.serializers import AdjustmentSerializer
from armies.breaking_point.armies.page import FIGURE_GROUPS, list_sums
from armies.breaking_point.armies.services import appoint_commander, update_commander
from armies.breaking_point.forces.specs import build_general, load_adjusted_units
from armies.default.api import PlainCommanderSerializer, SheetArmySerializer
from armies.documents.api import DocumentApi
from armies.forces.declared_figures import copy_raised, with_answers, with_sent
from armies.models import Army, Commander
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from core.shapes.serializers import ApiShapes
from kingdom.api.fields import LineSerializer, NameField, WholeField, serialize_lines
from kingdom.chronicle.last_changes import UpdatedAtField
from kingdom.models import Kingdom, User
from rules.army_law import ARMY_FIGURES, AT_RAISING, CORRECTABLE
from rules.breaking_point import lines
from rules.breaking_point.documents import COMMANDER, COMMANDER_FIGURES, UNIT, UnitDocument
from rules.breaking_point.figures import BodyFigures, body_figures
from rules.breaking_point.losses import KINDS as SPOILS
from rules.breaking_point.spec import Json, Unit

# Figures of armies and commanders in the shape of the API.


def army_json(army: Army) -> Json | None:
    """Figures of the army and its groups, with breakdowns; None where the ruleset no longer accepts the units."""
    units = load_adjusted_units(army)
    if not units:
        return None
    opened = {name: serialize_lines(found) for name, found in lines.body_lines(units).items()}
    return {**_body(body_figures(units)), "groups": dict(_groups(units)), "breakdown": opened}


def _groups(units: Sequence[Unit]) -> list[tuple[str, Json]]:
    found = []
    for slug, group, reserve, _title in FIGURE_GROUPS:
        own = [unit for unit in units if unit.group == group and unit.reserve == reserve]
        if own:
            found.append((slug.replace("-", "_"), _body(body_figures(own))))
    return found


def _body(figures: BodyFigures) -> Json:
    force = figures.force
    return {
        **figures_json(figures),
        "thresholds": {"battered": -(-force // 2), "decimated": force, "annihilated": 2 * force},
    }


def figures_json(figures: BodyFigures) -> Json:
    plain = ("strength", "power", "fire_power", "force", "combat", "defense", "breaking_value", "mobility", "range")
    return {**{name: getattr(figures, name) for name in plain}, "breaking_point": figures.breaking}


def units_json(army: Army) -> list[Json]:
    """Stored units, each with its own figures as `sheet`, null where the ruleset no longer accepts the army."""
    units = load_adjusted_units(army)
    sheets = [figures_json(body_figures([unit])) for unit in units]
    kept = army.sheet.get("units", ())
    return [{**unit, "sheet": sheets[place] if sheets else None} for place, unit in enumerate(kept)]


def sums_json(commander: Commander) -> Json:
    """Modifiers to the dice of command, rally and terms, with breakdowns."""
    sums = list_sums(build_general(commander))
    opened = {shown.id: serialize_lines(shown.breakdown) for shown in sums}
    return {**{shown.id: shown.value for shown in sums}, "breakdown": opened}


# Serializers of armies and commanders of breaking point. They only map: the rules read units, services write.

GROUPS = ("contact", "shooting")
LEGION = {
    "name": "First cohort", "type": "infantry", "strength": 480, "combat": 6, "armour": 4, "group": "contact",
    "shield": True, "weapons": ["gladius", "pilum"],
}  # fmt: skip
BATTERY = {
    "name": "Battery of eights", "type": "artillery", "strength": 24, "combat": 6, "armour": 1, "group": "shooting",
    "pieces": 6, "weapons": ["8-pounder"],
}  # fmt: skip
TANKS = {
    "name": "Tigers", "type": "machines", "strength": 12, "combat": 8, "armour": 150, "group": "shooting",
    "machine": {"name": "Tiger II", "toughness": 350, "armour": 150, "mobility": 2, "control": -2, "defense": -5},
    "weapons": ["tank-gun", {"slug": "mg-42", "secondary": True},
                {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}],
}  # fmt: skip
ARMY = {"kingdom": "0198c5f0-0000-7000-8000-000000000001", "name": "Ironwatch", "units": [LEGION, BATTERY],
        "commander": None}  # fmt: skip
GENERAL = {"kingdom": "0198c5f0-0000-7000-8000-000000000001", "name": "Ysolde", "mental": 8, "presence": 7, "combat": 5,
           "art_of_war": 5, "diplomacy": 2}  # fmt: skip


SHAPES = ApiShapes(called={UnitDocument: "HomogeneousUnitSerializer"}, base=serializers.Serializer, bounds=False)
HomogeneousUnitSerializer: Any = SHAPES.of(UNIT)


class BodyFiguresSerializer(serializers.Serializer):
    """Figures of an army, a group or a unit. `breaking_point` in %, null where it never breaks."""

    strength = serializers.IntegerField()
    power = serializers.IntegerField(help_text="charging, against no armour")
    fire_power = serializers.IntegerField()
    force = serializers.IntegerField()
    combat = serializers.IntegerField()
    defense = serializers.IntegerField()
    breaking_point = serializers.IntegerField(allow_null=True)
    breaking_value = serializers.IntegerField(allow_null=True)
    mobility = serializers.IntegerField()
    range = serializers.CharField(allow_blank=True)


class ThresholdsSerializer(serializers.Serializer):
    """Losses from which a body is in each state."""

    battered = serializers.IntegerField()
    decimated = serializers.IntegerField()
    annihilated = serializers.IntegerField()


class BodySerializer(BodyFiguresSerializer):
    thresholds = ThresholdsSerializer()


class GroupsSerializer(serializers.Serializer):
    """The groups that have units."""

    contact = BodySerializer(required=False)
    shooting = BodySerializer(required=False)
    reserve_contact = BodySerializer(required=False)
    reserve_shooting = BodySerializer(required=False)


class HostSheetSerializer(BodySerializer):
    groups = GroupsSerializer()
    breakdown = serializers.DictField(child=LineSerializer(many=True), help_text="the lines of each figure")


class FieldedUnitSerializer(HomogeneousUnitSerializer):
    sheet = BodyFiguresSerializer(read_only=True)


@extend_schema_field(HomogeneousUnitSerializer(many=True))
class UnitsField(serializers.JSONField):
    """Units as the rules read them. A unit may be sent back with its `sheet`, which is ignored and derived again."""

    def to_internal_value(self, data: Any) -> Any:
        units = super().to_internal_value(data)
        return [_without_sheet(unit) for unit in units] if isinstance(units, list) else units


def _without_sheet(unit: Any) -> Any:
    return {name: value for name, value in unit.items() if name != "sheet"} if isinstance(unit, Mapping) else unit


class SpoilSerializer(serializers.Serializer):
    """Guns without crews (`name` of their unit, `count`), baggage of an army or stores of a place (`share` in %)."""

    what = serializers.ChoiceField(choices=SPOILS)
    of = serializers.CharField(help_text="the army or the place they were taken from")
    name = serializers.CharField(required=False)
    count = serializers.IntegerField(required=False)
    share = serializers.IntegerField(required=False)


class BreakingPointArmySerializer(serializers.ModelSerializer):
    """An army with all derived figures. `sheet` is null where the ruleset no longer accepts the units. `health`: heads
    able to fight; `health_max`: these and the wounded. `spoils`: what it has taken.
    """

    units = FieldedUnitSerializer(many=True, read_only=True)
    spoils = SpoilSerializer(many=True, read_only=True)
    adjustments = AdjustmentSerializer(many=True, read_only=True)
    sheet = HostSheetSerializer(read_only=True, allow_null=True)
    updated_at = UpdatedAtField()

    class Meta:
        model = Army
        fields: Any = tuple(dict.fromkeys(
            ("id", "campaign", "kingdom", "name", "units", "spoils", *SheetArmySerializer.Meta.fields)
        ))  # fmt: skip
        read_only_fields = fields

    def to_representation(self, army: Army) -> dict[str, Any]:
        plain = [
            name
            for name in self.Meta.fields
            if name not in ("units", "spoils", "sheet", "campaign", "kingdom", "commander", "updated_at")
        ]
        known = {name: getattr(army, name) for name in plain}
        known |= {"id": str(army.pk), "campaign": str(army.campaign_id), "kingdom": str(army.kingdom_id)}
        known |= {"commander": str(army.commander_id) if army.commander_id else None}
        known |= {"units": units_json(army), "spoils": army.sheet.get("spoils", []), "sheet": army_json(army)}
        known["updated_at"] = self.fields["updated_at"].to_representation(army)
        return {name: known[name] for name in self.Meta.fields}


@extend_schema_serializer(examples=[OpenApiExample("Two units", {"units": [LEGION, TANKS]}, request_only=True)])
@with_sent(ARMY_FIGURES, CORRECTABLE, without=("health",))
class BreakingPointArmyChange(Input):
    """Changes of an army. Only the GM may send `status` and `revealed`."""

    name = NameField(max_length=NAME_MAX)
    units = UnitsField()
    commander = serializers.UUIDField(required=False, allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("Foot and guns", ARMY, request_only=True)])
@with_sent(ARMY_FIGURES, AT_RAISING)
class BreakingPointArmyInput(Input):
    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    units = UnitsField()
    commander = serializers.UUIDField(required=False, allow_null=True)


class CommandSumsSerializer(serializers.Serializer):
    """Modifiers that the commander adds to a die."""

    command = serializers.IntegerField()
    rally = serializers.IntegerField()
    terms = serializers.IntegerField()
    breakdown = serializers.DictField(child=LineSerializer(many=True))


@with_answers(COMMANDER)
class BreakingPointCommanderSerializer(PlainCommanderSerializer):
    """A commander: characteristics, which count above 5, and skills; `sums` derive from them."""

    sums = CommandSumsSerializer(read_only=True)

    class Meta(PlainCommanderSerializer.Meta):
        fields: Any = (*PlainCommanderSerializer.Meta.fields, *COMMANDER_FIGURES, "sums")
        read_only_fields = fields

    def to_representation(self, commander: Commander) -> dict[str, Any]:
        frame = {name: field for name, field in self.fields.items() if name not in (*COMMANDER_FIGURES, "sums")}
        known = {name: field.to_representation(value) if value is not None else None
                 for name, field in frame.items() for value in (field.get_attribute(commander),)}  # fmt: skip
        figures = {slug: commander.sheet.get(slug, entry.start) for slug, entry in COMMANDER_FIGURES.items()}
        return {**known, **figures, "sums": sums_json(commander)}


@extend_schema_serializer(examples=[OpenApiExample("Taught", {"art_of_war": 6}, request_only=True)])
@with_sent(COMMANDER, before="status")
class BreakingPointCommanderChange(Input):
    """Changes of a commander. Only the GM may send `status`, `away_until` (the day of return) and `ransom`."""

    name = NameField(max_length=NAME_MAX)
    status = serializers.ChoiceField(choices=Commander.Status.choices, required=False)
    away_until = WholeField(required=False, allow_null=True)
    ransom = WholeField(required=False, allow_null=True)


@extend_schema_serializer(examples=[OpenApiExample("A general", GENERAL, request_only=True)])
@with_sent(COMMANDER)
class BreakingPointCommanderInput(Input):
    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)


# Breaking point's part of `armies/` and `commanders/`: an army's document is its `units`.

LIVED = ("wounded", "experience")


class BreakingPointApi(DocumentApi):
    army_shape: Any = BreakingPointArmySerializer
    army_input: Any = BreakingPointArmyInput
    army_change: Any = BreakingPointArmyChange
    commander_shape: Any = BreakingPointCommanderSerializer
    commander_input: Any = BreakingPointCommanderInput
    commander_change: Any = BreakingPointCommanderChange

    def alike(self, army: Army) -> dict[str, Any]:
        """Body of a new army with the same units: without losses, experience or spoils."""
        units = army.sheet.get("units", ())
        fresh = [{name: value for name, value in unit.items() if name not in LIVED} for unit in units]
        return {"units": fresh, **copy_raised(army, ARMY_FIGURES)}

    def appoint_commander(self, by: User, kingdom: Kingdom, given: dict[str, Any]) -> Commander:
        return appoint_commander(by=by, kingdom=kingdom, **given)

    def change_commander(self, by: User, commander: Commander, given: dict[str, Any]) -> None:
        update_commander(by=by, commander=commander, **given)
