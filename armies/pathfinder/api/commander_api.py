"""API of `commanders/` and `stores/`."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.pathfinder.api.people_serializers import BoonInput, CommanderSerializer, StockSerializer
from armies.pathfinder.commanders.ransom_services import ransom_commander
from armies.pathfinder.commanders.services import learn_boon
from armies.pathfinder.forces.access import get_commander_for, stores_visible_to
from armies.pathfinder.models import KingdomStock, PathfinderCommander
from core.api.input_serializers import NoInput
from kingdom.access.request_types import ApiRequest
from kingdom.api.base_views import ApiActions, ApiViewSet
from kingdom.approvals.serializers import document_approval
from kingdom.models import Scope
from rules.pathfinder.catalogue.resources import RESOURCES


class CommanderActions(ApiActions):
    # What is ordered beside what every law has (`armies.api`).
    scope = Scope.MANAGE
    queryset = PathfinderCommander.objects.none()
    serializer_class = CommanderSerializer

    def get_object(self) -> PathfinderCommander:
        return get_commander_for(self.request.user, self.kwargs["pk"])

    @extend_schema(request=BoonInput, responses=document_approval(CommanderSerializer, 201), summary="Learn a boon")
    @action(detail=True, methods=["post"])
    def boons(self, request: ApiRequest, pk: str) -> Response:
        commander, given = self.ordered(), self.input(using=BoonInput)
        learn_boon(by=request.user, commander=commander, **given)
        return self.drawn(self.get_object(), 201)

    @extend_schema(
        request=None,
        responses=document_approval(CommanderSerializer),
        summary="Pay a captive's ransom from the treasury",
    )
    @action(detail=True, methods=["post"])
    def ransom(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        self.input(NoInput)
        ransom_commander(by=request.user, commander=commander)
        return self.drawn(self.get_object())


class StockFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    kingdom = filters.UUIDFilter(field_name="kingdom")
    resource = filters.ChoiceFilter(choices=[(slug, item.name) for slug, item in RESOURCES.items()])


@extend_schema_view(
    list=extend_schema(summary="What your kingdoms keep in store"),
    retrieve=extend_schema(summary="A resource in store"),
)
class StockViewSet(ApiViewSet):
    scope = Scope.MANAGE
    queryset = KingdomStock.objects.none()
    serializer_class = StockSerializer
    filterset_class = StockFilter

    def get_queryset(self) -> Any:
        return stores_visible_to(self.request.user)
