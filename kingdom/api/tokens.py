"""`auth/token/`: a key for an outside tool."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.authentication import BasicAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from kingdom import services
from kingdom.api.base import ApiView
from kingdom.api.fields import NameField
from kingdom.api.problems import IdempotencyReused
from kingdom.inputs import NAME_MAX
from kingdom.requests import ApiRequest


class TokenInput(serializers.Serializer):
    name = NameField(max_length=NAME_MAX, required=False, allow_blank=True)


class TokenSerializer(serializers.Serializer):
    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True, allow_null=True)


class ByAddress(SimpleRateThrottle):
    """Attempts from one address. Asked before anybody is known, so it never looks at `request.user`."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return f"token-address-{self.get_ident(request)}"


class ByAccount(SimpleRateThrottle):
    """Attempts on one account, wherever they come from."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str:
        account = hashlib.sha256(_username(request).encode()).hexdigest()
        return f"token-account-{account}"


def _username(request: Request) -> str:
    """The username in the Basic header, unchecked; whatever cannot be read counts as one account."""
    encoded = request.headers.get("Authorization", "").partition(" ")[2]
    try:
        return base64.b64decode(encoded).partition(b":")[0].decode().casefold()
    except ValueError:
        return ""


class TokenView(ApiView):
    """Trade a username and password (HTTP Basic) for a key. The key is shown here and never again."""

    authentication_classes = (BasicAuthentication,)
    throttle_classes = (ByAddress, ByAccount)

    def perform_authentication(self, request: Request) -> None:
        """Count the attempt before looking at the password: guessing is what the limit is for."""
        super().check_throttles(request)
        super().perform_authentication(request)

    def check_throttles(self, request: Request) -> None:
        """Done in `perform_authentication`."""

    @extend_schema(
        request=TokenInput,
        responses={201: TokenSerializer, 401: OpenApiResponse(description="Wrong username or password")},
        summary="Get a key",
    )
    def post(self, request: ApiRequest) -> Response:
        given = TokenInput(data=request.data or {})
        given.is_valid(raise_exception=True)
        made = services.create_token(by=request.user, with_password=True, **given.validated_data)
        return Response(TokenSerializer({"token": made.key, "expiry": made.token.expiry}).data, status=201)

    def seal(self, request: Any, body: str) -> str:
        """The kept answer holds the key: only who sends the same credentials again can read it."""
        return _cipher(request).encrypt(body.encode()).decode()

    def unseal(self, request: Any, body: str) -> str:
        try:
            return _cipher(request).decrypt(body.encode()).decode()
        except InvalidToken as error:
            raise IdempotencyReused from error


def _cipher(request: Any) -> Fernet:
    secret = f"{settings.SECRET_KEY}\0{request.headers.get('Authorization', '')}"
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()))
