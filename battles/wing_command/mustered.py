"""Serializers of an army of another ruleset as a wing."""

from __future__ import annotations

from rest_framework import serializers

from rules.wing_command.spec import UnitSpec


class MusteredUnitSerializer(serializers.Serializer):
    """A troop or a character of the wing. `kind`: the type of the troop, or the kind of the character."""

    name = serializers.CharField(read_only=True)
    kind = serializers.CharField(source="figures.kind", read_only=True)
    character = serializers.BooleanField(read_only=True)
    commander = serializers.BooleanField(read_only=True, help_text="whether they lead the wing")
    size = serializers.SerializerMethodField(help_text="small or large")
    move = serializers.IntegerField(source="figures.move", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    shot = serializers.IntegerField(source="figures.shot", read_only=True, help_text="0: it doesn't shoot")
    range = serializers.IntegerField(source="figures.range", read_only=True)
    guard = serializers.IntegerField(source="figures.guard", read_only=True)
    flies = serializers.BooleanField(source="figures.fly", read_only=True)
    infiltrates = serializers.BooleanField(source="figures.infiltrate", read_only=True)
    profile = serializers.CharField(
        source="figures.profile", read_only=True, help_text="the class of a troop, the profile of a character"
    )
    ability = serializers.CharField(source="figures.ability", read_only=True, help_text="of a character: A to E")
    art = serializers.CharField(source="figures.art", read_only=True, help_text="of a mage")
    level = serializers.IntegerField(source="figures.level", read_only=True, help_text="of a mage; else 0")

    def get_size(self, unit: UnitSpec) -> str:
        return "large" if unit.figures.large else "small"


class MusteredWingSerializer(serializers.Serializer):
    """An army as a wing: its order and its morale marker as the battle's setup begins with them."""

    order = serializers.CharField(read_only=True)
    morale = serializers.IntegerField(read_only=True)
    units = MusteredUnitSerializer(many=True, read_only=True)
