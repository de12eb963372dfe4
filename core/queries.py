"""Lookup of one row."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet


def find_one[Row](rows: QuerySet[Any, Row]) -> Row | None:
    """Return the only row, or None if there is none: `find_one(Army.objects.filter(pk=key))`.

    Unlike `first`, it does not order the rows. For an order Django compares all columns that a query selects, which
    takes longer than the rest of a lookup. Raises an error where there are several rows.
    """
    try:
        return rows.get()
    except rows.model.DoesNotExist:
        return None
