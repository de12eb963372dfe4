"""`armies/`: what every law has of them; the rest is the law's face's."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.response import Response

from armies.access import army_for, visible_to
from armies.api.law import ByLaw, of_every_law
from armies.faces import ArmyFace, face_for
from armies.models import Army
from armies.services.raising import remove_army
from kingdom.api.petition_shapes import or_asked
from kingdom.request_types import ApiRequest

SHAPE, INPUT, CHANGE = (
    of_every_law(name, member)
    for name, member in (("Army", "army_shape"), ("ArmyInput", "army_input"), ("ArmyChange", "army_change"))
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
    queryset = Army.objects.none()
    serializer_class = SHAPE
    filterset_class = ArmyFilter
    part = "army"

    def get_queryset(self) -> Any:
        return visible_to(self.request.user)

    def rows_in(self, face: ArmyFace) -> QuerySet[Any]:
        return visible_to(self.request.user, face.army)

    def get_object(self) -> Army:
        return self.in_their_law([army_for(self.request.user, self.kwargs["pk"])])[0]

    @extend_schema(request=INPUT, responses=or_asked(SHAPE, 201), summary="Raise an army")
    def create(self, request: ApiRequest) -> Response:
        kingdom = self.kingdom_named()
        army = face_for(kingdom.campaign).api.raise_army(request.user, kingdom, self.given_for(kingdom))
        self.kwargs["pk"] = army.pk
        return self.drawn(self.get_object(), 201)

    @extend_schema(request=CHANGE, responses=or_asked(SHAPE), summary="Change an army")
    def partial_update(self, request: ApiRequest, pk: str) -> Response:
        army = self.ordered()
        api = face_for(army.campaign).api
        api.change_army(request.user, army, self.change_of(army, api.army_change))
        return self.drawn(self.get_object())

    @extend_schema(responses={204: None}, summary="Strike an army that no battle remembers")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        remove_army(by=request.user, army=self.ordered())
        return Response(status=204)
