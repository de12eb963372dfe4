"""Shapes of battles. They only map: selectors have left out what the reader may not know."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.codec.commands import READERS, order_to_json
from battles.codec.opening import condition_to_json
from battles.models import Battle
from battles.selectors import ArmyOnField, FieldView, LogLine, glance_at
from kingdom.api.fields import LineSerializer, NameField, SaidField, lines_of
from kingdom.inputs import NAME_MAX
from kingdom.text import render


class PhaseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True, help_text="setup, tactics, ranged, melee, aftermath or closed")
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
    hp = serializers.IntegerField(read_only=True)
    hp_max = serializers.IntegerField(read_only=True)
    status = serializers.CharField(read_only=True)


class GlanceSideSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    armies = GlanceArmySerializer(many=True, read_only=True)


class BattleLineSerializer(serializers.ModelSerializer):
    """A battle in a list."""

    phase = PhaseSerializer(source="state.phase", read_only=True)
    sides = GlanceSideSerializer(source="state.sides", many=True, read_only=True)
    result = serializers.SerializerMethodField()

    class Meta:
        model = Battle
        fields = ("id", "campaign", "name", "version", "ruleset", "day", "phase", "status", "sides", "result")

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, battle: Battle) -> dict[str, Any] | None:
        result = battle.state["result"]
        return result and {"winner": glance_at(battle).winner, "reason": result["reason"]}


class FiguresSerializer(serializers.Serializer):
    """The lines behind each figure."""

    om = LineSerializer(many=True, read_only=True)
    dv = LineSerializer(many=True, read_only=True)
    morale_check = LineSerializer(many=True, read_only=True)


class ArmyInBattleSerializer(serializers.Serializer):
    """An army on the field. `om`, `dv`, `morale`, `breakdown` and `order` are null where they are not yours to know."""

    army = serializers.CharField(source="army.id", read_only=True)
    name = serializers.CharField(source="army.name", read_only=True)
    side = serializers.CharField(read_only=True)
    hp = serializers.IntegerField(source="army.hp", read_only=True)
    hp_max = serializers.IntegerField(source="army.hp_max", read_only=True)
    acr = serializers.CharField(read_only=True)
    om = serializers.IntegerField(source="om.total", default=None, read_only=True, allow_null=True)
    dv = serializers.IntegerField(source="dv.total", default=None, read_only=True, allow_null=True)
    morale = serializers.IntegerField(read_only=True, allow_null=True)
    tactic = serializers.CharField(source="army.tactic", read_only=True)
    strategy = serializers.CharField(source="army.strategy", read_only=True)
    target = serializers.CharField(source="army.target", read_only=True, allow_null=True)
    status = serializers.CharField(source="army.status", read_only=True)
    marks = serializers.SerializerMethodField()
    breakdown = serializers.SerializerMethodField()
    order = serializers.SerializerMethodField()

    def get_marks(self, line: ArmyOnField) -> list[str]:
        return list(dict.fromkeys(mark.kind for mark in line.marks))

    @extend_schema_field(FiguresSerializer(allow_null=True))
    def get_breakdown(self, line: ArmyOnField) -> dict[str, Any] | None:
        if not line.readable:
            return None
        return {name: lines_of(getattr(line, name)) for name in ("om", "dv", "morale_check")}

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_order(self, line: ArmyOnField) -> dict[str, Any] | None:
        return order_to_json(line.order) if line.order else None


class AwaitedSerializer(serializers.Serializer):
    army = serializers.CharField(read_only=True)
    what = serializers.ListField(child=serializers.CharField(), read_only=True)


class ChoiceSerializer(serializers.Serializer):
    """Something that could be ordered. `why`: why it cannot be now; `note`: what it would take."""

    slug = serializers.CharField(read_only=True)
    label = SaidField()
    available = serializers.BooleanField(read_only=True)
    why = SaidField()
    note = SaidField()
    current = serializers.BooleanField(read_only=True)


class UseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True)
    slug = serializers.CharField(read_only=True)
    label = SaidField()
    available = serializers.BooleanField(read_only=True)
    why = SaidField()
    left = serializers.IntegerField(read_only=True, allow_null=True)
    options = ChoiceSerializer(many=True, read_only=True)
    targets = ChoiceSerializer(many=True, read_only=True)
    needs_target = serializers.BooleanField(read_only=True)


class ChoicesSerializer(serializers.Serializer):
    """What an army of yours may be ordered now."""

    army = serializers.CharField(read_only=True)
    tactics = ChoiceSerializer(many=True, read_only=True)
    strategies = ChoiceSerializer(many=True, read_only=True)
    targets = ChoiceSerializer(many=True, read_only=True)
    uses = UseSerializer(many=True, read_only=True)
    may_hold_the_line = serializers.BooleanField(read_only=True)
    may_let_go = serializers.BooleanField(read_only=True)
    may_keep_range = serializers.BooleanField(read_only=True)
    may_spawn = serializers.BooleanField(read_only=True)


class ConditionSerializer(serializers.Serializer):
    condition = serializers.CharField()
    value = serializers.JSONField(required=False, allow_null=True)
    army = serializers.CharField(required=False)
    armies = serializers.ListField(child=serializers.CharField(), required=False)
    parts = serializers.ListField(child=serializers.DictField(), required=False)

    def get_fields(self) -> dict[str, Any]:
        """`except` is no name Python lets a class have."""
        return {**super().get_fields(), "except": serializers.ListField(child=serializers.CharField(), required=False)}


class BattleSerializer(serializers.Serializer):
    """A battle through the reader's eyes: `{battle, field}`."""

    id = serializers.UUIDField(source="battle.id", read_only=True)
    campaign = serializers.UUIDField(source="battle.campaign_id", read_only=True)
    name = serializers.CharField(source="battle.name", read_only=True)
    version = serializers.IntegerField(source="battle.version", read_only=True)
    ruleset = serializers.CharField(source="battle.ruleset", read_only=True)
    day = serializers.IntegerField(source="battle.day", read_only=True)
    phase = PhaseSerializer(source="field.state.phase", read_only=True)
    status = serializers.CharField(source="battle.status", read_only=True)
    sides = SideSerializer(source="field.state.sides", many=True, read_only=True)
    armies = ArmyInBattleSerializer(source="field.armies", many=True, read_only=True)
    awaiting = serializers.SerializerMethodField()
    legal = serializers.ListField(source="field.legal.commands", child=serializers.CharField(), read_only=True)
    choices = ChoicesSerializer(source="field.legal.armies", many=True, read_only=True)
    conditions = serializers.SerializerMethodField()
    result = serializers.SerializerMethodField()

    @extend_schema_field(AwaitedSerializer(many=True))
    def get_awaiting(self, shown: Any) -> list[dict[str, Any]]:
        return [{"army": army, "what": list(what)} for army, what in shown.field.awaiting]

    @extend_schema_field(ConditionSerializer(many=True))
    def get_conditions(self, shown: Any) -> list[dict[str, Any]]:
        return [condition_to_json(condition) for condition in shown.field.conditions]

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, shown: Any) -> dict[str, Any] | None:
        field: FieldView = shown.field
        result = field.state.result
        return result and {"winner": field.winner, "reason": render(result.reason)}


