"""Serializers of an army of another ruleset as a contingent."""

from __future__ import annotations

from rest_framework import serializers

from battles.thucidide_fantasy.api_shapes import BorneTraitSerializer


class MusteredStandsSerializer(serializers.Serializer):
    """A unit of the contingent. Factors are those of its weapons, without the dice of its experience."""

    name = serializers.CharField(read_only=True)
    type = serializers.CharField(source="figures.type", read_only=True)
    kind = serializers.CharField(source="figures.kind", read_only=True)
    weight = serializers.IntegerField(source="figures.weight", read_only=True, help_text="level of protection, from 1")
    stands = serializers.IntegerField(source="figures.stands", read_only=True)
    move = serializers.IntegerField(source="figures.move", read_only=True, help_text="hexes when it fights this turn")
    calm = serializers.IntegerField(source="figures.calm", read_only=True, help_text="hexes when it doesn't")
    assault = serializers.IntegerField(source="figures.assault", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    shot = serializers.IntegerField(source="figures.shot", read_only=True, help_text="0: it doesn't shoot")
    range = serializers.IntegerField(source="figures.range", read_only=True)
    experience = serializers.CharField(source="figures.experience", read_only=True)
    temper = serializers.CharField(source="figures.temper", read_only=True, help_text='"" for none')
    traits = BorneTraitSerializer(source="figures.traits", many=True, read_only=True)
    master = serializers.CharField(read_only=True, help_text="of undead: the `key` of a character")


class MusteredCharacterSerializer(serializers.Serializer):
    """A character of the contingent. `points`: of spells, 0 for who doesn't cast. A hero has dice and resistance."""

    key = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    commander = serializers.BooleanField(read_only=True, help_text="whether they command the army")
    kind = serializers.CharField(source="figures.kind", read_only=True)
    rank = serializers.CharField(source="figures.rank", read_only=True, help_text='of a leader; else ""')
    level = serializers.CharField(source="figures.level", read_only=True, help_text='command level; else ""')
    points = serializers.IntegerField(source="figures.points", read_only=True)
    hero = serializers.BooleanField(source="figures.hero", read_only=True)
    melee = serializers.IntegerField(source="figures.melee", read_only=True)
    resistance = serializers.IntegerField(source="figures.resistance", read_only=True)
    traits = BorneTraitSerializer(source="figures.traits", many=True, read_only=True)


class MusteredContingentSerializer(serializers.Serializer):
    """An army as a contingent, as the battle's setup begins with it."""

    units = MusteredStandsSerializer(many=True, read_only=True)
    characters = MusteredCharacterSerializer(many=True, read_only=True)
