"""Serializers of armies, commanders and stores. They only map: services validate and write."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.adjustments.serializers import AdjustmentSerializer
from armies.forces.declared_figures import with_answers
from armies.pathfinder.armies.queries import build_sheet, conditions_of
from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from core.text import render
from kingdom.api.fields import LineSerializer, NameField, SaidField, WholeField, serialize_lines
from kingdom.chronicle.last_changes import UpdatedAtField
from kingdom.realms.figures import get_ruleset
from rules.army_law import IN_ANSWERS, names_of
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

FIGURES = ("om", "dv", "consumption", "morale_check")


class AbilityOptionsSerializer(serializers.Serializer):
    """Options by ability: `ranged` of spellcasting, `to` of immunity, `creature_type` of favored-enemy, `choice` of
    hunters-bond and hex, `tactic` of tactician.
    """

    ranged = serializers.BooleanField(required=False)
    to = serializers.ListField(child=serializers.CharField(), required=False)
    creature_type = serializers.CharField(required=False)
    choice = serializers.CharField(required=False)
    tactic = serializers.CharField(required=False)


class AbilitySerializer(serializers.Serializer):
    ability = serializers.CharField()
    value = serializers.IntegerField(required=False)
    options = AbilityOptionsSerializer(required=False)


class UnitSerializer(serializers.Serializer):
    """One unit of a homogeneous army. CR as text: "1/3", "9"; speed in metres per round."""

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
    """Breakdowns of the figures."""

    om = LineSerializer(many=True)
    dv = LineSerializer(many=True)
    consumption = LineSerializer(many=True)
    morale_check = LineSerializer(many=True)
    speed = LineSerializer(many=True)


ORDER = (
    "id", "campaign", "kingdom", "name", "unit", "count", "mount", "commander", "size", "acr", "hp", "hp_max", "om",
    "dv", "morale", "morale_check", "consumption", "speed", "xp", "ranged", "mounted", "tactics", "tactics_granted",
    "tactics_max", "resources", "adjustments", "status", "arrears", "disease", "ill", "owed", "drain", "conditions",
    "place", "marching_until", "revealed", "hidden", "updated_at", "breakdown",
)  # fmt: skip


@with_answers(MASS_COMBAT_FIGURES, IN_ANSWERS, order=ORDER)
class ArmySerializer(serializers.Serializer):
    """An army with every derived figure. They are null where the ruleset no longer accepts the army."""

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
    om = serializers.IntegerField(read_only=True, allow_null=True)
    dv = serializers.IntegerField(read_only=True, allow_null=True)
    morale_check = serializers.IntegerField(read_only=True, allow_null=True)
    speed = serializers.IntegerField(read_only=True, allow_null=True, help_text="hexes a day")
    xp = serializers.IntegerField(read_only=True, allow_null=True)
    ranged = serializers.BooleanField(read_only=True, allow_null=True)
    mounted = serializers.BooleanField(read_only=True, allow_null=True)
    tactics = serializers.ListField(child=serializers.CharField(), read_only=True)
    tactics_granted = serializers.ListField(child=serializers.CharField(), read_only=True)
    tactics_max = serializers.IntegerField(read_only=True, allow_null=True)
    resources = HeldSerializer(many=True, read_only=True)
    adjustments = AdjustmentSerializer(many=True, read_only=True)
    conditions = serializers.ListField(child=serializers.CharField(), read_only=True)
    updated_at = UpdatedAtField()
    breakdown = BreakdownsSerializer(read_only=True)

    PLAIN = ("name", "unit", "count", "mount", *names_of(MASS_COMBAT_FIGURES, IN_ANSWERS))

    def to_representation(self, army: PathfinderArmy) -> dict[str, Any]:
        known = {
            "id": str(army.pk),
            "campaign": str(army.campaign_id),
            "kingdom": str(army.kingdom_id),
            "commander": str(army.commander_id) if army.commander_id else None,
            **{name: getattr(army, name) for name in self.PLAIN},
            "adjustments": self.fields["adjustments"].to_representation(army.adjustments),
            "tactics": [row.tactic for row in army.tactics.all()],
            "tactics_granted": [row.tactic for row in army.tactics.all() if row.granted],
            "resources": [{"resource": row.resource, "quantity": row.quantity} for row in army.resources.all()],
            "conditions": conditions_of(army),
            "updated_at": self.fields["updated_at"].to_representation(army),
            **derived(army),
        }
        # iterating gives the names; the stub says the fields
        return {name: known[name] for name in self.fields}  # type: ignore[misc,index]


def derived(army: PathfinderArmy) -> dict[str, Any]:
    """Figures derived by the rules; None or empty where they no longer accept the army."""
    sheet = build_sheet(army)
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
        "breakdown": {name: serialize_lines(figure) for name, figure in sums.items()},
    }


class OfferSerializer(serializers.Serializer):
    """A resource that an army may buy: price in BP, BP per week, and what prevents the purchase."""

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


class LoyaltyCheckSerializer(serializers.Serializer):
    roll = serializers.IntegerField()
    total = serializers.IntegerField()
    dc = serializers.IntegerField()
    success = serializers.BooleanField()


class RestedSerializer(serializers.Serializer):
    healed = serializers.IntegerField()
    text = SaidField()
    check = serializers.SerializerMethodField()
    breakdown = serializers.SerializerMethodField()
    army = ArmySerializer()

    @extend_schema_field(LoyaltyCheckSerializer(allow_null=True))
    def get_check(self, rested: Any) -> dict[str, Any] | None:
        check = rested.check
        return check and {"roll": check.roll, "total": check.total, "dc": check.dc, "success": check.success}

    @extend_schema_field(LineSerializer(many=True))
    def get_breakdown(self, rested: Any) -> list[dict[str, Any]]:
        return serialize_lines(rested.breakdown)


class MarchSerializer(serializers.Serializer):
    """A march by road, in days; 0 for teleportation. `pace`: breakdown of its speed in hexes a day; `cost`: of the
    speed that the road takes, where a difficult hex counts twice.
    """

    days = serializers.IntegerField()
    hexes = serializers.IntegerField()
    teleports = serializers.BooleanField()
    pace = serializers.SerializerMethodField()
    cost = serializers.SerializerMethodField()

    @extend_schema_field(LineSerializer(many=True))
    def get_pace(self, march: Any) -> list[dict[str, Any]]:
        return serialize_lines(march.pace)

    @extend_schema_field(LineSerializer(many=True))
    def get_cost(self, march: Any) -> list[dict[str, Any]]:
        return serialize_lines(march.cost)


class PartingSerializer(serializers.Serializer):
    """Disposal of a resource: the quantity, and the proceeds in BP."""

    resource = serializers.CharField()
    quantity = serializers.IntegerField()
    choice = serializers.CharField()
    bp = serializers.IntegerField()
    text = serializers.CharField()


class DisbandingSerializer(serializers.Serializer):
    """Preview of disbanding."""

    bp = serializers.IntegerField()
    resources = serializers.SerializerMethodField()

    @extend_schema_field(PartingSerializer(many=True))
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


# Commanders and stores.


class BoonSerializer(serializers.Serializer):
    boon = serializers.CharField()
    tactic = serializers.CharField(required=False, allow_null=True)


class BoonInput(Input):
    boon = NameField(max_length=NAME_MAX)
    tactic = NameField(max_length=NAME_MAX, required=False, allow_null=True)


@extend_schema_field(BoonSerializer(many=True))
class BoonsField(serializers.ListField):
    """Boons; the rules validate them."""

    child = serializers.JSONField()


class BoonStateSerializer(serializers.Serializer):
    """A boon of the catalogue for a commander; `why`: what they lack."""

    boon = serializers.CharField()
    known = serializers.BooleanField()
    office = serializers.BooleanField()
    active = serializers.BooleanField()
    why = serializers.CharField(allow_null=True)


class CommanderSerializer(serializers.ModelSerializer):
    """A commander with derived Leadership, morale bonus and number of boons."""

    army = serializers.UUIDField(source="army.pk", default=None, read_only=True, allow_null=True)
    updated_at = UpdatedAtField()
    boons = BoonSerializer(many=True, read_only=True)
    leadership = serializers.IntegerField(read_only=True)
    morale_bonus = serializers.IntegerField(read_only=True)
    boons_max = serializers.IntegerField(read_only=True)
    boon_states = BoonStateSerializer(many=True, read_only=True)
    breakdown = serializers.DictField(child=LineSerializer(many=True), read_only=True)

    class Meta:
        model = PathfinderCommander
        fields = (
            "id", "campaign", "kingdom", "name", "character_class", "level", "charisma_modifier", "soldier_ranks",
            "leadership_feat", "player_character", "office", "office_boon", "office_tactic", "boons", "status",
            "notorious", "captures", "away_until", "active_days", "ransom", "army", "updated_at", "leadership",
            "morale_bonus", "boons_max", "boon_states", "breakdown",
        )  # fmt: skip

    def to_representation(self, commander: PathfinderCommander) -> dict[str, Any]:
        sheet = get_ruleset(commander.campaign).commander_sheet(build_commander_spec(commander))
        led = commander.led
        known = {
            "id": str(commander.pk),
            "campaign": str(commander.campaign_id),
            "kingdom": str(commander.kingdom_id),
            "army": str(led.pk) if led else None,
            "updated_at": self.fields["updated_at"].to_representation(commander),
            "leadership": sheet.leadership.total,
            "morale_bonus": sheet.morale_bonus.total,
            "boons_max": sheet.boons_max,
            "boon_states": [_state(state) for state in sheet.boons],
            "breakdown": {
                "leadership": serialize_lines(sheet.leadership),
                "morale_bonus": serialize_lines(sheet.morale_bonus),
            },
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


class CommanderChange(Input):
    """Changes of a commander. Only the GM may send `status`, `notorious`, `captures`, `away_until` (the day of return)
    and `ransom` (BP).
    """

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
    boons = BoonsField(required=False)
    status = serializers.ChoiceField(choices=PathfinderCommander.Status.choices, required=False)
    notorious = serializers.BooleanField(required=False)
    captures = WholeField(required=False)
    away_until = WholeField(required=False, allow_null=True)
    active_days = WholeField(required=False, help_text="days a week with his army; 3 make him active")
    ransom = WholeField(required=False, allow_null=True)


class CommanderInput(CommanderChange):
    kingdom = serializers.UUIDField()


@extend_schema_field(MountSerializer(allow_null=True))
class MountStockedField(serializers.JSONField):
    """The mount in store; null for other resources."""


class StockSerializer(serializers.ModelSerializer):
    """A resource in a kingdom's stores, for armies of `size` or smaller."""

    mount = MountStockedField(read_only=True)

    class Meta:
        model = KingdomStock
        fields = ("id", "campaign", "kingdom", "resource", "size", "quantity", "mount")
        read_only_fields = fields
