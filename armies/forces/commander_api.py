"""API of `commanders/` under any ruleset. The rest is the ruleset UI's."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.response import Response

from armies.forces.access import get_commander_for, list_visible_commanders
from armies.forces.ruleset_api import ByLaw, combine_rulesets
from armies.models import Commander
from armies.ruleset_ui import get_army_ui
from kingdom.access.request_types import ApiRequest
from kingdom.approvals.serializers import document_approval
from kingdom.models import Scope

SHAPE, INPUT, CHANGE = (
    combine_rulesets(name, member)
    for name, member in (
        ("Commander", "commander_shape"),
        ("CommanderInput", "commander_input"),
        ("CommanderChange", "commander_change"),
    )
)


class CommanderFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    kingdom = filters.UUIDFilter(field_name="kingdom")
    status = filters.ChoiceFilter(choices=Commander.Status.choices)


@extend_schema_view(
    list=extend_schema(responses=SHAPE, summary="Commanders you may read"),
    retrieve=extend_schema(responses=SHAPE, summary="A commander with his derived figures"),
)
class CommanderViewSet(ByLaw[Commander]):
    scope = Scope.MANAGE
    queryset = Commander.objects.none()
    serializer_class = SHAPE
    filterset_class = CommanderFilter
    part = "commander"

    def get_queryset(self) -> Any:
        return list_visible_commanders(self.request.user)

    def get_object(self) -> Commander:
        return self.in_their_law([get_commander_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(request=INPUT, responses=document_approval(SHAPE, 201), summary="Appoint a commander")
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        found = get_army_ui(kingdom.campaign).api.appoint_commander(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = found.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(request=CHANGE, responses=document_approval(SHAPE), summary="Change a commander")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        api = get_army_ui(commander.campaign).api
        api.change_commander(request.user, commander, self.change_of(commander, api.commander_change))
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike a commander from the rolls (GM)")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        commander = self.ordered()
        get_army_ui(commander.campaign).api.remove_commander(request.user, commander)
        return Response(status=204)
