"""API members of a mass combat battle: armies with their figures, conditions and choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.pathfinder.api.inputs import MountField, UnitField
from armies.pathfinder.api.serializers import CommanderChange
from battles.pathfinder.command_shapes import ConditionMembers, ConditionSerializer, condition_to_json, order_to_json
from battles.pathfinder.field.cards import ArmyOnField, armies_on_field
from core.api.serializers import Input, serialize
from core.clean_input import NAME_MAX
from core.shapes.serializers import SideNamedField, WordOrNumberField
from kingdom.api.fields import LineSerializer, NameField, SaidField, serialize_lines
from rules.core.viewers import LOOKS
from rules.law import Figures, Viewer
from rules.pathfinder.battle.orders.legal import LegalNow
from rules.pathfinder.battle.state.battle_state import BattleState, SetCondition
from rules.pathfinder.battle.state.opening import MOST_AMMUNITION

KIND_OF: Mapping[str, str] = {"ranged": "next"}  # separate button on the page, a kind of another command in the API


class FiguresSerializer(serializers.Serializer):
    """The lines of each figure."""

    om = LineSerializer(many=True, read_only=True)
    dv = LineSerializer(many=True, read_only=True)
    morale_check = LineSerializer(many=True, read_only=True)


class UseGivenSerializer(serializers.Serializer):
    ability = serializers.CharField(required=False)
    resource = serializers.CharField(required=False)
    boon = serializers.CharField(required=False)
    tactic = serializers.CharField(required=False)
    option = serializers.CharField(allow_null=True)
    target = serializers.CharField(allow_null=True)


class OrderGivenSerializer(serializers.Serializer):
    """An order as it was given. `target` is absent if none was named, null if the army holds."""

    army = serializers.CharField()
    tactic = serializers.CharField(allow_null=True)
    strategy = serializers.CharField(allow_null=True)
    target = serializers.CharField(allow_null=True, required=False)
    use = UseGivenSerializer(many=True)
    withdraw = serializers.CharField()
    let_go = serializers.BooleanField()
    hold_the_line = serializers.BooleanField()
    spawn = serializers.CharField()
    surrender = serializers.BooleanField()
    stay_at_range = serializers.BooleanField()


@extend_schema_field({"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Condition"}]})
class ConditionNamedField(serializers.JSONField):
    """A condition, by its slug or as an object."""


class ArmyInBattleSerializer(serializers.Serializer):
    """An army on the field. What you may not know is null: `om`, `dv`, `morale`, `breakdown`, `order`, and `hp` and
    `hp_max` if the campaign tells an enemy's health in words.
    """

    army = serializers.CharField(source="army.id", read_only=True)
    name = serializers.CharField(source="army.name", read_only=True)
    side = serializers.CharField(read_only=True)
    hp = serializers.IntegerField(source="told.health", read_only=True, allow_null=True)
    hp_max = serializers.IntegerField(source="told.health_max", read_only=True, allow_null=True)
    looks = serializers.CharField(source="told.looks", read_only=True, help_text=LOOKS)
    acr = serializers.CharField(read_only=True)
    om = serializers.IntegerField(source="om.total", default=None, read_only=True, allow_null=True)
    dv = serializers.IntegerField(source="dv.total", default=None, read_only=True, allow_null=True)
    morale = serializers.IntegerField(read_only=True, allow_null=True)
    tactic = serializers.CharField(source="army.tactic", read_only=True)
    strategy = serializers.CharField(source="army.strategy", read_only=True)
    target = serializers.CharField(source="army.target", read_only=True, allow_null=True)
    status = serializers.CharField(source="army.status", read_only=True)
    marks = serializers.SerializerMethodField()
    breakdown = serializers.SerializerMethodField()
    order = serializers.SerializerMethodField()

    def get_marks(self, line: ArmyOnField) -> list[str]:
        return list(dict.fromkeys(mark.kind for mark in line.marks))

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_breakdown(self, line: ArmyOnField) -> dict[str, Any] | None:
        if not line.readable:
            return None
        return {name: serialize_lines(getattr(line, name)) for name in ("om", "dv", "morale_check")}

    @extend_schema_field(OrderGivenSerializer(allow_null=True))
    def get_order(self, line: ArmyOnField) -> dict[str, Any] | None:
        return order_to_json(line.order) if line.order else None


class ChoiceSerializer(serializers.Serializer):
    """An option of an order. `why` says why it is not available now; `note` what it would take."""

    slug = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]
    available = serializers.BooleanField(read_only=True)
    why = SaidField(allow_null=True)
    note = SaidField(allow_null=True)
    current = serializers.BooleanField(read_only=True)


class UseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True)
    slug = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]
    available = serializers.BooleanField(read_only=True)
    why = SaidField(allow_null=True)
    left = serializers.IntegerField(read_only=True, allow_null=True)
    options = ChoiceSerializer(many=True, read_only=True)
    targets = ChoiceSerializer(many=True, read_only=True)
    needs_target = serializers.BooleanField(read_only=True)


class ChoicesSerializer(serializers.Serializer):
    """Orders that your army may be given now."""

    army = serializers.CharField(read_only=True)
    tactics = ChoiceSerializer(many=True, read_only=True)
    strategies = ChoiceSerializer(many=True, read_only=True)
    targets = ChoiceSerializer(many=True, read_only=True)
    uses = UseSerializer(many=True, read_only=True)
    may_hold_the_line = serializers.BooleanField(read_only=True)
    may_let_go = serializers.BooleanField(read_only=True)
    may_keep_range = serializers.BooleanField(read_only=True)
    may_spawn = serializers.BooleanField(read_only=True)
    may_surrender = serializers.BooleanField(read_only=True)
    may_stay_at_range = serializers.BooleanField(read_only=True)
    why_it_stays = SaidField(allow_null=True, help_text="why a withdrawal cannot leave the field, null where it can")


class Field(NamedTuple):
    """Battle as `BattleMembers` draws it."""

    legal: tuple[str, ...]
    armies: tuple[ArmyOnField, ...]
    choices: tuple[Any, ...]
    conditions: tuple[SetCondition, ...]
    ammunition: int | None


class BattleMembers(serializers.Serializer):
    legal = serializers.ListField(
        child=serializers.CharField(),
        read_only=True,
        help_text="types of the commands that may be given. `next` ends the setup; before a melee phase it adds a "
        'ranged one: `{"type": "next", "kind": "ranged"}`',
    )
    armies = ArmyInBattleSerializer(many=True, read_only=True)
    choices = ChoicesSerializer(many=True, read_only=True)
    conditions = serializers.SerializerMethodField()
    ammunition = serializers.IntegerField(
        read_only=True, allow_null=True, help_text="for how many ranged phases there is ammunition; null: no limit"
    )

    @extend_schema_field(ConditionSerializer(many=True))
    def get_conditions(self, field: Field) -> list[dict[str, Any]]:
        return [condition_to_json(condition) for condition in field.conditions]


def shape(state: BattleState, figures: Figures, viewer: Viewer, legal: LegalNow) -> dict[str, Any]:
    types = tuple(dict.fromkeys(KIND_OF.get(word, word) for word in legal.commands))
    armies = armies_on_field(state, figures, viewer)
    field = Field(types, armies, legal.armies, state.conditions, state.opening.ammunition)
    return serialize(BattleMembers, field)


class OvercomeInput(Input):
    """`attacker` overcomes the protection of `defender`."""

    attacker = serializers.CharField()
    defender = serializers.CharField()


AMBUSH: Mapping[str, Any] = {
    "type": "object",
    "properties": {"by": {"type": "string"}, "target": {"type": "string"}},
    "required": ["by", "target"],
    "additionalProperties": False,
}


@extend_schema_field({"oneOf": [{**AMBUSH, "nullable": True}, {"type": "array", "items": dict(AMBUSH)}]})
class AmbushField(serializers.JSONField):
    """An ambush, or a list of them."""


class OpeningMembers(Input):
    conditions = ConditionSerializer(many=True, required=False)
    overcomes = OvercomeInput(many=True, required=False)
    sees_invisible = serializers.ListField(child=serializers.CharField(), required=False)
    cannot_leave = serializers.ListField(child=serializers.CharField(), required=False)
    engines_shoot = serializers.ListField(child=serializers.CharField(), required=False)
    magical = serializers.ListField(child=serializers.CharField(), required=False)
    ambush = AmbushField(required=False, allow_null=True)
    ammunition = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MOST_AMMUNITION,
        help_text="for how many ranged phases there is ammunition: after that no army stays at range; null: no limit",
    )


class UseInput(Input):
    """Something to use in this phase: name one of `ability`, `resource`, `boon` and `tactic`."""

    ability = serializers.CharField(required=False)
    resource = serializers.CharField(required=False)
    boon = serializers.CharField(required=False)
    tactic = serializers.CharField(required=False)
    option = serializers.CharField(required=False, allow_null=True)
    target = serializers.CharField(required=False, allow_null=True)


class PathfinderOrderMembers(Input):
    """An army's order. An absent member counts as not given; `target: null` holds."""

    tactic = serializers.CharField(required=False, allow_null=True)
    strategy = serializers.CharField(required=False, allow_null=True)
    target = serializers.CharField(required=False, allow_null=True, help_text="null holds")
    use = UseInput(many=True, required=False, allow_null=True)
    withdraw = serializers.CharField(required=False, allow_null=True)
    let_go = serializers.BooleanField(required=False)
    hold_the_line = serializers.BooleanField(required=False)
    spawn = serializers.CharField(required=False, allow_null=True)
    surrender = serializers.BooleanField(
        required=False,
        help_text="in a melee phase: the army does nothing else and is captured at its end; the rest of the order "
        "counts for nothing",
    )
    stay_at_range = serializers.BooleanField(
        required=False,
        help_text="in a ranged phase: where every army that can shoot is ordered so, and each side has one, another "
        "ranged phase follows",
    )


