"""API of luck: how lucky the sides of a battle were."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from battles.api.forecast_api import Patient, build_job_answer
from battles.api.serializers.forecast_shapes import JobSerializer
from battles.api.serializers.luck_shapes import FairnessSerializer, fairness_shape
from battles.log.hindsight import looked_back
from battles.log.luck_services import look_back
from battles.models import Job
from core.api.filters import refuse_unknown
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiView

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
