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
    """django-filter backend that answers 400 to unknown query parameters."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        filterset = self.get_filterset_class(view, queryset)
        known = PAGING | set(filterset.base_filters if filterset else ())
        refuse_unknown(request, known)
        return super().filter_queryset(request, queryset, view)


def refuse_unknown(request: Request, known: frozenset[str] | set[str]) -> None:
    """Raise `ValidationError` that names every unknown query parameter."""
    if unknown := sorted(set(request.query_params) - known):
        raise ValidationError({name: [_("Unknown filter. Remove it.")] for name in unknown})


def is_asked(request: Request, name: str) -> bool:
    """Return the value of a boolean filter; False if it is missing. Raises `ValidationError` for any other word."""
    told = request.query_params.get(name, NO[0])
    if told not in (*YES, *NO):
        raise ValidationError({name: [_("Use true or false.")]})
    return told in YES
