"""Idempotency of the API: a repeated POST gets the first answer and is not executed again."""

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
from kingdom.access.permissions import ApiRequest
from kingdom.models import IdempotencyRecord

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
KEY_MAX = 200
KEPT_HEADERS = ("ETag", "Location")


class AllOrNothing:
    """View mixin: a transaction started by `begin` ends with the request, and a refused request is rolled back. Rate
    limits and token use, written before it, stay.
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

    After authentication the request runs in one transaction with its record, so the second of two equal requests waits
    and gets the first one's answer. A refused request leaves no record: it changed nothing.
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
        """Return the stored form of an idempotent answer. A view whose answer is secret overrides this and `unseal`."""
        return body

    def unseal(self, request: Any, body: str) -> str:
        return body

    def said(self, request: Request) -> Iterable[bytes]:
        """Yield the request's body for comparison. A view that does not hold it in memory overrides this."""
        yield request._request.body

    def _claim(self, request: ApiRequest, key: str) -> IdempotencyRecord:
        """Return a new record for this key. Raises `IdempotentReplay` with the stored answer, or an error if the key
        was used for another request.
        """
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
    """Return a hash of what makes two requests equal: the path, the version and the body."""
    said = hashlib.sha256()
    bound = getattr(request.user, "bound_to", None)  # tokens of two campaigns share no answers
    for part in (request.get_full_path(), request.headers.get("If-Match", ""), *([str(bound)] if bound else [])):
        said.update(part.encode() + b"\0")
    for chunk in body:
        said.update(chunk)
    return said.hexdigest()
