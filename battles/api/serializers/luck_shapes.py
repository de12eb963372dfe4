"""Serializers of luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rest_framework import serializers

from battles.log.hindsight import Hindsight, LookedBack
from battles.log.luck import build_fairness
from core.text import render
from kingdom.api.fields import ChanceField, SaidField
from rules.odds.fairness import Step
from rules.odds.percentages import rounded


class FoughtPhaseSerializer(serializers.Serializer):
    kind = serializers.CharField(read_only=True)
    number = serializers.IntegerField(read_only=True)


class SideLuckSerializer(serializers.Serializer):
    name = serializers.CharField(read_only=True)
    luck = serializers.FloatField(read_only=True, help_text="what dice added to its chance to win, from −1 to 1")


class SideStepSerializer(SideLuckSerializer):
    before = ChanceField(read_only=True, help_text="its chance to win, orders known, dice still to fall")
    after = ChanceField(read_only=True)


class StepSerializer(serializers.Serializer):
    phase = FoughtPhaseSerializer(read_only=True)
    sides = SideStepSerializer(many=True, read_only=True)


class FairnessSerializer(serializers.Serializer):
    """`turning`: which of the `phases` turned the battle, from 0; null where none did. `likely`: how likely its result
    had been before the first die; null where it had none. `told`: all of it in sentences; `assumed`: from what.
    """

    method = serializers.ChoiceField(choices=("exact", "simulated"), read_only=True)
    error = ChanceField(read_only=True, help_text="of the least sure of all chances")
    likely = ChanceField(read_only=True, allow_null=True)
    turning = serializers.IntegerField(read_only=True, allow_null=True)
    sides = SideLuckSerializer(many=True, read_only=True)
    phases = StepSerializer(many=True, read_only=True)
    told = serializers.ListField(child=SaidField(), read_only=True)
    assumed = serializers.ListField(child=SaidField(), read_only=True)


def fairness_shape(back: LookedBack, found: Hindsight) -> dict[str, Any]:
    fairness, names = found.fairness, [team.name for team in back.summary.sides]
    shown = build_fairness(back, found)
    return {
        "method": found.method,
        "error": rounded(found.error),
        "likely": None if fairness.likely is None else rounded(fairness.likely),
        "turning": fairness.turning,
        "sides": [{"name": name, "luck": luck} for name, luck in zip(names, fairness.luck, strict=False)],
        "phases": [{"phase": _phase(step), "sides": list(_sides(names, step))} for step in fairness.steps],
        "told": [render(said) for said in shown.told],
        "assumed": [render(said) for said in shown.how],
    }


def _phase(step: Step) -> dict[str, Any]:
    return {"kind": step.stage.kind, "number": step.stage.number}


def _sides(names: Sequence[str], step: Step) -> Iterator[dict[str, Any]]:
    for name, luck, before, after in zip(names, step.luck, step.before.wins, step.after.wins, strict=True):
        yield {"name": name, "luck": luck, "before": rounded(before), "after": rounded(after)}
