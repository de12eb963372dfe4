"""API of `requests/`: what players ask of the GM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.response import Response

from core.api.serializers import NoInput
from kingdom.access.permissions import KINDS, ApiRequest
from kingdom.access.queries import share_campaigns
from kingdom.api.base_views import ApiViewSet
from kingdom.approvals.serializers import (
    ApprovalRequestSerializer,
    RefuseInput,
    get_request_for,
    list_visible_requests,
)
from kingdom.approvals.services import grant_request, refuse_request, withdraw_request
from kingdom.models import ApprovalRequest, Scope


class ApprovalRequestFilter(filters.FilterSet):
    campaign = filters.UUIDFilter(field_name="campaign")
    status = filters.ChoiceFilter(choices=ApprovalRequest.State.choices)
    kind = filters.ChoiceFilter(choices=[(slug, kind.name) for slug, kind in KINDS.items()])


@extend_schema_view(
    list=extend_schema(summary="What was asked of the GM, as far as you may read it"),
    retrieve=extend_schema(summary="A request"),
)
class ApprovalRequestViewSet(ApiViewSet):
    scope = Scope.PLAY
    queryset = ApprovalRequest.objects.none()
    serializer_class = ApprovalRequestSerializer
    filterset_class = ApprovalRequestFilter

    def get_queryset(self) -> Any:
        return list_visible_requests(self.request.user)

    def list(self, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        return self.answer_list(self.filter_queryset(self.get_queryset()), self._draw)

    def _draw(self, page: Sequence[ApprovalRequest], **options: Any) -> Any:
        share_campaigns(page)
        return self.get_serializer(page, **options)

    def get_object(self) -> ApprovalRequest:
        return get_request_for(self.request.user, self.kwargs["pk"])

    @extend_schema(responses={204: None}, summary="Withdraw your own request")
    def destroy(self, request: ApiRequest, pk: str) -> Response:
        withdraw_request(by=request.user, petition=self.get_object())
        return Response(status=204)

    @extend_schema(request=None, responses=ApprovalRequestSerializer, summary="Withdraw your own request")
    @action(detail=True, methods=["post"])
    def withdraw(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        return self.drawn(withdraw_request(by=request.user, petition=self.get_object()))

    @extend_schema(request=None, responses=ApprovalRequestSerializer, summary="Grant a request: it is done now (GM)")
    @action(detail=True, methods=["post"], scope=Scope.MANAGE)
    def grant(self, request: ApiRequest, pk: str) -> Response:
        self.input(NoInput)
        return self.drawn(grant_request(by=request.user, petition=self.get_object()))

    @extend_schema(request=RefuseInput, responses=ApprovalRequestSerializer, summary="Refuse a request (GM)")
    @action(detail=True, methods=["post"], scope=Scope.MANAGE)
    def refuse(self, request: ApiRequest, pk: str) -> Response:
        petition = self.get_object()
        return self.drawn(refuse_request(by=request.user, petition=petition, **self.input(using=RefuseInput)))
