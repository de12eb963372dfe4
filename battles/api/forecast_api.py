"""API of forecasts, sweeps and luck."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.reverse import reverse

from battles.api.serializers.forecast_shapes import (
    AnyArmyField,
    AnyConditionField,
    FairnessSerializer,
    ForecastSerializer,
    JobSerializer,
    SupposedInput,
    fairness_shape,
    forecast_shape,
)
from battles.codec.forecasts import parse_forecast_request, sweep_from_json
from battles.forecast.job_services import stop_job
from battles.forecast.queries import Forecast, get_job_for
from battles.forecast.services import foretell
from battles.forecast.single_flight import TooBusy, Unanswered
from battles.log.luck import looked_back
from battles.log.luck_services import look_back
from battles.models import Job
from battles.play.errors import UnknownArmy
from battles.workshop.matchups import build_hypothetical_battle
from battles.workshop.sweeps import start_sweep
from core.api.problems import NotVisible
from core.api.serializers import Input, refuse_unknown
from core.text import render
from kingdom.access.permissions import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.campaign.house_rules import HouseRulesField
from kingdom.models import Scope
from rules.core.dice import DiceNeeded
from rules.core.errors import IllegalCommand
from rules.core.text import _ as term
from rules.registry import ruleset

RETRY = 2  # seconds
ANSWERS = {
    200: ForecastSerializer,
    202: OpenApiResponse(JobSerializer, description="It takes longer: read the job at `Location`."),
}


class Busy(APIException):
    """Too many computations are running; the request may be repeated."""

    status_code = 429
    wait = RETRY


class BrokenOff(APIException):
    """The process that computed the answer was killed."""

    status_code = 503
    wait = RETRY


class Patient:
    """View mixin that answers unavailable computations with the reason."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Unanswered):
            exc = (Busy if isinstance(exc, TooBusy) else BrokenOff)(render(exc.said))
        return super().handle_exception(exc)  # type: ignore[misc]


def build_job_answer(request: ApiRequest, job: Job) -> Response:
    """Return 202 with the address of the job."""
    address = reverse("job", args=[job.pk], request=request)
    return Response(JobSerializer(job).data, status=202, headers={"Location": address})


def answered(request: ApiRequest, found: Forecast | Job) -> Response:
    """Return the forecast, or 202 with the job that will have it."""
    if isinstance(found, Forecast):
        return Response(forecast_shape(found))
    return build_job_answer(request, found)


class SupposedView(Patient, ApiView):
    """A hypothetical battle of armies that you may read, by their ids, and of others as you describe them."""

    scope, counted = Scope.PLAY, "costly"

    @extend_schema(request=SupposedInput, responses=ANSWERS, summary="What would become of a battle")
    def post(self, request: ApiRequest) -> Response:
        ahead, wonder = build_hypothetical_battle(request.user, request.data)
        sides = tuple(side.name for side in ahead.summary.sides)
        asked = parse_forecast_request(wonder, ruleset(ahead.now.law, ahead.now.house), sides, ahead.usual_table)
        return answered(request, foretell(by=request.user, foreseen=ahead, asked=asked))

    def handle_exception(self, exc: Exception) -> Response:
        """Refuse a battle that needs a die before it begins."""
        if isinstance(exc, DiceNeeded):
            exc = IllegalCommand(NO_DICE)
        return super().handle_exception(exc)


NO_DICE = term("A die has to be rolled before this battle begins. Ask for the forecast after that.")


class JobView(ApiView):
    """Work that takes longer than a request. Only whoever started it can read it. It is kept for a day."""

    scope = Scope.PLAY

    @extend_schema(responses=JobSerializer, summary="How far it got, and what came of it")
    def get(self, request: ApiRequest, pk: Any) -> Response:
        refuse_unknown(request, set())
        return Response(JobSerializer(get_job_for(request.user, pk)).data)

    @extend_schema(responses={204: None}, summary="Stop it")
    def delete(self, request: ApiRequest, pk: Any) -> Response:
        stop_job(by=request.user, job_id=pk)
        return Response(status=204)


# API of luck: how lucky the sides of a battle were.


LATER = OpenApiResponse(JobSerializer, description="It takes longer: ask again when the job at `Location` is done.")
NOT_YET = OpenApiResponse(description="It is not over yet, or its ruleset foretells no battles.")


class FairnessView(Patient, ApiView):
    @extend_schema(
        responses={200: FairnessSerializer, 202: LATER, 409: NOT_YET},
        summary="How lucky each side of a battle that is over was, phase by phase, as far as you may know",
    )
    def get(self, request: ApiRequest, pk: Any) -> Response:
        refuse_unknown(request, set())
        back = looked_back(request.user, pk)
        found = look_back(by=request.user, back=back)
        if isinstance(found, Job):
            return build_job_answer(request, found)
        return Response(fairness_shape(back, found))


# API of sweeps: odds of many armies at once.


class SweepInput(Input):
    """`army` against each of `against`, or with `every` each of `against` against every other. An army is an id, or a
    description as in POST forecast/, then identified by its `name`. Without `against`: all armies of `campaign` whose
    sheets you may read. `conditions` are those of the whole field.
    """

    campaign = serializers.UUIDField(required=False, help_text="whose armies and house rules; needed for ids")
    ruleset = serializers.CharField(required=False, help_text="without a campaign")
    house_rules = HouseRulesField(required=False, help_text="without a campaign")
    army = AnyArmyField(required=False)
    against = serializers.ListField(child=AnyArmyField(), required=False)
    every = serializers.BooleanField(required=False)
    conditions = serializers.ListField(child=AnyConditionField(), required=False)


class SweepView(ApiView):
    scope, counted = Scope.PLAY, "costly"

    @extend_schema(
        request=SweepInput,
        responses={202: OpenApiResponse(JobSerializer, description="Its `results`, pair by pair, as they come.")},
        summary="Odds of many armies",
        description=SweepInput.__doc__,
    )
    def post(self, request: ApiRequest) -> Response:
        try:
            sweep, campaign = sweep_from_json(request.user, request.data)
        except UnknownArmy as unknown:
            raise NotVisible(unknown.pointer) from unknown
        return build_job_answer(request, start_sweep(by=request.user, sweep=sweep, campaign=campaign))