class PathfinderOrder(PathfinderOrderMembers):
    """Order an army. Orders stay secret until the phase is resolved."""

    army = serializers.CharField()


class PathfinderResolve(Input):
    """Resolve the phase. The server rolls missing dice."""


class PathfinderNext(Input):
    """End the set-up, or add a ranged phase (`"kind": "ranged"`)."""

    kind = serializers.CharField(required=False, allow_null=True)


class PathfinderCondition(ConditionMembers, Input):
    """Set a condition of the field, or lift it. Its members are given here, or as one object in `condition`."""

    condition = ConditionNamedField()
    lift = serializers.BooleanField(required=False)


class PathfinderOverride(Input):
    """Set a figure of an army by hand (GM)."""

    army = serializers.CharField()
    field = serializers.CharField()
    value = WordOrNumberField(
        required=False,
        allow_null=True,
        help_text="a number or a slug; `+slug` or `-slug` for `mark` and `ability`; for `invincible` `+` or `-` and "
        "the id of the enemy whose attacks do nothing to the army",
    )
    reason = serializers.CharField()


class PathfinderInterrupt(Input):
    """Interrupt the battle (GM)."""

    reason = serializers.CharField(required=False, allow_null=True, allow_blank=True)


class PathfinderEnd(Input):
    """End the battle (GM)."""

    reason = serializers.CharField()
    winner = SideNamedField(required=False, allow_null=True)


