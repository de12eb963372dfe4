"""What is sent, for the schema: the codec reads it and says what is wrong."""

from __future__ import annotations

from rest_framework import serializers

from battles.api.serializers.conditions import ConditionSerializer
from battles.codec.commands import READERS
from kingdom.api.bodies import Input
from kingdom.api.fields import NameField
from kingdom.inputs import NAME_MAX


class SideInput(Input):
    name = serializers.CharField()
    armies = serializers.ListField(child=serializers.CharField())


class BattleInput(Input):
    """What POST battles/ takes, for the schema; the codec reads it."""

    campaign = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    sides = SideInput(many=True)
    conditions = ConditionSerializer(many=True, required=False)
    overcomes = serializers.ListField(child=serializers.DictField(), required=False)
    sees_invisible = serializers.ListField(child=serializers.CharField(), required=False)
    cannot_leave = serializers.ListField(child=serializers.CharField(), required=False)
    engines_shoot = serializers.ListField(child=serializers.CharField(), required=False)
    magical = serializers.ListField(child=serializers.CharField(), required=False)
    ambush = serializers.JSONField(required=False, allow_null=True)


class DieInput(Input):
    army = serializers.CharField()
    roll = serializers.CharField()
    values = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class CommandInput(Input):
    """A command: `type` and the members that type has (see the contract), for the schema; the codec reads it."""

    type = serializers.ChoiceField(choices=tuple(READERS))
    army = serializers.CharField(required=False)
    tactic = serializers.CharField(required=False, allow_null=True)
    strategy = serializers.CharField(required=False, allow_null=True)
    target = serializers.CharField(required=False, allow_null=True, help_text="null holds")
    use = serializers.ListField(child=serializers.DictField(), required=False)
    withdraw = serializers.CharField(required=False)
    let_go = serializers.BooleanField(required=False)
    hold_the_line = serializers.BooleanField(required=False)
    spawn = serializers.CharField(required=False)
    kind = serializers.CharField(required=False, allow_null=True)
    condition = serializers.JSONField(required=False)
    lift = serializers.BooleanField(required=False)
    field = serializers.CharField(required=False)
    value = serializers.JSONField(required=False, allow_null=True)
    side = serializers.CharField(required=False)
    winner = serializers.CharField(required=False, allow_null=True)
    reason = serializers.CharField(required=False)
    confirm = serializers.BooleanField(required=False)
    choices = serializers.DictField(child=serializers.CharField(), required=False)
    reroll = serializers.BooleanField(
        required=False, help_text="aftermath: throw its dice again, which otherwise lie as they fell; the log tells"
    )
    dice = DieInput(many=True, required=False)
    ask = serializers.BooleanField(required=False, help_text="ask for missing dice instead of rolling them")
