"""API of `account/`: the security log of an account, and its tokens."""

from __future__ import annotations

import base64
from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BasicAuthentication
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.concurrency import NewestFirst
from core.api.problems import Sealed, TriedTooOften, point_at
from core.api.serializers import Input, StrictFilters
from core.clean_input import NAME_MAX
from core.client_info import device_of, get_limit_address
from kingdom.access.permissions import ApiRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts import rate_limits
from kingdom.accounts.authentication import Scoped
from kingdom.accounts.services import create_token, note_failed
from kingdom.api.base_views import ApiView, validate_body
from kingdom.api.fields import NameField
from kingdom.campaign.queries import security_log_of
from kingdom.models import Scope, SecurityEvent, User


class NewestEvents(NewestFirst):
    """Pagination in the order of writing, newest first."""

    ordering = "-id"


class SecurityEventSerializer(serializers.ModelSerializer):
    """`address` is shortened. `about`: the token or device concerned. `times`: how often in a row within an hour."""

    class Meta:
        model = SecurityEvent
        fields = ("id", "at", "kind", "address", "device", "about", "times")
        read_only_fields = fields


class SecurityView(Scoped, ListAPIView):
    """The account's security log of the last 90 days, newest first. A token needs the scope `manage` and must not be
    limited to one campaign.
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
        if getattr(self, "swagger_fake_view", False):  # the schema has no user
            return SecurityEvent.objects.none()
        return security_log_of(cast(User, self.request.user))


# API of `auth/token/`: tokens for outside tools.


SCOPES = "read: reads only; play: orders, dice, checks and forecasts, too; manage: everything its owner may"


class TokenInput(Input):
    name = NameField(max_length=NAME_MAX, required=False, allow_blank=True, help_text="default: of which day it is")
    scope = serializers.ChoiceField(choices=Scope.choices, required=False, help_text=f"{SCOPES}. Default: manage")
    campaign = serializers.UUIDField(
        required=False, allow_null=True, help_text="the only one it sees; null, the default: all of its owner's"
    )
    expiry = serializers.DateTimeField(
        required=False, help_text="when it ends, as far away as the site lets it (a year, unless it says otherwise)"
    )


class TokenSerializer(serializers.Serializer):
    """`token`: the key itself."""

    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True, allow_null=True)
    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(read_only=True)
    scope = serializers.ChoiceField(choices=Scope.choices, read_only=True, help_text=SCOPES)
    campaign = serializers.UUIDField(read_only=True, allow_null=True)


def _username(request: HttpRequest) -> str:
    """Return the username in the Basic header, unchecked; all unreadable headers count as one account."""
    encoded = request.headers.get("Authorization", "").partition(" ")[2]
    try:
        return base64.b64decode(encoded).partition(b":")[0].decode().casefold()
    except ValueError:
        return ""


class TokenView(Sealed, ApiView):
    """Trade a username and password (HTTP Basic) for a token. Its key is shown here and never again."""

    authentication_classes = (BasicAuthentication,)  # a token cannot create tokens
    scope = Scope.MANAGE
    wait: float = 0

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Count the attempt before the password is checked, and outside the transaction that a refusal rolls back."""
        if "Authorization" not in request.headers or request.method != "POST":
            return super().dispatch(request, *args, **kwargs)
        account = _username(request)
        who = {"address": get_limit_address(request), "account": account, "device": device_of(request, account)}
        self.wait = rate_limits.try_password(**who)
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code == status.HTTP_401_UNAUTHORIZED:
            note_failed(account=account)
        elif not self.wait:
            rate_limits.password_was_right(**who)
        return response

    def get_authenticators(self) -> list[Any]:
        """Check the password for POST only: other methods would reveal whether it is right without counting an
        attempt.
        """
        return super().get_authenticators() if self._takes_password() else []

    def get_permissions(self) -> Any:
        return super().get_permissions() if self._takes_password() else []

    def _takes_password(self) -> bool:
        return self.request is None or self.request.method == "POST"  # None while the schema is generated

    def perform_authentication(self, request: Request) -> None:
        if self.wait:
            raise TriedTooOften(self.wait)
        super().perform_authentication(request)

    @extend_schema(
        request=TokenInput,
        responses={
            201: TokenSerializer,
            401: OpenApiResponse(description="Wrong username or password"),
            429: OpenApiResponse(description="Too many tries: wait as many seconds as Retry-After says"),
        },
        summary="Get a token",
    )
    def post(self, request: ApiRequest) -> Response:
        given = validate_body(TokenInput(data=request.data or {}))
        if wanted := given.pop("campaign", None):
            with point_at("/campaign"):
                given["campaign"] = get_campaign_for(request.user, wanted)
        token, key = create_token(by=request.user, with_password=True, **given)
        told = {"id": token.public_id, "token": key, "expiry": token.expiry, "name": token.name, "scope": token.scope}
        return Response(TokenSerializer({**told, "campaign": token.campaign_id}).data, status=201)