COMMANDS: Mapping[str, type[Input]] = {
    "order": PathfinderOrder, "resolve": PathfinderResolve, "next": PathfinderNext, "condition": PathfinderCondition,
    "override": PathfinderOverride, "interrupt": PathfinderInterrupt, "end": PathfinderEnd,
}  # fmt: skip


class SupposedCommanderInput(CommanderChange):
    name = NameField(max_length=NAME_MAX, required=False)


@extend_schema_field({"type": "array", "items": {"oneOf": [{"type": "string"}, {
    "type": "object", "required": ["tactic"], "additionalProperties": False,
    "properties": {"tactic": {"type": "string"}, "granted": {"type": "boolean"}},
}]}})  # fmt: skip
class TacticsField(serializers.JSONField):
    """Slugs of tactics, or objects that also say whether they were granted."""


@extend_schema_field({"oneOf": [
    {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
    {"type": "array", "items": {
        "type": "object", "required": ["resource"], "additionalProperties": False,
        "properties": {"resource": {"type": "string"}, "quantity": {"type": "integer", "minimum": 0}},
    }},
]})  # fmt: skip
class ResourcesField(serializers.JSONField):
    """Quantity of each resource, by slug or in the format of armies."""


class SupposedArmyInput(Input):
    """A hypothetical army: as for POST armies/, with its commander and resources."""

    kingdom = serializers.UUIDField(required=False, allow_null=True, help_text="not used")
    revealed = serializers.BooleanField(required=False, help_text="not used")
    name = NameField(max_length=NAME_MAX)
    unit = UnitField()
    count = serializers.IntegerField()
    mount = MountField(required=False, allow_null=True)
    commander = SupposedCommanderInput(required=False, allow_null=True)
    resources = ResourcesField(required=False)
    tactics = TacticsField(required=False)
    hp = serializers.IntegerField(required=False, allow_null=True)
    morale = serializers.IntegerField(required=False)