class RollSerializer(serializers.Serializer):
    """Dice of one kind, together. `source`: rolled or typed; `by`: who typed them."""

    roll = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    die = serializers.CharField(read_only=True)
    values = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    source = serializers.CharField(read_only=True)
    by = serializers.CharField(read_only=True)


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
    at = serializers.DateTimeField(read_only=True)

    @extend_schema_field(RollSerializer(many=True))
    def get_rolls(self, line: LogLine) -> list[dict[str, Any]]:
        return rolls_of(line.entry.rolls)

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_sums(self, line: LogLine) -> list[dict[str, Any]]:
        return [{"label": render(title), "lines": lines_of(found)} for title, found in line.entry.sums]

    def get_by(self, line: LogLine) -> str | None:
        return line.by.get_username() if line.by else None


def rolls_of(rolls: Any) -> list[dict[str, Any]]:
    """Rolls with their faces gathered: two dice of one kind, rolled alike, are one line."""
    gathered: dict[tuple[Any, ...], list[int]] = {}
    for roll in rolls:
        gathered.setdefault((roll.name, roll.army, f"d{roll.die}", roll.source, roll.by), []).append(roll.value)
    return [
        {"roll": name, "army": army, "die": die, "values": values, "source": source, "by": by}
        for (name, army, die, source, by), values in gathered.items()
    ]


