"""API that reminds players of a battle that waits for them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from battles.play.reminder_services import remind_awaited
from core.api.serializers import NoInput
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiView, validate_body
from kingdom.models import Scope


class RemindedSerializer(serializers.Serializer):
    players = serializers.ListField(child=serializers.CharField(), help_text="names of those who were reminded")


class RemindView(ApiView):
    scope = Scope.MANAGE

    @extend_schema(
        request=None, responses=RemindedSerializer, summary="Remind the players a battle waits for, once an hour (GM)"
    )
    def post(self, request: ApiRequest, pk: Any) -> Response:
        validate_body(NoInput(data=request.data))
        page = request.build_absolute_uri(reverse("battles:battle", args=[pk]))
        return Response({"players": remind_awaited(by=request.user, battle_id=pk, page=page)})
