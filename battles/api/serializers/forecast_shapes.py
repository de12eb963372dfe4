"""Serializers of forecasts and jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.api.serializers.battle_shapes import combine_rulesets
from battles.forecast.queries import FORECAST, PLAYED, Forecast, forecast_of, forecast_played, list_results
from battles.log.luck import Hindsight, LookedBack, build_fairness
from battles.models import Job
from battles.ruleset_ui import list_battle_uis
from battles.workshop.sweeps import SWEEP
from core import text
from core.api import serializers as ruleset_shapes
from core.api.serializers import Input
from core.text import render
from kingdom.api.fields import ChanceField, SaidField, WholeField
from kingdom.campaign.house_rules import HouseRulesField
from kingdom.campaign.serializers import PartlyTold
from rules.core.odds import ArmyOdds, Choosable, OddsTable, rounded
from rules.odds.viewer_forecast import Step

METHODS = ("exact", "simulated")
ASSUMED = ("average", "worst")


class SideOddsSerializer(serializers.Serializer):
    """Chances of a side. `rout` and `destroyed`: its whole force ends so. `low` and `high` are the bounds of `win` with
    your knowledge.
    """

    name = serializers.CharField(read_only=True)
    win = ChanceField(read_only=True, help_text="no enemy is left on the field, and this side is")
    rout = ChanceField(read_only=True)
    destroyed = ChanceField(read_only=True)
    low = ChanceField(read_only=True)
    high = ChanceField(read_only=True)


class LengthSerializer(serializers.Serializer):
    mean = serializers.FloatField(read_only=True)
    p90 = serializers.IntegerField(read_only=True)


class ArmyOddsSerializer(serializers.Serializer):
    """`distribution` holds pairs of health left and its chance. `fates` are by status."""

    army = serializers.CharField(read_only=True)
    distribution = serializers.SerializerMethodField()
    fates = serializers.DictField(child=ChanceField(), read_only=True)

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.FloatField())))
    def get_distribution(self, army: ArmyOdds) -> list[list[float]]:
        return [[left, rounded(chance)] for left, chance in army.health]


class BarredSerializer(serializers.Serializer):
    rows = serializers.DictField(child=serializers.CharField(), read_only=True)
    columns = serializers.DictField(child=serializers.CharField(), read_only=True)


class MixSerializer(serializers.Serializer):
    """How often each choice is made in optimal play, and the resulting chance (`value`)."""

    rows = serializers.ListField(child=ChanceField(), read_only=True)
    columns = serializers.ListField(child=ChanceField(), read_only=True)
    value = ChanceField(read_only=True)


class OddsTableSerializer(serializers.Serializer):
    """The chance that the row army's side wins, null if a choice is barred. `best` is the best row of each column."""

    kind = serializers.CharField(read_only=True)
    row = serializers.CharField(read_only=True, help_text="the army whose choices the rows are")
    column = serializers.CharField(read_only=True)
    rows = serializers.SerializerMethodField()
    columns = serializers.SerializerMethodField()
    win = serializers.ListField(child=serializers.ListField(child=ChanceField(allow_null=True)), read_only=True)
    best = serializers.ListField(child=serializers.IntegerField(allow_null=True), read_only=True)
    mix = serializers.SerializerMethodField()
    barred = serializers.SerializerMethodField()
    method = serializers.CharField(read_only=True)
    error = ChanceField(read_only=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_rows(self, table: OddsTable) -> list[str]:
        return [choice.slug for choice in table.rows]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_columns(self, table: OddsTable) -> list[str]:
        return [choice.slug for choice in table.columns]

    @extend_schema_field(MixSerializer())
    def get_mix(self, table: OddsTable) -> dict[str, Any]:
        mixes = {"rows": table.row_mix, "columns": table.column_mix}
        told = {name: [rounded(share) for share in mix] for name, mix in mixes.items()}
        return {**told, "value": rounded(table.value)}

    @extend_schema_field(BarredSerializer())
    def get_barred(self, table: OddsTable) -> dict[str, Any]:
        return {"rows": _barred(table.rows), "columns": _barred(table.columns)}


def _barred(choices: Sequence[Choosable]) -> dict[str, str]:
    return {choice.slug: render(choice.barred) for choice in choices if choice.barred}


class ForecastSerializer(PartlyTold, serializers.Serializer):
    """Chances to win, `mutual` and `undecided` add up to 1. `error` is 0 if exact, else half the width of the 95 %
    interval.
    """

    method = serializers.ChoiceField(choices=METHODS, source="odds.method", read_only=True)
    error = ChanceField(source="odds.error", read_only=True)
    undecided = ChanceField(source="odds.undecided", read_only=True, help_text="beyond the phases looked at")
    assumed = serializers.ListField(source="odds.assumed", child=SaidField(), read_only=True)
    sides = SideOddsSerializer(source="odds.sides", many=True, read_only=True)
    mutual = ChanceField(source="odds.mutual", read_only=True, help_text="nobody wins")
    phases = LengthSerializer(source="odds.phases", read_only=True)
    played = serializers.IntegerField(
        source="odds.played", read_only=True, help_text="battles played for it; 0 where it is found otherwise"
    )
    hp = serializers.SerializerMethodField()
    matrix = OddsTableSerializer(source="table", read_only=True, help_text="where one was asked for")

    @classmethod
    def untold_sometimes(cls) -> set[str]:
        return {"matrix"}

    @extend_schema_field(ArmyOddsSerializer(many=True))
    def get_hp(self, forecast: Forecast) -> Any:
        return ArmyOddsSerializer(list(forecast.odds.armies.values()), many=True).data


def forecast_shape(forecast: Forecast) -> dict[str, Any]:
    """Return the forecast as JSON, with `matrix` only if it was asked for."""
    data = ForecastSerializer(forecast).data
    if forecast.table is None:
        del data["matrix"]
    return data


def _forecasts(results: Sequence[Any]) -> list[Any]:
    found = forecast_of(results)
    return [forecast_shape(found)] if found else []


def _pairings(pieces: Sequence[Any]) -> list[Any]:
    """Return all pairings of a sweep's parts."""
    pairings = [pairing for piece in pieces if piece for pairing in piece]
    return list(PairingSerializer(pairings, many=True).data)


def _played(results: Sequence[Any]) -> list[Any]:
    """Return the forecast so far."""
    found = forecast_played(results)
    return [forecast_shape(found)] if found else []


RESULTS: Mapping[str, Callable[[Sequence[Any]], list[Any]]] = {
    FORECAST: _forecasts, PLAYED: _played, SWEEP: _pairings,
}  # fmt: skip
"""Serialization of a job's results, by kind."""


class PairingSerializer(serializers.Serializer):
    """Result of one army of a sweep against another: chances to win, to lose, that nobody wins, and that it stays
    undecided. `phases` is the mean number of phases.
    """

    army = serializers.CharField(source="first", read_only=True)
    against = serializers.CharField(source="second", read_only=True)
    win = ChanceField(read_only=True)
    lose = ChanceField(read_only=True)
    mutual = ChanceField(read_only=True)
    undecided = ChanceField(read_only=True)
    phases = serializers.FloatField(read_only=True)
    method = serializers.ChoiceField(choices=METHODS, read_only=True)
    error = ChanceField(read_only=True)


JOB_RESULTS = ruleset_shapes.lists_of(
    ruleset_shapes.choose_shape("JobResult", {"forecast": ForecastSerializer, "pairing": PairingSerializer})
)


class JobSerializer(serializers.ModelSerializer):
    """Work that takes longer than a request. `results` holds what there is so far: pairs of a sweep, the odds of
    battles that are `played`, or a forecast once it is `done`. It is empty for the fairness of a battle: ask the battle
    again.
    """

    results = serializers.SerializerMethodField()
    trouble = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = ("id", "kind", "state", "done", "of", "results", "trouble", "created_at")
        read_only_fields = fields

    @extend_schema_field(JOB_RESULTS)
    def get_results(self, job: Job) -> list[Any]:
        if job.kind == FORECAST and job.state != Job.Status.DONE:
            return []
        results = list_results(job)
        return RESULTS[job.kind](results) if job.kind in RESULTS else []

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_trouble(self, job: Job) -> str | None:
        return render(text.load_said(job.trouble)) if job.trouble else None


class UntilInput(Input):
    phases = WholeField(required=False)
    hp = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="by army")


