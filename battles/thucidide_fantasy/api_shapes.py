"""Shapes of battles of THUCIDIDE fantasy in the document of the API."""

from __future__ import annotations

from rest_framework import serializers

from battles.hexes.api_shapes import HexBattleMembers, HexUnitSerializer
from rules.thucidide_fantasy.battle.record.state import DREAMS


class FantasyTurnSerializer(serializers.Serializer):
    """Where the battle stands. `side`: whose player turn it is; `active`: the units activated in it, of at most
    `activations` times `share`; `order`: the manoeuvre order given.
    """

    number = serializers.IntegerField(read_only=True)
    limit = serializers.IntegerField(read_only=True)
    phase = serializers.CharField(read_only=True, allow_null=True)
    side = serializers.IntegerField(read_only=True, allow_null=True)
    active = serializers.ListField(child=serializers.CharField(), read_only=True)
    activations = serializers.IntegerField(read_only=True, allow_null=True)
    share = serializers.IntegerField(read_only=True, allow_null=True)
    order = serializers.CharField(read_only=True, allow_null=True)


class ContingentSideSerializer(serializers.Serializer):
    """A side: its counters, how many enemy units it has to destroy, how many of its own count as destroyed."""

    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    counters = serializers.IntegerField(read_only=True)
    victory = serializers.IntegerField(read_only=True, allow_null=True, help_text="null before the start")
    lost = serializers.IntegerField(read_only=True)
    general = serializers.CharField(read_only=True, allow_null=True)
    consents = serializers.BooleanField(read_only=True, help_text="whether it allows the enemy's appeals to a god")
    sealed = serializers.BooleanField(
        read_only=True, help_text="whether its places stay hidden from the enemy until the battle begins"
    )
    dreams = serializers.ListField(
        child=serializers.ChoiceField(choices=DREAMS),
        read_only=True,
        help_text="what of its enemy a dream shows it before the battle; told to the side itself and the GM",
    )


class BorneTraitSerializer(serializers.Serializer):
    """A trait, and the magic object it comes from."""

    trait = serializers.CharField(read_only=True)
    object = serializers.CharField(read_only=True, allow_null=True)


class FantasyUnitOwnSerializer(serializers.Serializer):
    """Figures of a unit or character now. `stands` of a hero: the resistance left. `cards`, `points`: told to their own
    side and the GM.
    """

    stands = serializers.IntegerField(read_only=True, allow_null=True)
    start = serializers.IntegerField(read_only=True, allow_null=True)
    weight = serializers.IntegerField(read_only=True, allow_null=True, help_text="level of protection, from 1")
    assault = serializers.IntegerField(read_only=True)
    melee = serializers.IntegerField(read_only=True)
    shot = serializers.IntegerField(read_only=True)
    range = serializers.IntegerField(read_only=True)
    move = serializers.IntegerField(read_only=True, help_text="hexes when it fights this turn")
    calm = serializers.IntegerField(read_only=True, help_text="hexes when it doesn't")
    experience = serializers.CharField(read_only=True, allow_null=True)
    temper = serializers.CharField(read_only=True, allow_null=True)
    traits = BorneTraitSerializer(many=True, read_only=True)
    master = serializers.CharField(read_only=True, allow_null=True, help_text="of undead")
    turned = serializers.BooleanField(read_only=True)
    rank = serializers.CharField(read_only=True, allow_null=True, help_text="of a leader")
    cards = serializers.ListField(child=serializers.CharField(), read_only=True, allow_null=True)
    points = serializers.IntegerField(read_only=True, allow_null=True)
    activated = serializers.BooleanField(read_only=True)
    fought = serializers.BooleanField(read_only=True)
    announced = serializers.BooleanField(read_only=True)


class FantasyUnitSerializer(HexUnitSerializer):
    """A unit with its figures."""

    own = FantasyUnitOwnSerializer(read_only=True)


class WaitingFightSerializer(serializers.Serializer):
    """A combat that waits. `asks`: for what; `side`: whose answer, null for the GM's; `dice`: of the throw."""

    attacker = serializers.CharField(read_only=True, allow_null=True)
    target = serializers.CharField(read_only=True, allow_null=True)
    asks = serializers.CharField(read_only=True, help_text="reroll, flee, pursue, report or god")
    side = serializers.IntegerField(read_only=True, allow_null=True)
    dice = serializers.IntegerField(read_only=True, allow_null=True)


class FantasyBattleMembers(HexBattleMembers):
    """`map_version` names the map: it changes with it."""

    map_version = serializers.CharField(read_only=True)
    turn = FantasyTurnSerializer(read_only=True)
    contingents = ContingentSideSerializer(many=True, read_only=True)
    units = FantasyUnitSerializer(many=True, read_only=True)
    fight = WaitingFightSerializer(read_only=True, allow_null=True)
