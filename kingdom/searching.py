"""What the search fields of lists find."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet


def with_words[Rows: QuerySet[Any]](rows: Rows, query: str, *fields: str) -> Rows:
    """Those with every word of the query in one of these fields, each in whichever."""
    for word in query.split():
        rows = rows.filter(Q(*((f"{field}__icontains", word) for field in fields), _connector=Q.OR))
    return rows