class RetreatInput(Input):
    after = WholeField(required=False, help_text="phases from now")
    hp = WholeField(required=False, help_text="at this health or below")


class WhichTableInput(Input):
    kind = serializers.CharField()
    row = serializers.CharField(help_text="an army")
    column = serializers.CharField(help_text="an enemy of it")


class AnyLawField(serializers.JSONField):
    """Input whose shape depends on the law. `part` is the attribute of the law's UI that holds it."""

    part = ""
    besides: tuple[dict[str, Any], ...] = ()


class AnyOrderField(AnyLawField):
    """Members of an order."""

    part = "order_members"


class AnyConditionField(AnyLawField):
    """A condition of the field."""

    part = "condition_shape"


class AnyArmyField(AnyLawField):
    """The id of an army, or a described army."""

    part = "supposed_army"
    besides = ({"type": "string", "format": "uuid"},)


class AnyLawSchema(OpenApiSerializerFieldExtension):
    target_class = AnyLawField
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> Any:
        found = dict.fromkeys(getattr(ui, self.target.part) for ui in list_battle_uis())
        shapes = [auto_schema.resolve_serializer(shape(), "request").ref for shape in found if shape is not None]
        return {"anyOf": [*self.target.besides, *shapes]}


class ForecastInput(Input):
    """Question of a forecast. Its `orders` are assumed, not given."""

    orders = serializers.DictField(child=AnyOrderField(), required=False, help_text="by army, as in an order")
    until = UntilInput(required=False)
    withdraw = serializers.DictField(child=RetreatInput(), required=False, help_text="by army")
    unknown = serializers.ChoiceField(
        choices=ASSUMED, required=False, help_text="what is made of orders you do not know"
    )
    matrix = serializers.BooleanField(required=False, help_text="with the usual table of choices")
    table = WhichTableInput(required=False)


class SupposedSideInput(Input):
    name = serializers.CharField()
    armies = serializers.ListField(
        child=AnyArmyField(),
        help_text="ids of armies you may read, or bodies as for POST armies/ with `commander`, and what they carry",
    )


class SupposedFrame(ForecastInput):
    """A hypothetical battle: its opening, as for POST battles/, and the question."""

    ruleset = serializers.CharField()
    house_rules = HouseRulesField(required=False)
    sides = SupposedSideInput(many=True)


SupposedInput = combine_rulesets("SupposedInput", SupposedFrame, "opening_members")


# Serializers of luck.


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
    """`turning` is the index of the phase in `phases` that turned the battle, null for none. `likely` is the chance of
    this result before the first die, null if unknown. `told` is the result in sentences, `assumed` what it rests on.
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
