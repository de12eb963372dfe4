"""API of sweeps: odds of many armies at once."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from battles.api.forecast_api import build_job_answer
from battles.api.serializers.forecast_shapes import AnyArmyField, AnyConditionField, JobSerializer
from battles.codec.sweeps_json import sweep_from_json
from battles.play.errors import UnknownArmy
from battles.workshop.sweep_services import start_sweep
from core.api.input_serializers import Input
from core.api.problems import NotVisible
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiView
from kingdom.campaign.house_rules_api import HouseRulesField
from kingdom.models import Scope


class SweepInput(Input):
    """`army` against each of `against`, or with `every` each of `against` against every other.

    An army is an id, or described as in POST forecast/, then named by its `name`. Without `against`: all armies of
    `campaign` whose sheets you may read. `conditions`: of the whole field.
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
