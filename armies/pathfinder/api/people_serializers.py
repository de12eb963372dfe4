"""Serializers of commanders and stores."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.pathfinder.api.serializers import MountSerializer
from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import KingdomStock, PathfinderCommander
from core.api.input_serializers import Input
from core.clean_input import NAME_MAX
from core.text import render
from kingdom.api.fields import LineSerializer, NameField, WholeField, serialize_lines
from kingdom.realms.figures import get_ruleset


class BoonSerializer(serializers.Serializer):
    boon = serializers.CharField()
    tactic = serializers.CharField(required=False, allow_null=True)


class BoonInput(Input):
    boon = NameField(max_length=NAME_MAX)
    tactic = NameField(max_length=NAME_MAX, required=False, allow_null=True)


@extend_schema_field(BoonSerializer(many=True))
class BoonsField(serializers.ListField):
    """Boons; the rules check them."""

    child = serializers.JSONField()


class BoonStateSerializer(serializers.Serializer):
    """A boon of the catalogue seen from a commander; `why` is what is missing."""

    boon = serializers.CharField()
    known = serializers.BooleanField()
    office = serializers.BooleanField()
    active = serializers.BooleanField()
    why = serializers.CharField(allow_null=True)


class CommanderSerializer(serializers.ModelSerializer):
    """A commander with their derived leadership, morale bonus and boons allowed."""

    army = serializers.UUIDField(source="army.pk", default=None, read_only=True, allow_null=True)
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
            "notorious", "captures", "away_until", "active_days", "ransom", "army", "leadership", "morale_bonus",
            "boons_max", "boon_states", "breakdown",
        )  # fmt: skip

    def to_representation(self, commander: PathfinderCommander) -> dict[str, Any]:
        sheet = get_ruleset(commander.campaign).commander_sheet(build_commander_spec(commander))
        led = commander.led
        known = {
            "id": str(commander.pk),
            "campaign": str(commander.campaign_id),
            "kingdom": str(commander.kingdom_id),
            "army": str(led.pk) if led else None,
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
    """`status`, `notorious`, `captures`, `away_until` (the day they are back) and `ransom` (BP) only by the GM."""

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
    """The mount in store, null where the resource is none."""


class StockSerializer(serializers.ModelSerializer):
    """A resource in a kingdom's stores, for armies of `size` or smaller."""

    mount = MountStockedField(read_only=True)

    class Meta:
        model = KingdomStock
        fields = ("id", "campaign", "kingdom", "resource", "size", "quantity", "mount")
        read_only_fields = fields