class SideInput(serializers.Serializer):
    name = serializers.CharField()
    armies = serializers.ListField(child=serializers.CharField())


class BattleInput(serializers.Serializer):
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


class DieInput(serializers.Serializer):
    army = serializers.CharField()
    roll = serializers.CharField()
    values = serializers.ListField(child=serializers.IntegerField(allow_null=True))


class CommandInput(serializers.Serializer):
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
    dice = DieInput(many=True, required=False)
    ask = serializers.BooleanField(required=False, help_text="ask for missing dice instead of rolling them")


class ReplaySerializer(serializers.Serializer):
    identical = serializers.BooleanField(read_only=True)
    differs = serializers.IntegerField(read_only=True, allow_null=True, help_text="the first that came out otherwise")
    events = EventSerializer(many=True, read_only=True)


class EventPageSerializer(serializers.Serializer):
    next = serializers.URLField(read_only=True, allow_null=True)
    previous = serializers.URLField(read_only=True, allow_null=True)
    results = EventSerializer(many=True, read_only=True)


class ChangeSerializer(serializers.Serializer):
    """One line of a proposal: what was, what would be, and the rule that says so."""

    subject = serializers.CharField(read_only=True)
    kind = serializers.CharField(source="subject_kind", read_only=True)
    id = serializers.CharField(source="subject_id", read_only=True)
    field = serializers.CharField(read_only=True)
    before = serializers.JSONField(read_only=True)
    after = serializers.JSONField(read_only=True)
    rule = serializers.CharField(read_only=True)
    label = SaidField()


class NoteSerializer(serializers.Serializer):
    text = SaidField()
    rule = serializers.CharField(read_only=True)


class OptionSerializer(serializers.Serializer):
    slug = serializers.CharField(read_only=True)
    label = SaidField()


class QuestionSerializer(serializers.Serializer):
    """Something to choose: answer with `choices: {key: slug}`. `chosen`: what holds meanwhile."""

    key = serializers.CharField(read_only=True)
    label = SaidField()
    options = serializers.SerializerMethodField()
    chosen = serializers.CharField(read_only=True, allow_null=True)

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, question: Any) -> list[dict[str, Any]]:
        return [{"slug": slug, "label": render(label)} for slug, label in question.options]


class ProposalSerializer(serializers.Serializer):
    """What the battle would do to the world. Confirm with the same choices and dice."""

    changes = ChangeSerializer(many=True, read_only=True)
    notes = NoteSerializer(many=True, read_only=True)
    questions = QuestionSerializer(many=True, read_only=True)
    rolls = serializers.SerializerMethodField()

    @extend_schema_field(RollSerializer(many=True))
    def get_rolls(self, proposal: Any) -> list[dict[str, Any]]:
        return rolls_of(proposal.rolls)


class AnswerSerializer(BattleSerializer):
    """The battle after a command, with what happened; or with the proposal of its aftermath."""

    events = EventSerializer(many=True, read_only=True)
    proposal = ProposalSerializer(read_only=True, required=False)
