"""Rows by the hundred, where only their number matters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction


@transaction.atomic
def write_rows(rows: Iterable[Any]) -> None:
    """Insert new rows of one model as they are; one that continues another model's table has a row in each."""
    rows = list(rows)
    if not rows:
        return
    model = type(rows[0])
    for parent in model._meta.parents:
        names = [field.attname for field in parent._meta.concrete_fields]
        parent._default_manager.bulk_create(parent(**{name: getattr(row, name) for name in names}) for row in rows)
    model._default_manager.all()._insert(rows, fields=model._meta.local_concrete_fields, using="default")
