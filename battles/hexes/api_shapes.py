"""Serializers of a board in the API: the map, the units on it, and what can be chosen (`battles.hexes.shape`)."""

from __future__ import annotations

from rest_framework import serializers

from battles.default.ui import PlainBattleMembers
from kingdom.map.document_fields import MapDocumentSerializer


class HexUnitSerializer(serializers.Serializer):
    """A unit known to the reader. `at`: its hex; null in the reserve or once it has left the battle."""

    unit = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    type = serializers.CharField(read_only=True, help_text="what it is drawn as")
    tag = serializers.CharField(read_only=True, help_text="letters and a number at the foot of its counter")
    at = serializers.CharField(read_only=True, allow_null=True)
    kind = serializers.ChoiceField(choices=["troop", "character"], read_only=True)
    states = serializers.ListField(child=serializers.CharField(), read_only=True)
    can_act = serializers.BooleanField(read_only=True)
    done = serializers.BooleanField(read_only=True)


class HexOutcomeSerializer(serializers.Serializer):
    """One possible result of an attack. `chance`: an exact fraction, like "5/36"."""

    slug = serializers.CharField(read_only=True)
    label = serializers.CharField(read_only=True)  # type: ignore[assignment]
    chance = serializers.CharField(read_only=True)


class HexChoiceSerializer(serializers.Serializer):
    """Something that can be picked next: a `hex` to go to, a `target` to attack (from the best hex, or the one picked),
    or an `act`. `id`: the value to pick. `why_not`: the reason if it isn't possible.
    """

    what = serializers.ChoiceField(choices=["hex", "target", "act"], read_only=True)
    id = serializers.CharField(read_only=True)
    why_not = serializers.CharField(read_only=True, required=False)
    cost = serializers.IntegerField(read_only=True, required=False, help_text="of a hex: the points it takes")
    halts = serializers.BooleanField(read_only=True, required=False, help_text="of a hex: the unit must stop there")
    at = serializers.CharField(read_only=True, required=False, help_text="of a target: its hex")
    how = serializers.CharField(read_only=True, required=False, help_text="of a target: the kind of attack")
    chance = serializers.CharField(read_only=True, required=False, allow_null=True, help_text="an exact fraction")
    throw = serializers.CharField(read_only=True, required=False, help_text="the throw in short: 2D6 + 3")
    sum = serializers.ListField(child=serializers.CharField(), read_only=True, required=False)
    outcomes = HexOutcomeSerializer(many=True, read_only=True, required=False)
    label = serializers.CharField(read_only=True, required=False, help_text="an act's name")  # type: ignore[assignment]

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add `from`, which is a keyword in Python."""
        about = "of a target: the hex it is attacked from"
        begun = serializers.CharField(read_only=True, required=False, allow_null=True, help_text=about)
        return {**super().get_fields(), "from": begun}


class HexEffectSerializer(serializers.Serializer):
    """An effect on a hex. `left`: turns left, null if it stays. `unit`: the unit it moves along with, null for the hex
    itself. `about`: what it does.
    """

    hex = serializers.CharField(read_only=True)
    effect = serializers.CharField(read_only=True)
    label = serializers.CharField(read_only=True)  # type: ignore[assignment]
    left = serializers.IntegerField(read_only=True, allow_null=True)
    unit = serializers.CharField(read_only=True, allow_null=True)
    about = serializers.CharField(read_only=True)


class HexOverlaySerializer(serializers.Serializer):
    """Temporary terrain over that of the map."""

    hex = serializers.CharField(read_only=True)
    terrain = serializers.CharField(read_only=True)


class HexLossSerializer(serializers.Serializer):
    """A unit that fell, and its hex."""

    hex = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)


class HexBattleMembers(PlainBattleMembers):
    """`picked`: the valid part of `?pick=`; `choices`, `way`, `must` and `does` depend on it."""

    map = MapDocumentSerializer(read_only=True)
    overlays = HexOverlaySerializer(many=True, read_only=True)
    units = HexUnitSerializer(many=True, read_only=True)
    effects = HexEffectSerializer(many=True, read_only=True)
    losses = HexLossSerializer(many=True, read_only=True)
    picked = serializers.ListField(child=serializers.CharField(), read_only=True)
    able = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="units that can act now")
    choices = HexChoiceSerializer(many=True, read_only=True)
    way = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="the path to the hex picked")
    must = serializers.CharField(read_only=True, allow_null=True, help_text="what has to be done first")
    does = serializers.CharField(read_only=True, allow_null=True, help_text="what the picks come to, in words")
