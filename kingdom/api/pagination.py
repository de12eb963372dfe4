"""Lists a page at a time, by cursor."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


class Cursor(CursorPagination):
    """`?limit=` 1 to 200 (more counts as 200). Ids are UUIDv7, so the default order is that of creation."""

    page_size = DEFAULT_LIMIT
    max_page_size = MAX_LIMIT
    page_size_query_param = "limit"
    page_size_query_description = "How many to answer: 1 to 200."
    ordering = "id"

    def get_page_size(self, request: Request) -> int:
        asked = request.query_params.get("limit", str(DEFAULT_LIMIT))
        if not (asked.isascii() and asked.isdigit() and int(asked[:9]) > 0 and len(asked) < 10):
            raise ValidationError({"limit": [_("A whole number from 1 to 200, please.")]})
        return min(int(asked), MAX_LIMIT)

    def decode_cursor(self, request: Request) -> Any:
        """A damaged cursor is a damaged request, not a missing page."""
        if "\0" in request.query_params.get("cursor", ""):
            raise ValidationError({"cursor": [_("This cursor is not one of ours.")]})
        try:
            return super().decode_cursor(request)
        except NotFound as error:
            raise ValidationError({"cursor": [_("This cursor is not one of ours.")]}) from error


class BySeq(Cursor):
    """In the order things happened."""

    ordering = "seq"


class NewestFirst(Cursor):
    """The latest first, for lists that count their rows."""

    ordering = "-seq"
