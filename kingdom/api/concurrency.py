"""Versions: ETag on what is read, If-Match on what is changed."""

from __future__ import annotations

import hashlib
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from kingdom.api.problems import IfMatchFailed, PreconditionRequired


def etag_of(data: Any) -> str:
    """The entity tag of a representation, quoted."""
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def conditional(request: Request, response: Response, etag: str | None = None) -> Response:
    """The response with its ETag, or 304 when the client has that version already."""
    etag = etag or etag_of(response.data)
    if _matches(request.headers.get("If-None-Match"), etag):
        response = Response(status=304)
    response["ETag"] = etag
    return response


def require_if_match(request: Request) -> str:
    """The version the client names, without quotes. Raises `PreconditionRequired` when it names none."""
    header = request.headers.get("If-Match", "").strip()
    if not header:
        raise PreconditionRequired
    return _bare(header)


def named_mark(request: Request, given: str) -> str:
    """The mark of the proposal that is confirmed, `given` in the body or as If-Match. Raises `PreconditionRequired`."""
    mark = given or _bare(request.headers.get("If-Match", ""))
    if mark in ("", "*"):
        raise PreconditionRequired(_("Send the mark of the proposal you have seen."))
    return mark


def check_if_match(request: Request, etag: str) -> None:
    """Raise `IfMatchFailed` when If-Match is there and names another version."""
    header = request.headers.get("If-Match")
    if header is not None and not _matches(header, etag):
        raise IfMatchFailed


def _matches(header: str | None, etag: str) -> bool:
    tags = [tag.strip() for tag in (header or "").split(",")]
    return "*" in tags or _bare(etag) in map(_bare, filter(None, tags))


def _bare(tag: str) -> str:
    return tag.strip().removeprefix("W/").strip('"')
