"""Concurrency control: ETag on what is read, If-Match on what is changed."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.problems import IfMatchFailed, PreconditionRequired
from core.clean_input import parse_whole

IF_MATCH = "If-Match"
ANY = "*"
TAG = re.compile(r'(?:W/)?"[!#-~]*"|[0-9]+')


def make_etag(data: Any) -> str:
    """Return the quoted entity tag of a representation."""
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def answer_conditionally(request: Request, response: Response, etag: str | None = None) -> Response:
    """Return the response with its ETag, or 304 if the client has that version.

    Every read with an ETag uses this. `etag` defaults to the response's, or to that of its data.
    """
    etag = etag or response.headers.get("ETag") or make_etag(response.data)
    if _are_among(_split(request.headers.get("If-None-Match", "")), etag):
        response = Response(status=304)
    response["ETag"] = etag
    return response


def require_if_match(request: Request) -> list[str]:
    """Return the versions in If-Match. Raises `PreconditionRequired` if it is missing,
    `ValidationError` if malformed.
    """
    tags = _tags_of(request)
    if not tags:
        raise PreconditionRequired
    return tags


def required_version(request: Request) -> int:
    """Return the one version in If-Match, for commands on numbered versions. `*` is not allowed."""
    tags = require_if_match(request)
    if len(tags) > 1:
        raise ValidationError({IF_MATCH: [_("Send exactly one version.")]})
    version = parse_whole(_bare(tags[0]))
    if version is None:
        raise IfMatchFailed
    return version


def require_mark(request: Request, given: str) -> str:
    """Return the mark of the confirmed proposal, from the body (`given`) or If-Match. Raises `PreconditionRequired`."""
    mark = given or _bare(next(iter(_tags_of(request)), ANY))
    if mark == ANY:
        raise PreconditionRequired(_("Send the mark of the proposal you read."))
    return mark


def check_if_match(request: Request, etag: str) -> None:
    """Raise `IfMatchFailed` if If-Match names other versions, `ValidationError` if malformed. Without If-Match nothing
    is checked.
    """
    if IF_MATCH in request.headers and not _are_among(_tags_of(request), etag):
        raise IfMatchFailed


def _tags_of(request: Request) -> list[str]:
    """Return the entity tags in If-Match. A number may be unquoted. Raises `ValidationError` for anything else."""
    header = request.headers.get(IF_MATCH, "").strip()
    tags = _split(header) if header else []
    if any(tag != ANY and not TAG.fullmatch(tag) for tag in tags) or (ANY in tags and len(tags) > 1):
        raise ValidationError({IF_MATCH: [_("Send the ETag you received, including its quotes.")]})
    return tags


def _split(header: str) -> list[str]:
    return [tag.strip() for tag in header.split(",")]


def _are_among(tags: list[str], etag: str) -> bool:
    return ANY in tags or _bare(etag) in map(_bare, filter(None, tags))


def _bare(tag: str) -> str:
    return tag.strip().removeprefix("W/").strip('"')
