"""Concurrency control: ETag on what is read, If-Match on what is changed."""

from __future__ import annotations

import hashlib
import re
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
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
    """Return the one version in If-Match, for commands on numbered versions. `*` is not allowed. Raises
    `ValidationError` for several versions, `IfMatchFailed` for a value that is no version, `PreconditionRequired`
    without one.
    """
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


# Cursor pagination.

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
LIMITED = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
SPELLED = re.compile("[A-Za-z0-9+/]+={0,2}")


class Cursor(CursorPagination):
    """Cursor pagination with `?limit=` from 1 to 200. Ids are UUIDv7, so the default order is that of creation."""

    page_size = DEFAULT_LIMIT
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"
    page_size_query_description = "How many to answer: 1 to 200."
    ordering = "id"

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema without the base class's examples, which are no addresses of this API. All members are
        always there.
        """
        told = super().get_paginated_response_schema(schema)
        told["required"] = [*told["properties"]]
        for name in ("next", "previous"):
            del told["properties"][name]["example"]
        return told

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters with the bounds of `limit`."""
        told = super().get_schema_operation_parameters(view)
        for one in told:
            if one["name"] == self.page_size_query_param:
                one["schema"] = dict(LIMITED)
        return told

    def get_page_size(self, request: Request) -> int:
        asked = request.query_params.get("limit", str(DEFAULT_LIMIT))
        limit = parse_whole(asked)
        if not limit or limit > MAX_LIMIT:
            raise ValidationError({"limit": [_("Use a whole number from 1 to 200.")]})
        return limit

    def decode_cursor(self, request: Request) -> Any:
        """Decode the cursor. A damaged one is a bad request (400), not a missing page."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise _not_ours() from error
        if self.cursor_query_param in request.query_params and not self._ours(request, cursor):
            raise _not_ours()
        return cursor

    def _ours(self, request: Request, cursor: Any) -> bool:
        """Whether this cursor is well formed and could have been given out by us."""
        plain = SPELLED.fullmatch(request.query_params[self.cursor_query_param])
        somewhere = cursor is not None and any((cursor.position is not None, cursor.offset, cursor.reverse))
        return bool(plain and somewhere) and (cursor.position is None or self.knows(str(cursor.position)))

    def knows(self, position: str) -> bool:
        """Whether this could be a value of the field by which the list is ordered."""
        try:
            return str(UUID(position)) == position
        except ValueError:
            return False


def _not_ours() -> ValidationError:
    return ValidationError({"cursor": [_("Invalid cursor. Use the one from the previous page.")]})


class BySeq(Cursor):
    """Pages in the order of events."""

    ordering = "seq"

    def knows(self, position: str) -> bool:
        return parse_whole(position) is not None


class NewestFirst(BySeq):
    """Pages with the latest first, for lists with numbered rows."""

    ordering = "-seq"
