"""Idempotency: a repeated POST gets the first answer and is not done again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import timedelta
from typing import Any, cast

from django.db import transaction
from django.http import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.problems import IdempotencyReused, IdempotentReplay
from kingdom.access.request_types import ApiRequest
from kingdom.models import IdempotencyRecord

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
KEY_MAX = 200
KEPT_HEADERS = ("ETag", "Location")


class AllOrNothing:
    """View mixin: what begins a transaction (`begin`) has it end with the request, whatever is done of it; what is
    refused leaves nothing. What was counted of the request and noted of its token before stays.
    """

    _transaction: ExitStack
    _begun = False

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with ExitStack() as self._transaction:
            response = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
            if response.status_code >= 400 and self._begun:
                transaction.set_rollback(True)
        return response

    def begin(self) -> None:
        if not self._begun:
            self._transaction.enter_context(transaction.atomic())
            self._begun = True


class Idempotent(AllOrNothing):
    """View mixin: honours Idempotency-Key on POST, per user and for a day.

    Once it is known who asks, and that they may, the request runs in one transaction with its record, so of two equal
    requests at once the second waits and gets the first one's answer. A refused request leaves no record: it changed
    nothing.
    """

    record: IdempotencyRecord | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        key = request.headers.get(HEADER)
        if request.method == "POST" and key is not None and request.user.is_authenticated:
            self.begin()
            self.record = self._claim(cast(ApiRequest, request), key)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]
        if self.record and response.status_code < 400:
            self._keep(self.record, response)
        return response

    def seal(self, request: Any, body: str) -> str:
        """How an answer is kept; a view whose answer is a secret overrides this and `unseal`."""
        return body

    def unseal(self, request: Any, body: str) -> str:
        return body

    def said(self, request: Request) -> Iterable[bytes]:
        """What a request says, for comparison; a view that holds no body in memory overrides this."""
        yield request._request.body

    def _claim(self, request: ApiRequest, key: str) -> IdempotencyRecord:
        """A fresh record for this key; raises `IdempotentReplay` with the answer when it was used, or the misuse."""
        if not (key.isascii() and key.isprintable() and 0 < len(key) <= KEY_MAX):
            raise ValidationError({HEADER: [_("Use 1 to 200 plain ASCII characters.")]})
        IdempotencyRecord.objects.filter(user=request.user, at__lt=timezone.now() - KEPT).delete()
        fingerprint = _fingerprint(request, self.said(request))
        record, created = IdempotencyRecord.objects.get_or_create(
            user=request.user, key=key, defaults={"fingerprint": fingerprint}
        )
        if created:
            return record
        if record.fingerprint != fingerprint:
            raise IdempotencyReused
        raise IdempotentReplay(self._answer(request, record))

    def _keep(self, record: IdempotencyRecord, response: Any) -> None:
        body = JSONRenderer().render(response.data).decode() if response.data is not None else ""
        record.status = response.status_code
        record.headers = {name: response[name] for name in KEPT_HEADERS if name in response}
        record.body = self.seal(self.request, body)  # type: ignore[attr-defined]
        record.save(update_fields=["status", "headers", "body"])

    def _answer(self, request: Request, record: IdempotencyRecord) -> Response:
        body = self.unseal(request, record.body)
        data = json.loads(body) if body else None
        headers = {**record.headers, "Idempotency-Replayed": "true"}
        return Response(data, status=record.status, headers=headers)


def _fingerprint(request: Request, body: Iterable[bytes]) -> str:
    """What makes two requests the same: where it goes, on which version, and what it says."""
    said = hashlib.sha256()
    bound = getattr(request.user, "bound_to", None)  # what one token was told is not told to one of another campaign
    for part in (request.get_full_path(), request.headers.get("If-Match", ""), *([str(bound)] if bound else [])):
        said.update(part.encode() + b"\0")
    for chunk in body:
        said.update(chunk)
    return said.hexdigest()
