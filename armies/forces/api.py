"""API of `armies/` under any ruleset. The rest is the ruleset UI's."""

from __future__ import annotations

from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from armies.bulk.raise_several_api import DuplicateInput, several_input, several_of_every_law
from armies.forces.access import army_for, names_of_armies, visible_to
from armies.forces.ruleset_api import ByLaw, of_every_law
from armies.forces.services import remove_army
from armies.map.last_seen import told_where_seen
from armies.marches.api import DAYS, REACH_DAYS, MarchingShape, MarchShape, march_shape, marching_shape
from armies.marches.plan import on_the_map, path_of, traveller
from armies.marches.services import halt_army, march_along
from armies.models import Army
from armies.ruleset_ui import all_faces, ui_for
from core.api.filters import refuse_unknown
from core.api.input_serializers import NoInput
from core.api.ruleset_shapes import lists_of
from core.inputs import whole_in
from kingdom.access.request_types import ApiRequest
from kingdom.approvals.serializers import or_asked
from kingdom.models import Kingdom, Scope
from kingdom.onboarding import name_suggestions
from rules.core.errors import demand
from rules.core.text import _

SHAPE, INPUT, CHANGE = (
    of_every_law(name, member)
    for name, member in (("Army", "army_shape"), ("ArmyInput", "army_input"), ("ArmyChange", "army_change"))
)
SHAPES = lists_of(SHAPE)


MARCH = of_every_law("MarchInput", "march_input")
MARCHED = PolymorphicProxySerializer(
    "Marched", [MarchShape, *dict.fromkeys(shape for face in all_faces() for shape in face.api.marched)], None
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
        return visible_to(self.request.user)

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        told_where_seen(self.request.user, *(rows[0] if rows and many else rows))
        return super().get_serializer(*rows, many=many, **options)

    def get_object(self) -> Army:
        return self.in_their_law([army_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(request=INPUT, responses=or_asked(SHAPE, 201), summary="Raise an army")
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        army = ui_for(kingdom.campaign).api.raise_army(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = army.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(request=several_of_every_law(), responses=or_asked(SHAPES, 201), summary="Raise several armies")
    @action(detail=False, methods=["post"], filterset_class=None, pagination_class=None)
    def several(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        face = ui_for(kingdom.campaign)
        given = self.input(using=several_input(face))
        given.pop("kingdom")
        return self._raised(kingdom, given.pop("name"), given.pop("copies"), given)

    @extend_schema(request=DuplicateInput, responses=or_asked(SHAPES, 201), summary="Raise more like it")
    @action(detail=True, methods=["post"], filterset_class=None, pagination_class=None)
    def duplicate(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        given = self.input(using=DuplicateInput)
        alike = ui_for(army.campaign).api.alike(army)
        return self._raised(army.kingdom, given.get("name") or army.name, given["copies"], alike)

    def _raised(self, kingdom: Kingdom, name: str, copies: int, given: dict[str, Any]) -> Response:
        names = name_suggestions.numbered(name, copies, names_of_armies(kingdom))
        made = ui_for(kingdom.campaign).api.raise_armies(self.request.user, kingdom, names, given)
        found = {row.pk: row for row in self.get_queryset().filter(pk__in=[army.pk for army in made])}
        rows = self.in_their_law([found[army.pk] for army in made])
        return Response(self.get_serializer(rows, many=True).data, status=201)

    @extend_schema(request=CHANGE, responses=or_asked(SHAPE), summary="Change an army")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        api = ui_for(army.campaign).api
        api.change_army(request.user, army, self.change_of(army, api.army_change))
        return self.drawn(self.get_object())

    @extend_schema(
        methods=["GET"], parameters=[DAYS], responses=MarchingShape, summary="The way it is on, and what it can reach"
    )
    @extend_schema(
        methods=["POST"], request=MARCH, responses=or_asked(MARCHED), summary="Set out, or say what a march would be"
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None, pagination_class=None)
    def march(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        if request.method != "POST":  # HEAD reads, too
            return Response(marching_shape(army, on_the_map(request.user, army), self._days()))
        api = ui_for(army.campaign).api
        given = self.input(using=api.march_input)
        if not {"path", "to"} & given.keys():
            return self._by_road(api.march_by_road(request.user, army, given))
        manner = given.get("manner", [])
        who = traveller(request.user, army)
        found = who.along(given["path"], manner) if "path" in given else who.to(given["to"], manner)
        if given["confirm"]:
            march_along(by=request.user, army=army, path=path_of(found), manner=manner)
        return Response(march_shape(found, army.campaign.day))

    def _by_road(self, reckoned: Any) -> Response:
        """What a law answers that reckons roads without a map; None: it has set out."""
        return self.drawn(self.get_object()) if reckoned is None else Response(reckoned)

    def _days(self) -> int:
        refuse_unknown(self.request, {"days"})
        days = whole_in(self.request.query_params.get("days", "1"))
        demand(days and days <= REACH_DAYS, _("From {least} to {most} days."), field="/days", least=1, most=REACH_DAYS)
        return days or 1

    @extend_schema(request=None, responses=or_asked(SHAPE), summary="Halt where it stands today")
    @action(detail=True, methods=["post"])
    def halt(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        halt_army(by=request.user, army=self.ordered())
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike an army that no battle remembers")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        remove_army(by=request.user, army=self.ordered())
        return Response(status=204)
