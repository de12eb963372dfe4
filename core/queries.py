"""Queries: lookup of one row, and querysets that each thread builds once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import local
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


def build_once[Rows: QuerySet[Any, Any]](build: Callable[..., Rows]) -> Callable[..., Rows]:
    """Decorator for a function that builds a queryset: each thread keeps what it built last, until it is called with
    other arguments. Callers narrow it down; nobody evaluates it as it is.

    Building a queryset with subqueries takes longer than its answer. Threads do not share one, as Django counts the
    tables of a subquery in it while it writes the SQL.
    """
    kept = local()

    @wraps(build)
    def get(*key: Hashable) -> Rows:
        if getattr(kept, "key", None) != key:
            kept.rows, kept.key = build(*key), key
        rows: Rows = kept.rows
        return rows

    return get
