"""`commanders/` and `stores/`."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.access import commander_for, commanders_visible_to, stores_visible_to
from armies.models import Commander, KingdomStock
from armies.pathfinder.api.people import (
    BoonInput,
    CommanderChange,
    CommanderInput,
    CommanderSerializer,
    StockSerializer,
)
from armies.pathfinder.services.commanders import appoint_commander, learn_boon, remove_commander, update_commander
from armies.pathfinder.services.ransom import ransom_commander
from kingdom.api.base import ApiViewSet
from kingdom.api.bodies import NoInput
from kingdom.api.petition_shapes import or_asked
from kingdom.api.problems import seen
from kingdom.request_types import ApiRequest
from kingdom.selectors import kingdom_for, require_runs
from rules.pathfinder.resources import RESOURCES


class CommanderFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    kingdom = filters.UUIDFilter(field_name="kingdom")
    status = filters.ChoiceFilter(choices=Commander.Status.choices)


@extend_schema_view(
    list=extend_schema(summary="Commanders you may read"),
    retrieve=extend_schema(summary="A commander with his derived figures"),
)
class CommanderViewSet(ApiViewSet):
    queryset = Commander.objects.none()
    serializer_class = CommanderSerializer
    input_class = CommanderInput
    filterset_class = CommanderFilter

    def get_queryset(self) -> Any:
        return commanders_visible_to(self.request.user)

    def get_object(self) -> Commander:
        return commander_for(self.request.user, self.kwargs["pk"])

    def ordered(self) -> Commander:
        """The commander, for whoever runs his kingdom, in the version the client has seen."""
        commander = self.get_object()
        require_runs(self.request.user, commander.kingdom)
        self.refuse_stale(commander)
        return commander

    @extend_schema(request=CommanderInput, responses=or_asked(CommanderSerializer, 201), summary="Appoint a commander")
    def create(self, request: ApiRequest) -> Response:
        given = self.input()
        with seen("/kingdom"):
            kingdom = kingdom_for(request.user, given.pop("kingdom"))
        require_runs(request.user, kingdom)
        return self.drawn(appoint_commander(by=request.user, kingdom=kingdom, **given), 201)

    @extend_schema(
        request=CommanderChange(partial=True), responses=or_asked(CommanderSerializer), summary="Change a commander"
    )
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        given = self.change_of(commander, CommanderChange)
        update_commander(by=request.user, commander=commander, **given)
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike a commander from the rolls (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        remove_commander(by=request.user, commander=self.ordered())
        return Response(status=204)

    @extend_schema(request=BoonInput, responses=or_asked(CommanderSerializer, 201), summary="Learn a boon")
    @action(detail=True, methods=["post"])
    def boons(self, request: ApiRequest, pk: str) -> Response:
        commander, given = self.ordered(), self.input(using=BoonInput)
        learn_boon(by=request.user, commander=commander, **given)
        return self.drawn(self.get_object(), 201)

    @extend_schema(
        request=None, responses=or_asked(CommanderSerializer), summary="Pay a captive's ransom from the treasury"
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
    queryset = KingdomStock.objects.none()
    serializer_class = StockSerializer
    filterset_class = StockFilter

    def get_queryset(self) -> Any:
        return stores_visible_to(self.request.user)
