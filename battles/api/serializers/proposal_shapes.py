"""Serializers of an aftermath before it is confirmed, and of the answer to a command."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.api.serializers.battle_shapes import BattleFrame, OptionSerializer, combine_rulesets
from battles.api.serializers.event_shapes import EventSerializer, RollSerializer, rolls_of
from core.text import render
from kingdom.api.fields import SaidField
from kingdom.chronicle.serializers import SideField
from rules.halts import KINDS


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
    """What the battle would do to the world. Confirm with the same choices and dice. `lying` are the `rolls` already
    made at an earlier confirmation. They stay until `reroll` rolls them again.
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
