"""Serializers of events, of answers to commands, and of an aftermath before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from battles.api.serializers.battle_shapes import BattleFrame, OptionSerializer, combine_rulesets
from battles.log.queries import LogLine
from core.text import render
from kingdom.api.fields import LineSerializer, SaidField, serialize_lines
from kingdom.chronicle.wording import SideField
from rules.core.dice import Ask
from rules.core.text import Said, Term
from rules.law import DieSide
from rules.pending import KINDS

# Serializers of events, in words and numbers.


class WantedDie(NamedTuple):
    """Die with its name in the law, and its sides if it bears no numbers."""

    ask: Ask
    label: Term
    sides: Sequence[DieSide]

    @property
    def slugs(self) -> list[str]:
        return [side.slug for side in self.sides]


class AskSerializer(serializers.Serializer):
    """A die to type. `label` is its purpose. `need` is what it has to reach, null if the ruleset cannot say. `sides`
    are the possible inputs of a die without numbers.
    """

    army = serializers.CharField(source="ask.army")
    roll = serializers.CharField(source="ask.name")
    die = serializers.SerializerMethodField()
    label = SaidField()  # type: ignore[assignment]
    need = SaidField(source="ask.need", allow_null=True)
    sides = serializers.ListField(
        source="slugs",
        child=serializers.CharField(),
        required=False,
        help_text="absent for a die that bears numbers",
    )

    def get_die(self, asked: WantedDie) -> str:
        return f"d{asked.ask.die}"

    def to_representation(self, asked: WantedDie) -> dict[str, Any]:
        told = super().to_representation(asked)
        if not asked.sides:
            del told["sides"]
        return told


class FaultSerializer(serializers.Serializer):
    pointer = serializers.CharField()
    detail = serializers.CharField()


@extend_schema_serializer(component_name="DiceNeeded")
class DiceNeededSerializer(serializers.Serializer):
    """The reason for a refusal, as in any problem. With `asks`: these dice must be typed first. `follows` then says
    which dice they may lead to, null if the ruleset cannot say.
    """

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    instance = serializers.CharField(required=False)
    errors = FaultSerializer(many=True, required=False)  # type: ignore[assignment]
    asks = AskSerializer(many=True, required=False)
    follows = serializers.CharField(required=False, allow_null=True)


def asks_of(asks: Sequence[Ask], rolls: Mapping[str, Term], sides: Mapping[str, Sequence[DieSide]]) -> Any:
    """Return the dice as JSON."""
    every = [WantedDie(ask, rolls.get(ask.name, Term(ask.name)), sides.get(ask.name, ())) for ask in asks]
    return AskSerializer(every, many=True).data


def follows_of(follows: Said | None) -> str | None:
    return SaidField().to_representation(follows) if follows else None


class RollSerializer(serializers.Serializer):
    """Dice of one kind. `source` is "rolled" or "typed", `by` whoever typed them."""

    roll = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    die = serializers.CharField(read_only=True)
    values = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    sides = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="which sides the values are, of a die that bears no numbers; else absent",
    )
    source = serializers.CharField(read_only=True)  # type: ignore[assignment]
    by = serializers.CharField(read_only=True)


class SumSerializer(serializers.Serializer):
    """A figure of this event, as a sum of lines."""

    label = serializers.CharField()  # type: ignore[assignment]
    lines = LineSerializer(many=True)


class EventSerializer(serializers.Serializer):
    """One event of the log, in words and in numbers."""

    seq = serializers.IntegerField(read_only=True)
    type = serializers.CharField(source="entry.type", read_only=True)
    army = serializers.CharField(source="entry.army", read_only=True, allow_null=True)
    target = serializers.CharField(source="entry.target", read_only=True, allow_null=True)
    text = SaidField(source="entry.text")
    rolls = serializers.SerializerMethodField()
    numbers = serializers.DictField(source="entry.numbers", child=serializers.IntegerField(), read_only=True)
    rule = serializers.CharField(source="entry.rule", read_only=True)
    sums = serializers.SerializerMethodField()
    by = serializers.SerializerMethodField()
    why = SaidField(allow_null=True, help_text="why the computer gave this order, to those who command the army")
    undone = serializers.BooleanField(read_only=True, help_text="taken back since")
    at = serializers.DateTimeField(read_only=True)

    @extend_schema_field(RollSerializer(many=True))
    def get_rolls(self, line: LogLine) -> list[dict[str, Any]]:
        return rolls_of(line.entry.rolls, line.die_sides)

    @extend_schema_field(SumSerializer(many=True))
    def get_sums(self, line: LogLine) -> list[dict[str, Any]]:
        return [{"label": render(title), "lines": serialize_lines(found)} for title, found, _army in line.entry.sums]

    def get_by(self, line: LogLine) -> str | None:
        return line.by or None


def rolls_of(rolls: Any, die_sides: Mapping[str, tuple[DieSide, ...]]) -> list[dict[str, Any]]:
    """Group rolls by kind and source. Equal dice of one kind share a line."""
    gathered: dict[tuple[Any, ...], list[int]] = {}
    for roll in rolls:
        gathered.setdefault((roll.name, roll.army, f"d{roll.die}", roll.source, roll.by), []).append(roll.value)
    return [
        {"roll": name, "army": army, "die": die, "values": values, "source": source, "by": by}
        | sides_shown(die_sides.get(name, ()), values)
        for (name, army, die, source, by), values in gathered.items()
    ]


def sides_shown(sides: tuple[DieSide, ...], values: Iterable[int]) -> dict[str, list[str]]:
    """Return the member `sides`, for dice without numbers."""
    return {"sides": [sides[value - 1].slug for value in values]} if sides else {}


class ReplaySerializer(serializers.Serializer):
    identical = serializers.BooleanField(read_only=True)
    differs = serializers.IntegerField(read_only=True, allow_null=True, help_text="the first that came out otherwise")
    events = EventSerializer(many=True, read_only=True)


class EventPageSerializer(serializers.Serializer):
    next = serializers.URLField(read_only=True, allow_null=True)
    previous = serializers.URLField(read_only=True, allow_null=True)
    results = EventSerializer(many=True, read_only=True)


# Serializers of an aftermath before it is confirmed, and of the answer to a command.


class AftermathChangeSerializer(serializers.Serializer):
    """A change in a proposal: the value before and after, and the rule."""

    subject = serializers.CharField(read_only=True)
    kind = serializers.CharField(source="subject_kind", read_only=True)
    id = serializers.CharField(source="subject_id", read_only=True)
    field = serializers.CharField(read_only=True)
    before = SideField(read_only=True)
    after = SideField(read_only=True)
    rule = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]


class AftermathNoteSerializer(serializers.Serializer):
    text = SaidField()
    rule = serializers.CharField(read_only=True)


class QuestionSerializer(serializers.Serializer):
    """A question to decide: answer with `choices: {key: slug}`. `chosen` applies until then."""

    key = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]
    options = serializers.SerializerMethodField()
    chosen = serializers.CharField(read_only=True, allow_null=True)

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, question: Any) -> list[dict[str, Any]]:
        return [{"slug": slug, "label": render(label)} for slug, label in question.options]


class ProposalSerializer(serializers.Serializer):
    """Proposed effects of the battle on the world. Confirm with the same choices and dice. `lying` are the `rolls`
    already made at an earlier confirmation. They stay until `reroll` rolls them again.
    """

    changes = AftermathChangeSerializer(many=True, read_only=True)
    notes = AftermathNoteSerializer(many=True, read_only=True)
    questions = QuestionSerializer(many=True, read_only=True)
    rolls = serializers.SerializerMethodField()
    lying = serializers.SerializerMethodField()

    @extend_schema_field(RollSerializer(many=True))
    def get_rolls(self, proposal: Any) -> list[dict[str, Any]]:
        return rolls_of(proposal.rolls, proposal.die_sides)

    @extend_schema_field(RollSerializer(many=True))
    def get_lying(self, proposal: Any) -> list[dict[str, Any]]:
        return rolls_of(proposal.lying, proposal.die_sides)


class HaltSerializer(serializers.Serializer):
    """Why the battle stopped. `army` is the one concerned, or ""."""

    kind = serializers.ChoiceField(choices=list(KINDS), read_only=True)
    army = serializers.CharField(read_only=True, allow_blank=True)
    text = SaidField()


class AnswerFrame(BattleFrame):
    """The battle after a command, with its events or the proposal of its aftermath. `phases` are those that passed, in
    order, if there are several. `stopped` says why the battle stopped after `forward`.
    """

    events = EventSerializer(many=True, read_only=True)
    phases = serializers.ListField(child=serializers.CharField(), required=False)
    stopped = HaltSerializer(many=True, required=False)
    proposal = ProposalSerializer(required=False)


AnswerSerializer = combine_rulesets("AnswerSerializer", AnswerFrame, "battle_members")
