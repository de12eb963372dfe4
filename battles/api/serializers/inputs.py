"""Input serializers of battles, for the API's document."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from battles.api.serializers.battle_shapes import combine_rulesets
from battles.ruleset_ui import BattleUI, list_battle_uis
from core.api import ruleset_shapes
from core.api.ruleset_shapes import TypeField
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from core.shapes.serializers import SideNamedField, WordOrNumberField
from kingdom.api.fields import NameField
from rules.odds.opponents import LEANINGS


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
    """A battle to open: its sides, and what its ruleset asks of the field."""

    campaign = serializers.UUIDField()
    name = NameField(max_length=NAME_MAX)
    sides = SideInput(many=True)
    ruleset = serializers.CharField(
        required=False, help_text="by which it is fought, of those that can take these armies; left out: the campaign's"
    )
    opponents = HeadInput(many=True, required=False)


class DieInput(Input):
    army = serializers.CharField()
    roll = serializers.CharField()
    values = serializers.ListField(
        child=WordOrNumberField(allow_null=True),
        help_text="faces in the order asked; of a die without numbers its sides, by slug or by number from 1; "
        "null: the server rolls",
    )


class CommandFrame(Input):
    """Members of every command."""

    dice = DieInput(many=True, required=False)
    ask = serializers.BooleanField(required=False, help_text="ask for missing dice instead of rolling them")


class ReinforceCommand(CommandFrame):
    """An army of the campaign joins a side."""

    type = TypeField("reinforce")

    army = serializers.UUIDField()
    side = SideNamedField()


class ForwardCommand(CommandFrame):
    """Resolve phase after phase until something happens: an army breaks, a leader falls, orders could change, a choice
    is due, the battle ends. Typed dice cannot be sent; with `ask` it stops where some are needed.
    """

    type = TypeField("forward")


class UndoCommand(CommandFrame):
    """Undo the last command, or all that came after an event (GM)."""

    type = TypeField("undo")

    to = serializers.IntegerField(
        min_value=0, required=False, allow_null=True, help_text="`seq` of the last event that stays; 0: none does"
    )


class AftermathCommand(CommandFrame):
    """Propose what the battle does to the campaign; with `confirm`, apply it."""

    type = TypeField("aftermath")

    confirm = serializers.BooleanField(required=False)
    choices = serializers.DictField(child=serializers.CharField(allow_null=True), required=False)
    reroll = serializers.BooleanField(required=False, help_text="roll its dice again instead of keeping them")


COMMANDS = {
    "aftermath": AftermathCommand,
    "forward": ForwardCommand,
    "reinforce": ReinforceCommand,
    "undo": UndoCommand,
}


def _commands_of(ui: BattleUI) -> Any:
    """Return the common commands and those of the law, distinguished by `type`."""
    own = {kind: _command(ui, kind) for kind in ui.readers}
    return ruleset_shapes.build_typed_shape(
        f"{ruleset_shapes.title_of(ui.family)}CommandInput", dict(sorted({**COMMANDS, **own}.items()))
    )


def _command(ui: BattleUI, kind: str) -> Any:
    members = ui.command_members.get(kind)
    bases = (members, CommandFrame) if members else (CommandFrame,)
    return ruleset_shapes.add_type(
        f"{ruleset_shapes.title_of(ui.family)}{ruleset_shapes.title_of(kind)}Command", kind, *bases
    )


BattleInput = combine_rulesets("BattleInput", OpeningFrame, "opening_members")
CommandInput = ruleset_shapes.choose_shape("CommandInput", {ui.family: _commands_of(ui) for ui in list_battle_uis()})
