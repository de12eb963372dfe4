"""API of `account/`: what owners of an account are told of it."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from core.api.filters import StrictFilters
from core.api.pagination import NewestFirst
from kingdom.accounts.token_scopes import Scoped
from kingdom.campaign.queries import security_log_of
from kingdom.models import Scope, SecurityEvent, User


class NewestEvents(NewestFirst):
    """In the order they were written down: they count up."""

    ordering = "-id"


class SecurityEventSerializer(serializers.ModelSerializer):
    """`address` is shortened. `about`: the token or the device it is about. `times`: in a row, within an hour."""

    class Meta:
        model = SecurityEvent
        fields = ("id", "at", "kind", "address", "device", "about", "times")
        read_only_fields = fields


class SecurityView(Scoped, ListAPIView):
    """The security log of whoever asks, the newest first, of the last 90 days. A token reads it that may manage, and is
    of no one campaign.
    """

    reading = Scope.MANAGE
    action, beyond = "list", ("list",)
    permission_classes = (IsAuthenticated,)
    filter_backends = (StrictFilters,)
    serializer_class = SecurityEventSerializer
    pagination_class = NewestEvents

    @extend_schema(summary="Read one's own security log")
    def get(self, request: Request, *args: Any, **given: Any) -> Any:
        return super().get(request, *args, **given)

    def get_queryset(self) -> QuerySet[SecurityEvent]:
        if getattr(self, "swagger_fake_view", False):  # the document is written for nobody
            return SecurityEvent.objects.none()
        return security_log_of(cast(User, self.request.user))
