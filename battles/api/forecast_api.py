"""API of forecasts and jobs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.reverse import reverse

from battles.api.serializers.forecast_shapes import ForecastSerializer, JobSerializer, SupposedInput, forecast_shape
from battles.codec.forecast_request import parse_forecast_request
from battles.forecast.job_services import stop_job
from battles.forecast.jobs import get_job_for
from battles.forecast.queries import Forecast
from battles.forecast.services import foretell
from battles.forecast.single_flight import TooBusy, Unanswered
from battles.models import Job
from battles.workshop.hypothetical import build_hypothetical_battle
from core.api.filters import refuse_unknown
from core.text import render
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiView
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
    """More is asked than can be reckoned; it may be asked again."""

    status_code = 429
    wait = RETRY


class BrokenOff(APIException):
    """The process that reckoned was killed."""

    status_code = 503
    wait = RETRY


class Patient:
    """View mixin: what cannot be reckoned now is told as such."""

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Unanswered):
            exc = (Busy if isinstance(exc, TooBusy) else BrokenOff)(render(exc.said))
        return super().handle_exception(exc)  # type: ignore[misc]


def build_job_answer(request: ApiRequest, job: Job) -> Response:
    """What was asked goes on: where to read it (202)."""
    address = reverse("job", args=[job.pk], request=request)
    return Response(JobSerializer(job).data, status=202, headers={"Location": address})


def answered(request: ApiRequest, found: Forecast | Job) -> Response:
    """The forecast, or the job that will have it (202)."""
    if isinstance(found, Forecast):
        return Response(forecast_shape(found))
    return build_job_answer(request, found)


class SupposedView(Patient, ApiView):
    """A battle that is nowhere: armies you may read by their ids, and others as you describe them."""

    scope, counted = Scope.PLAY, "costly"

    @extend_schema(request=SupposedInput, responses=ANSWERS, summary="What would become of a battle")
    def post(self, request: ApiRequest) -> Response:
        ahead, wonder = build_hypothetical_battle(request.user, request.data)
        sides = tuple(side.name for side in ahead.summary.sides)
        asked = parse_forecast_request(wonder, ruleset(ahead.now.law, ahead.now.house), sides, ahead.usual_table)
        return answered(request, foretell(by=request.user, foreseen=ahead, asked=asked))

    def handle_exception(self, exc: Exception) -> Response:
        """What a die would decide before the battle begins is not supposed."""
        if isinstance(exc, DiceNeeded):
            exc = IllegalCommand(NO_DICE)
        return super().handle_exception(exc)


NO_DICE = term("A die decides something before this battle begins: it can be foretold once that is over.")


class JobView(ApiView):
    """Work that takes longer than a request waits for. Only whoever began it reads it; it is kept for a day."""

    scope = Scope.PLAY

    @extend_schema(responses=JobSerializer, summary="How far it got, and what came of it")
    def get(self, request: ApiRequest, pk: Any) -> Response:
        refuse_unknown(request, set())
        return Response(JobSerializer(get_job_for(request.user, pk)).data)

    @extend_schema(responses={204: None}, summary="Stop it")
    def delete(self, request: ApiRequest, pk: Any) -> Response:
        stop_job(by=request.user, job_id=pk)
        return Response(status=204)
