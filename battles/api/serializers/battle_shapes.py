"""Serializers of battles: in a list, as one reader may see them, and as input for the API's document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import Any

from drf_spectacular.settings import spectacular_settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.models import Battle
from battles.ruleset_ui import BattleUI, list_battle_uis
from battles.setup.queries import sides_told, winner_of
from core.api import serializers as ruleset_shapes
from core.api.document_parts import TOKEN, TOKEN_MADE, add_to
from core.api.serializers import Input, TypeField
from core.clean_input import NAME_MAX
from core.shapes.serializers import SideNamedField, WordOrNumberField
from core.text import render
from kingdom.api.fields import NameField, SaidField
from rules.core.viewers import LOOKS, band_of
from rules.law import AskedField, Pending, Summary
from rules.odds.opponents import LEANINGS
from rules.pending import CHOICE, DIE, HEX, NUMBER, AskedOption

# Serializers of a battle: in a list, and as one reader may see it.


def combine_rulesets(name: str, frame: type[serializers.Serializer], members: str) -> Any:
    """Combine the common members with those of each law's UI, which are in this attribute of it."""
    return ruleset_shapes.combine_rulesets(name, frame, {ui.family: getattr(ui, members) for ui in list_battle_uis()})


class PhaseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True, help_text="setup, aftermath, closed, or the ruleset’s own")
    number = serializers.IntegerField(read_only=True)


class ResultSerializer(serializers.Serializer):
    winner = serializers.CharField(read_only=True, allow_null=True, help_text="the victorious side, null for none")
    reason = SaidField()


class SideSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    armies = serializers.ListField(child=serializers.CharField(), read_only=True)


class GlanceArmySerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    hp = serializers.IntegerField(read_only=True, allow_null=True)
    hp_max = serializers.IntegerField(read_only=True, allow_null=True)
    looks = serializers.SerializerMethodField(help_text=LOOKS)
    status = serializers.CharField(read_only=True)

    @extend_schema_field(serializers.CharField())
    def get_looks(self, army: dict[str, Any]) -> str:
        return str(army.get("looks") or band_of(army["hp"], army["hp_max"]).slug)


class GlanceSideSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    armies = GlanceArmySerializer(many=True, read_only=True)


class BattleLineSerializer(serializers.ModelSerializer):
    """A battle in a list."""

    phase = PhaseSerializer(source="state.phase", read_only=True)
    sides = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()
    updated_at = serializers.DateTimeField(read_only=True, help_text="when a command was last given or undone")

    class Meta:
        model = Battle
        fields = (
            "id", "campaign", "name", "version", "ruleset", "day", "phase", "status", "sides", "result", "updated_at",
        )  # fmt: skip

    @extend_schema_field(GlanceSideSerializer(many=True))
    def get_sides(self, battle: Battle) -> list[dict[str, Any]]:
        sides = sides_told(battle, self.context["request"].user)
        return [{"name": side["name"], "armies": self._armies.to_representation(side["armies"])} for side in sides]

    @cached_property
    def _armies(self) -> Any:
        """The serializer of a side's armies, built once for all battles."""
        return GlanceArmySerializer(many=True)

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, battle: Battle) -> dict[str, Any] | None:
        result = battle.state["result"]
        return result and {"winner": winner_of(battle), "reason": result["reason"]}


class AwaitedSerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    what = serializers.ListField(child=serializers.CharField(), read_only=True)


class OptionSerializer(serializers.Serializer):
    slug = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]


class AskedDieSerializer(serializers.Serializer):
    """A die on the table. If it bears no numbers, `value` is the number of its side, from 1."""

    army = serializers.CharField(read_only=True)
    roll = serializers.CharField(read_only=True)
    die = serializers.CharField(read_only=True)
    value = serializers.IntegerField(read_only=True)


