"""API of `armies/` under any ruleset. The rest is the ruleset UI's."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.bulk.raise_several_api import DuplicateInput, several_input, several_of_every_law
from armies.forces.access import get_army_for, list_army_names, list_visible_armies
from armies.forces.ruleset_api import ByLaw, combine_rulesets
from armies.forces.services import remove_army
from armies.map.last_seen import annotate_last_seen
from armies.marches.api import DAYS, REACH_DAYS, MarchingShape, MarchShape, march_shape, marching_shape
from armies.marches.march_plan import build_traveller, on_the_map, path_of
from armies.marches.services import halt_army, march_along
from armies.models import Army
from armies.ruleset_ui import get_army_ui, list_army_uis
from core.api.filters import refuse_unknown
from core.api.input_serializers import NoInput
from core.api.ruleset_shapes import lists_of
from core.clean_input import parse_whole
from kingdom.access.request_types import ApiRequest
from kingdom.approvals.serializers import document_approval
from kingdom.models import Kingdom, Scope
from kingdom.onboarding import name_suggestions
from rules.core.errors import demand
from rules.core.text import _

SHAPE, INPUT, CHANGE = (
    combine_rulesets(name, member)
    for name, member in (("Army", "army_shape"), ("ArmyInput", "army_input"), ("ArmyChange", "army_change"))
)
SHAPES = lists_of(SHAPE)


MARCH = combine_rulesets("MarchInput", "march_input")
MARCHED = PolymorphicProxySerializer(
    "Marched", [MarchShape, *dict.fromkeys(shape for ui in list_army_uis() for shape in ui.api.marched)], None
)


class ArmyFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    kingdom = filters.UUIDFilter(field_name="kingdom")
    status = filters.ChoiceFilter(choices=Army.Status.choices)


@extend_schema_view(
    list=extend_schema(responses=SHAPE, summary="Armies whose sheet you may read"),
    retrieve=extend_schema(responses=SHAPE, summary="An army with its derived figures"),
)
class ArmyViewSet(ByLaw[Army]):
    scope = Scope.MANAGE
    queryset = Army.objects.none()
    serializer_class = SHAPE
    filterset_class = ArmyFilter
    part = "army"

    def get_queryset(self) -> Any:
        return list_visible_armies(self.request.user)

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        annotate_last_seen(self.request.user, *(rows[0] if rows and many else rows))
        return super().get_serializer(*rows, many=many, **options)

    def get_object(self) -> Army:
        return self.in_their_law([get_army_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(request=INPUT, responses=document_approval(SHAPE, 201), summary="Raise an army")
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        army = get_army_ui(kingdom.campaign).api.raise_army(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = army.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(
        request=several_of_every_law(), responses=document_approval(SHAPES, 201), summary="Raise several armies"
    )
    @action(detail=False, methods=["post"], filterset_class=None, pagination_class=None)
    def several(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        ui = get_army_ui(kingdom.campaign)
        given = self.input(using=several_input(ui))
        given.pop("kingdom")
        return self._raised(kingdom, given.pop("name"), given.pop("copies"), given)

    @extend_schema(request=DuplicateInput, responses=document_approval(SHAPES, 201), summary="Raise more like it")
    @action(detail=True, methods=["post"], filterset_class=None, pagination_class=None)
    def duplicate(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        given = self.input(using=DuplicateInput)
        alike = get_army_ui(army.campaign).api.alike(army)
        return self._raised(army.kingdom, given.get("name") or army.name, given["copies"], alike)

    def _raised(self, kingdom: Kingdom, name: str, copies: int, given: dict[str, Any]) -> Response:
        names = name_suggestions.number_names(name, copies, list_army_names(kingdom))
        made = get_army_ui(kingdom.campaign).api.raise_armies(self.request.user, kingdom, names, given)
        found = {row.pk: row for row in self.get_queryset().filter(pk__in=[army.pk for army in made])}
        rows = self.in_their_law([found[army.pk] for army in made])
        return Response(self.get_serializer(rows, many=True).data, status=201)

    @extend_schema(request=CHANGE, responses=document_approval(SHAPE), summary="Change an army")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        api = get_army_ui(army.campaign).api
        api.change_army(request.user, army, self.change_of(army, api.army_change))
        return self.drawn(self.get_object())

    @extend_schema(
        methods=["GET"], parameters=[DAYS], responses=MarchingShape, summary="The way it is on, and what it can reach"
    )
    @extend_schema(
        methods=["POST"],
        request=MARCH,
        responses=document_approval(MARCHED),
        summary="Set out, or say what a march would be",
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None, pagination_class=None)
    def march(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        if request.method != "POST":  # HEAD reads, too
            return Response(marching_shape(army, on_the_map(request.user, army), self._days()))
        api = get_army_ui(army.campaign).api
        given = self.input(using=api.march_input)
        if not {"path", "to"} & given.keys():
            return self._by_road(api.march_by_road(request.user, army, given))
        manner = given.get("manner", [])
        who = build_traveller(request.user, army)
        found = who.along(given["path"], manner) if "path" in given else who.to(given["to"], manner)
        if given["confirm"]:
            march_along(by=request.user, army=army, path=path_of(found), manner=manner)
        return Response(march_shape(found, army.campaign.day))

    def _by_road(self, reckoned: Any) -> Response:
        """What a law answers that reckons roads without a map; None: it has set out."""
        return self.drawn(self.get_object()) if reckoned is None else Response(reckoned)

    def _days(self) -> int:
        refuse_unknown(self.request, {"days"})
        days = parse_whole(self.request.query_params.get("days", "1"))
        demand(days and days <= REACH_DAYS, _("From {least} to {most} days."), field="/days", least=1, most=REACH_DAYS)
        return days or 1

    @extend_schema(request=None, responses=document_approval(SHAPE), summary="Halt where it stands today")
    @action(detail=True, methods=["post"])
    def halt(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        halt_army(by=request.user, army=self.ordered())
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike an army that no battle remembers")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        remove_army(by=request.user, army=self.ordered())
        return Response(status=204)
