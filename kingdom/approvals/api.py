"""API of `requests/`: what players ask of the GM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from core.api.input_serializers import NoInput
from kingdom.access.permissions import KINDS
from kingdom.access.request_types import ApiRequest
from kingdom.api.base import ApiViewSet
from kingdom.approvals.queries import petition_for, petitions_visible_to, share_petition_campaigns
from kingdom.approvals.serializers import PetitionSerializer, RefuseInput
from kingdom.approvals.services import grant_petition, refuse_petition, withdraw_petition
from kingdom.models import Petition, Scope


class PetitionFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    status = filters.ChoiceFilter(choices=Petition.State.choices)
    kind = filters.ChoiceFilter(choices=[(slug, kind.name) for slug, kind in KINDS.items()])


@extend_schema_view(
    list=extend_schema(summary="What was asked of the GM, as far as you may read it"),
    retrieve=extend_schema(summary="A request"),
)
class PetitionViewSet(ApiViewSet):
    scope = Scope.PLAY
    queryset = Petition.objects.none()
    serializer_class = PetitionSerializer
    filterset_class = PetitionFilter

    def get_queryset(self) -> Any:
        return petitions_visible_to(self.request.user)

    def list(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return self.answer_list(self.filter_queryset(self.get_queryset()), self._draw)

    def _draw(self, page: Sequence[Petition], **options: Any) -> Any:
        share_petition_campaigns(page)
        return self.get_serializer(page, **options)

    def get_object(self) -> Petition:
        return petition_for(self.request.user, self.kwargs["pk"])

    @extend_schema(responses={204: None}, summary="Withdraw your own request")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        withdraw_petition(by=request.user, petition=self.get_object())
        return Response(status=204)

    @extend_schema(request=None, responses=PetitionSerializer, summary="Withdraw your own request")
    @action(detail=True, methods=["post"])
    def withdraw(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        return self.drawn(withdraw_petition(by=request.user, petition=self.get_object()))

    @extend_schema(request=None, responses=PetitionSerializer, summary="Grant a request: it is done now (GM)")
    @action(detail=True, methods=["post"], scope=Scope.MANAGE)
    def grant(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        return self.drawn(grant_petition(by=request.user, petition=self.get_object()))

    @extend_schema(request=RefuseInput, responses=PetitionSerializer, summary="Refuse a request (GM)")
    @action(detail=True, methods=["post"], scope=Scope.MANAGE)
    def refuse(self, request: ApiRequest, pk: str) -> Response:
        petition = self.get_object()
        return self.drawn(refuse_petition(by=request.user, petition=petition, **self.input(using=RefuseInput)))
