"""What is sent, for the schema: the codec reads it and says what is wrong."""

from __future__ import annotations

from rest_framework import serializers

from battles.api.serializers.laws import of_every_law
from battles.codec.requests import READERS
from battles.faces import all_faces
from kingdom.api.bodies import Input
from kingdom.api.fields import NameField
from kingdom.inputs import NAME_MAX
from rules.opponents import LEANINGS


class SideInput(Input):
    name = serializers.CharField(
        required=False,
        help_text="left out: that of its kingdom, or where another side has it or would take it that of its first army",
    )
    armies = serializers.ListField(child=serializers.CharField())


class HeadInput(Input):
    """A side that the engine commands. `left`: its orders are given when the GM resolves, not only proposed."""

    side = serializers.IntegerField(help_text="from 0")
    leaning = serializers.ChoiceField(choices=list(LEANINGS))
    left = serializers.BooleanField(required=False)


class OpeningFrame(Input):
    """What POST battles/ takes, for the schema; the law's face reads it."""

    campaign = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    sides = SideInput(many=True)
    opponents = HeadInput(many=True, required=False)


class DieInput(Input):
    army = serializers.CharField()
    roll = serializers.CharField()
    values = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="faces; of a die that bears no numbers the slugs of its sides",
    )


class CommandFrame(Input):
    """A command: `type` and the members that type has (see the contract), for the schema; the codec reads it."""

    type = serializers.ChoiceField(choices=sorted({*READERS, *(kind for face in all_faces() for kind in face.readers)}))
    side = serializers.CharField(required=False)
    confirm = serializers.BooleanField(required=False)
    choices = serializers.DictField(child=serializers.CharField(), required=False)
    reroll = serializers.BooleanField(
        required=False, help_text="aftermath: throw its dice again, which otherwise lie as they fell; the log tells"
    )
    dice = DieInput(many=True, required=False)
    ask = serializers.BooleanField(required=False, help_text="ask for missing dice instead of rolling them")


BattleInput = of_every_law("BattleInput", OpeningFrame, "opening_members")
CommandInput = of_every_law("CommandInput", CommandFrame, "command_members")
