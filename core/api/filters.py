"""Filters of lists. Unknown ones are refused, not ignored."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

PAGING = frozenset({"limit", "cursor"})
YES, NO = ("true", "1"), ("false", "0")


class StrictFilters(DjangoFilterBackend):
    """django-filter; a parameter that is neither a filter nor paging is a 400."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        filterset = self.get_filterset_class(view, queryset)
        known = PAGING | set(filterset.base_filters if filterset else ())
        refuse_unknown(request, known)
        return super().filter_queryset(request, queryset, view)


def refuse_unknown(request: Request, known: frozenset[str] | set[str]) -> None:
    """Raise a 400 naming every query parameter that is not known."""
    if unknown := sorted(set(request.query_params) - known):
        raise ValidationError({name: [_("Unknown filter. Remove it.")] for name in unknown})


def is_asked(request: Request, name: str) -> bool:
    """Whether a filter of yes or no is on; it is not where nobody names it. Raises a 400 for any other word."""
    told = request.query_params.get(name, NO[0])
    if told not in (*YES, *NO):
        raise ValidationError({name: [_("Use true or false.")]})
    return told in YES
