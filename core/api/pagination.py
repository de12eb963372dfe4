"""Cursor pagination."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from core.clean_input import parse_whole

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
LIMITED = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}
SPELLED = re.compile("[A-Za-z0-9+/]+={0,2}")


class Cursor(CursorPagination):
    """`?limit=` 1 to 200. Ids are UUIDv7, so the default order is that of creation."""

    page_size = DEFAULT_LIMIT
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"
    page_size_query_description = "How many to answer: 1 to 200."
    ordering = "id"

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Without the examples of the base class, which are no addresses."""
        told = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            del told["properties"][name]["example"]
        return told

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """With the bounds of `limit`."""
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
        """A damaged cursor is a damaged request, not a missing page."""
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise _not_ours() from error
        if self.cursor_query_param in request.query_params and not self._ours(request, cursor):
            raise _not_ours()
        return cursor

    def _ours(self, request: Request, cursor: Any) -> bool:
        """Whether it says where to go on, in the letters cursors are written in, and could have been given out."""
        plain = SPELLED.fullmatch(request.query_params[self.cursor_query_param])
        somewhere = cursor is not None and any((cursor.position is not None, cursor.offset, cursor.reverse))
        return bool(plain and somewhere) and (cursor.position is None or self.knows(str(cursor.position)))

    def knows(self, position: str) -> bool:
        """Whether the text could stand where the list is ordered by."""
        try:
            return str(UUID(position)) == position
        except ValueError:
            return False


def _not_ours() -> ValidationError:
    return ValidationError({"cursor": [_("Invalid cursor. Use the one from the previous page.")]})


class BySeq(Cursor):
    """In the order things happened."""

    ordering = "seq"

    def knows(self, position: str) -> bool:
        return parse_whole(position) is not None


class NewestFirst(BySeq):
    """The latest first, for lists that count their rows."""

    ordering = "-seq"
