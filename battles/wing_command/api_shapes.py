"""Shapes of wing command's battles in the document of the API."""

from __future__ import annotations

from rest_framework import serializers

from battles.hexes.api_shapes import HexBattleMembers, HexUnitSerializer


class WingTurnSerializer(serializers.Serializer):
    """Where the battle stands. `side`: whose turn it is; `active`: the wing that acts."""

    number = serializers.IntegerField(read_only=True)
    limit = serializers.IntegerField(read_only=True)
    phase = serializers.CharField(read_only=True, allow_null=True)
    side = serializers.IntegerField(read_only=True, allow_null=True)
    active = serializers.CharField(read_only=True, allow_null=True)


class WingStateSerializer(serializers.Serializer):
    """A wing. `order` is null while it is secret; `shaken`: its shaken markers."""

    wing = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    order = serializers.CharField(read_only=True, allow_null=True)
    morale = serializers.IntegerField(read_only=True)
    shaken = serializers.IntegerField(read_only=True)
    leader = serializers.CharField(read_only=True, allow_null=True)
    broken = serializers.BooleanField(read_only=True)
    activated = serializers.BooleanField(read_only=True)


class WingBattleFiguresSerializer(serializers.Serializer):
    """Figures as they are now, spells counted in."""

    move = serializers.IntegerField(read_only=True)
    melee = serializers.IntegerField(read_only=True)
    shot = serializers.IntegerField(read_only=True)
    range = serializers.IntegerField(read_only=True)
    guard = serializers.IntegerField(read_only=True)


class WingUnitOwnSerializer(WingBattleFiguresSerializer):
    """A unit's figures as they are written, and what only this law knows of it. `spell`: the one face down, told to its
    own side and the GM.
    """

    kind = serializers.CharField(read_only=True)
    size = serializers.ChoiceField(choices=["small", "large"], read_only=True)
    fly = serializers.BooleanField(read_only=True)
    infiltrate = serializers.BooleanField(read_only=True)
    profile = serializers.CharField(read_only=True, allow_null=True, help_text="of a character")
    ability = serializers.CharField(read_only=True, allow_null=True)
    art = serializers.CharField(read_only=True, allow_null=True)
    level = serializers.IntegerField(read_only=True, allow_null=True)
    pentacle = serializers.IntegerField(read_only=True, allow_null=True)
    posture = serializers.CharField(read_only=True)
    special_order = serializers.BooleanField(read_only=True)
    activated = serializers.BooleanField(read_only=True)
    wing = serializers.CharField(read_only=True)
    spell = serializers.CharField(read_only=True, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        """`class` is a word of Python."""
        command_class = serializers.CharField(read_only=True, allow_null=True, help_text="of a troop")
        return {**super().get_fields(), "class": command_class}


class WingUnitSerializer(HexUnitSerializer):
    """A unit with its figures."""

    figures = WingBattleFiguresSerializer(read_only=True)
    own = WingUnitOwnSerializer(read_only=True)


class OrderPointsSerializer(serializers.Serializer):
    """Who gives special orders, and the points they have left."""

    character = serializers.CharField(read_only=True)
    points = serializers.IntegerField(read_only=True)


class WingBattleMembers(HexBattleMembers):
    """`map_version` names the map: it changes with it. `initiative`: the side that has it, null before it is rolled."""

    map_version = serializers.CharField(read_only=True)
    turn = WingTurnSerializer(read_only=True)
    initiative = serializers.IntegerField(read_only=True, allow_null=True)
    wings = WingStateSerializer(many=True, read_only=True)
    units = WingUnitSerializer(many=True, read_only=True)
    distribution = OrderPointsSerializer(read_only=True, allow_null=True)
    waits_for_report = serializers.BooleanField(read_only=True, help_text="whether an attack waits for the GM's report")