class AskedSerializer(serializers.Serializer):
    """A field of the answer, by `kind`: `choice` (slug of an option), `hex` (slug of an option, "C7"), `number` (whole
    number from `low` to `high`), `die` (index in `dice`, from 0, of the one rolled again; null for none).
    """

    key = serializers.CharField(read_only=True)
    kind = serializers.ChoiceField(choices=[CHOICE, HEX, NUMBER, DIE], read_only=True)
    label = SaidField()  # type: ignore[assignment]
    options = serializers.SerializerMethodField(help_text="of a choice or a hex; else empty")
    low = serializers.IntegerField(read_only=True, help_text="of a number; else 0")
    high = serializers.IntegerField(read_only=True, help_text="of a number; else 0")
    dice = serializers.SerializerMethodField(help_text="of a die; else empty")

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, asked: AskedField) -> list[dict[str, Any]]:
        return options_told(asked.options)

    @extend_schema_field(AskedDieSerializer(many=True))
    def get_dice(self, asked: AskedField) -> list[dict[str, Any]]:
        return [
            {"army": roll.army, "roll": roll.name, "die": f"d{roll.die}", "value": roll.value} for roll in asked.dice
        ]


class PendingSerializer(serializers.Serializer):
    """A question to answer first: send `{"type": "answer", "key", "choice", "answers"}`. `choice` is the slug of an
    option, omitted if there are none. `answers` has a member for each of `asks`, by its key.
    """

    key = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    text = SaidField()
    options = serializers.SerializerMethodField()
    asks = AskedSerializer(many=True, read_only=True)

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, pending: Pending) -> list[dict[str, Any]]:
        return options_told(pending.options)


def options_told(options: Iterable[AskedOption]) -> list[dict[str, Any]]:
    return [{"slug": slug, "label": render(label)} for slug, label in options]


class BattleFrame(serializers.Serializer):
    """A battle as far as you may know it."""

    id = serializers.UUIDField(source="battle.id", read_only=True)
    campaign = serializers.UUIDField(source="battle.campaign_id", read_only=True)
    name = serializers.CharField(source="battle.name", read_only=True)
    version = serializers.IntegerField(source="battle.version", read_only=True)
    ruleset = serializers.CharField(source="battle.ruleset", read_only=True)
    day = serializers.IntegerField(source="battle.day", read_only=True)
    phase = PhaseSerializer(source="summary.stage", read_only=True)
    status = serializers.CharField(source="battle.status", read_only=True)
    branch_of = serializers.UUIDField(
        source="battle.branch_of_id",
        read_only=True,
        allow_null=True,
        help_text="of a what-if (GM): the battle it was branched from",
    )
    sides = SideSerializer(source="summary.sides", many=True, read_only=True)
    awaiting = AwaitedSerializer(source="summary.waiting_for", many=True, read_only=True)
    legal = serializers.ListField(
        source="legal.commands",
        child=serializers.CharField(),
        read_only=True,
        help_text="types of the commands that may be given",
    )
    your_turn = serializers.BooleanField(read_only=True, help_text="whether the battle waits for you")
    pending = PendingSerializer(many=True, required=False, help_text="absent while nothing is asked")
    result = serializers.SerializerMethodField()

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, shown: Any) -> dict[str, Any] | None:
        summary: Summary = shown.summary
        outcome = summary.outcome
        if outcome is None:
            return None
        winner = None if outcome.winner is None else summary.sides[outcome.winner].name
        return {"winner": winner, "reason": render(outcome.reason)}


BattleSerializer = combine_rulesets("BattleSerializer", BattleFrame, "battle_members")


# Input serializers of battles, for the API's document.


class SideInput(Input):
    name = serializers.CharField(
        required=False,
        help_text="left out: that of its kingdom, or where another side has it or would take it that of its first army",
    )
    armies = serializers.ListField(child=serializers.CharField())


class HeadInput(Input):
    """A side that the computer commands. `left`: its orders are given when the GM resolves, not only proposed."""

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


# Rulesets in the API's document: names of their enums, and the stories they tell as examples.


def add_ruleset_names(result: Any, **_kwargs: Any) -> Any:
    """Hook that registers the names UIs give their enums (`DocumentPart`) and returns the document unchanged."""
    for ui in list_battle_uis():
        spectacular_settings.ENUM_NAME_OVERRIDES.update(ui.in_document.enums)
    return result


def add_examples(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that adds the examples of every ruleset, and what its tags are about (`DocumentPart`)."""
    parts = [ui.in_document for ui in list_battle_uis()]
    tags = {name: text for part in parts for name, text in part.tags.items()}
    told = [*result["tags"], *({"name": name, "description": text} for name, text in tags.items())]
    result["tags"] = sorted(told, key=itemgetter("name"))
    return add_to(result, (TOKEN, TOKEN_MADE, *(one for part in parts for one in part.examples if one.name)))
