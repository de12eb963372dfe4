"""A battle in a list, and through its reader's eyes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.api.serializers.conditions import ConditionSerializer
from battles.codec.commands import order_to_json
from battles.codec.opening import condition_to_json
from battles.models import Battle
from battles.selectors import ArmyOnField, FieldView, glance_at
from kingdom.api.fields import LineSerializer, SaidField, lines_of
from kingdom.text import render


class PhaseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True, help_text="setup, tactics, ranged, melee, aftermath or closed")
    number = serializers.IntegerField(read_only=True)


class ResultSerializer(serializers.Serializer):
    winner = serializers.CharField(read_only=True, allow_null=True, help_text="the victorious side, null for none")
    reason = SaidField()


class SideSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    armies = serializers.ListField(child=serializers.CharField(), read_only=True)


class GlanceArmySerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    hp = serializers.IntegerField(read_only=True)
    hp_max = serializers.IntegerField(read_only=True)
    status = serializers.CharField(read_only=True)


class GlanceSideSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    armies = GlanceArmySerializer(many=True, read_only=True)


class BattleLineSerializer(serializers.ModelSerializer):
    """A battle in a list."""

    phase = PhaseSerializer(source="state.phase", read_only=True)
    sides = GlanceSideSerializer(source="state.sides", many=True, read_only=True)
    result = serializers.SerializerMethodField()

    class Meta:
        model = Battle
        fields = ("id", "campaign", "name", "version", "ruleset", "day", "phase", "status", "sides", "result")

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, battle: Battle) -> dict[str, Any] | None:
        result = battle.state["result"]
        return result and {"winner": glance_at(battle).winner, "reason": result["reason"]}


class FiguresSerializer(serializers.Serializer):
    """The lines behind each figure."""

    om = LineSerializer(many=True, read_only=True)
    dv = LineSerializer(many=True, read_only=True)
    morale_check = LineSerializer(many=True, read_only=True)


class ArmyInBattleSerializer(serializers.Serializer):
    """An army on the field. `om`, `dv`, `morale`, `breakdown` and `order` are null where they are not yours to know."""

    army = serializers.CharField(source="army.id", read_only=True)
    name = serializers.CharField(source="army.name", read_only=True)
    side = serializers.CharField(read_only=True)
    hp = serializers.IntegerField(source="army.hp", read_only=True)
    hp_max = serializers.IntegerField(source="army.hp_max", read_only=True)
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
        return {name: lines_of(getattr(line, name)) for name in ("om", "dv", "morale_check")}

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_order(self, line: ArmyOnField) -> dict[str, Any] | None:
        return order_to_json(line.order) if line.order else None


class AwaitedSerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    what = serializers.ListField(child=serializers.CharField(), read_only=True)


class ChoiceSerializer(serializers.Serializer):
    """Something that could be ordered. `why`: why it cannot be now; `note`: what it would take."""

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
    """What an army of yours may be ordered now."""

    army = serializers.CharField(read_only=True)
    tactics = ChoiceSerializer(many=True, read_only=True)
    strategies = ChoiceSerializer(many=True, read_only=True)
    targets = ChoiceSerializer(many=True, read_only=True)
    uses = UseSerializer(many=True, read_only=True)
    may_hold_the_line = serializers.BooleanField(read_only=True)
    may_let_go = serializers.BooleanField(read_only=True)
    may_keep_range = serializers.BooleanField(read_only=True)
    may_spawn = serializers.BooleanField(read_only=True)
    why_it_stays = SaidField(allow_null=True, help_text="why a withdrawal cannot leave the field, null where it can")


class BattleSerializer(serializers.Serializer):
    """A battle through the reader's eyes: `{battle, field}`."""

    id = serializers.UUIDField(source="battle.id", read_only=True)
    campaign = serializers.UUIDField(source="battle.campaign_id", read_only=True)
    name = serializers.CharField(source="battle.name", read_only=True)
    version = serializers.IntegerField(source="battle.version", read_only=True)
    ruleset = serializers.CharField(source="battle.ruleset", read_only=True)
    day = serializers.IntegerField(source="battle.day", read_only=True)
    phase = PhaseSerializer(source="field.state.phase", read_only=True)
    status = serializers.CharField(source="battle.status", read_only=True)
    sides = SideSerializer(source="field.state.sides", many=True, read_only=True)
    armies = ArmyInBattleSerializer(source="field.armies", many=True, read_only=True)
    awaiting = serializers.SerializerMethodField()
    legal = serializers.ListField(source="field.legal.commands", child=serializers.CharField(), read_only=True)
    choices = ChoicesSerializer(source="field.legal.armies", many=True, read_only=True)
    conditions = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    @extend_schema_field(AwaitedSerializer(many=True))
    def get_awaiting(self, shown: Any) -> list[dict[str, Any]]:
        return [{"army": army, "what": list(what)} for army, what in shown.field.awaiting]

    @extend_schema_field(ConditionSerializer(many=True))
    def get_conditions(self, shown: Any) -> list[dict[str, Any]]:
        return [condition_to_json(condition) for condition in shown.field.conditions]

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, shown: Any) -> dict[str, Any] | None:
        field: FieldView = shown.field
        result = field.state.result
        return None if result is None else {"winner": field.winner, "reason": render(result.reason)}
