"""`auth/token/`: a key for an outside tool."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BasicAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from kingdom.api.base import ApiView, checked
from kingdom.api.bodies import Input
from kingdom.api.fields import NameField
from kingdom.api.problems import IdempotencyReused, TriedTooOften
from kingdom.clients import device_of, house_of
from kingdom.inputs import NAME_MAX
from kingdom.request_types import ApiRequest
from kingdom.services import rate_limits
from kingdom.services.tokens import create_token


class TokenInput(Input):
    name = NameField(max_length=NAME_MAX, required=False, allow_blank=True)


class TokenSerializer(serializers.Serializer):
    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True, allow_null=True)


def _username(request: HttpRequest) -> str:
    """The username in the Basic header, unchecked; whatever cannot be read counts as one account."""
    encoded = request.headers.get("Authorization", "").partition(" ")[2]
    try:
        return base64.b64decode(encoded).partition(b":")[0].decode().casefold()
    except ValueError:
        return ""


class TokenView(ApiView):
    """Trade a username and password (HTTP Basic) for a key. The key is shown here and never again."""

    authentication_classes = (BasicAuthentication,)
    wait: float = 0

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Count the try before looking at the password, and outside what a refusal rolls back."""
        if "Authorization" not in request.headers:
            return super().dispatch(request, *args, **kwargs)
        account = _username(request)
        who = {"address": house_of(request), "account": account, "device": device_of(request, account)}
        self.wait = rate_limits.try_password(**who)
        response = super().dispatch(request, *args, **kwargs)
        if not self.wait and response.status_code != status.HTTP_401_UNAUTHORIZED:
            rate_limits.password_was_right(**who)
        return response

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
        summary="Get a key",
    )
    def post(self, request: ApiRequest) -> Response:
        given = checked(TokenInput(data=request.data or {}))
        made = create_token(by=request.user, with_password=True, **given)
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
