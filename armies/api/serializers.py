"""Shapes of armies, commanders and stores. They only map: services check and write."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from armies.models import Army, Commander, KingdomStock
from armies.selectors import conditions_of, sheet_of
from armies.spec import commander_spec
from kingdom.api.fields import LineSerializer, NameField, SaidField, WholeField, lines_of
from kingdom.inputs import NAME_MAX
from kingdom.selectors import ruleset_of
from kingdom.text import render

FIGURES = ("om", "dv", "consumption", "morale_check")


class AbilitySerializer(serializers.Serializer):
    ability = serializers.CharField()
    value = serializers.IntegerField(required=False)
    options = serializers.DictField(required=False)


class UnitSerializer(serializers.Serializer):
    """One unit of a homogeneous army. CR as text: "1/3", "9"; speed in metres a round."""

    name = serializers.CharField()
    cr = serializers.CharField()
    hit_die = serializers.CharField(required=False)
    speed_m = serializers.FloatField(required=False)
    creature_type = serializers.CharField(required=False)
    alignment = serializers.CharField(required=False)
    level = serializers.IntegerField(required=False)
    ranged = serializers.BooleanField(required=False)
    abilities = AbilitySerializer(many=True, required=False)


class MountSerializer(serializers.Serializer):
    name = serializers.CharField(required=False)
    cr = serializers.CharField(required=False, allow_null=True)
    speed_m = serializers.FloatField(required=False, allow_null=True)
    creature_type = serializers.CharField(required=False)


class HeldSerializer(serializers.Serializer):
    resource = serializers.CharField()
    quantity = serializers.IntegerField()


class BreakdownsSerializer(serializers.Serializer):
    """The lines each figure is the sum of."""

    om = LineSerializer(many=True)
    dv = LineSerializer(many=True)
    consumption = LineSerializer(many=True)
    morale_check = LineSerializer(many=True)
    speed = LineSerializer(many=True)


class ArmySerializer(serializers.Serializer):
    """An army with every derived figure. They are null where the ruleset no longer accepts what it is."""

    id = serializers.UUIDField(read_only=True)
    campaign = serializers.UUIDField(read_only=True)
    kingdom = serializers.UUIDField(read_only=True)
    name = serializers.CharField(read_only=True)
    unit = UnitSerializer(read_only=True)
    count = serializers.IntegerField(read_only=True)
    mount = MountSerializer(read_only=True, allow_null=True)
    commander = serializers.UUIDField(read_only=True, allow_null=True)
    size = serializers.CharField(read_only=True, allow_null=True)
    acr = serializers.CharField(read_only=True, allow_null=True)
    hp = serializers.IntegerField(read_only=True)
    hp_max = serializers.IntegerField(read_only=True)
    om = serializers.IntegerField(read_only=True, allow_null=True)
    dv = serializers.IntegerField(read_only=True, allow_null=True)
    morale = serializers.IntegerField(read_only=True)
    morale_check = serializers.IntegerField(read_only=True, allow_null=True)
    consumption = serializers.IntegerField(read_only=True, help_text="BP a week")
    speed = serializers.IntegerField(read_only=True, allow_null=True, help_text="hexes a day")
    xp = serializers.IntegerField(read_only=True, allow_null=True)
    ranged = serializers.BooleanField(read_only=True, allow_null=True)
    mounted = serializers.BooleanField(read_only=True, allow_null=True)
    tactics = serializers.ListField(child=serializers.CharField(), read_only=True)
    tactics_granted = serializers.ListField(child=serializers.CharField(), read_only=True)
    tactics_max = serializers.IntegerField(read_only=True, allow_null=True)
    resources = HeldSerializer(many=True, read_only=True)
    status = serializers.ChoiceField(choices=Army.Status.choices, read_only=True)
    arrears = serializers.BooleanField(read_only=True)
    disease = serializers.IntegerField(read_only=True)
    drain = serializers.IntegerField(read_only=True)
    conditions = serializers.ListField(child=serializers.CharField(), read_only=True)
    revealed = serializers.BooleanField(read_only=True)
    breakdown = BreakdownsSerializer(read_only=True)

    PLAIN = ("name", "unit", "count", "mount", "hp", "hp_max", "morale", "consumption", "status", "arrears",
             "disease", "drain", "revealed")  # fmt: skip

    def to_representation(self, army: Army) -> dict[str, Any]:
        known = {
            "id": str(army.pk),
            "campaign": str(army.campaign_id),
            "kingdom": str(army.kingdom_id),
            "commander": str(army.commander_id) if army.commander_id else None,
            **{name: getattr(army, name) for name in self.PLAIN},
            "tactics": [row.tactic for row in army.tactics.all()],
            "tactics_granted": [row.tactic for row in army.tactics.all() if row.granted],
            "resources": [{"resource": row.resource, "quantity": row.quantity} for row in army.resources.all()],
            "conditions": conditions_of(army),
            **derived(army),
        }
        return {name: known[name] for name in self.fields}


def derived(army: Army) -> dict[str, Any]:
    """What the rules make of the army."""
    sheet = sheet_of(army)
    if sheet is None:
        nothing = ("size", "acr", "om", "dv", "morale_check", "speed", "xp", "ranged", "mounted", "tactics_max")
        return {**dict.fromkeys(nothing), "breakdown": {name: [] for name in (*FIGURES, "speed")}}
    sums = {name: getattr(sheet, name) for name in (*FIGURES, "speed")}
    return {
        "size": sheet.size.slug,
        "acr": str(sheet.acr),
        "xp": sheet.xp,
        "ranged": sheet.ranged,
        "mounted": sheet.mounted,
        "tactics_max": sheet.tactics_max,
        **{name: figure.total for name, figure in sums.items()},
        "breakdown": {name: lines_of(figure) for name, figure in sums.items()},
    }


class JSONObject(serializers.JSONField):
    """A JSON object whose members the rules check."""


class ArmyChange(serializers.Serializer):
    """What may be changed of an army. From `hp` on only by the GM."""

    name = NameField(max_length=NAME_MAX)
    unit = JSONObject()
    count = WholeField()
    mount = JSONObject(required=False, allow_null=True)
    commander = serializers.UUIDField(required=False, allow_null=True)
    hp = WholeField(required=False)
    morale = WholeField(required=False)
    status = serializers.ChoiceField(choices=Army.Status.values, required=False)
    arrears = serializers.BooleanField(required=False)
    disease = WholeField(required=False)
    drain = WholeField(required=False)
    revealed = serializers.BooleanField(required=False)


class ArmyInput(serializers.Serializer):
    """A new army: full hp, morale 0, no tactics. `unit` as in `UnitSerializer`."""

    kingdom = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    unit = JSONObject()
    count = WholeField()
    mount = JSONObject(required=False, allow_null=True)
    commander = serializers.UUIDField(required=False, allow_null=True)
    revealed = serializers.BooleanField(required=False)


class BuyInput(serializers.Serializer):
    """`stock` takes a set from the kingdom's stores instead of buying. `waive_building` is the GM's."""

    resource = serializers.CharField(required=False)
    quantity = WholeField(required=False)
    waive_building = serializers.BooleanField(required=False)
    mount = JSONObject(required=False, allow_null=True)
    stock = serializers.UUIDField(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if "resource" not in given and "stock" not in given:
            required = serializers.Field.default_error_messages["required"]
            raise serializers.ValidationError({"resource": [required]})
        return given


class OfferSerializer(serializers.Serializer):
    """A resource on offer to an army: BP once, BP a week, and what stands in the way."""

    resource = serializers.CharField(source="resource.slug")
    price = serializers.IntegerField()
    consumption = serializers.IntegerField()
    open = serializers.BooleanField()
    unfit = serializers.SerializerMethodField()
    building = serializers.SerializerMethodField()
    missing_bp = serializers.IntegerField()

    def get_unfit(self, offer: Any) -> str | None:
        return render(offer.unfit) or None

    def get_building(self, offer: Any) -> str | None:
        return render(offer.building) or None


class ShareInput(serializers.Serializer):
    army = serializers.UUIDField()
    quantity = WholeField(required=False)


class TransferInput(serializers.Serializer):
    resource = serializers.CharField()
    to = ShareInput(many=True)


class AssignInput(serializers.Serializer):
    commander = serializers.UUIDField(allow_null=True)


class PromoteInput(serializers.Serializer):
    name = NameField(max_length=NAME_MAX)


class TacticInput(serializers.Serializer):
    tactic = serializers.CharField()
    granted = serializers.BooleanField(required=False, default=False)


class RestInput(serializers.Serializer):
    """`loyalty_check` tries for the ACR again; `dice` is its d20 as typed (`14` or `[14]`)."""

    loyalty_check = serializers.BooleanField(required=False, default=False)
    dice = serializers.ListField(child=WholeField(), required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, dict) and isinstance(data.get("dice"), int):
            data = {**data, "dice": [data["dice"]]}
        return super().to_internal_value(data)


class RestedSerializer(serializers.Serializer):
    healed = serializers.IntegerField()
    text = SaidField()
    check = serializers.SerializerMethodField()
    breakdown = serializers.SerializerMethodField()
    army = ArmySerializer()

    def get_check(self, rested: Any) -> dict[str, Any] | None:
        check = rested.check
        return check and {"roll": check.roll, "total": check.total, "dc": check.dc, "success": check.success}

    def get_breakdown(self, rested: Any) -> list[dict[str, Any]]:
        return lines_of(rested.breakdown)


class DisposalInput(serializers.Serializer):
    """What becomes of one resource: give (`to`), store or sell for half. Without `to` quantities: all."""

    resource = serializers.CharField()
    choice = serializers.CharField()
    to = ShareInput(many=True, required=False)


class DisbandInput(serializers.Serializer):
    """Resources not named are stored. `confirm: false` only says what would happen."""

    resources = DisposalInput(many=True, required=False)
    confirm = serializers.BooleanField(required=False, default=True)


class DisbandingSerializer(serializers.Serializer):
    """What disbanding would do."""

    bp = serializers.IntegerField()
    resources = serializers.SerializerMethodField()

    def get_resources(self, plan: Any) -> list[dict[str, Any]]:
        return [
            {
                "resource": parting.resource.slug,
                "quantity": parting.quantity,
                "choice": parting.choice,
                "bp": parting.bp,
                "text": render(parting.text),
            }
            for parting in plan.partings
        ]


class BoonSerializer(serializers.Serializer):
    boon = serializers.CharField()
    tactic = serializers.CharField(required=False, allow_null=True)


class BoonStateSerializer(serializers.Serializer):
    """A boon of the catalogue seen from a commander; `why` is what is missing."""

    boon = serializers.CharField()
    known = serializers.BooleanField()
    office = serializers.BooleanField()
    active = serializers.BooleanField()
    why = serializers.CharField(allow_null=True)


class CommanderSerializer(serializers.ModelSerializer):
    """A commander with his derived leadership, morale bonus and boons allowed."""

    army = serializers.UUIDField(source="army.pk", default=None, read_only=True, allow_null=True)
    boons = BoonSerializer(many=True, read_only=True)
    leadership = serializers.IntegerField(read_only=True)
    morale_bonus = serializers.IntegerField(read_only=True)
    boons_max = serializers.IntegerField(read_only=True)
    boon_states = BoonStateSerializer(many=True, read_only=True)
    breakdown = serializers.DictField(child=LineSerializer(many=True), read_only=True)

    class Meta:
        model = Commander
        fields = (
            "id", "campaign", "kingdom", "name", "character_class", "level", "charisma_modifier", "soldier_ranks",
            "leadership_feat", "player_character", "office", "office_boon", "office_tactic", "boons", "status",
            "notorious", "captures", "army", "leadership", "morale_bonus", "boons_max", "boon_states", "breakdown",
        )  # fmt: skip

    def to_representation(self, commander: Commander) -> dict[str, Any]:
        sheet = ruleset_of(commander.campaign).commander_sheet(commander_spec(commander))
        led = getattr(commander, "army", None)
        known = {
            "id": str(commander.pk),
            "campaign": str(commander.campaign_id),
            "kingdom": str(commander.kingdom_id),
            "army": str(led.pk) if led else None,
            "leadership": sheet.leadership.total,
            "morale_bonus": sheet.morale_bonus.total,
            "boons_max": sheet.boons_max,
            "boon_states": [_state(state) for state in sheet.boons],
            "breakdown": {"leadership": lines_of(sheet.leadership), "morale_bonus": lines_of(sheet.morale_bonus)},
        }
        return {name: known[name] if name in known else getattr(commander, name) for name in self.Meta.fields}


def _state(state: Any) -> dict[str, Any]:
    return {
        "boon": state.boon.slug,
        "known": state.known,
        "office": state.office,
        "active": state.active,
        "why": render(state.why) or None,
    }


class CommanderChange(serializers.Serializer):
    """`status`, `notorious` and `captures` only by the GM."""

    name = NameField(max_length=NAME_MAX)
    character_class = serializers.CharField(required=False, allow_blank=True, max_length=NAME_MAX)
    level = WholeField(required=False)
    charisma_modifier = WholeField(required=False)
    soldier_ranks = WholeField(required=False)
    leadership_feat = serializers.BooleanField(required=False)
    player_character = serializers.BooleanField(required=False)
    office = serializers.CharField(required=False, allow_null=True)
    office_boon = serializers.CharField(required=False, allow_null=True)
    office_tactic = serializers.CharField(required=False, allow_null=True)
    boons = serializers.ListField(child=serializers.JSONField(), required=False)
    status = serializers.ChoiceField(choices=Commander.Status.values, required=False)
    notorious = serializers.BooleanField(required=False)
    captures = WholeField(required=False)


class CommanderInput(CommanderChange):
    kingdom = serializers.UUIDField()


class StockSerializer(serializers.ModelSerializer):
    """A resource in a kingdom's stores, for armies of `size` or smaller."""

    class Meta:
        model = KingdomStock
        fields = ("id", "campaign", "kingdom", "resource", "size", "quantity", "mount")
        read_only_fields = fields
